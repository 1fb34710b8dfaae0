import Foundation
import ProgramStage
import Testing

extension FaultTests {
    /// Signals, rivals and limits.
    @Suite struct ProcessFaults {
        /// The service with a store of which every other answer does not come.
        private func asking(_ stage: Stage, _ count: Int, environment: [String: String] = [:]) async throws -> Program {
            let store = try await stage.simulator(["--seed", "1", "--apps", "50", "--fault", "slow-head=0.2"])
            try stage.watch(watchlist(terms(count), [Stage.mine]))
            let rankd = try stage.rankd(["--log-level", "debug"], store: store.origin, environment: environment)
            try await eventually("four held requests, and checks before them: \(rankd.errors)") {
                try await store.searches() == stage.told.count + 4 && !stage.told.isEmpty ? true : nil
            }
            return rankd
        }

        @Test func `SIGTERM ends it while requests are in flight`() async throws {
            try await Stage.run { stage async throws in
                #if os(Linux)
                    let socket = try NotifySocket(path: stage.file("notify"))
                    let rankd = try await asking(stage, 200, environment: ["NOTIFY_SOCKET": socket.path])
                #else
                    let rankd = try await asking(stage, 200)
                #endif
                rankd.signal(SIGTERM)
                #if os(Linux)
                    try await socket.message { $0["STOPPING"] == "1" }
                #endif
                #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
                #expect(try RecordedHistory(stage.database).checkCount == stage.told.count)
                try await stage.isSound()
            }
        }

        @Test(arguments: [
            [SIGTERM, SIGTERM, SIGHUP, SIGINT], [SIGHUP, SIGTERM, SIGHUP, SIGPIPE], [SIGPIPE, SIGINT, SIGINT, SIGTERM],
            [SIGINT, SIGHUP, SIGHUP, SIGTERM, SIGPIPE],
        ])
        func `more signals while it stops, in any order, change nothing`(_ signals: [Int32]) async throws {
            try await Stage.run { stage async throws in
                let rankd = try await asking(stage, 200)
                for signal in signals { rankd.signal(signal) }
                #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
                try await stage.isSound()
            }
        }

        @Test func `a reader that goes away is no reason to end`() async throws {
            try await Stage.run { stage async throws in
                let recordings = try Recordings.ofFiveApps(for: terms(50), on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder])
                try stage.watch(watchlist(terms(50), ["com.example.app1"]))
                let command =
                    "\(Program.Name.rankd.path) --once --watchlist \(stage.watchlistFile) --database \(stage.database) "
                    + "--search-url \(store.origin)"
                let shell = try stage.start(
                    path: "/bin/sh", ["-c", "{ \(command); echo \"ended with $?\" >&2; } | head -n 1"])
                #expect(try await shell.ends() == .code(0))
                #expect(shell.errors.contains("ended with 0"), "\(shell.errors)")
                #expect(try RecordedHistory(stage.database).checkCount == 50)
                try await stage.isSound()
            }
        }

