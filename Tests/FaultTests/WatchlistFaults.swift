import Foundation
import ProgramStage
import Testing

extension FaultTests {
    /// The watchlist, as people and their editors leave it.
    @Suite struct WatchlistFaults {
        /// The service, idle, watching three queries.
        private func idle(_ stage: Stage, environment: [String: String] = [:]) async throws -> (Simulator, Program) {
            let recordings = try Recordings.ofFiveApps(for: terms(40), on: stage)
            let store = try await stage.simulator(["--replay", recordings.folder])
            try stage.watch(watchlist(terms(3), ["com.example.app1"]))
            let rankd = try stage.rankd(["--log-level", "debug"], store: store.origin, environment: environment)
            try await rankd.says("pass ended")
            return (store, rankd)
        }

        /// What stands in the watchlist's place, and how it gets there.
        private static let places: [(String, String)] = [
            ("half written", "head -c 40 good > watchlist.json"), ("empty", ": > watchlist.json"),
            ("gone", "rm -rf watchlist.json"), ("a folder", "rm -f watchlist.json; mkdir watchlist.json"),
            ("a FIFO", "rm -rf watchlist.json; mkfifo watchlist.json"),
            ("a device", "rm -rf watchlist.json; ln -s /dev/zero watchlist.json"),
            ("a link to nothing", "rm -rf watchlist.json; ln -s nothing watchlist.json"),
            ("a link to itself", "rm -rf watchlist.json; ln -s watchlist.json watchlist.json"),
            ("a gigabyte", "rm -rf watchlist.json; truncate -s 1G watchlist.json"),
            ("not UTF-8", "rm -rf watchlist.json; printf '\\377\\376{' > watchlist.json"),
            (
                "a hostile name",
                "printf '{\"watch\": [ { \"query\": \"\\033[2J\", \"bundleId\": \"a b\" } ] }' > watchlist.json"
            ),
        ]

