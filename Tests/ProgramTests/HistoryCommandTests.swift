import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// The reports that are made of kept lists, and what they say to those who ask for what is not there.
    @Suite struct HistoryCommandTests {
        private static func watchlist(_ apps: String) -> String {
            """
            { "apps": { "mine": { "bundleId": "com.example.app4", "competitors": ["com.example.app2"] } },
              "watch": [
                { "queries": ["habits"], "countries": ["us", "de"], "every": "4w", "bundleIds": [\(apps)] } ],
              "service": { "requestsPerMinute": 100000 } }
            """
        }

        /// A history of one pass over “habits” in two countries.
        private func record(_ stage: Stage) async throws -> Simulator {
            var recordings = try Recordings("recordings", on: stage)
            let five = Recordings.list((1...5).map { "com.example.app\($0)" })
            try recordings.add(five, as: "us.json", for: ["habits"])
            try recordings.add(five, as: "de.json", for: ["habits"], country: "de")
            let store = try await stage.simulator(["--replay", recordings.folder])
            try stage.watch(Self.watchlist(#""com.example.app4""#))
            let pass = try await stage.pass(store: store.origin)
            try #require(pass.ending == .code(0), "\(pass.errors)")
            return store
        }

        private func rankctl(_ stage: Stage, _ arguments: [String]) async throws -> Program {
            try await stage.rankctl(arguments + ["--database", stage.database])
        }

        private func rows(_ program: Program, _ name: String) throws -> [[String: Any]] {
            let document = try JSONSerialization.jsonObject(with: Data(program.output.utf8)) as? [String: Any]
            #expect(document?["version"] as? Int == 1)
            return try #require(document?[name] as? [[String: Any]], "\(program.output) \(program.errors)")
        }

        @Test func `each report has a table, a document and a spreadsheet`() async throws {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                let us = ["--query", "HABITS", "--country", "us"]
                let reports: [(String, [String], Int, String)] = [
                    ("history", ["report", "history", "--app", "com.example.APP2"] + us, 1, "#2"),
                    ("results", ["report", "results", "--compare", "now"] + us, 10, "App 3"),
                    ("competitors", ["report", "competitors", "--app", "mine"], 9, "2/2"),
                    ("compare", ["report", "compare", "--app", "mine"], 2, "◆ #2"),
                    ("movers", ["report", "movers", "--all"], 0, "there is no check from before"),
                    ("opportunities", ["report", "opportunities"], 0, "nothing to push, to recover, to defend or to"),
                    ("standings", ["report", "--all"], 2, "first verdicts about "),
                    ("standings", ["report", "--until", "2020-01-01"], 2, "as of 2020-01-0"),
                    ("apps", ["apps", "example.app3"], 1, "App 3"),
                ]
                for (name, arguments, count, words) in reports {
                    let table = try await rankctl(stage, arguments)
                    #expect(table.ending == .code(0), "\(table.errors)")
                    #expect(table.output.contains(words), "\(table.output)")
                    let json = try await rankctl(stage, arguments + ["--format", "json"])
                    #expect(try rows(json, name).count == count, "\(json.output)")
                    let csv = try await rankctl(stage, arguments + ["--format", "csv"])
                    #expect(csv.output.contains("bundleId") && csv.output.hasSuffix("\r\n"))
                }
            }
        }

        @Test func `an app added to the watchlist shows its past at once, with nothing due`() async throws {
            try await Stage.run { stage async throws in
                let store = try await record(stage)
                try stage.watch(Self.watchlist(#""com.example.app4", "com.example.app2", "com.example.none""#))
                let again = try await stage.pass(store: store.origin)
                #expect(again.ending == .code(0) && again.errors.contains("nothing is due"), "\(again.errors)")
                let report = try await rankctl(stage, ["report", "--format", "json", "--country", "de"])
                let states = try rows(report, "standings").map { "\($0["bundleId"] ?? "") \($0["state"] ?? "")" }
                #expect(
                    Set(states) == [
                        "com.example.app4 ranked", "com.example.app2 ranked", "com.example.none absent",
                    ])
                let history = try RecordedHistory(stage.database)
                #expect(try history.number("SELECT count(*) FROM position") == 6)
                #expect(try history.number("SELECT count(*) FROM pair_fill") == 0)
                #expect(try history.flaws.isEmpty)
            }
        }

        @Test func `the service gives a pair that a reload brings its past`() async throws {
            try await Stage.run { stage async throws in
                let store = try await record(stage)
                let rankd = try stage.rankd(store: store.origin)
                try await rankd.says("started")
                try stage.watch(Self.watchlist(#""com.example.app4", "com.example.app2""#))
                rankd.signal(SIGHUP)
                try await rankd.says("history filled in from the kept lists")
                let history = try RecordedHistory(stage.database)
                #expect(try history.number("SELECT count(*) FROM position WHERE position = 2") == 2)
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0))
            }
        }

        @Test(arguments: [
            (
                ["report", "results", "--query", "habits"],
                "“habits” is asked in several ways; choose one with --country and --platform: in us on iPhone, in de on iPhone"
            ),
            (
                ["report", "results", "--query", "habits", "--country", "us,de"],
                "“habits” is asked in several ways; choose one with --country and --platform: in us on iPhone, in de on iPhone"
            ),
            (["search", "habits", "--country", "fr,es"], "a search asks in one country: name only one"),
            (["report", "results", "--query", "habbits"], "“habbits” was never asked; did you mean “habits”?"),
            (["report", "results", "--query", "zzz"], "“zzz” was never asked; “rankctl watch list --database /"),
            (
                ["report", "results", "--query", "habits", "--country", "fr"],
                "“habits” was never asked there; it was asked in us on iPhone, in de on iPhone"
            ),
            (
                ["report", "history", "--app", "mine", "--query", "habits", "--source", "appfigures"],
                "“habits” was never imported from “appfigures”; it was asked in us on iPhone, in de on iPhone"
            ),
            (
                ["report", "history", "--app", "com.example.ap4", "--query", "habits", "--country", "us"],
                "“com.example.ap4” was never seen in any answer; did you mean com.example.app4?"
            ),
            (
                ["report", "competitors", "--app", "app 3"],
                "“app 3” was never seen in any answer; did you mean com.example.app3 (App 3)?"
            ),
            (
                ["report", "history", "--app", "\u{1B}[2Jx", "--query", "habits", "--country", "us"],
                "“\\u{1B}[2Jx” was never seen in any answer; look for an app with “rankctl apps TEXT --database /"
            ),
            (
                ["report", "compare", "--app", "mine", "--country", "fr"],
                "no tracked pair fits --app mine and --country fr: loosen one of them"
            ),
            (
                ["report", "history", "--app", "com.example.app4", "--country", "fr"],
                "no tracked pair fits --app com.example.app4 and --country fr: loosen one of them"
            ),
            (
                ["report", "competitors", "--app", "mine", "--query", "habbits"],
                "“habbits” was never asked; did you mean"
            ),
            (["report", "competitors", "--app", "com.example.app3", "--query", "zzz"], "“zzz” was never asked"),
            (
                ["report", "results", "--query", "habits", "--tag", "core"],
                "no pair has the tag core; no pair has any tag"
            ),
            (
                ["report", "results", "--query", "habits", "--country", "us", "--at", "soon"],
                "--at is “soon”: write a time such as 2026-11-01"
            ),
            (
                ["report", "results", "--query", "habits", "--country", "us", "--at", "2020-01-01"],
                "the history has no good list of “habits” from 2020-01-01 23:59 UTC or before; it was first asked at 20"
            ),
            (
                [
                    "report", "history", "--app", "mine", "--query", "habits", "--country", "us", "--since", "now",
                    "--until", "7d",
                ], "--since is after --until: swap them"
            ),
            (
                [
                    "report", "results", "--query", "habits", "--country", "us", "--at", "2020-01-01", "--compare",
                    "today",
                ],
                "--compare is later than --at: swap them"
            ),
            (["report", "movers", "--at", "now", "--until", "now"], "--at and --until mean the same: give only one"),
            (["report", "history", "--app", "mine", "--since", "2999-01-01"], "--since is in the future"),
            (["apps", "--limit", "0"], "--limit is 0: write a number from 1"),
            (["competitors", "--app", "com.example.app1", "--limit", "0"], "--limit is 0: write a number from 1"),
        ])
        func `what is not there is said plainly, and is 64`(_ arguments: [String], _ words: String) async throws {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                let rankctl = try await rankctl(stage, arguments)
                #expect(rankctl.ending == .code(64), "\(rankctl.output)")
                #expect(rankctl.output.isEmpty && rankctl.errors.contains(words), "\(rankctl.errors)")
            }
        }

        @Test(arguments: [
            "standings", "movers", "opportunities", "distribution", "visibility", "volatility", "digest",
        ])
        func `every report says alike what is not there`(_ report: String) async throws {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                let refused: [([String], String)] = [
                    (["--app", "mina"], "no app “mina” is tracked; did you mean “mine”?\n"),
                    (["--query", "habbits"], "“habbits” was never asked; did you mean “habits”?\n"),
                    (
                        ["--query", "habits", "--query", "zzz"],
                        "“zzz” was never asked; “rankctl watch list --database \(stage.database)” shows the queries\n"
                    ),
                    (["--tag", "core"], "no pair has the tag core; no pair has any tag\n"),
                    (["--country", "fr"], "no tracked pair fits --country fr: loosen it\n"),
                    (
                        ["--query", "habits", "--platform", "mac"],
                        "no tracked pair fits --query habits and --platform mac: loosen one of them\n"
                    ),
                ]
                for (arguments, words) in refused {
                    let rankctl = try await rankctl(stage, ["report", report] + arguments)
                    #expect(rankctl.ending == .code(64), "\(report) \(arguments): \(rankctl.output)")
                    #expect(rankctl.output.isEmpty && rankctl.errors == words, "\(rankctl.errors)")
                }
            }
        }

        @Test func `the history of a query shows it everywhere that it is asked`() async throws {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                let history = try await rankctl(
                    stage, ["report", "history", "--app", "mine", "--query", "habits", "--format", "json"])
                let countries = try rows(history, "history").map { "\($0["country"] ?? "")" }
                #expect(Set(countries) == ["us", "de"], "\(history.output)")
            }
        }

        @Test func `a report is found without the word report, and countries as people write them`() async throws {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                let long = try await rankctl(stage, ["report", "compare", "--app", "mine", "--country", "de"])
                let short = try await rankctl(stage, ["compare", "--app", "mine", "--country", "de"])
                #expect(short.ending == .code(0) && !short.output.isEmpty && short.output == long.output)
                let list = try await rankctl(stage, ["standings", "--country", "us, de", "--format", "json"])
                #expect(try rows(list, "standings").count == 2, "\(list.errors)")
                let british = try await rankctl(stage, ["standings", "--country=fr,UK"])
                #expect(
                    british.errors == """
                        uk is read as gb, the App Store's code for the United Kingdom
                        no tracked pair fits --country fr or gb: loosen it

                        """)
                let help = try stage.start(.rankctl, ["help", "movers"])
                #expect(try await help.ends() == .code(0) && help.output.contains("USAGE: rankctl report movers"))
            }
        }

        @Test func `a mistake shows how the command that was typed is written`() async throws {
            try await Stage.run { stage async throws in
                _ = try await record(stage)
                let rankctl = try await rankctl(stage, ["report", "movers", "--since", "soon"])
                #expect(rankctl.ending == .code(64))
                #expect(rankctl.errors.hasPrefix("Error: --since is “soon”: write a time"), "\(rankctl.errors)")
                #expect(rankctl.errors.contains("\nUsage: rankctl report movers "), "\(rankctl.errors)")
                #expect(
                    rankctl.errors.hasSuffix("\n  See 'rankctl report movers --help' for more information.\n"),
                    "\(rankctl.errors)")
            }
        }

        @Test func `a history without an answer yet says so`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.watchlist(#""com.example.app4""#))
                _ = try await stage.pass(store: "http://127.0.0.1:1")
                #expect(try await rankctl(stage, ["apps"]).output == "no app was seen yet\n")
                let compare = try await rankctl(stage, ["report", "compare", "--app", "mine"])
                #expect(compare.ending == .code(0) && compare.output.contains("–"), "\(compare.errors)")
                let rivals = try await rankctl(stage, ["report", "competitors", "--app", "mine"])
                #expect(rivals.output == "mine: none of its queries has a good list yet\n")
                let history = try await rankctl(
                    stage, ["report", "history", "--app", "mine", "--query", "habits", "--country", "us"])
                #expect(history.ending == .code(0) && history.output.contains("1 failed"), "\(history.output)")
            }
        }
    }
}