        @Test func `of ten that start at once on one history one asks, and nine say which`()
            async throws
        {
            try await Stage.run { stage async throws in
                let recordings = try Recordings.ofFiveApps(for: terms(20), on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder, "--latency", "100"])
                try stage.watch(watchlist(terms(20), ["com.example.app1"], parallelism: 1))
                let rivals = try (1...10).map { _ in try stage.rankd(["--log-level", "info"], store: store.origin) }
                let winner = try await eventually("a winner") {
                    rivals.first { $0.errors.contains("pass ended") }
                }
                for rival in rivals where rival.pid != winner.pid {
                    #expect(try await rival.ends() == .code(75), "\(rival.errors)")
                    // A pid cannot be told where the first one has only just begun to take the lock.
                    #expect(rival.errors.contains("held by another rankd"), "\(rival.errors)")
                }
                #expect(rivals.count { $0.errors.contains("(pid \(winner.pid))") } > 0)
                #expect(winner.ending == nil)
                winner.signal(SIGTERM)
                #expect(try await winner.ends() == .code(0))
                #expect(try await store.searches() == 20)
                #expect(try RecordedHistory(stage.database).checkCount == 20)
                try await stage.isSound()
            }
        }

        #if os(Linux)
            @Test func `held still, it feeds no watchdog; let go, it catches up once`() async throws {
                try await Stage.run { stage async throws in
                    let socket = try NotifySocket(path: stage.file("notify"))
                    let recordings = try Recordings.ofFiveApps(for: terms(3), on: stage)
                    let store = try await stage.simulator(["--replay", recordings.folder])
                    try stage.watch(watchlist(terms(3), ["com.example.app1"], every: "1s"))
                    let rankd = try stage.rankd(
                        ["--log-level", "debug"], store: store.origin,
                        environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "1000000"])
                    try await socket.message { $0["WATCHDOG"] == "1" }
                    rankd.signal(SIGSTOP)
                    try await eventually("silence") {
                        while !socket.isSilent {}
                        try await Task.sleep(for: .seconds(1))
                        return socket.isSilent ? true : nil
                    }
                    let asked = try await store.searches()
                    try await Task.sleep(for: .seconds(3))
                    #expect(socket.isSilent)
                    rankd.signal(SIGCONT)
                    try await socket.message { $0["WATCHDOG"] == "1" }
                    // Three seconds were missed: three checks a query would be one too many each.
                    #expect(try await store.searches() - asked <= 2 * 3)
                    rankd.signal(SIGTERM)
                    #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
                    try await stage.isSound()
                }
            }

            @Test(arguments: [30, 50, 56])
            func `descriptors that the process was started with are no longer free`(_ held: Int) async throws {
                try await Stage.run { stage async throws in
                    try await stage.remember(["habits"])
                    let opened = (3..<3 + held).map { "eval 'exec \($0)</dev/null'" }.joined(separator: "; ")
                    let command =
                        "ulimit -n 64; \(opened); exec \(Program.Name.rankd.path) --once --watchlist "
                        + "\(stage.watchlistFile) --database \(stage.database) --search-url http://127.0.0.1:1"
                    let rankd = try stage.start(path: "/bin/bash", ["-c", command])
                    #expect(try await rankd.ends() == .code(74), "\(rankd.errors)")
                    #expect(
                        rankd.errors.contains(#/too few files may be open: 64, \d+ are open already, and at least/#),
                        "\(rankd.errors)")
                }
            }

            @Test func `too few descriptors mean a failed check or an end that says so, never a wrong answer`()
                async throws
            {
                for limit in [6, 8, 10, 12, 14, 16, 18, 20, 24, 32, 40, 48, 64] {
                    try await Stage.run { stage async throws in
                        let recordings = try Recordings.ofFiveApps(for: ["habits"], on: stage)
                        let store = try await stage.simulator(["--replay", recordings.folder])
                        try await stage.remember(["habits"])
                        let command =
                            "ulimit -n \(limit); exec \(Program.Name.rankd.path) --once --watchlist "
                            + "\(stage.watchlistFile) --database \(stage.database) --search-url \(store.origin)"
                        let rankd = try stage.start(path: "/bin/sh", ["-c", command])
                        let ending = try await rankd.ends()
                        for row in try await stage.report().values.flatMap(\.self) {
                            #expect(row.standsAsRemembered, "\(limit)")
                        }
                        try await stage.isSound("\(limit): \(ending) \(rankd.errors)")
                        switch ending {
                        // With fewer than ten the runtime's own queues may end it before a line of ours has run.
                        case .signal: #expect(limit < 10, "\(ending): \(rankd.errors)")
                        case .code(74):
                            #expect(rankd.errors.contains("too few files may be open: \(limit)"), "\(rankd.errors)")
                        case .code(let code): #expect([0, 69].contains(code), "\(limit): \(rankd.errors)")
                        }
                        // What comes after the check may still lack a descriptor.
                        #expect(ending != .code(0) || rankd.output.contains(" outcome=good "), "\(limit)")
                    }
                }
            }
        #endif
    }
}
