import Foundation
import History
import ProgramStage
import RankKit
import TestSupport
import Testing

extension ProgramTests {
    /// `rankctl watch` and `rankctl note add`, which change their own lines and no others.
    @Suite struct WatchCommandTests {
        private static let list = """
            // What I watch.
            {
              "apps": {
                "habits": { "bundleId": "com.example.habits" },   // mine
              },
              "defaults": { "country": "us", "every": "6h" },
              "watch": [
                // The one that matters.
                { "query": "habit tracker", "bundleId": "com.example.habits" },
                { "query": "streaks",       "bundleId": "com.example.habits" },  /* aligned by hand */
              ],
            }

            """

        /// The lines that are in one text and not in the other, as diff(1) finds them.
        private func changes(from before: String, to after: String) -> (removed: [String], added: [String]) {
            let (old, new) = (before.components(separatedBy: "\n"), after.components(separatedBy: "\n"))
            var (removed, added): ([String], [String]) = ([], [])
            for change in new.difference(from: old) {
                switch change {
                case .remove(_, let line, _): removed.append(line.trimmingCharacters(in: .whitespaces))
                case .insert(_, let line, _): added.append(line.trimmingCharacters(in: .whitespaces))
                }
            }
            return (removed, added)
        }

        /// Runs a command on the list and says what it changed.
        private func editing(
            _ arguments: [String], _ stage: Stage
        ) async throws -> (program: Program, removed: [String], added: [String]) {
            let before = try String(contentsOfFile: stage.watchlistFile, encoding: .utf8)
            let program = try await stage.rankctl(arguments + ["--watchlist", stage.watchlistFile])
            let changes = changes(from: before, to: try String(contentsOfFile: stage.watchlistFile, encoding: .utf8))
            return (program, changes.removed, changes.added)
        }

        @Test func `check says what a list comes to, or every mistake`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let good = try await stage.rankctl(["watch", "check", stage.watchlistFile])
                #expect(good.ending == .code(0) && good.errors.isEmpty, "\(good.errors)")
                #expect(good.output.contains("2"))
                let same = try stage.rankd(["--check"], store: "http://127.0.0.1:1")
                #expect(try await same.ends() == .code(0))
                #expect(same.output == good.output)
                #expect(!FileManager.default.fileExists(atPath: stage.database))

                try stage.watch(#"{ "watch": [ { "query": "a", "bundleId": "b", "platform": "tv" }, 7 ] }"#)
                let bad = try await stage.rankctl(["watch", "check", stage.watchlistFile])
                #expect(bad.ending == .code(78) && bad.output.isEmpty)
                #expect(bad.errors.contains("watch[0].platform: ") && bad.errors.contains("watch[1]: "))
            }
        }

        @Test func `commands that change the list at the same time lose nothing of each other`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let numbers = 1...12
                try await withThrowingTaskGroup(of: Program.Ending?.self) { group in
                    for number in numbers {
                        group.addTask {
                            try await stage.rankctl([
                                "watch", "add", "query \(number)", "com.example.habits", "--watchlist",
                                stage.watchlistFile,
                            ]).ending
                        }
                    }
                    for try await ending in group { #expect(ending == .code(0)) }
                }
                let after = try String(contentsOfFile: stage.watchlistFile, encoding: .utf8)
                for number in numbers { #expect(after.contains("\"query \(number)\"")) }
            }
        }

        @Test func `the example that comes with the project is valid`() async throws {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            try await Stage.run { stage async throws in
                let check = try await stage.rankctl(
                    ["watch", "check", root.appendingPathComponent("watchlist.example.json").path])
                #expect(check.ending == .code(0), "\(check.errors)")
            }
        }

