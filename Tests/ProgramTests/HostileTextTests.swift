import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// Texts that strangers choose, through every command: none may act on a terminal, in a log, or in a shell.
    @Suite struct HostileTextTests {
        private static let name = "\u{1B}]0;owned\u{7}\u{1B}[2J\rHabits\n\u{202E}gpj\u{9B}31m\u{2028}"
        private static let term = "'; DROP TABLE query; -- \u{202E}\" %s%n $(id)"
        private static let poisoned = "poisoned\u{2066}"
        private static let message =
            "no \u{1B}[2J\u{1B}]0;x\u{7}\r\n<0>level=critical \u{202E}\"quoted\" " + String(repeating: "x", count: 900)

        /// What of `text` would act instead of showing. Line feeds end lines; CSV keeps breaks within its quotes.
        private func acting(_ text: String, isCSV: Bool = false) -> [String] {
            text.unicodeScalars.filter { scalar in
                if scalar == "\n" || (isCSV && (scalar == "\r" || scalar == "\t")) { return false }
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator, .format: return true
                default: return false
                }
            }.map { String($0.value, radix: 16) }
        }

        private static func json(_ text: String) throws -> String {
            String(decoding: try JSONEncoder().encode([text]), as: UTF8.self).dropFirst().dropLast().description
        }

        private func store(_ stage: Stage) async throws -> Simulator {
            var recordings = try Recordings("recordings", on: stage)
            let name = try Self.json(Self.name)
            let entries = """
                {"resultCount":2,"results":[
                 {"trackId":1,"bundleId":"com.example.app1","trackName":\(name),"sellerName":\(name),"version":\(name)},
                 {"trackId":2,"bundleId":\(name),"trackName":\(name)}]}
                """
            try recordings.add(Data(entries.utf8), as: "names.json", for: [Self.term, "habits"])
            let refusal = "{\"errorMessage\":\(try Self.json(Self.message))}"
            try recordings.add(Data(refusal.utf8), as: "refusal.json", for: [Self.poisoned], status: 400)
            return try await stage.simulator(["--replay", recordings.folder])
        }

        private func watch(_ stage: Stage, _ more: String = "") throws {
            try stage.watch(
                """
                { "apps": { "mine": { "bundleId": "com.example.app1", "competitors": ["com.example.app2"] } },
                  "watch": [ { "app": "mine", "queries": [\(try Self.json(Self.term)), \(try Self.json(Self.poisoned))],
                    "tags": ["a\\u202Eb"] } ],
                  "notes": [ { "on": "2026-11-01", "text": "\\u202Enote", "added": ["\\u202Eword"] } ],
                  "service": { "requestsPerMinute": 100000 }\(more) }
                """)
        }

        @Test func `no command lets a hostile text act`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try watch(stage)
                let database = stage.file("his\u{1B}]0;x\u{7}\u{202E}tory.sqlite")
                let files = ["--database", database, "--watchlist", stage.watchlistFile]
                let once = try stage.start(
                    .rankd, ["--once", "--log-level", "trace", "--search-url", store.origin] + files)
                #expect(try await once.ends() == .code(0), "\(once.errors)")
                #expect(once.output.contains("outcome=failed reason=rejected"), "\(once.output)")
                #expect(acting(once.output).isEmpty && acting(once.errors).isEmpty, "\(once.output)\(once.errors)")
                #expect(once.printedLines.count == 2, "each check is one line: \(once.output)")

                var commands: [[String]] = [["watch", "check", stage.watchlistFile]]
                for format in ["table", "json", "csv"] {
                    commands.append(["report", "--competitors", "--format", format, "--database", database])
                    commands.append(["watch", "list", "--format", format, "--watchlist", stage.watchlistFile])
                    commands.append(
                        ["search", Self.term, "--format", format, "--search-url", store.origin] + files)
                    guard format != "csv" else { continue }
                    commands.append(["status", "--format", format, "--database", database])
                    commands.append(["plan", "--all", "--format", format] + files)
                    commands.append(["plan", "--format", format, "--watchlist", stage.watchlistFile])
                }
                commands += [
                    ["report", "--app", Self.name, "--database", database],
                    ["search", Self.poisoned, "--search-url", store.origin] + files,
                    ["report", "--database", stage.file("none\u{1B}[2J\u{202E}")],
                    ["watch", "check", stage.file("none\u{1B}[2J\u{202E}")],
                    ["note", "add", "\u{202E}hidden", "--watchlist", stage.watchlistFile],
                    ["watch", "add", "\u{202E}word", "mine", "--watchlist", stage.watchlistFile],
                    ["watch", "remove", "\u{202E}word", "mine", "--watchlist", stage.watchlistFile],
                    ["watch", "remove", "never\u{1B}[2J", "mine", "--watchlist", stage.watchlistFile],
                ]
                for command in commands {
                    let program = try await stage.rankctl(command)
                    let found = acting(program.output, isCSV: command.contains("csv")) + acting(program.errors)
                    #expect(found.isEmpty, "\(command): \(found): \(program.output)\(program.errors)")
                    #expect(!program.output.isEmpty || !program.errors.isEmpty)
                    // Not a trap.
                    if case .signal = program.ending {
                        Issue.record("\(command): \(String(describing: program.ending))")
                    }
                }
                let table = try await stage.rankctl(["report", "--database", database])
                #expect(table.output.contains(#"\u{202E}"#), "\(table.output)")
                let history = try RecordedHistory(database)
                #expect(try history.flaws.isEmpty && history.checkCount == 2)
            }
        }

        @Test func `a hostile watchlist's mistakes are told harmlessly, and a NUL in a query is one`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(
                    """
                    { "\\u001b]0;owned\\u0007\\u202E": 1,
                      "watch": [ { "query": "a\\u0000b", "bundleId": "com.example\\u001b[2J", "country": "\\u202Exx" } ] }
                    """)
                for program in [
                    try await stage.rankctl(["watch", "check", stage.watchlistFile]),
                    try await stage.rankctl(["plan", stage.watchlistFile, "--database", stage.database]),
                ] {
                    #expect(program.ending == .code(78))
                    #expect(acting(program.errors).isEmpty, "\(program.errors)")
                    #expect(program.errors.contains("watch[0].query: the query has a control character"))
                    #expect(program.errors.split(separator: "\n").count == 4, "\(program.errors)")
                }
            }
        }

        // MARK: The log

        @Test
        func `in the journal every line has its priority, its values are quoted, and none is longer than it may be`()
            async throws
        {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try watch(stage)
                let rankd = try stage.rankd(
                    ["--once", "--log-level", "trace"], store: store.origin, isJournal: true)
                #expect(try await rankd.ends() == .code(0))
                let lines = rankd.errors.split(separator: "\n")
                #expect(lines.contains { $0.hasPrefix("<6>level=info message=\"watchlist adopted\"") }, "\(lines)")
                let value = /[\w-]+=(?:[^\s"=]+|"(?:[^"\\]|\\.)*")/
                for line in lines where line.hasPrefix("<") {
                    let fields = line.dropFirst(3)
                    #expect(line.prefixMatch(of: /<[0-7]>/) != nil)
                    #expect(fields.replacing(value, with: "").allSatisfy { $0 == " " }, "\(line)")
                    #expect(!fields.contains(String(repeating: "x", count: 201)))
                }
                #expect(!lines.contains { $0.hasPrefix("<0>") }, "a value forged a line")
            }
        }

        @Test func `a stream that is not the journal gets the time, whatever the environment says`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try watch(stage)
                let rankd = try stage.rankd(
                    ["--once", "--log-level", "info"], store: store.origin, environment: ["JOURNAL_STREAM": "8:1"])
                #expect(try await rankd.ends() == .code(0))
                #expect(rankd.errors.split(separator: "\n").allSatisfy { !$0.hasPrefix("<") })
                #expect(rankd.errors.contains("time="))
            }
        }

        @Test func `a failure's message stays within its value, as text and as JSON`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try watch(stage)
                for format in ["text", "json"] {
                    let rankd = try stage.start(
                        .rankd,
                        [
                            "--watchlist", stage.watchlistFile, "--database", stage.file(format + ".sqlite"),
                            "--search-url", store.origin, "--log-format", format,
                        ])
                    let line = try await rankd.says("check failed")
                    #expect(acting(line).isEmpty)
                    #expect(!line.contains(String(repeating: "x", count: 201)))
                    if format == "json" {
                        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
                        #expect(object?["level"] == "warning" && object?["reason"] == "rejected")
                        #expect(object?["detail"]?.contains("<0>level=critical") == true, "\(line)")
                    } else {
                        #expect(line.contains("level=warning") && line.contains("\\\"quoted\\\""), "\(line)")
                    }
                    rankd.signal(SIGTERM)
                    #expect(try await rankd.ends() == .code(0))
                }
            }
        }

        // MARK: Secrets

        @Test(arguments: [
            "http://user:CANARY-8c1f@127.0.0.1:1", "https://CANARY-8c1f@itunes.apple.com", "CANARY-8c1f@",
        ])
        func `what may be a password in an address is refused and never shown`(_ address: String) async throws {
            try await Stage.run { stage async throws in
                try watch(stage)
                let files = ["--watchlist", stage.watchlistFile, "--database", stage.database]
                for program in [
                    try stage.start(.rankd, ["--once", "--log-level", "trace", "--search-url", address] + files),
                    try stage.start(.rankd, files, environment: ["RANKD_SEARCH_URL": address]),
                    try stage.start(.rankctl, ["search", "habits", "--search-url", address]),
                    try stage.start(.rankctl, ["search", "habits"], environment: ["RANKD_SEARCH_URL": address]),
                ] {
                    #expect(try await program.ends() == .code(64))
                    #expect(!(program.output + program.errors).contains("CANARY"), "\(program.errors)")
                    #expect(program.errors.contains("is an address with a user name: write a server"))
                }
                #expect(!FileManager.default.fileExists(atPath: stage.database))
            }
        }

        // MARK: Modes

        @Test(arguments: ["000", "022", "077", "777"])
        func `files are for the owner and the group, whatever the umask`(_ umask: String) async throws {
            try await Stage.run { stage async throws in
                let recordings = try Recordings.ofFiveApps(for: ["habits"], on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder])
                try stage.watch(watchlist(["habits"], ["com.example.app1"]))
                let database = stage.file("made/history.sqlite")
                let rankd = try stage.start(
                    path: "/bin/sh",
                    [
                        "-c", "umask \(umask) && exec \"$@\"", "sh", Program.Name.rankd.path, "--watchlist",
                        stage.watchlistFile, "--database", database, "--search-url", store.origin,
                    ])
                try await rankd.says("pass ended")
                #expect(try mode(stage.file("made")) == 0o750)
                for suffix in ["", "-wal", "-shm", ".lock"] {
                    #expect(try mode(database + suffix) == 0o640, "\(suffix)")
                }
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0))
                for suffix in ["", "-wal", "-shm"] { #expect(try mode(database + suffix) == 0o640, "\(suffix)") }
            }
        }

        private func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
    }
}
