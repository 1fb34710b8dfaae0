#if os(Linux)
    import Foundation
    import JudgingStage
    import ProgramStage
    import TestSupport
    import Testing

    extension FaultTests.DamagedHistoryFaults {
        /// What `rankctl` is asked of a history.
        private static let commands = [
            ["verify"], ["status"], ["export", "--output", "-"], ["export", "--format", "csv"], ["report"],
            ["report", "movers", "--since", "20d"], ["report", "history", "--app", "focus"],
            ["report", "grid", "--app", "focus"], ["report", "results", "--query", "timer", "--country", "us"],
            ["report", "competitors", "--app", "focus"], ["report", "compare", "--app", "focus"],
            ["report", "opportunities"], ["report", "distribution"], ["report", "visibility"],
            ["report", "volatility"], ["report", "release", "focus", "2.4"], ["report", "timeline", "--app", "focus"],
            ["report", "digest", "--since", "7d"], ["apps"], ["alerts", "log"],
        ]

        private static let pages = ["/", "/status", "/reports/movers", "/api/v1/status", "/metrics"]

        @Test(.longRun) func `each program answers or refuses a history with a damaged byte`() async throws {
            let history = try await DamagedHistory()
            var random = SplitMix(seed: UInt64(Self.seed))
            try await Stage.run { stage in
                let store = try await stage.simulator(["--seed", "3", "--apps", "60"])
                try stage.watch(watchlist(["timer", "clock"], ["com.acme.focus"]))
                for turn in 0..<Self.bytes {
                    let (byte, mask) = (
                        Int(random.next() % UInt64(history.bytes.count)), UInt8(1 << (random.next() % 8))
                    )
                    try history.write(byte: byte, xor: mask, to: stage.database)
                    let program: Program
                    switch turn % (Self.commands.count + 2) {
                    case Self.commands.count: program = try await stage.pass(store: store.origin)
                    case Self.commands.count + 1: program = try await visit(stage)
                    case let number:
                        let command = Self.commands[number] + ["--database", stage.database]
                        program = try await stage.rankctl(command)
                    }
                    guard case .code = program.ending else {
                        Issue.record(
                            "byte \(byte) ^ \(mask), turn \(turn): \(String(describing: program.ending)) \(program.errors)"
                        )
                        continue
                    }
                }
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
