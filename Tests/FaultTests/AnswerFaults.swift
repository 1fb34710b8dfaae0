import AppStoreSimulator
import Foundation
import ProgramStage
import RankKit
import TestSupport
import Testing

extension FaultTests {
    /// No answer, or one that proves nothing: the check failed with its reason, is never an absence, and what was known
    /// before stands.
    @Suite struct AnswerFaults {
        /// A query that was good yesterday meets the fault today.
        private func meets(
            _ origin: String, _ reason: String, on stage: Stage
        ) async throws {
            try await stage.remember(["habits"])
            let before = try stage.positions
            let pass = try stage.rankd(["--once"], store: origin)
            #expect(try await pass.ends() == .code(69), "\(pass.errors)")
            #expect(pass.output.contains(" outcome=failed reason=\(reason)"), "\(pass.output)")
            let rows = try await stage.report().values.flatMap(\.self)
            #expect(rows.count == 2)
            for row in rows {
                #expect(row.state == "failed" && row.reason == reason, "\(row)")
                #expect(row.position == nil && row.within == nil && row.standsAsRemembered, "\(row)")
            }
            #expect(try stage.positions == before)
            try await stage.isSound()
        }

        private func meetsFault(_ fault: String, _ reason: String) async throws {
            try await Stage.run { stage async throws in
                let store = try await stage.simulator(["--seed", "1", "--apps", "50", "--fault", "\(fault)=1"])
                try await meets(store.origin, reason, on: stage)
            }
        }

        @Test func `a name that does not resolve is a failed check`() async throws {
            try await Stage.run { stage async throws in
                try await meets("http://rankd.invalid", "name-not-found", on: stage)
            }
        }

        @Test func `a refused connection is a failed check`() async throws {
            try await Stage.run { stage async throws in
                try await meets("http://127.0.0.1:1", "cannot-connect", on: stage)
            }
        }

        #if os(Linux)
            @Test(.asRoot, .needs("unshare")) func `without any network checks fail, and are no absences`() async throws
            {
                for (origin, reason) in [
                    ("http://127.0.0.1:1", "cannot-connect"), ("http://192.0.2.1", "cannot-connect"),
                    ("http://itunes.example", "name-not-found"),
                ] {
                    try await Stage.run { stage async throws in
                        try await stage.remember(["habits"])
                        let pass = try stage.start(
                            path: FaultTests.tool("unshare") ?? "unshare",
                            [
                                "-n", Program.Name.rankd.path, "--once", "--watchlist", stage.watchlistFile,
                                "--database",
                                stage.database, "--search-url", origin,
                            ])
                        #expect(try await pass.ends() == .code(69), "\(pass.errors)")
                        for row in try await stage.report().values.flatMap(\.self) {
                            #expect(row.state == "failed" && row.reason == reason && row.standsAsRemembered, "\(row)")
                        }
                        try await stage.isSound()
                    }
                }
            }
        #endif

        @Test(arguments: ["reset", "short"]) func `a connection that breaks is a failed check`(_ fault: String)
            async throws
        {
            try await meetsFault(fault, "connection-lost")
        }

        @Test(.longRun, arguments: ["slow-head", "slow-body"])
        func `a head or a body that trickles is cut off and fails`(_ fault: String) async throws {
            try await meetsFault(fault, "timed-out")
        }

        @Test(arguments: ["endless", "big"]) func `an endless or huge body is cut off and fails`(_ fault: String)
            async throws
        {
            try await meetsFault(fault, "too-large")
        }

        @Test(arguments: [
            ("bomb", "too-large"), ("truncated-gzip", "bad-encoding"), ("wrong-encoding", "bad-encoding"),
        ])
        func `a body that is not what its encoding says is a failed check`(_ fault: String, _ reason: String)
            async throws
        {
            try await meetsFault(fault, reason)
        }

        @Test(arguments: ["file:///etc/passwd", "http://127.0.0.1:1/", "/search", "https://example.invalid/\u{1B}[2J"])
        func `a redirect is not followed`(_ location: String) async throws {
            try await Stage.run { stage async throws in
                let server = try await ListeningServer.start(
                    answer: "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
                try await meets(server.origin, location.contains("\u{1B}") ? "connection-lost" : "status", on: stage)
                try await server.stop()
                let asked = await server.requestsLeft()
                #expect(
                    asked.allSatisfy { $0.hasPrefix("GET /search?term=habits") || $0.hasPrefix("GET /lookup?bundle") })
                #expect(asked.count { $0.hasPrefix("GET /search") } == (location.contains("\u{1B}") ? 3 : 1))
            }
        }

        @Test(.enabled(if: TestCertificate.openssl != nil, "needs the openssl program"), arguments: [true, false])
        func `a connection that cannot be trusted is a failed check`(_ speaksTLS: Bool) async throws {
            try await Stage.run { stage async throws in
                let server = try await ListeningServer.start(
                    answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                    tls: speaksTLS ? TestCertificate.selfSigned() : nil)
                try await meets(server.origin.replacing("http:", with: "https:"), "insecure", on: stage)
                try await server.stop()
                #expect(await server.requestsLeft().isEmpty)
            }
        }

