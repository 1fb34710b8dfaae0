import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// `rankctl watch add` with several queries, apps and countries, and what it says of the cost.
    @Suite struct WatchAddSeveralTests {
        private static let list = """
            {
              // Mine and theirs.
              "apps": {
                "habits": { "bundleId": "com.example.habits", "competitors": ["rival"] },
                "rival": { "bundleId": "com.example.rival" },
              },
              "defaults": { "every": "6h" },
              "watch": [
                { "query": "streaks", "app": "habits" },   // the one that matters
              ],
            }

            """

        private func add(
            _ arguments: [String], _ stage: Stage
        ) async throws -> (program: Program, text: String) {
            let program = try await stage.rankctl(["watch", "add"] + arguments + ["--watchlist", stage.watchlistFile])
            return (program, try String(contentsOfFile: stage.watchlistFile, encoding: .utf8))
        }

        @Test func `several queries for several apps in several countries are one line, with what it costs`()
            async throws
        {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let (program, text) = try await add(
                    [
                        "mood", "daily routine", "--app", "habits", "--app", "com.other", "--country", "fr,es",
                        "--country", "de",
                    ],
                    stage)
                #expect(program.ending == .code(0), "\(program.errors)")
                let line =
                    #"    { "queries": ["mood", "daily routine"], "bundleIds": ["com.example.habits", "com.other"], "countries": ["fr", "es", "de"] },"#
                #expect(
                    text
                        == Self.list.replacing(
                            "// the one that matters\n",
                            with: """
                                // the one that matters
                                    {
                                      "queries": ["mood", "daily routine"],
                                      "bundleIds": ["com.example.habits", "com.other"],
                                      "countries": ["fr", "es", "de"]
                                    },

                                """) || text.contains(line), "\(text)")
                for words in [
                    "added “mood”, “daily routine” for com.example.habits, com.other to \(stage.watchlistFile)",
                    "asked in de, es, fr, on iPhone, every 6h\n",
                    "costs 24 searches a day more: 4 → 28 of the 21,600 that the pace allows (<0.1 % → 0.1 %)\n",
                ] { #expect(program.errors.contains(words), "\(words) in \(program.errors)") }
            }
        }

        @Test func `an app more costs no search`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let (program, _) = try await add(["streaks", "com.other"], stage)
                #expect(
                    program.errors.contains("costs no search more: one search serves all apps on a query"),
                    "\(program.errors)")
            }
        }

        @Test func `a dry run shows the edit and its cost, and changes nothing`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let (program, text) = try await add(["mood", "--app", "habits", "--dry-run", "--every", "1h"], stage)
                #expect(program.ending == .code(0) && text == Self.list, "\(program.errors)")
                #expect(
                    program.output == "+     { \"query\": \"mood\", \"app\": \"habits\", \"every\": \"1h\" },\n",
                    "\(program.output)")
                #expect(program.errors.contains("would add “mood” for com.example.habits to "))
                #expect(
                    program.errors.contains("; nothing was changed\n")
                        && program.errors.contains("costs 24 searches a day more"))
                let wrong = try await add(["mood", "--app", "habits", "--dry-run", "--every", "often"], stage)
                #expect(wrong.program.ending == .code(78) && wrong.program.errors.hasPrefix("--every: "))
                let none = stage.file("none.json")
                let new = try await stage.rankctl(["watch", "add", "mood", "com.a.b", "--dry-run", "--watchlist", none])
                #expect(new.ending == .code(0) && !FileManager.default.fileExists(atPath: none), "\(new.errors)")
            }
        }

        @Test func `a file has a query a line, and what is watched already is left out`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let file = try stage.write(
                    "\u{FEFF}# from a sheet\r\nmood\r\n\r\n  Streaks \r\nmood\r\n日記\r\n", to: "queries.txt")
                let (program, text) = try await add(["--file", file, "--app", "habits"], stage)
                #expect(program.ending == .code(0), "\(program.errors)")
                #expect(text.contains(#"{ "queries": ["mood", "日記"], "app": "habits" }"#), "\(text)")
                #expect(
                    program.errors.contains("“Streaks” is in the watchlist already, at watch[0], and stays as it is\n"),
                    "\(program.errors)")
                let again = try await add(["--file", file, "--app", "habits"], stage)
                #expect(again.program.ending == .code(65) && again.text == text, "\(again.program.errors)")
            }
        }

        @Test func `a file that is none, or no list of queries, changes nothing`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                try stage.write("# nothing\n\n", to: "empty.txt")
                try Data([0xFF, 0xFE, 0x41, 0x00]).write(to: URL(fileURLWithPath: stage.file("utf16.txt")))
                try stage.write("good\nbad\tone\n", to: "tab.txt")
                for (name, code, words) in [
                    ("none.txt", 66, "No such file"), ("empty.txt", 65, "has no query"),
                    ("utf16.txt", 65, "it is not text"),
                    ("watchlist.json", 65, "is a watchlist, not a list of queries"),
                    ("tab.txt", 78, "QUERY: the query has a control character"),
                ] as [(String, Int32, String)] {
                    let (program, text) = try await add(["--file", stage.file(name), "--app", "habits"], stage)
                    #expect(program.ending == .code(code) && text == Self.list, "\(name): \(program.errors)")
                    #expect(program.errors.contains(words), "\(program.errors)")
                }
            }
        }

        @Test(arguments: [
            (["mood"], "is neither an App Store link nor an id"), (["a", "b", "c"], "3 words without --app"),
            ([], "write a query and an app"), (["--file", "x"], "name the app with --app"),
            (["--app", "habits"], "write the queries for habits"),
            (["mood", "com.example.rival", "--app", "habits"], "“com.example.rival” is an app, not a query"),
            (["id572688855", "--app", "habits"], "“id572688855” is an app, not a query"),
            (["com.example.habits", "habit tracker"], "write the query first"),
            (
                ["mood", "--app", "habit tracker"],
                "“habit tracker” is neither an alias of the watchlist nor a bundle id"
            ),
            (["mood", "--app", "habits", "--app", "rival", "--as", "x"], "name one --app"),
        ])
        func `a slip in what was typed is told, and nothing changes`(arguments: [String], words: String) async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let (program, text) = try await add(arguments, stage)
                #expect(program.ending == .code(64) && text == Self.list, "\(program.errors)")
                #expect(program.errors.contains(words), "\(program.errors)")
            }
        }

        @Test func `a hundred queries are a line that can be read`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(Self.list)
                let file = try stage.write((1...100).map { "query \($0)\n" }.joined(), to: "queries.txt")
                let (program, text) = try await add(["--file", file, "--app", "habits"], stage)
                #expect(program.ending == .code(0), "\(program.errors)")
                #expect(text.contains("        \"query 1\",\n        \"query 2\",\n"), "\(text)")
                #expect(program.errors.contains("added 100 queries (“query 1”, "), "\(program.errors)")
                let check = try await stage.rankctl(["watch", "check", stage.watchlistFile])
                #expect(check.ending == .code(0) && check.errors.isEmpty)
            }
        }
    }
}
