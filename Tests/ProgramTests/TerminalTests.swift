import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// What `rankctl` does on a terminal, which `script` plays.
    @Suite struct TerminalTests {
        /// A history of one pass over one query, on which each of `count` apps is tracked.
        private func record(_ stage: Stage, apps count: Int = 30) async throws {
            var recordings = try Recordings("recordings", on: stage)
            let apps = (1...count).map { "com.example.app\($0)" }
            try recordings.add(Recordings.list(apps), as: "us.json", for: ["habits"])
            let store = try await stage.simulator(["--replay", recordings.folder])
            let names = apps.map { "\"\($0)\"" }.joined(separator: ", ")
            try stage.watch(
                """
                { "watch": [ { "query": "habits", "every": "4w", "bundleIds": [\(names)] } ],
                  "service": { "requestsPerMinute": 100000 } }
                """)
            let pass = try await stage.pass(store: store.origin)
            try #require(pass.ending == .code(0), "\(pass.errors)")
        }

        /// Runs a line of shell on a terminal of 20 lines.
        private func terminal(
            _ stage: Stage, _ line: String, environment: [String: String] = [:]
        ) async throws -> Program {
            let program = try stage.start(
                path: "/usr/bin/script", ["-qec", "stty rows 20 cols 80; \(line)", "/dev/null"],
                environment: ["TERM": "xterm", "SHELL": "/bin/sh"].merging(environment) { $1 })
            _ = try await program.ends()
            return program
        }

        private func rankctl(_ stage: Stage, _ arguments: String) -> String {
            "'\(Program.Name.rankctl.path)' \(arguments) --database '\(stage.database)'"
        }

        @Test func `a report that is longer than the terminal goes through the pager`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let file = stage.file("paged")
                let shown = try await terminal(
                    stage, rankctl(stage, "report results --query habits"), environment: ["PAGER": "cat > '\(file)'"])
                #expect(shown.ending == .code(0), "\(shown.output)")
                #expect(!shown.output.contains("com.example.app20"))
                #expect(try String(contentsOfFile: file, encoding: .utf8).contains("com.example.app20"))
            }
        }

        @Test(arguments: [
            ("short", "1", "cat"), ("--no-pager", "30", "false"), ("a pager that is none", "30", "/none"),
        ])
        func `a report is shown plainly where no pager is wanted, needed or there`(
            why: String, apps: String, pager: String
        ) async throws {
            try await Stage.run { stage async throws in
                try await record(stage, apps: try #require(Int(apps)))
                let flag = why.hasPrefix("--") ? why : ""
                let shown = try await terminal(
                    stage, rankctl(stage, "report results --query habits \(flag)"), environment: ["PAGER": pager])
                #expect(shown.ending == .code(0), "\(shown.output)")
                #expect(shown.output.contains("com.example.app1"), "\(why)")
            }
        }

        @Test func `a live report leaves the terminal as it was when it is interrupted`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage, apps: 3)
                let shown = try await terminal(
                    stage, "timeout --foreground -s INT 3 \(rankctl(stage, "report --live"))")
                #expect(shown.output.contains("\u{1B}[?1049h"), "\(shown.output)")
                #expect(shown.output.contains("habits"))
                #expect(shown.output.contains("\u{1B}[?25h\u{1B}[?1049l"))
            }
        }

        @Test func `a report goes whole into a file, and never over a history`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage, apps: 1)
                let file = stage.file("report.html")
                let report = ["report", "--format", "html", "--database", stage.database, "--output"]
                let written = try await stage.rankctl(report + [file])
                #expect(written.ending == .code(0) && written.output.isEmpty, "\(written.errors)")
                #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix("</html>\n"))
                for precious in [stage.database, stage.database + "-wal"] {
                    let refused = try await stage.rankctl(report + [precious])
                    #expect(refused.ending != .code(0), "\(precious)")
                }
                #expect(try await stage.rankctl(["verify", stage.database]).ending == .code(0))
            }
        }

        @Test func `what is wrong with a channel breaks at the terminal's edge`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(
                    """
                    { "watch": [ { "query": "habits", "bundleId": "com.example.app1" } ],
                      "alerts": { "channels": { "team": { "slack": "secret:slack-url" } }, "to": ["team"] } }
                    """)
                for command in ["alerts test team", "watch check"] {
                    let shown = try await terminal(
                        stage, rankctl(stage, "\(command) --watchlist '\(stage.watchlistFile)'"))
                    let words = shown.output.split(whereSeparator: \.isNewline)
                    #expect(shown.output.contains("looked for"), "\(shown.output)")
                    let isBroken = words.allSatisfy { $0.count <= 80 || !$0.dropFirst(2).contains(" ") }
                    #expect(isBroken, "\(shown.output)")
                }
            }
        }

        @Test func `a report that went into a file says so on a terminal, and nowhere else`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage, apps: 2)
                for (name, words) in [
                    ("rows.csv", "wrote 2 rows to rows.csv"), ("page.html", "wrote the report as HTML to page.html"),
                    ("data.json", "wrote the report as JSON to data.json"),
                ] {
                    let line = rankctl(stage, "report --competitors --output \(name)")
                    let shown = try await terminal(stage, "cd '\(stage.path)'; \(line)")
                    #expect(shown.ending == .code(0) && shown.output.contains(words), "\(shown.output)")
                    let quiet = try await terminal(stage, "cd '\(stage.path)'; \(line) 2>errors; cat errors")
                    #expect(quiet.ending == .code(0) && !quiet.output.contains("wrote"), "\(quiet.output)")
                }
            }
        }

        @Test func `a report never replaces a watchlist, wherever it is`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage, apps: 1)
                let report = ["report", "--format", "json", "--database", stage.database, "--output"]
                let elsewhere = try stage.write(
                    "// mine\n[ { query: 'habits', bundleId: 'com.example.app1' }, ]", to: "a.txt")
                for watchlist in [elsewhere, stage.watchlistFile] {
                    let before = FileManager.default.contents(atPath: watchlist)
                    let refused = try await stage.rankctl(report + [watchlist])
                    #expect(refused.ending == .code(65), "\(refused.errors)")
                    #expect(refused.errors == "\(watchlist) is a watchlist: choose another name\n")
                    #expect(FileManager.default.contents(atPath: watchlist) == before)
                }
                // Its own reports it may replace, as a timer does.
                for _ in 1...2 {
                    let written = try await stage.rankctl(report + [stage.file("report.json")])
                    #expect(written.ending == .code(0), "\(written.errors)")
                }
            }
        }

        @Test(arguments: [
            ("history --app com.example.app1", "habits"), ("results --query habits", "com.example.app2"),
            ("competitors --app com.example.app1", "com.example.app2"), ("compare --app com.example.app1", "habits"),
        ])
        func `every report can be live`(_ report: String, _ words: String) async throws {
            try await Stage.run { stage async throws in
                try await record(stage, apps: 3)
                let shown = try await terminal(
                    stage, "timeout --foreground -s INT 3 \(rankctl(stage, "report \(report) --live"))")
                #expect(shown.output.contains("\u{1B}[?1049h") && shown.output.contains(words), "\(shown.output)")
                #expect(shown.output.contains("\u{1B}[?25h\u{1B}[?1049l"))
            }
        }

        @Test func `a live report without a terminal is refused`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage, apps: 1)
                let refused = try await stage.rankctl(["report", "--live", "--database", stage.database])
                #expect(refused.ending == .code(64))
                #expect(refused.errors.contains("--live needs a terminal"))
            }
        }
    }
}