        @Test(arguments: [500, 503]) func `a server in trouble is tried again, then fails`(_ status: Int) async throws {
            try await meetsFault("\(status)", "status")
        }

        /// What is asked for, and the seconds for which nothing is asked.
        private static let retryAfters: [(String?, ClosedRange<Int>)] = [
            (nil, 50...61), ("120", 110...121), ("-5", 50...61), ("1000000000", 3_590...3_601), ("soon", 50...61),
            ("Fri, 31 Dec 2999 23:59:59 GMT", 3_590...3_601), ("\u{1}", 50...61),
        ]

        @Test(arguments: [403, 429]) func `Apple's throttle leaves no check, and a pause`(
            _ status: Int
        ) async throws {
            for (retryAfter, seconds) in Self.retryAfters {
                try await Stage.run { stage async throws in
                    let header = retryAfter.map { "Retry-After: \($0)\r\n" } ?? ""
                    let server = try await ListeningServer.start(
                        answer:
                            "HTTP/1.1 \(status) No\r\nDate: Fri, 20 Nov 2026 10:00:00 GMT\r\n\(header)Content-Length: 0\r\n\r\n"
                    )
                    try await stage.remember(["habits"])
                    let started = Date()
                    let pass = try await stage.pass(store: server.origin)
                    let took = Date().timeIntervalSince(started)
                    try await server.stop()
                    // A header that is no HTTP makes the answer none.
                    guard retryAfter != "\u{1}" else {
                        #expect(pass.output.contains("reason=connection-lost"), "\(pass.output)")
                        return
                    }
                    #expect(pass.ending == .code(69), "\(pass.errors)")
                    #expect(pass.output.hasSuffix(" status=\(status)\n"), "\(pass.output)")
                    let moment = pass.errors.firstMatch(of: /asks nothing before (\S+) (\S+) UTC/)
                    let until = try #require(
                        moment.flatMap { Timestamp(iso8601: "\($0.1)T\($0.2):00Z") }, "\(pass.errors)")
                    let wait = until.date.timeIntervalSince(started)
                    #expect(
                        Double(seconds.lowerBound)...Double(seconds.upperBound) + took + 60 ~= wait,
                        "\(retryAfter ?? "")")
                    for row in try await stage.report().values.flatMap(\.self) {
                        #expect(row.state == (row.bundleId == Stage.mine ? "ranked" : "absent"))
                        #expect(row.standsAsRemembered, "\(row)")
                    }
                    #expect(try RecordedHistory(stage.database).checkCount == 1)
                    try await stage.isSound()
                }
            }
        }

        /// What is served, by what it is to fail for.
        private static let bodies: [(String, reason: String, [UInt8])] = [
            ("nothing", "not-json", []), ("a page", "not-json", Array("<html><title>Store</title></html>".utf8)),
            ("null", "no-results", Array("null".utf8)), ("an array", "no-results", Array("[]".utf8)),
            ("a byte order mark alone", "not-json", [0xEF, 0xBB, 0xBF]),
            ("half an answer", "not-json", Array(Recordings.list(["com.a", "com.b"]).dropLast(20))),
            (
                "bytes that are not UTF-8", "not-json",
                Array("{\"resultCount\":0,\"results\":[],\"a\":\"".utf8) + [0xC3, 0x28, 0x22, 0x7D]
            ),
            ("arrays in arrays", "not-json", [UInt8](repeating: 0x5B, count: 100_000)),
            ("objects in objects", "not-json", Array(String(repeating: "{\"a\":", count: 100_000).utf8)),
            ("two lists", "not-json", Array(#"{"resultCount":0,"results":[],"results":[]}"#.utf8)),
            ("a count of text", "count-mismatch", Array(#"{"resultCount":"none","results":[]}"#.utf8)),
            ("a huge count", "count-mismatch", Array(#"{"resultCount":1e400,"results":[]}"#.utf8)),
            ("a negative count", "count-mismatch", Array(#"{"resultCount":-1,"results":[]}"#.utf8)),
            ("results that are no list", "no-results", Array(#"{"resultCount":0,"results":{}}"#.utf8)),
            (
                "entries of the wrong types", "unreadable",
                Array(#"{"resultCount":2,"results":[{"trackId":"x","bundleId":7},null]}"#.utf8)
            ),
            ("a hostile message", "no-results", Array("{\"errorMessage\":\"\\u001b[2J\\u202e\"}".utf8)),
            ("gzip in gzip", "not-json", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            (
                "far more than was asked for", "too-large",
                Array(Recordings.list((0..<1_001).map { "com.example.x\($0)" }))
            ),
        ]

        @Test func `a body that is no answer is a failed check`() async throws {
            try await Stage.run { stage async throws in
                var recordings = try Recordings("bad", on: stage)
                for (index, body) in Self.bodies.enumerated() {
                    try recordings.add(Data(body.2), as: "\(index).json", for: [body.0])
                }
                try await stage.remember(Self.bodies.map(\.0))
                let before = try stage.positions
                let store = try await stage.simulator(["--replay", recordings.folder, "--gzip"])
                let pass = try await stage.pass(store: store.origin)
                #expect(pass.ending == .code(69), "\(pass.errors)")
                for row in try await stage.report().values.flatMap(\.self) {
                    let body = try #require(Self.bodies.first { $0.0 == row.query })
                    #expect(row.state == "failed" && row.reason == body.reason, "\(row)")
                    #expect(row.position == nil && row.within == nil && row.standsAsRemembered, "\(row)")
                }
                #expect(try stage.positions == before)
                try await stage.isSound()
            }
        }

        @Test
        func `an empty list is suspect, however few lists came before it`()
            async throws
        {
            for days in [Int64(1), 4] {
                try await Stage.run { stage async throws in
                    let store = try await stage.simulator(["--seed", "1", "--fault", "empty-list=1"])
                    try await stage.remember(["habits"], days: days)
                    let pass = try await stage.pass(store: store.origin)
                    #expect(pass.ending == .code(0), "\(pass.errors)")
                    for row in try await stage.report().values.flatMap(\.self) {
                        #expect(row.state == "suspect", "\(row)")
                        #expect(row.position == nil && row.standsAsRemembered, "\(row)")
                    }
                    try await stage.isSound()
                }
            }
        }

        @Test func `the first place of an app counts, and an unreadable entry keeps its place`() async throws {
            try await Stage.run { stage async throws in
                var recordings = try Recordings("odd", on: stage)
                let entries = [
                    #"{"trackId": 1, "bundleId": "com.example.app1"}"#, #"{"trackId": null, "bundleId": []}"#,
                    #"{"trackId": 3, "bundleId": "com.example.app3"}"#,
                    #"{"trackId": 3, "bundleId": "com.example.app3"}"#,
                    #"{"trackId": 5, "bundleId": "COM.EXAMPLE.APP1"}"#,
                ]
                let body = #"{"resultCount": 5, "results": ["# + entries.joined(separator: ",") + "]}"
                try recordings.add(Data(body.utf8), as: "odd.json", for: ["habits"])
                let store = try await stage.simulator(["--replay", recordings.folder])
                try await stage.remember(["habits"], days: 4)
                #expect(try await stage.pass(store: store.origin).ending == .code(0))
                // The entry may be any app that the others do not name.
                for row in try await stage.report().values.flatMap(\.self) {
                    let isMine = row.bundleId == Stage.mine
                    #expect(row.state == (isMine ? "ranked" : "failed"))
                    let stands = isMine ? row.lastGood?.position == 3 && row.within == 5 : row.standsAsRemembered
                    #expect(stands && (isMine || row.within == nil), "\(row)")
                }
                try await stage.isSound()
            }
        }

        #if os(Linux)
            /// The service meets every fault that ends by itself, in turn; then the store is well again.
            @Test func `the service holds no more after bad answers than before`() async throws {
                let lasting: [Fault] = [
                    .endless, .big, .bomb, .truncatedGzip, .wrongEncoding, .redirect, .badRequest, .html, .emptyBody,
                    .truncatedJSON, .null, .deep, .badUTF8, .countMismatch,
                ]
                // These are tried three times before they count.
                let passing: [Fault] = [.reset, .short, .serverError].flatMap { [$0, $0, $0] }
                // Each of them leaves more, if it leaves anything, than what the service may open meanwhile.
                let rounds = Program.openedOnce + 1
                let round = lasting + passing + [Fault?](repeating: nil, count: 4)
                let script = [Fault?](repeating: nil, count: 24) + Array(repeating: round, count: rounds).joined()
                try await Stage.run { stage async throws in
                    try stage.watch(ProgramStage.watchlist(terms(4), [Stage.mine], every: "1s", parallelism: 1))
                    let recordings = try Recordings.ofFiveApps(for: terms(4), on: stage)
                    let store = AppStoreSimulator(
                        try Replay(folder: URL(fileURLWithPath: recordings.folder, isDirectory: true)),
                        options: SimulatorOptions(faults: FaultPlan(script: script)), now: { Timestamp(Date()) })
                    try await withRunning(store) { origin in
                        let rankd = try stage.rankd(["--log-level", "debug"], store: origin)
                        try await eventually("good checks") { store.counts.search > 12 ? true : nil }
                        let before = try #require(rankd.holdings)
                        try #require(store.counts.search <= 24, "the faults have begun already")
                        try await eventually("the end of the faults: \(rankd.errors.suffix(500))") {
                            store.counts.search > script.count + 4 ? true : nil
                        }
                        try await rankd.holdsAgain(before)
                        rankd.signal(SIGTERM)
                        #expect(try await rankd.ends() == .code(0))
                    }
                    let history = try RecordedHistory(stage.database)
                    #expect(
                        try history.number("SELECT count(*) FROM check_log WHERE outcome = 'failed'") == 17 * rounds)
                    #expect(try history.number("SELECT count(DISTINCT reason) FROM check_log") == 8)
                    try await stage.isSound()
                }
            }
        #endif
    }
}