        @Test func `list says what a filter names that the watchlist does not have`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                for (arguments, words) in [
                    (["--query", "streeks"], "the watchlist does not have “streeks”; did you mean “streaks”?\n"),
                    (["--app", "habts"], "no app “habts” is tracked; did you mean “habits”?\n"),
                    (["--country", "de"], "no tracked pair fits --country de: loosen it\n"),
                ] {
                    let program = try await stage.rankctl(["watch", "list", stage.watchlistFile] + arguments)
                    #expect(program.ending == .code(64) && program.output.isEmpty, "\(program.output)")
                    #expect(program.errors == words)
                }
            }
        }

        @Test func `a mistake in what was typed is told of the option, and nothing changes`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                for (arguments, words) in [
                    (["watch", "add", "x", "com.a", "--every", "6hh"], "--every: “6hh” is not a length of time; "),
                    (["watch", "add", " ", "com.a.b"], "QUERY: the query is empty; "),
                    (["note", "add", "x", "--on", "2026-13-01"], "--on: “2026-13-01” is not a day; "),
                ] {
                    let edit = try await editing(arguments, stage)
                    #expect(edit.program.ending == .code(78) && edit.removed.isEmpty && edit.added.isEmpty)
                    #expect(edit.program.errors.hasPrefix(words), "\(edit.program.errors)")
                }
            }
        }

        @Test func `remove says what becomes different for the apps that stay on the query`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(
                    """
                    { "watch": [
                      { "query": "x", "bundleId": "com.a", "every": "1h", "popularity": 46 },
                      { "query": "x", "bundleId": "com.b", "every": "6h" }
                    ] }
                    """)
                let edit = try await editing(["watch", "remove", "x", "com.a"], stage)
                #expect(edit.program.ending == .code(0))
                #expect(
                    edit.program.errors.contains(
                        "“x” in us on iPhone is tracked for com.b as well, and its cadence changes: 1h + 6h → 6h\n"),
                    "\(edit.program.errors)")
                #expect(edit.added == [#"{ "query": "x", "bundleId": "com.b", "every": "6h", "popularity": 46 }"#])
            }
        }

        @Test func `remove says that a popularity is lost`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(
                    """
                    { "watch": [
                      { "query": "x", "bundleId": "com.a", "popularity": 40 },
                      { "query": "x", "bundleId": "com.c", "platforms": ["iphone", "ipad"] }
                    ] }
                    """)
                let edit = try await editing(["watch", "remove", "x", "com.a"], stage)
                #expect(edit.program.ending == .code(0))
                #expect(
                    edit.program.errors.contains("“x” in us on iPhone no longer has a popularity for com.c: "),
                    "\(edit.program.errors)")
            }
        }

        @Test func `add says what becomes different for the apps that were on the query`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let edit = try await editing(["watch", "add", "streaks", "com.b", "--every", "1h"], stage)
                #expect(edit.program.ending == .code(0))
                #expect(
                    edit.program.errors.contains(
                        "“streaks” in us on iPhone is tracked for habits as well, and its cadence changes: 6h → 6h + 1h\n"
                    ), "\(edit.program.errors)")
                let silent = try await editing(["watch", "add", "streaks", "com.c", "--every", "2h"], stage)
                #expect(silent.program.ending == .code(0) && !silent.program.errors.contains("as well"))
            }
        }

        @Test func `add asks in the language that is named`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let edit = try await editing(
                    ["watch", "add", "streaks", "com.example.habits", "--language", "es_mx"], stage)
                #expect(edit.program.ending == .code(0), "\(edit.program.errors)")
                #expect(edit.added.joined().contains(#""language": "es_mx""#), "\(edit.added)")
                let removed = try await editing(
                    ["watch", "remove", "streaks", "com.example.habits", "--language", "es_mx"], stage)
                #expect(removed.program.ending == .code(0) && removed.removed == edit.added)
                let wrong = try await editing(["watch", "add", "x", "com.a.b", "--language", "klingon!"], stage)
                #expect(wrong.program.ending == .code(78) && wrong.program.errors.hasPrefix("--language: "))
                let alone = try await editing(
                    ["watch", "add", "id572688855", "--as", "y", "--language", "es_mx"], stage)
                #expect(alone.program.ending == .code(64) && alone.program.errors.contains("--language"))
            }
        }

        @Test func `a remedy names no service where there is none`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let edit = try await editing(["watch", "add", "x", "com.example.habits"], stage)
                #expect(!edit.program.errors.contains("systemctl"), "\(edit.program.errors)")
            }
        }

        @Test func `check names a channel whose secret is missing`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(
                    """
                    { "watch": [{ "query": "x", "bundleId": "com.a" }],
                      "alerts": { "channels": { "team": { "slack": "secret:slack-url" } }, "to": ["team"] } }
                    """)
                let check = try await stage.rankctl(["watch", "check", stage.watchlistFile])
                #expect(check.ending == .code(0))
                #expect(
                    check.errors.contains(
                        "nothing can be sent to channel “team”: the secret “slack-url” does not exist: rankd looked for "
                    ),
                    "\(check.errors)")
            }
        }

        @Test func `check ends with 1 if the watchlist wants more than the pace allows`() async throws {
            try await Stage.run { stage async throws in
                for (pace, code) in [(1, Int32(1)), (2, 0)] {
                    try stage.watch(
                        """
                        { "watch": [{ "queries": ["a", "b"], "bundleId": "com.a", "every": "1m" }],
                          "service": { "requestsPerMinute": \(pace) } }
                        """)
                    let check = try await stage.rankctl(["watch", "check", stage.watchlistFile])
                    #expect(check.ending == .code(code), "\(check.output)")
                }
            }
        }

        @Test func `list shows every pair`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let table = try await stage.rankctl(["watch", "list", "--watchlist", stage.watchlistFile])
                #expect(table.ending == .code(0) && table.output.contains("habit tracker"))
                let named = try await stage.rankctl(["watch", "list", stage.watchlistFile])
                #expect(named.ending == .code(0) && named.output == table.output, "\(named.errors)")
                let csv = try await stage.rankctl(
                    ["watch", "list", "--format", "csv", "--query", "Streaks", "--watchlist", stage.watchlistFile])
                #expect(csv.output.split(whereSeparator: \.isNewline).count == 2, "\(csv.output)")
            }
        }

        @Test func `a file gets the form that its name says, unless --format says another`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let list = ["watch", "list", stage.watchlistFile]
                for (name, format, beginning) in [
                    ("a.csv", nil, "query,country,platform,bundleId"), ("a.json", nil, "{"), ("a.csv", "json", "{"),
                ] as [(String, String?, String)] {
                    let file = stage.file(name)
                    let more = format.map { ["--format", $0] } ?? []
                    let program = try await stage.rankctl(list + ["--output", file] + more)
                    #expect(program.ending == .code(0) && program.output.isEmpty, "\(program.errors)")
                    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix(beginning), "\(name)")
                }
                let unknown = try await stage.rankctl(list + ["--output", stage.file("a.xlsx")])
                #expect(
                    unknown.ending == .code(64) && unknown.errors.contains("rankctl cannot write a report as .xlsx"))
                #expect(!FileManager.default.fileExists(atPath: stage.file("a.xlsx")))
                let some = try await stage.rankctl(list + ["--format", "csv", "--columns", "query,tags"])
                #expect(some.output.hasPrefix("query,tags\r\n"), "\(some.output) \(some.errors)")
                let wrong = try await stage.rankctl(list + ["--format", "csv", "--columns", "place"])
                #expect(wrong.ending == .code(64) && wrong.errors.contains("no column is called “place”"))
                let idle = try await stage.rankctl(list + ["--columns", "all"])
                #expect(idle.ending == .code(64) && idle.errors.contains("--columns is for CSV"))
            }
        }

        @Test func `add puts one line in, and a second time changes nothing`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let add = ["watch", "add", "daily routine", "com.example.habits", "--country", "de", "--every", "1d"]
                let edit = try await editing(add, stage)
                #expect(edit.program.ending == .code(0), "\(edit.program.errors)")
                #expect(edit.removed.isEmpty && edit.added.count == 1)
                #expect(edit.added.first?.contains("daily routine") == true)
                let again = try await editing(add, stage)
                #expect(again.program.ending == .code(65) && again.removed.isEmpty && again.added.isEmpty)
                #expect(again.program.errors.contains("is already in the watchlist"))
                let alias = try await editing(["watch", "add", "mood", "habits"], stage)
                #expect(alias.program.ending == .code(0) && alias.added.count == 1 && alias.removed.isEmpty)
                #expect(alias.added.first?.contains("com.example.habits") == true)
            }
        }

        @Test func `add writes an alias into the first line`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(#"{ "apps": { "mine": { "bundleId": "com.a" } }, "watch": [] }"#)
                let alias = try await editing(["watch", "add", "mood", "mine"], stage)
                #expect(alias.program.ending == .code(0), "\(alias.program.errors)")
                #expect(
                    alias.added.joined().contains(#"{ "query": "mood", "app": "mine" }"#), "\(alias.added)")
            }
        }

        @Test func `add writes an alias where that is the file's custom, and tells of competitors`() async throws {
            try await Stage.run { stage async throws in
                let apps = #""apps": { "mine": { "bundleId": "com.a", "competitors": ["com.b"] } }"#
                try stage.watch(#"{ \#(apps), "watch": [ { "query": "a", "app": "mine" } ] }"#)
                let arguments = ["watch", "add", "mood", "mine"]
                let alias = try await editing(arguments, stage)
                #expect(alias.added.first?.contains(#"{ "query": "mood", "app": "mine" }"#) == true, "\(alias.added)")
                #expect(
                    alias.program.errors.contains(
                        ", with its competitors (com.b); reload rankd if it runs: kill -HUP PID"))
                let left = try await editing(["watch", "remove", "mood", "mine"], stage)
                #expect(
                    left.added.first?.contains(#"{ "query": "mood", "bundleId": "com.b" }"#) == true, "\(left.added)")
                #expect(left.program.errors.contains("its competitors (com.b) stay"), "\(left.program.errors)")
                try stage.watch(#"{ \#(apps), "watch": [ { "query": "a", "bundleId": "com.a" } ] }"#)
                let bundle = try await editing(arguments, stage)
                #expect(bundle.added.first?.contains(#""bundleId": "com.a" }"#) == true, "\(bundle.added)")
                #expect(bundle.program.errors.contains(", without its competitors (com.b): a line with"))
            }
        }

        @Test func `popularity comes from a table, into the lines that name its queries`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let table = stage.file("ads.csv")
                try "Keyword,Search Popularity\nStreaks,46\nmood,12\n".write(
                    toFile: table, atomically: true, encoding: .utf8)
                // All is asked in one country, so that is the table's.
                let edit = try await editing(["watch", "popularity", table], stage)
                #expect(edit.program.ending == .code(0), "\(edit.program.errors)")
                #expect(edit.removed.count == 1)
                #expect(
                    edit.added == [
                        #"{ "query": "streaks",       "bundleId": "com.example.habits", "popularity": 46 },  /* aligned by hand */"#
                    ])
                #expect(
                    edit.program.errors.contains(
                        "1 query changed, 1 of the watchlist not in the table, 1 of the table not in the watchlist"),
                    "\(edit.program.errors)")
                let again = try await editing(["watch", "popularity", table], stage)
                #expect(again.added.isEmpty && again.program.errors.contains("0 queries changed, 1 already had theirs"))
                try "Keyword,Search Popularity,Country\nStreaks,46,Germany\nStreaks,-,United States\n".write(
                    toFile: table, atomically: true, encoding: .utf8)
                let elsewhere = try await editing(["watch", "popularity", table], stage)
                #expect(
                    elsewhere.program.errors.contains(
                        "1 of the watchlist not in the table, 1 of the watchlist without a figure in the table, "
                            + "1 of the table not in the watchlist"), "\(elsewhere.program.errors)")
                for (text, words) in [
                    (
                        "Keyword,Search Popularity\nmood,12\nyoga,5\n",
                        "none of 2 queries is in \(stage.watchlistFile), such as “mood” in us; check that these are the table and "
                            + "the watchlist that you mean"
                    ),
                    (
                        "Keyword,Search Popularity,Country\nStreaks,12,Germany\n",
                        "“streaks” in de is not in \(stage.watchlistFile); it asks “streaks” in us: correct the country"
                    ),
                ] {
                    try text.write(toFile: table, atomically: true, encoding: .utf8)
                    let foreign = try await editing(["watch", "popularity", table], stage)
                    #expect(foreign.program.ending == .code(65) && foreign.added.isEmpty)
                    #expect(foreign.program.errors.contains("\(table): \(words)"), "\(foreign.program.errors)")
                }
                for text in ["Keyword,Search Popularity\r", "Keyword,Search Popularity\rStreaks,-\r"] {
                    try text.write(toFile: table, atomically: true, encoding: .utf8)
                    let empty = try await editing(["watch", "popularity", table], stage)
                    #expect(empty.program.ending == .code(65) && empty.added.isEmpty, "\(empty.program.errors)")
                }
                try "Keyword,Rank\nStreaks,46\n".write(toFile: table, atomically: true, encoding: .utf8)
                let refused = try await editing(["watch", "popularity", table], stage)
                #expect(refused.program.ending == .code(65) && refused.added.isEmpty)
                #expect(refused.program.errors.contains("there is no column for the popularity"))
            }
        }

        @Test func `add begins a list where there is none`() async throws {
            try await Stage.run { stage async throws in
                let add = try await stage.rankctl(
                    ["watch", "add", "mood", "com.example.habits", "--watchlist", stage.watchlistFile])
                #expect(add.ending == .code(0), "\(add.errors)")
                let check = try await stage.rankctl(["watch", "check", stage.watchlistFile])
                #expect(check.ending == .code(0), "\(check.errors)")
            }
        }

        @Test func `a link is looked up once, and its app becomes a competitor`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let store = try await stage.simulator(["--seed", "3", "--apps", "60"])
                let (bundleID, id) = try await firstApp(of: store, stage)
                let edit = try await editing(
                    [
                        "watch", "add", "https://apps.apple.com/us/app/x/id\(id)?mt=8", "--as", "rival",
                        "--competitor-of", "habits", "--search-url", store.origin,
                    ], stage)
                #expect(edit.program.ending == .code(0), "\(edit.program.errors)")
                #expect(edit.added.contains { $0.contains("\"rival\"") && $0.contains(bundleID) }, "\(edit.added)")
                // The line of the app that it competes with names it, and keeps its comment.
                #expect(edit.removed.count == 1 && edit.removed.first?.contains("// mine") == true)
                #expect(edit.added.contains { $0.contains("competitors") && $0.contains("// mine") }, "\(edit.added)")
                #expect(edit.added.count == 2)
                let check = try await stage.rankctl(["watch", "check", stage.watchlistFile])
                #expect(check.ending == .code(0), "\(check.errors)")
            }
        }

        @Test func `an id as search shows it is looked up like a link`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let store = try await stage.simulator(["--seed", "3", "--apps", "60"])
                let (bundleID, id) = try await firstApp(of: store, stage)
                let edit = try await editing(
                    ["watch", "add", "mood", "id\(id)", "--country", "us,uk", "--search-url", store.origin], stage)
                #expect(edit.program.ending == .code(0), "\(edit.program.errors)")
                #expect(edit.removed.isEmpty && edit.added.count == 1)
                #expect(edit.added.first?.contains(bundleID) == true, "\(edit.added)")
                #expect(edit.added.first?.contains(#""countries": ["us", "gb"]"#) == true, "\(edit.added)")
                let none = try await editing(["watch", "add", "mood", "id1", "--search-url", store.origin], stage)
                #expect(none.program.ending == .code(66) && none.added.isEmpty)
                #expect(none.program.errors.contains("with --country, or give a link"), "\(none.program.errors)")
            }
        }

        @Test func `a note says which query to gain nobody asks for`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let edit = try await editing(["note", "add", "x", "--app", "habits", "--added", "streeks"], stage)
                #expect(edit.program.ending == .code(0) && edit.added.count > 0)
                #expect(
                    edit.program.errors.hasSuffix(
                        "warning: notes[0].added[0]: no line asks for “streeks”; did you mean “streaks”?\n"),
                    "\(edit.program.errors)")
            }
        }

        @Test func `a note says nothing of what was likely not meant before it`() async throws {
            try await Stage.run { stage async throws in
                // The lines below the notes move.
                try stage.watch(
                    """
                    {
                      "notes": [
                        { "on": "2026-11-01", "text": "begun" },
                      ],
                      "apps": { "habits": { "bundleId": "com.me.habits" }, "unused": { "bundleId": "com.unused" } },
                      "watch": [ { "app": "habits", "query": "streaks" } ],
                    }
                    """)
                let check = try await stage.rankctl(["watch", "check", stage.watchlistFile])
                #expect(check.errors.contains("warning: apps.unused: no line watches this app"), "\(check.errors)")
                let edit = try await editing(["note", "add", "x", "--app", "habits"], stage)
                #expect(edit.program.ending == .code(0) && edit.added.count == 1)
                #expect(!edit.program.errors.contains("warning"), "\(edit.program.errors)")
            }
        }

        @Test func `a link to an app that is not sold changes nothing`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let store = try await stage.simulator(["--seed", "3", "--apps", "60"])
                let edit = try await editing(
                    [
                        "watch", "add", "https://apps.apple.com/us/app/x/id1", "--as", "rival", "--search-url",
                        store.origin,
                    ], stage)
                #expect(edit.program.ending == .code(66) && edit.added.isEmpty && edit.removed.isEmpty)
                #expect(edit.program.errors.contains("no app with the id 1"))
                let unreachable = try await editing(
                    [
                        "watch", "add", "https://apps.apple.com/uk/app/x/id1", "--as", "rival", "--search-url",
                        "http://127.0.0.1:1",
                    ], stage)
                #expect(unreachable.program.ending == .code(69) && unreachable.added.isEmpty)
                #expect(unreachable.program.errors.hasPrefix("uk is read as gb"), "\(unreachable.program.errors)")
            }
        }

        @Test func `remove takes its line out, and refuses what is not there`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let edit = try await editing(["watch", "remove", "Streaks", "habits"], stage)
                #expect(edit.program.ending == .code(0), "\(edit.program.errors)")
                #expect(edit.added.isEmpty && edit.removed.count == 1)
                #expect(edit.removed.first?.contains("streaks") == true)
                let again = try await editing(["watch", "remove", "streaks", "com.example.habits"], stage)
                #expect(again.program.ending == .code(65) && again.added.isEmpty && again.removed.isEmpty)
                let last = try await editing(["watch", "remove", "habit tracker", "habits"], stage)
                #expect(last.program.ending == .code(65) && last.added.isEmpty && last.removed.isEmpty)
            }
        }

        private static let transferred = """
            {
              "alerts": { "channels": { "here": { "command": ["/bin/true"] } }, "to": ["here"], "rules": ["usual"] },
              "watch": [
                { "query": "timer", "bundleId": "com.old" },
                { "query": "clock", "bundleId": "com.old" },
                { "query": "clock", "bundleId": "com.a" },
              ],
            }

            """

        /// A history in which number 777 is com.old in the first three days, and then com.new.
        ///
        /// - Parameters:
        ///   - names: those that the watchlist tracks.
        ///   - had: those that the number has, three days each.
        private func transfer(
            _ names: [String], had: [String] = ["com.old", "com.new"], _ stage: Stage
        ) async throws {
            let store = try HistoryStore(path: stage.database)
            let start = TestSupport.time("2026-11-01T00:00:00Z")
            try await store.adopt(TestSupport.watchlist([(query("timer"), names)]), now: start)
            for (day, name) in had.flatMap({ [$0, $0, $0] }).enumerated() {
                let places = [(1 as Int64, "com.a"), (777, name)].map { id, name in
                    SeenApp(id: AppID(id), bundleID: bundle(name), fingerprint: UInt64(id)) { AppDetails(name: name) }
                }
                try await store.record(
                    Check(
                        query: query("timer"), at: start + Int64(day) * 86_400,
                        outcome: .answered(ResultList(places: places.map(Optional.some)))))
            }
        }

        @Test func `an app that the list has by another name is found through the history`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.transferred)
                let history = ["--database", stage.database]
                let words = "com.new is com.old since 2026-11-04"
                let unknown = try await editing(["watch", "remove", "timer", "com.new"] + history, stage)
                #expect(unknown.program.ending == .code(65) && unknown.removed.isEmpty)
                try await transfer(["com.old"], stage)

                let twice = try await editing(["watch", "add", "timer", "com.new"] + history, stage)
                #expect(twice.program.ending == .code(65) && twice.added.isEmpty, "\(twice.program.errors)")
                #expect(
                    twice.program.errors.contains("“timer” for com.old is already in the watchlist, at watch[0], and ")
                        && twice.program.errors.contains(words))
                let several = ["watch", "add", "timer", "bell", "clock", "--app", "com.new"] + history
                let rest = try await editing(several, stage)
                #expect(rest.program.ending == .code(0) && rest.added.count == 1, "\(rest.program.errors)")
                #expect(rest.added.joined().contains("bell") && !rest.added.joined().contains("timer"), "\(rest.added)")
                for (query, path) in [("timer", "watch[0]"), ("clock", "watch[1]")] {
                    let left =
                        "“\(query)” for com.old is in the watchlist already, at \(path), and stays as it is: \(words)"
                    #expect(rest.program.errors.contains(left), "\(rest.program.errors)")
                }
                try stage.watch(Self.transferred)
                let beside = try await editing(["watch", "add", "alarm", "com.new"] + history, stage)
                #expect(beside.program.ending == .code(0) && beside.added.count == 1, "\(beside.program.errors)")
                #expect(beside.program.errors.contains("warning: \(words): name one of them"))
                let check = try await stage.rankctl(["watch", "check", stage.watchlistFile] + history)
                #expect(
                    check.ending == .code(0) && check.errors == "warning: \(words): name one of them\n",
                    "\(check.errors)")
                let plan = try await stage.rankctl(["plan", stage.watchlistFile] + history)
                #expect(plan.errors.contains("warning: \(words): name one of them"), "\(plan.errors)")

                try stage.watch(Self.transferred)
                let mute = try await editing(["alerts", "mute", "com.new"] + history, stage)
                #expect(
                    mute.program.ending == .code(0) && mute.program.errors.contains(words), "\(mute.program.errors)")
                #expect(mute.added.joined().contains(#"{ "app": "com.old" }"#), "\(mute.added)")
                let unmute = try await editing(["alerts", "unmute", "com.new"] + history, stage)
                #expect(unmute.program.ending == .code(0) && unmute.removed.count == mute.added.count)
                let removed = try await editing(["watch", "remove", "timer", "com.new"] + history, stage)
                #expect(removed.program.ending == .code(0) && removed.removed.count == 1, "\(removed.program.errors)")
                #expect(
                    removed.program.errors.contains(words) && removed.program.errors.contains("“timer” for com.old"))
            }
        }

        /// Every command that takes an app by the watchlist's name, asked by the name that the app has now.
        @Test(
            arguments: [
                (
                    ["note", "add", "a text", "--app", "com.new"],
                    #"{ "on": "DAY", "bundleId": "com.old", "text": "a text" }"#
                ),
                (
                    ["watch", "add", "com.rival", "--as", "rival", "--competitor-of", "com.new"],
                    #""competitors": ["rival"]"#
                ),
                (["alerts", "mute", "com.new"], #"{ "app": "com.old" }"#),
                (["watch", "remove", "timer", "com.new"], nil), (["watch", "list", "--app", "com.new"], nil),
                (["watch", "list", "--app", "COM.NEW", "--query", "clock"], nil),
            ] as [([String], String?)])
        func `each command finds an app of the list by the name that it has now`(
            arguments: [String], added: String?
        ) async throws {
            try await Stage.run { stage async throws in
                var list = Self.transferred
                if arguments.contains("--competitor-of") {
                    list = list.replacing(
                        "{\n  \"alerts\"",
                        with: "{\n  \"apps\": { \"mine\": { \"bundleId\": \"com.old\" } },\n  \"alerts\"")
                }
                try stage.watch(list)
                // An id needs the App Store; a bundle id as a query's app does not.
                let arguments =
                    arguments.contains("--competitor-of")
                    ? ["watch", "add", "timer"] + arguments.dropFirst(2) : arguments
                let history = ["--database", stage.database]
                let unknown = try await stage.rankctl(
                    ["watch", "list", "--app", "com.new", "--watchlist", stage.watchlistFile] + history)
                #expect(unknown.ending == .code(64) && unknown.errors.contains("no app “com.new” is tracked"))
                try await transfer(["com.old"], stage)
                let edit = try await editing(arguments + history, stage)
                #expect(edit.program.ending == .code(0), "\(edit.program.errors)")
                #expect(edit.program.errors.contains("com.new is com.old since 2026-11-04"), "\(edit.program.errors)")
                #expect(!edit.added.joined().contains("com.new"), "\(edit.added)")
                if arguments[1] == "list" {
                    #expect(edit.program.output.contains("com.old") && !edit.program.output.contains("com.a"))
                } else if let added {
                    let text = edit.added.joined(separator: "\n").replacing(/\d{4}-\d\d-\d\d/, with: "DAY")
                    #expect(text.contains(added), "\(edit.added)")
                }
            }
        }

        @Test func `a mute of an app that the list has twice is removed by either name`() async throws {
            try await Stage.run { stage async throws in
                try await transfer(["com.old", "com.new"], stage)
                let history = ["--database", stage.database]
                try stage.watch(Self.transferred)
                _ = try await editing(["watch", "add", "alarm", "com.new"] + history, stage)
                let mute = try await editing(["alerts", "mute", "com.old"] + history, stage)
                #expect(mute.added.joined().contains(#"{ "app": "com.old" }"#), "\(mute.added)")
                let unmute = try await editing(["alerts", "unmute", "com.new"] + history, stage)
                #expect(
                    unmute.program.ending == .code(0) && unmute.removed.count == mute.added.count,
                    "\(unmute.program.errors)")
            }
        }

        @Test func `a mute by one name is removed by the alias of the other`() async throws {
            try await Stage.run { stage async throws in
                try await transfer(["com.old"], stage)
                let history = ["--database", stage.database]
                try stage.watch(
                    Self.transferred.replacing(
                        "\"watch\": [",
                        with: """
                            "apps": { "mine": { "bundleId": "com.old" } },
                              "watch": [{ "query": "alarm", "bundleId": "com.new" },
                            """, maxReplacements: 1))
                let mute = try await editing(["alerts", "mute", "com.new"] + history, stage)
                #expect(mute.added.joined().contains(#"{ "app": "com.new" }"#), "\(mute.added)")
                let unmute = try await editing(["alerts", "unmute", "mine"] + history, stage)
                #expect(
                    unmute.program.ending == .code(0) && unmute.removed.count == mute.added.count,
                    "\(unmute.program.errors)")
            }
        }

        @Test func `list shows the pairs of every name that an app has in the watchlist`() async throws {
            try await Stage.run { stage async throws in
                try await transfer(["com.old", "com.mid"], had: ["com.old", "com.mid", "com.new"], stage)
                try stage.watch(
                    """
                    { "watch": [
                      { "query": "timer", "bundleId": "com.old" }, { "query": "alarm", "bundleId": "com.mid" },
                      { "query": "clock", "bundleId": "com.a" },
                    ] }
                    """)
                let list = try await stage.rankctl(
                    ["watch", "list", stage.watchlistFile, "--app", "com.new", "--format", "csv"]
                        + ["--database", stage.database])
                let pairs = list.output.split(whereSeparator: \.isNewline).dropFirst()
                #expect(pairs.map { $0.prefix { $0 != "," } } == ["timer", "alarm"], "\(list.output) \(list.errors)")
            }
        }

        @Test func `the status names an app that the watchlist has twice`() async throws {
            try await Stage.run { stage async throws in
                try await transfer(["com.old", "com.new"], stage)
                let history = ["--database", stage.database]
                let status = try await stage.rankctl(["status"] + history)
                #expect(
                    status.output.contains("\none app    com.new is com.old since 2026-11-04: name one of them\n"),
                    "\(status.output)")
                let json = try await stage.rankctl(["status", "--format", "json"] + history)
                #expect(
                    json.output.contains(
                        #""namedTwice":[{"bundleId":"com.new","since":"2026-11-04T00:00:00Z","former":["com.old"]}]"#),
                    "\(json.output)")
            }
        }

        @Test func `a slip in the name of an app or of a query is told with what was likely meant`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                for (arguments, code, words) in [
                    (
                        ["watch", "add", "q9", "habist"], 64,
                        "“habist” is not an alias of the watchlist; did you mean “habits”?"
                    ),
                    (
                        ["watch", "add", "q9", "Habits"], 64,
                        "“Habits” is not an alias of the watchlist; did you mean “habits”?"
                    ),
                    (
                        ["watch", "add", "q9", "com.rival", "--as", "rival", "--competitor-of", "habist"], 65,
                        "no app has the alias “habist”; did you mean “habits”?"
                    ),
                    (
                        ["watch", "remove", "streaks", "habist"], 65,
                        "the watchlist does not have “streaks” for habist; did you mean “habits”?"
                    ),
                    (
                        ["watch", "remove", "streks", "habits"], 65,
                        "the watchlist does not have “streks” for com.example.habits; did you mean “streaks”?"
                    ),
                    (
                        ["watch", "remove", "streaks", "com.exmaple.habits"], 65,
                        "for com.exmaple.habits; did you mean “com.example.habits”?"
                    ),
                    (["watch", "remove", "zzzzzz", "habits"], 65, "see rankctl watch list"),
                    (
                        ["note", "add", "x", "--app", "habist"], 65,
                        "no app has the alias “habist”; did you mean “habits”?"
                    ),
                ] {
                    let edit = try await editing(arguments, stage)
                    #expect(edit.program.ending == .code(Int32(code)) && edit.removed.isEmpty && edit.added.isEmpty)
                    #expect(edit.program.errors.contains(words), "\(edit.program.errors)")
                }
            }
        }

        @Test func `a note is kept with what it is about`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let edit = try await editing(
                    [
                        "note", "add", "subtitle: + mood", "--on", "2026-11-20", "--app", "habits", "--version",
                        "2.4", "--added", "mood tracker", "--removed", "daily routine",
                    ], stage)
                #expect(edit.program.ending == .code(0), "\(edit.program.errors)")
                #expect(edit.removed.isEmpty)
                let added = edit.added.joined()
                for text in ["2026-11-20", "subtitle: + mood", "2.4", "mood tracker", "daily routine"] {
                    #expect(added.contains(text), "\(added)")
                }
                #expect(
                    edit.program.errors.contains(
                        "2026-11-20 · habits version 2.4 · “subtitle: + mood” · to gain: mood tracker · given up: daily routine"
                    ), "\(edit.program.errors)")
                let wrong = try await editing(["note", "add", "x", "--on", "tomorrow"], stage)
                #expect(wrong.program.ending == .code(78) && wrong.added.isEmpty, "\(wrong.program.errors)")
                let check = try await stage.rankctl(["watch", "check", stage.watchlistFile])
                #expect(check.ending == .code(0), "\(check.errors)")
            }
        }

        @Test(arguments: [
            ["note", "add", "--version", "2.5"], ["report", "release", "habits", "--version", "2.5"],
        ])
        func `behind a command, --version is never the program's`(_ arguments: [String]) async throws {
            try await Stage.run { stage async throws in
                let rankctl = try await stage.rankctl(arguments)
                #expect(rankctl.ending == .code(64) && rankctl.output.isEmpty, "\(rankctl.output)")
            }
        }

        /// What the store lists first for a query that finds something.
        private func firstApp(of store: Simulator, _ stage: Stage) async throws -> (bundleID: String, id: String) {
            struct Document: Decodable {
                struct Entry: Decodable {
                    let bundleId: String
                    let appId: Int64
                }
                let results: [Entry]
            }
            let search = try await stage.rankctl(
                ["search", "habit", "--format", "json", "--search-url", store.origin])
            let results = try JSONDecoder().decode(Document.self, from: Data(search.output.utf8)).results
            let first = try #require(results.first, "\(search.output)")
            return (first.bundleId, String(first.appId))
        }
    }
}