        @Test func `whatever stands in the watchlist's place, the running plan stays until a valid one comes`()
            async throws
        {
            try await Stage.run { stage async throws in
                let (store, rankd) = try await idle(stage)
                #if os(Linux)
                    let before = try #require(rankd.holdings)
                #endif
                try stage.write(watchlist(terms(4), ["com.example.app1"]), to: "good")
                // Each of them leaves more, if it leaves anything, than what the service may open meanwhile.
                let places = Array(repeating: Self.places, count: Program.openedOnce + 1).joined()
                for (index, (name, command)) in places.enumerated() {
                    let shell = try stage.start(path: "/bin/sh", ["-c", "cd \(stage.path) && { \(command); }"])
                    #expect(try await shell.ends() == .code(0), "\(name): \(shell.errors)")
                    rankd.signal(SIGHUP)
                    try await eventually("\(name) is refused: \(rankd.errors)") {
                        rankd.errors.components(separatedBy: "watchlist not reloaded").count == index + 2 ? true : nil
                    }
                }
                #expect(try await store.searches() == 3)
                // A link of the administrator's, and a new file renamed over the old one, are as good as a file.
                for (index, command) in [
                    "rm -rf watchlist.json; ln -s good watchlist.json",
                    "sed 's/query 4/query 5/' good > new; mv new watchlist.json",
                ].enumerated() {
                    let shell = try stage.start(path: "/bin/sh", ["-c", "cd \(stage.path) && { \(command); }"])
                    #expect(try await shell.ends() == .code(0))
                    rankd.signal(SIGHUP)
                    try await eventually("the new query is asked") {
                        try await store.searches() == 4 + index ? true : nil
                    }
                }
                #if os(Linux)
                    try await rankd.holdsAgain(before)
                #endif
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0))
                try await stage.isSound()
            }
        }

        @Test(.enabled(if: geteuid() == 0, "it starts rankd as another user, which needs root"), .needs("setpriv"))
        func `a watchlist that may not be read is reported`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(watchlist(terms(1), ["com.example.app1"]))
                try #require(chmod(stage.watchlistFile, 0) == 0)
                let rankd = try stage.start(
                    path: "/usr/bin/setpriv",
                    [
                        "--reuid", "65534", "--clear-groups", Program.Name.rankd.path, "--once", "--watchlist",
                        stage.watchlistFile,
                        "--database", stage.database,
                    ])
                #expect(try await rankd.ends() == .code(66), "\(rankd.errors)")
                #expect(rankd.errors.contains(stage.watchlistFile), "\(rankd.errors)")
                try await stage.isSound()
            }
        }

        #if os(Linux)
            @Test func `an invalid watchlist on reload is reported to systemd, and the reload ends`()
                async throws
            {
                try await Stage.run { stage async throws in
                    let socket = try NotifySocket(path: stage.file("notify"))
                    let (store, rankd) = try await idle(stage, environment: ["NOTIFY_SOCKET": socket.path])
                    try stage.watch(#"{ "watch": [ { "query": "", "bundleId": "com.example.app2", "evry": "6h" } ] }"#)
                    rankd.signal(SIGHUP)
                    try await socket.message { $0["RELOADING"] == "1" }
                    let kept = try await socket.message { $0["READY"] == "1" }
                    #expect(kept["STATUS"] == "watchlist not reloaded: the previous one stays in force")
                    #expect(rankd.errors.contains("watch[0].query") && rankd.errors.contains("watch[0].evry"))
                    #expect(try await store.searches() == 3)
                    rankd.signal(SIGTERM)
                    #expect(try await rankd.ends() == .code(0))
                    let next = try await stage.pass(store: store.origin)
                    #expect(next.ending == .code(78), "\(next.errors)")
                    try await stage.isSound()
                }
            }
        #endif

        @Test func `a watchlist may have no queries at all, or one many times over`() async throws {
            try await Stage.run { stage async throws in
                let recordings = try Recordings.ofFiveApps(for: terms(1), on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder])
                try stage.watch(#"{ "watch": [] }"#)
                let none = try await stage.pass(store: store.origin)
                #expect([.code(0), .code(78)].contains(none.ending), "\(none.errors)")
                try stage.watch(
                    watchlist(
                        ["query 1", "QUERY 1", "  query   1 ", "query\\u00a01"],
                        ["com.example.app1", "COM.Example.App1"]))
                let many = try await stage.pass(store: store.origin)
                #expect(many.ending == .code(0), "\(many.errors)")
                #expect(try await store.searches() == 1)
                #expect(try RecordedHistory(stage.database).number("SELECT count(*) FROM pair") == 1)
                try await stage.isSound()
            }
        }

        @Test func `hostile queries are asked or refused, and never shown raw`() async throws {
            let hostile = [
                "a\\u0000b", "a\\nb", "a\\rb", "\\u001b]0;title\\u0007", "\\u202egnp.exe", "\\u2066x",
                "%00%0d%0aHost:x",
                "../../etc/passwd", "' OR 1=1; --", "&limit=1&country=xx#", "\\ud83d\\ude00", "\\u009b2J",
            ]
            try await Stage.run { stage async throws in
                let store = try await stage.simulator(["--seed", "1", "--apps", "20"])
                for query in hostile {
                    try stage.watch(watchlist([query], ["com.example.app1"]))
                    let pass = try await stage.pass(store: store.origin)
                    #expect([.code(0), .code(78)].contains(pass.ending), "\(query): \(pass.errors)")
                    for arguments in [["report"], ["report", "--format", "csv"], ["status"]]
                    where pass.ending == .code(0) {
                        _ = try await stage.rankctl(arguments + ["--database", stage.database])
                    }
                }
                try await stage.isSound()
            }
        }

        #if os(Linux)
            @Test(arguments: [5_000, 100_000]) func `very many queries are checked and asked`(_ count: Int) async throws
            {
                guard count < 10_000 || FaultTests.isLong else { return }
                try await Stage.run { stage async throws in
                    let store = try await stage.simulator(["--seed", "1", "--apps", "20", "--latency", "600000"])
                    try stage.watch(
                        watchlist(terms(count), ["com.example.app1"], every: "1d")
                            .replacing("\"requestsPerMinute\": 100000", with: "\"requestsPerMinute\": 15"))
                    let check = try stage.start(.rankd, ["--check", "--watchlist", stage.watchlistFile])
                    #expect(try await check.ends() == .code(0), "\(check.errors)")
                    #expect(
                        check.output.contains("more requests a day than the pace allows") == (count > 21_600),
                        "\(check.output)")
                    let rankd = try stage.rankd(store: store.origin)
                    try await eventually("a request: \(rankd.errors)") {
                        try await store.searches() > 0 ? true : nil
                    }
                    // About a kilobyte a query, beside what a debug build needs for itself.
                    #expect(try #require(rankd.peakMemory) < (96 << 20) + count << 12)
                    rankd.signal(SIGTERM)
                    #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
                    try await stage.isSound()
                }
            }
        #endif
    }
}
