#if os(Linux)
    import Foundation
    import JudgingStage
    import ProgramStage
    import TestSupport
    import Testing

    extension FaultTests.DamagedHistoryFaults {
        /// What `rankctl` is asked of a history.
        private static let commands = [
            ["verify"], ["status"], ["export"], ["export", "--format", "csv"], ["report"],
            ["report", "movers", "--since", "20d"], ["report", "history", "--app", "focus"],
            ["report", "grid", "--app", "focus"], ["report", "results", "--query", "timer", "--country", "us"],
            ["report", "competitors", "--app", "focus"], ["report", "compare", "--app", "focus"],
            ["report", "opportunities"], ["report", "distribution"], ["report", "visibility"],
            ["report", "volatility"], ["report", "release", "focus", "2.4"], ["report", "timeline", "--app", "focus"],
            ["report", "digest", "--since", "7d"], ["apps"], ["alerts", "log"],
        ]

        /// What changes the history, copies it or reads it beside something else. What it reads beside it is whole.
        private static func changes(_ stage: Stage) throws -> [[String]] {
            let table = try stage.write(
                "date,keyword,rank,app\n2026-11-01,timer,7,com.acme.focus\n2026-11-02,clock,-,com.other1\n",
                to: "ranks.csv")
            let popularity = try stage.write("keyword,popularity\ntimer,46\nclock,12\n", to: "popularity.csv")
            return [
                ["import", stage.file("whole.ndjson")], ["import", table, "--country", "us", "--within", "200"],
                ["prune", "--app", "focus", "--before", "5d", "--yes"],
                ["prune", "--query", "timer", "--before", "10d", "--yes"],
                ["backup", stage.file("copy.sqlite"), "--force"], ["plan", stage.watchlistFile],
                ["watch", "list", stage.watchlistFile], ["watch", "popularity", popularity],
                ["watch", "check", stage.watchlistFile, "--online"],
                ["watch", "add", "https://apps.apple.com/us/app/x/id123456789", "--as", "rival"], ["mcp"],
            ]
        }

        private static let questions = [
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"standings","arguments":{}}}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"history","arguments":{"app":"com.acme.focus"}}}"#,
            #"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"status","arguments":{}}}"#,
            #"{"jsonrpc":"2.0","id":4,"method":"resources/list"}"#,
        ]

        private static let pages = ["/", "/status", "/reports/movers", "/api/v1/status", "/metrics"]

        @Test(.longRun) func `each program answers or refuses a history with a damaged byte`() async throws {
            let history = try await DamagedHistory()
            var random = SplitMix(seed: UInt64(Self.seed))
            try await Stage.run { stage in
                let store = try await stage.simulator(["--seed", "3", "--apps", "60"])
                let list = watchlist(["timer", "clock"], ["com.acme.focus"])
                try stage.watch(list)
                try stage.write(Self.questions.joined(separator: "\n") + "\n", to: "questions")
                try history.write(byte: 0, xor: 0, to: stage.database)
                let whole = try await stage.rankctl(
                    ["export", "--output", stage.file("whole.ndjson"), "--database", stage.database])
                try #require(whole.ending == .code(0), "\(whole.errors)")
                let commands = Self.commands + (try Self.changes(stage))
                for command in commands {
                    try history.write(byte: 0, xor: 0, to: stage.database)
                    let program = try await run(command, stage, store)
                    // Else the line is wrong, and nothing would be asked of the history.
                    let isAnswered = program.ending != .code(64) || command.starts(with: ["watch", "add"])
                    #expect(isAnswered, "\(command): \(program.errors)")
                    try stage.watch(list)
                }
                for turn in 0..<Self.bytes {
                    let (byte, mask) = (
                        Int(random.next() % UInt64(history.bytes.count)), UInt8(1 << (random.next() % 8))
                    )
                    try history.write(byte: byte, xor: mask, to: stage.database)
                    let program: Program
                    var asked = "rankd"
                    switch turn % (commands.count + 2) {
                    case commands.count: program = try await stage.pass(store: store.origin)
                    case commands.count + 1:
                        asked = "rankweb"
                        program = try await visit(stage)
                    case let number:
                        asked = commands[number].joined(separator: " ")
                        program = try await run(commands[number], stage, store)
                    }
                    // A command may have changed it.
                    try stage.watch(list)
                    guard case .code = program.ending else {
                        Issue.record(
                            "byte \(byte) ^ \(mask), turn \(turn), \(asked): \(String(describing: program.ending)) \(program.errors)"
                        )
                        continue
                    }
                }
            }
        }

        private func run(_ command: [String], _ stage: Stage, _ store: Simulator) async throws -> Program {
            switch command.prefix(2) {
            case ["mcp"]:
                let agent = try stage.start(
                    path: "/bin/sh",
                    [
                        "-c", "exec \"$0\" mcp --database \"$1\" < \"$2\"", Program.Name.rankctl.path, stage.database,
                        stage.file("questions"),
                    ])
                _ = try await agent.ends()
                return agent
            case ["watch", "list"]: return try await stage.rankctl(command)
            case ["watch", "popularity"]:
                return try await stage.rankctl(command + ["--watchlist", stage.watchlistFile])
            case ["watch", "check"]:
                return try await stage.rankctl(
                    command + ["--search-url", store.origin, "--database", stage.database])
            case ["watch", "add"]:
                return try await stage.rankctl(
                    command + [
                        "--watchlist", stage.watchlistFile, "--search-url", store.origin, "--database", stage.database,
                    ])
            default: return try await stage.rankctl(command + ["--database", stage.database])
            }
        }

        /// Looks at some pages of a site, if there is one.
        private func visit(_ stage: Stage) async throws -> Program {
            let site = try stage.start(.rankweb, ["--database", stage.database, "--open", "--listen", "127.0.0.1:0"])
            let address = try await eventually("a site: \(site.errors)") { () -> String? in
                if site.ending != nil { return "" }
                return site.output.split(separator: "\n").first { $0.hasPrefix("listening on ") }
                    .map { String($0.dropFirst("listening on ".count)) }
            }
            guard !address.isEmpty else { return site }
            for page in Self.pages {
                let connection = try RawConnection(to: address)
                connection.send(
                    "GET \(page) HTTP/1.1\r\nHost: \(address.dropFirst("http://".count))\r\nConnection: close\r\n\r\n")
                guard connection.answer() != nil else { break }
            }
            site.signal(SIGTERM)
            _ = try await site.ends()
            return site
        }
    }
#endif
