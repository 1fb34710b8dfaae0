import Outgoing
import RankKit
import TestSupport
import Testing

@testable import Alerts

@Suite(.timeLimit(.minutes(30))) struct HostileReceiverTests {
    private func answer(to bytes: [UInt8], _ kind: AlertPost.Answer) async throws -> DeliveryAnswer {
        try await RawServer.running(bytes) { server async throws in
            let client = WebhookClient(now: { noon })
            let post = AlertPost(
                try OutgoingAddress("\(server.origin)/hook"), headers: [], body: Array("{}".utf8), answer: kind)
            let answer = try await client.send(post)
            await client.shutdown()
            return answer
        }
    }

    @Test(arguments: HostileAnswer.all) func `whatever a receiver answers, the sender goes on`(_ answer: HostileAnswer)
        async throws
    {
        for kind in [AlertPost.Answer.plain, .telegram] { _ = try await self.answer(to: answer.bytes, kind) }
    }

    @Test(arguments: ["000", "001", "099"]) func `a status that HTTP does not have is no delivery`(status: String)
        async throws
    {
        let bytes = Array("HTTP/1.1 \(status) X\r\ncontent-length: 0\r\n\r\n".utf8)
        guard case .retry(nil, let why) = try await answer(to: bytes, .plain) else {
            Issue.record("it counts as an answer")
            return
        }
        #expect(why.contains("which HTTP does not have"))
    }
}

/// Spellings of hosts, as an address of a message may have them.
@Suite struct HostSpellingTests {
    /// A host as it is written, and as it is looked up; `nil` where it is refused.
    private static let spellings: [(written: String, host: String?)] = [
        ("hook.example", "hook.example"), ("HOOK.Example", "hook.example"), ("hook.example.", "hook.example"),
        ("HOOK.EXAMPLE.", "hook.example"), ("hook.example..", nil), (".hook.example", nil), ("hook..example", nil),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("XN--BCHER-KVA.example", "xn--bcher-kva.example"),
        ("bücher.example", nil), ("hook%2eexample", nil), ("%68ook.example", nil), ("hook.example%00", nil),
        ("127.0.0.1", "127.0.0.1"), ("127.0.0.1.", "127.0.0.1"), ("127.1", nil), ("0x7f.1", nil), ("0x7f000001", nil),
        ("2130706433", nil), ("0177.0.0.1", nil), ("127.0.0.01", nil), ("10.0.0.1", "10.0.0.1"), ("1.2.3", nil),
        ("[::1]", "::1"), ("[0:0:0:0:0:0:0:1]", "::1"), ("[::FFFF:7F00:1]", "::ffff:127.0.0.1"),
        ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1"), ("[64:FF9B::127.0.0.1]", "64:ff9b::7f00:1"),
        ("[fe80::1%25eth0]", nil), ("[fe80::1%eth0]", nil), ("[::1", nil), ("::1", nil), ("[127.0.0.1]", nil),
        ("LOCALHOST", "localhost"), ("localhost.", "localhost"), ("hook_1.example", "hook_1.example"),
    ]

    @Test(arguments: spellings) func `an address has one spelling of its host`(written: String, host: String?) {
        let address: OutgoingAddress?
        do { address = try OutgoingAddress("https://\(written):8443/a?b=C") } catch { address = nil }
        #expect(address?.host == host)
        let shown = host.map { $0.contains(":") ? "[\($0)]" : $0 }
        #expect(address?.text == shown.map { "https://\($0):8443/a?b=C" })
        #expect(AlertAddress.host(of: "https://\(written)/") == host)
    }

    /// The name is looked up once, by its one spelling, and no connection leads elsewhere.
    @Test(arguments: spellings) func `the address that was judged is the one that is connected to`(
        written: String, host: String?
    ) async throws {
        guard let host else { return }
        let asked = Looked()
        // Of the first look-up the address is a public one of nobody; whoever looked again would be led to this machine.
        let resolver = HostResolver { name in
            let isFirst = await asked.add(name)
            return [IPAddress(isFirst ? "240.0.0.1" : "127.0.0.1")!]
        }
        try await RawServer.running(Array("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".utf8)) { server async throws in
            let client = WebhookClient(resolver: resolver, now: { noon })
            let scheme = host == "localhost" || host == "127.0.0.1" || host == "::1" ? "http" : "https"
            let address = try OutgoingAddress("\(scheme)://\(written):\(server.port)/")
            let answer = try await client.send(AlertPost(address, body: []))
            await client.shutdown()
            let names = await asked.names
            if IPAddress(host) != nil { #expect(names.isEmpty) } else { #expect(names == [host]) }
            if host == "127.0.0.1" {
                #expect(answer == .delivered)
            } else if IPAddress(host)?.isLoopback != true {
                guard case .retry(nil, let why) = answer else {
                    Issue.record("\(written): \(answer)")
                    return
                }
                #expect(why.contains("not on the public Internet"), "\(why)")
            }
        }
    }

    private actor Looked {
        var names: [String] = []

        func add(_ name: String) -> Bool {
            names.append(name)
            return names.count == 1
        }
    }

    @Test func `private hosts are named in any spelling`() {
        let hosts = PrivateHosts(["HOOK.lan.", "FD00:0:0:0:0:0:0:7"])
        #expect(hosts.admits(IPAddress("10.0.0.7")!, of: "hook.lan"))
        #expect(hosts.admits(IPAddress("fd00::7")!, of: "fd00::7"))
        #expect(!hosts.admits(IPAddress("10.0.0.7")!, of: "other.lan"))
    }
}
