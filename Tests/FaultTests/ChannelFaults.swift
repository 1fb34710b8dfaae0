#if os(Linux)
    import Foundation
    import ProgramStage
    import TestSupport
    import Testing

    extension FaultTests {
        /// Ways out that hang, lie or say too much: the channel beside them gets its message at once, passes go on, and
        /// `rankctl alerts list` says what is wrong.
        @Suite(.timeLimit(.minutes(30))) struct ChannelFaults {
            /// Has rankd tell a channel that is well and these, and looks whether those two notice.
            ///
            /// - Parameters:
            ///   - faulty: how the watchlist has them.
            ///   - body: what is looked at then, while rankd goes on.
            private func tell(
                _ faulty: [String: String], on stage: Stage, environment: [String: String] = [:],
                _ body: (Program) async throws -> Void
            ) async throws {
                try await stage.rememberMove()
                let store = try await stage.storeAfterMove()
                let well = try await WebhookSink.start()
                let channels = faulty.merging(["well": Self.webhook(well.origin)]) { $1 }
                try stage.watchMove(telling: channels, asks: true)
                let rankd = try stage.rankd(store: store.origin, environment: environment)
                try await eventually("a message where all is well: \(rankd.errors)") { well.requests.first }
                let asked = try await store.searches()
                try await eventually("three more passes: \(rankd.errors)") {
                    try await store.searches() >= asked + 3 ? true : nil
                }
                try await body(rankd)
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
                #expect(well.requests.count == 1)
                #expect(try stage.deliveries()["well"] == "delivered")
                try await well.stop()
                try await stage.isSound()
            }

            private static func webhook(_ address: String, _ more: String = "") -> String {
                "{ \"webhook\": \"\(address)/hook?token=\(Stage.secret)\"\(more) }"
            }

            /// Waits until `rankctl alerts list` says this of a channel.
            private func listSays(_ words: String, of channel: String = "faulty", on stage: Stage) async throws {
                struct List: Decodable {
                    struct Channel: Decodable {
                        let channel: String
                        let trouble: String?
                    }
                    let channels: [Channel]
                }
                var last: String?
                try await eventually("“\(words)” of \(channel), of which it says \(last ?? "nothing")") {
                    let list = try await stage.rankctl([
                        "alerts", "list", "--format", "json", "--watchlist", stage.watchlistFile, "--database",
                        stage.database,
                    ])
                    #expect(list.ending == .code(0), "\(list.errors)")
                    let channels = try JSONDecoder().decode(List.self, from: Data(list.output.utf8)).channels
                    last = try #require(channels.first { $0.channel == channel }).trouble
                    if last?.contains(words) == true { return true }
                    try await Task.sleep(for: .milliseconds(200))
                    return nil
                }
            }

            @Test(arguments: [false, true])
            func `a channel that never answers, or a byte at a time, holds nobody up`(_ trickles: Bool) async throws {
                let sink = try await WebhookSink.start { _ in trickles ? .trickle : .silence }
                try await Stage.run { stage async throws in
                    try await tell(["faulty": Self.webhook(sink.origin)], on: stage) { rankd in
                        try await eventually("a request that hangs: \(rankd.errors)") { sink.requests.first }
                        #expect(try stage.deliveries()["faulty"] == "due")
                        // That takes the sender's fifteen seconds.
                        guard FaultTests.isLong else { return }
                        try await listSays("no answer within 15 s", on: stage)
                    }
                    #expect(try stage.deliveries()["faulty"] == "due")
                }
                try await sink.stop()
            }

            @Test func `a channel that leads elsewhere is not followed`() async throws {
                let other = try await WebhookSink.start()
                let sink = try await WebhookSink.start { request in
                    let status = request.path.split(separator: "/").first.flatMap { Int($0) } ?? 400
                    return .status(status, headers: [("location", "http://localhost:\(other.port)/")])
                }
                try await Stage.run { stage async throws in
                    let statuses = [301, 302, 303, 307, 308]
                    let channels = statuses.map { ("to\($0)", Self.webhook("\(sink.origin)/\($0)")) }
                    try await tell(Dictionary(uniqueKeysWithValues: channels), on: stage) { _ in
                        for status in statuses {
                            try await listSays("HTTP \(status): the address redirects", of: "to\(status)", on: stage)
                        }
                    }
                    // Each is tried again.
                    #expect(try stage.deliveries().values.count { $0 == "due" } == statuses.count)
                    #expect(sink.requests.count >= statuses.count && other.connections == 0)
                }
                try await sink.stop()
                try await other.stop()
            }

            @Test(.needs("cc")) func `a name of a private address is not connected to`() async throws {
                let sink = try await WebhookSink.start()
                try await Stage.run { stage async throws in
                    let addresses = ["10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "fd00::1"]
                    let hosts = addresses.indices.map { "host\($0).example" }
                    let resolver = try await LyingResolver(
                        Dictionary(uniqueKeysWithValues: zip(hosts, addresses.map { [$0] })), on: stage)
                    let channels = hosts.map { ($0, Self.webhook("https://\($0):\(sink.port)")) }
                    try await tell(
                        Dictionary(uniqueKeysWithValues: channels), on: stage, environment: resolver.environment
                    ) { _ in
                        for (host, address) in zip(hosts, addresses) {
                            try await listSays("\(host) is at \(address), which is not on", of: host, on: stage)
                        }
                    }
                    #expect(try stage.deliveries().values.count { $0 == "due" } == hosts.count)
                    for host in hosts { #expect(resolver.looks(at: host) >= 1) }
                    #expect(!resolver.connections.contains { $0.hasSuffix(" \(sink.port)") }, "\(resolver.connections)")
                }
                #expect(sink.connections == 0)
                try await sink.stop()
            }

            @Test func `an address that is private is not connected to`() async throws {
                try await Stage.run { stage async throws in
                    try await tell(["faulty": Self.webhook("https://10.0.0.1")], on: stage) { _ in
                        try await listSays("10.0.0.1 is at 10.0.0.1, which is not on the public", on: stage)
                    }
                }
            }

            /// The name is public when it is looked at, and this machine's a moment later: what is connected to is what
            /// was looked at, and the next try looks again.
            @Test(.needs("cc")) func `a name that changes its address between two looks leads nowhere`() async throws {
                let sink = try await WebhookSink.start()
                try await Stage.run { stage async throws in
                    let resolver = try await LyingResolver(
                        ["hook.example": ["17.253.38.253", "127.0.0.1"]], on: stage)
                    try await tell(
                        ["faulty": Self.webhook("https://hook.example:\(sink.port)")], on: stage,
                        environment: resolver.environment
                    ) { rankd in
                        try await eventually("a first try: \(rankd.errors)") {
                            resolver.connections.contains("17.253.38.253 \(sink.port)") ? true : nil
                        }
                        try await listSays("hook.example is at 127.0.0.1", on: stage)
                    }
                    #expect(try stage.deliveries()["faulty"] == "due")
                    #expect(resolver.looks(at: "hook.example") >= 2)
                    #expect(!resolver.connections.contains("127.0.0.1 \(sink.port)"))
                }
                #expect(sink.connections == 0)
                try await sink.stop()
            }

            @Test(.enabled(if: TestCertificate.openssl != nil, "it needs openssl: install it"))
            func `a certificate that nobody vouches for is told, and gets nothing`() async throws {
                let sink = try await WebhookSink.start(tls: try TestCertificate.selfSigned())
                try await Stage.run { stage async throws in
                    try await tell(["faulty": Self.webhook(sink.origin)], on: stage) { _ in
                        try await listSays("the certificate is not trusted", on: stage)
                    }
                    #expect(try stage.deliveries()["faulty"] == "due")
                }
                #expect(sink.requests.isEmpty && sink.connections > 0)
                try await sink.stop()
            }

            /// Twelve answers of 10 MB at once, compared with twelve that are empty.
            @Test func `answers of ten megabytes take no memory`() async throws {
                let small = try await peak(answering: 0)
                let large = try await peak(answering: 10_000_000)
                print("CHANNEL FAULTS: \(small >> 10) KB with empty answers, \(large >> 10) KB with 12 of 10 MB")
                #expect(large < small + (40 << 20))
            }

            /// The most memory that rankd holds while a dozen channels get an answer of so many bytes.
            private func peak(answering length: Int) async throws -> Int {
                let sink = try await WebhookSink.start { request in
                    switch request.path.split(separator: "/").first {
                    case "ok": .status(200, length: length)
                    case "later": .status(429, length: length)
                    default: .status(500, length: length)
                    }
                }
                var channels: [String: String] = [:]
                for number in 1...4 {
                    for kind in ["ok", "wrong"] {
                        channels["\(kind)\(number)"] = Self.webhook("\(sink.origin)/\(kind)/\(number)")
                    }
                    // Of its answers the beginning is read.
                    channels["later\(number)"] = #"{ "discord": "secret:address" }"#
                }
                let peak = try await Stage.run { stage async throws in
                    var peak = 0
                    let secret = ["RANKD_SECRET_ADDRESS": "\(sink.origin)/later"]
                    try await tell(channels, on: stage, environment: secret) { [channels] rankd in
                        for number in 1...4 {
                            try await listSays("HTTP 500", of: "wrong\(number)", on: stage)
                            try await listSays("HTTP 429", of: "later\(number)", on: stage)
                        }
                        let states = try stage.deliveries()
                        for name in channels.keys {
                            #expect(states[name] == (name.hasPrefix("ok") ? "delivered" : "due"), "\(name)")
                        }
                        peak = try #require(rankd.peakMemory)
                    }
                    return peak
                }
                try await sink.stop()
                return peak
            }
        }
    }
#endif
