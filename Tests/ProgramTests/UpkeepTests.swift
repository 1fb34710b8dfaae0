import Foundation
import GRDB
import ProgramStage
import Testing

extension ProgramTests {
    /// `rankctl backup`, `verify`, `export`, `import` and `prune`, beside a rankd that records.
    @Suite struct UpkeepTests {
        private func store(_ stage: Stage, _ terms: [String], latency: Int = 0) async throws -> Simulator {
            let recordings = try Recordings.ofFiveApps(for: terms, on: stage)
            return try await stage.simulator(["--replay", recordings.folder, "--latency", "\(latency)"])
        }

        /// Records one pass of some queries.
        private func record(_ stage: Stage, queries: Int = 3) async throws -> Simulator {
            let store = try await store(stage, terms(queries))
            try stage.watch(watchlist(terms(queries), ["com.example.app2", "com.example.nowhere"]))
            #expect(try await stage.pass(store: store.origin).ending == .code(0))
            return store
        }

        private func files(_ stage: Stage) throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: stage.path).filter { $0.contains("sqlite") })
        }

        /// Makes the history so large that a copy takes a while.
        private func fatten(_ stage: Stage) throws {
            let queue = try DatabaseQueue(path: stage.database)
            try queue.write { try $0.execute(sql: "INSERT INTO setting VALUES ('ballast', randomblob(150000000))") }
            try queue.close()
        }

        private func upkeep(_ stage: Stage, _ arguments: [String]) async throws -> Program {
            try await stage.rankctl(arguments + ["--database", stage.database])
        }

        @Test func `a backup during a pass is whole, and opens by itself`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage, terms(1_000), latency: 2)
                try stage.watch(watchlist(terms(1_000), ["com.example.app2"]))
                let rankd = try stage.rankd(store: store.origin)
                try await eventually("something is recorded") {
                    FileManager.default.fileExists(atPath: stage.database)
                        && (try? RecordedHistory(stage.database).checkCount) ?? 0 > 20 ? true : nil
                }
                for number in 1...5 {
                    let copy = stage.file("copy\(number).sqlite")
                    let backup = try await upkeep(stage, ["backup", copy])
                    #expect(backup.ending == .code(0), "\(backup.errors)")
                    let verify = try await stage.rankctl(["verify", copy])
                    #expect(verify.ending == .code(0), "\(verify.output) \(verify.errors)")
                    let report = try await stage.rankctl(["report", "--database", copy])
                    #expect(report.ending == .code(0) && report.output.contains("#2"), "\(report.errors)")
                    let live = try await upkeep(stage, ["verify"])
                    #expect(live.ending == .code(0), "\(live.output) \(live.errors)")
                }
                #expect(try !files(stage).contains { $0.hasSuffix(".partial") })
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0))
                #expect(try RecordedHistory(stage.database).flaws == [])
            }
        }

        @Test func `a backup that is killed leaves nothing under its name, and the next one clears up`() async throws {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                try fatten(stage)
                let copy = stage.file("copy.sqlite")
                for signal in [SIGKILL, SIGINT] {
                    let backup = try stage.start(.rankctl, ["backup", copy, "--database", stage.database])
                    try await eventually("the copying has begun") {
                        try files(stage).contains { $0.hasSuffix(".\(backup.pid).partial") } ? true : nil
                    }
                    backup.signal(signal)
                    #expect(try await backup.ends() == (signal == SIGKILL ? .signal(SIGKILL) : .code(130)))
                    #expect(try !files(stage).contains("copy.sqlite"))
                    #expect(try files(stage).contains { $0.hasSuffix(".partial") } == (signal == SIGKILL))
                }
                #expect(try await upkeep(stage, ["backup", copy]).ending == .code(0))
                #expect(try files(stage).contains("copy.sqlite"))
            }
        }

        @Test func `a backup never replaces a file unasked, and a folder gets a dated one`() async throws {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                let copy = try stage.write("mine", to: "copy.sqlite")
                let refused = try await upkeep(stage, ["backup", copy])
                #expect(refused.ending == .code(65) && refused.errors.contains("--force"), "\(refused.errors)")
                #expect(try String(contentsOfFile: copy, encoding: .utf8) == "mine")
                #expect(try await upkeep(stage, ["backup", copy, "--force"]).ending == .code(0))
                #expect(try await upkeep(stage, ["backup", stage.database, "--force"]).ending == .code(65))
                #expect(try await upkeep(stage, ["backup", stage.file("no/copy.sqlite")]).ending == .code(66))
                let dated = try await upkeep(stage, ["backup", stage.path])
                #expect(dated.ending == .code(0))
                #expect(try files(stage).contains { $0.hasPrefix("history-2") && $0.hasSuffix(".sqlite") })
            }
        }

        @Test func `rankd backs up by itself, and status says so`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage, ["habits"])
                let plan = """
                    { "watch": [ { "query": "habits", "bundleId": "com.example.app1" } ],
                      "service": { "requestsPerMinute": 100000, "backup": { "keep": 2 } } }
                    """
                try stage.watch(plan)
                let rankd = try stage.rankd(store: store.origin)
                try await rankd.says("backup made")
                let status = try await upkeep(stage, ["status"])
                #expect(status.ending == .code(0) && status.output.contains("backup     just now"), "\(status.output)")
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0))
                let names = try FileManager.default.contentsOfDirectory(atPath: stage.file("backups"))
                #expect(names.count == 1)
                let verify = try await stage.rankctl(["verify", stage.file("backups/" + names[0])])
                #expect(verify.ending == .code(0), "\(verify.output)")
            }
        }

        @Test func `verify is 65 with a line for each finding, and JSON says the same`() async throws {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                let fine = try await upkeep(stage, ["verify"])
                #expect(
                    fine.ending == .code(0) && fine.output.isEmpty && fine.errors.hasPrefix("everything is consistent"))
                let queue = try DatabaseQueue(path: stage.database)
                try await queue.write {
                    try $0.execute(sql: "UPDATE position SET position = 3 WHERE position = 2 AND check_id = 1")
                }
                try queue.close()
                let verify = try await upkeep(stage, ["verify"])
                #expect(verify.ending == .code(65) && verify.errors.contains("2 findings in "), "\(verify.errors)")
                #expect(
                    verify.output.contains(": the pair is stored as #3, but the list says #2\n"), "\(verify.output)")
                let json = try await upkeep(stage, ["verify", "--format", "json"])
                #expect(json.ending == .code(65) && json.output.contains("\"sound\":false,"), "\(json.output)")
                #expect(json.output.contains("\"part\":\"positions\""))
                #expect(try await stage.rankctl(["verify", stage.watchlistFile]).ending == .code(65))
                #expect(try await stage.rankctl(["verify", stage.file("none.sqlite")]).ending == .code(66))
            }
        }

        @Test func `the output file - is the standard output, for reports, exports and what verify finds`() async throws
        {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                for line in [
                    ["export"], ["export", "--format", "csv"], ["report"], ["report", "movers"], ["status"],
                    ["report", "--format", "csv"], ["report", "--format", "html"], ["verify", "--format", "json"],
                    ["plan"],
                ] {
                    func run(_ more: [String]) async throws -> Program {
                        try await stage.rankctl(
                            line + more
                                + (line == ["plan"]
                                    ? ["--watchlist", stage.watchlistFile, "--database", stage.database]
                                    : ["--database", stage.database]))
                    }
                    let (usual, named) = (try await run([]), try await run(["--output", "-"]))
                    #expect(named.ending == usual.ending, "\(line): \(named.errors)")
                    #expect(!named.output.isEmpty || usual.output.isEmpty, "\(line)")
                    #expect(named.output.utf8.count == usual.output.utf8.count, "\(line)")
                }
                #expect(
                    !FileManager.default.fileExists(atPath: "-")
                        && !FileManager.default.fileExists(atPath: stage.file("-")))
                let backup = try await upkeep(stage, ["backup", "-"])
                #expect(backup.ending == .code(64), "\(backup.errors)")
                #expect(backup.errors.contains("a backup needs a file"), "\(backup.errors)")
            }
        }

        @Test func `an export comes back exactly, and is refused while rankd runs`() async throws {
            try await Stage.run { stage async throws in
                let store = try await record(stage, queries: 30)
                let file = stage.file("history.ndjson")
                #expect(try await upkeep(stage, ["export", "--output", file]).ending == .code(0))
                #expect(try await upkeep(stage, ["export", "--output", file]).ending == .code(65))
                #expect(try await upkeep(stage, ["export", "--output", stage.database, "--force"]).ending == .code(65))
                let other = stage.file("other.sqlite")
                let brought = try await stage.rankctl(["import", file, "--database", other])
                #expect(
                    brought.ending == .code(0) && brought.errors.hasPrefix("imported 30 checks"), "\(brought.errors)")
                let (left, right) = (
                    try await upkeep(stage, ["export"]), try await stage.rankctl(["export", "--database", other])
                )
                // The first line has the moment of the export, and the last one a checksum over it.
                let lines = { (program: Program) in program.output.split(separator: "\n").dropFirst().dropLast() }
                #expect(lines(left) == lines(right))
                #expect(lines(left).count > 30)
                #expect(try await stage.rankctl(["verify", other]).ending == .code(0))
                let csv = try await upkeep(stage, ["export", "--format", "csv"])
                #expect(csv.ending == .code(0) && csv.output.split(separator: "\r\n").count == 61, "\(csv.output)")

                let rankd = try stage.rankd(store: store.origin)
                try await rankd.says("message=started")
                for arguments in [["import", file], ["prune", "--query", "query 1", "--yes"]] {
                    let refused = try await upkeep(stage, arguments)
                    #expect(
                        refused.ending == .code(75) && refused.errors.contains("pid \(rankd.pid)"), "\(refused.errors)")
                }
            }
        }

        @Test func `another tool's table gets a source of its own`() async throws {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                let table = try stage.write(
                    "date,keyword,rank\n2026-11-01,habits,3\n2026-11-02,habits,999\n", to: "ranks.csv")
                let options = ["--within", "100", "--country", "us", "--app", "com.example.app2", "--source", "tool"]
                let guessed = try await upkeep(stage, ["import", table] + options)
                #expect(guessed.ending == .code(65), "\(guessed.errors)")
                #expect(guessed.errors.contains("line 3: “999” is beyond the 100 results"), "\(guessed.errors)")
                let brought = try await upkeep(stage, ["import", table, "--absent", "999"] + options)
                #expect(brought.ending == .code(0) && brought.errors.contains("imported 2 checks with 2 positions"))
                let rows = try RecordedHistory(stage.database).number(
                    "SELECT count(*) FROM position_history WHERE source = 'import:tool'")
                #expect(rows == 2)
                #expect(try await upkeep(stage, ["verify"]).ending == .code(0))
                #expect(try await upkeep(stage, ["report"]).ending == .code(0))
            }
        }

        @Test func `a table of days is there once, whatever zone the command names`() async throws {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                let table = try stage.write(
                    "date,keyword,rank\n2026-11-01,habits,3\n2026-11-02,habits,-\n", to: "ranks.csv")
                let options = ["--within", "100", "--country", "us", "--app", "com.example.app2", "--source", "tool"]
                let first = try await upkeep(stage, ["import", table, "--time-zone", "Europe/Berlin"] + options)
                #expect(first.ending == .code(0) && first.errors.contains("imported 2 checks"), "\(first.errors)")
                for zone in [["--time-zone", "America/New_York"], ["--time-zone", "UTC"], []] {
                    let again = try await upkeep(stage, ["import", table] + zone + options)
                    #expect(
                        again.ending == .code(0)
                            && again.errors.contains("imported 0 checks with 0 positions; 2 rows were already there"),
                        "\(zone): \(again.errors)")
                }
                #expect(try await upkeep(stage, ["verify"]).ending == .code(0))
            }
        }

        @Test func `rankd's own history comes back from CSV as it was, and an empty table is a mistake`() async throws {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                let report = [
                    "report", "history", "--app", "com.example.app2", "--format", "csv", "--columns", "all", "--query",
                ]
                let own = try await upkeep(stage, report + ["query 1"])
                let table = try stage.write(own.output, to: "own.csv")
                let brought = try await upkeep(stage, ["import", table])
                #expect(brought.ending == .code(0) && brought.errors.contains("imported 1 check"), "\(brought.errors)")
                let again = try await upkeep(stage, report + ["query 1", "--source", "own"])
                #expect(again.output.replacing("import:own", with: "itunes") == own.output)
                let empty = try stage.write("date,keyword,rank\r", to: "empty.csv")
                let options = ["--within", "100", "--country", "United States", "--app", "com.example.app2"]
                let nothing = try await upkeep(stage, ["import", empty] + options)
                #expect(nothing.ending == .code(65) && nothing.errors.contains("no rows"), "\(nothing.errors)")
                #expect(try await upkeep(stage, ["verify"]).ending == .code(0))
            }
        }

        @Test func `what was imported is shown when asked for, and stands in no report's way`() async throws {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                let table = try stage.write(
                    "date,keyword,rank\n2026-11-01,habits,3\n2026-11-02,query 1,44\n", to: "tool.csv")
                let brought = try await upkeep(
                    stage, ["import", table, "--within", "100", "--country", "us", "--app", "com.example.app2"])
                #expect(brought.ending == .code(0), "\(brought.errors)")
                let history = ["report", "history", "--app", "com.example.app2", "--query"]
                let alone = try await upkeep(stage, history + ["habits"])
                #expect(alone.ending == .code(0) && alone.output.contains("#3"), "\(alone.output) \(alone.errors)")
                #expect(alone.output.contains("positions as imported from “tool”"), "\(alone.output)")
                let own = try await upkeep(stage, history + ["query 1"])
                #expect(own.ending == .code(0) && own.output.contains("#2") && !own.output.contains("#44"))
                #expect(own.errors.contains("“query 1” was also imported: see --source import:tool"), "\(own.errors)")
                for source in ["tool", "import:tool"] {
                    let other = try await upkeep(
                        stage, history + ["query 1", "--source", source, "--format", "csv", "--columns", "all"])
                    #expect(other.ending == .code(0) && other.output.contains("import:tool"), "\(other.errors)")
                    #expect(other.output.contains(",44,"))
                }
                let lists = try await upkeep(stage, ["report", "results", "--query", "query 1"])
                #expect(lists.ending == .code(0) && !lists.errors.contains("imported"), "\(lists.errors)")
                let ofTable = try await upkeep(stage, ["report", "results", "--query", "query 1", "--source", "tool"])
                #expect(ofTable.ending == .code(64) && ofTable.errors.contains("no lists"), "\(ofTable.errors)")
                let none = try await upkeep(stage, history + ["query 1", "--source", "other"])
                #expect(none.ending == .code(64) && none.errors.contains("with --source import:tool"), "\(none.errors)")
                let others = [
                    ["report"], ["status"], ["apps"], ["report", "results", "--query", "query 1"],
                    ["report", "competitors", "--app", "com.example.app2"],
                    ["report", "compare", "--app", "com.example.app2"],
                ]
                for arguments in others {
                    let report = try await upkeep(stage, arguments)
                    #expect([.code(0), .code(1), .code(2)].contains(report.ending), "\(arguments) \(report.errors)")
                }
                let plan = try await upkeep(stage, ["plan", "--watchlist", stage.watchlistFile])
                #expect(plan.ending == .code(0) && !plan.output.contains("habits"), "\(plan.output) \(plan.errors)")
                #expect(try await upkeep(stage, ["report", "results", "--query", "habits"]).ending != .signal(SIGILL))
            }
        }

        @Test func `an export comes through a pipe, and a broken pipe is no whole one`() async throws {
            try await Stage.run { stage async throws in
                let store = try await record(stage, queries: 5)
                let rankctl = Program.Name.rankctl.path
                let export = "'\(rankctl)' export --database '\(stage.database)'"
                let piped = { (command: String, name: String) in
                    let line = "\(command) | '\(rankctl)' import - --database '\(stage.file(name))'"
                    let shell = try stage.start(path: "/bin/sh", ["-c", line])
                    _ = try await shell.ends()
                    return shell
                }
                let whole = try await piped(export, "whole.sqlite")
                #expect(whole.ending == .code(0) && whole.errors.contains("imported 5 checks"), "\(whole.errors)")
                #expect(try await stage.rankctl(["verify", stage.file("whole.sqlite")]).ending == .code(0))
                // The same bytes again: the file has to be read twice.
                _ = try await upkeep(stage, ["export", "--output", stage.file("export.ndjson")])
                for checks in ["0 checks", "0 checks"] {
                    let again = try await piped("cat '\(stage.file("export.ndjson"))'", "whole.sqlite")
                    #expect(again.ending == .code(0) && again.errors.contains("imported \(checks)"), "\(again.errors)")
                }
                let part = try await piped("\(export) | head -n 5", "part.sqlite")
                #expect(
                    part.ending == .code(65) && part.errors.contains("-, line 5: the file was cut off here"),
                    "\(part.errors)")
                _ = store
            }
        }

        @Test(arguments: [
            ["import"], ["import", "-", "--csv"], ["import", "x.ndjson", "--absent", "0"],
            ["import", "x.csv", "--within", "0"], ["import", "x.csv", "--date", "soon"],
            ["import", "x.csv", "--country", "usa"],
            ["import", "x.csv", "--time-zone", "Nowhere"], ["import", "x.csv", "--source", "a b"], ["prune"],
            ["prune", "--query", "t", "--before", "soon"], ["export", "--format", "xml"],
            ["export", "--since", "soon"],
            ["backup"],
        ]) func `upkeep that cannot be done as asked is 64`(_ arguments: [String]) async throws {
            try await Stage.run { stage async throws in
                let rankctl = try await upkeep(stage, arguments)
                #expect(rankctl.ending == .code(64), "\(rankctl.errors)")
                #expect(!FileManager.default.fileExists(atPath: stage.database))
            }
        }

        @Test func `export and prune take times as people name them`() async throws {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                let all = try await upkeep(stage, ["export", "--format", "csv", "--since", "yesterday"])
                #expect(all.ending == .code(0) && all.output.split(separator: "\r\n").count == 7, "\(all.errors)")
                let none = try await upkeep(stage, ["export", "--format", "csv", "--since", "2099-01-01"])
                #expect(none.ending == .code(0) && none.output.split(separator: "\r\n").count == 1, "\(none.errors)")
                let old = try await upkeep(stage, ["prune", "--query", "query 1", "--before", "7d", "--yes"])
                #expect(
                    old.ending == .code(0) && old.errors == "the history has nothing like that\n", "\(old.errors)")
                let unasked = try await upkeep(stage, ["prune", "--query", "query 1", "--before", "2099-01-01"])
                #expect(unasked.errors.contains("1 check, 2 positions of 1 query from before"), "\(unasked.errors)")
            }
        }

        @Test func `an export has the form that its name says, and no name of a form that rankctl cannot write`()
            async throws
        {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                let csv = try await upkeep(stage, ["export", "--format", "csv"])
                let header = try #require(csv.output.split(separator: "\r\n").first.map(String.init))
                #expect(!header.hasPrefix("{"))
                for (name, format, beginning) in [
                    ("all.csv", nil, header), ("all.ndjson", nil, "{"), ("all.jsonl", nil, "{"),
                    ("all", nil, "{"), ("other.csv", "ndjson", "{"), ("other.txt", "csv", header),
                ] as [(String, String?, String)] {
                    let more = format.map { ["--format", $0] } ?? []
                    let program = try await upkeep(stage, ["export", "--output", stage.file(name)] + more)
                    #expect(program.ending == .code(0) && program.output.isEmpty, "\(program.errors)")
                    let text = try String(contentsOfFile: stage.file(name), encoding: .utf8)
                    #expect(text.hasPrefix(beginning), "\(name): \(text.prefix(60))")
                }
                for name in ["x.xlsx", "x.XLSX", "x.json", "x.txt"] {
                    let program = try await upkeep(stage, ["export", "--output", stage.file(name)])
                    #expect(program.ending == .code(64), "\(name): \(program.errors)")
                    #expect(program.errors.contains("--output: rankctl cannot write an export as ."))
                    #expect(!FileManager.default.fileExists(atPath: stage.file(name)))
                }
            }
        }

        @Test func `prune deletes by name what the watchlist has no more, once it is told yes`() async throws {
            try await Stage.run { stage async throws in
                let store = try await record(stage)
                let active = try await upkeep(stage, ["prune", "--query", "query 1", "--yes"])
                #expect(active.ending == .code(65) && active.errors.contains("still in the watchlist"))
                try stage.watch(watchlist(["query 2", "query 3"], ["com.example.app2", "com.example.nowhere"]))
                #expect(try await stage.pass(store: store.origin).ending == .code(0))
                let unasked = try await upkeep(stage, ["prune", "--query", "query 1"])
                #expect(unasked.ending == .code(64) && unasked.errors.contains("1 query, 1 check, 2 positions"))
                #expect(try RecordedHistory(stage.database).checkCount == 3)
                let pruned = try await upkeep(stage, ["prune", "--query", "query 1", "--yes"])
                #expect(pruned.ending == .code(0) && pruned.errors.hasPrefix("deleted 1 query"), "\(pruned.errors)")
                #expect(try RecordedHistory(stage.database).checkCount == 2)
                #expect(try await upkeep(stage, ["verify"]).ending == .code(0))
                for (arguments, words) in [
                    (["--query", "query 1"], "the history has no query “query 1”; did you mean “query 2”?"),
                    (["--query", "query 1", "--before", "1d"], "the history has no query “query 1”"),
                    (["--query", "zzzzzz"], "the history has no query “zzzzzz”\n"),
                    (
                        ["--app", "com.exmaple.app2"],
                        "the history has no pair of an app “com.exmaple.app2”; did you mean “com.example.app2”?"
                    ),
                    (["--app", "com.example.app2", "--country", "de"], "the history has nothing like that"),
                ] {
                    let again = try await upkeep(stage, ["prune", "--yes"] + arguments)
                    #expect(again.ending == .code(64) && again.errors.contains(words), "\(again.errors)")
                }
                #expect(try RecordedHistory(stage.database).checkCount == 2)
                #expect(
                    try await stage.rankctl(["prune", "--app", "x", "--database", stage.file("no")]).ending == .code(66)
                )
            }
        }
    }
}
