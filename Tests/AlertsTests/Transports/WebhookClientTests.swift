import Foundation
import NIOHTTP1
import NIOSSL
import Outgoing
import RankKit
import TestSupport
import Testing

@testable import Alerts

/// Runs `body` with a client, and shuts it down.
private func withClient<Value: Sendable>(
    privateHosts: [String] = [], addresses: [String] = ["127.0.0.1"], clock: some Clock<Duration> = ManualClock(),
    trust: NIOSSLTrustRoots = .default, _ body: (WebhookClient) async throws -> Value
) async throws -> Value {
    let client = WebhookClient(
        privateHosts: privateHosts, resolver: HostResolver { _ in addresses.compactMap { IPAddress($0) } },
        now: { noon },
        clock: clock, trust: trust)
    do {
        let value = try await body(client)
        await client.shutdown()
        return value
    } catch {
        await client.shutdown()
        throw error
    }
}

private func post(_ address: String, _ answer: AlertPost.Answer = .plain) throws -> AlertPost {
    AlertPost(
        try OutgoingAddress(address), headers: [(name: "Authorization", value: Secret("Bearer canary"))],
        body: Array("{\"a\":1}\n".utf8), answer: answer)
}

@Suite struct WebhookClientTests {
    private func answer(
        _ manner: AlertReceiver.Manner, _ kind: AlertPost.Answer = .plain
    ) async throws -> DeliveryAnswer {
        try await withReceiver(manner) { receiver async throws in
            try await withClient { client async throws in
                try await client.send(post("http://127.0.0.1:\(receiver.port)/hook?token=canary", kind))
            }
        }
    }

    @Test func `a message arrives as it was made, under the host's name`() async throws {
        try await withReceiver(.status(204)) { receiver async throws in
            try await withClient { client async throws in
                #expect(try await client.send(post("http://localhost:\(receiver.port)/a?b=c")) == .delivered)
                let request = try #require(receiver.requests.first)
                #expect(request.method == "POST" && request.path == "/a?b=c")
                #expect(request.headers["host"] == ["localhost:\(receiver.port)"])
                #expect(request.headers["authorization"] == ["Bearer canary"])
                #expect(request.headers["content-type"] == ["application/json; charset=utf-8"])
                #expect(request.body == Array("{\"a\":1}\n".utf8))
            }
        }
    }

    @Test(arguments: [400, 401, 403, 404, 422])
    func `what is not taken may be taken later, and holds up no other message`(status: Int) async throws {
        #expect(
            try await answer(.status(status, body: "secret words")) == .declined(after: nil, why: "HTTP \(status)"))
    }

    @Test func `what is too large stays so`() async throws {
        #expect(try await answer(.status(413)) == .refused(why: "HTTP 413: the message is too large"))
    }

    @Test(arguments: [408, 425, 500, 502, 599])
    func `trouble of the server's is tried again`(status: Int) async throws {
        #expect(try await answer(.status(status)) == .retry(after: nil, why: "HTTP \(status)"))
    }

    @Test func `410 means that nobody is there`() async throws { #expect(try await answer(.status(410)) == .gone) }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is not followed, and said`(status: Int) async throws {
        try await withReceiver(.status(200)) { other async throws in
            let answer = try await answer(
                .status(status, headers: [("location", "http://127.0.0.1:\(other.port)/?token=canary")]))
            guard case .declined(nil, let why) = answer else {
                Issue.record("\(answer)")
                return
            }
            #expect(why.contains("redirects") && !why.contains("canary"))
            #expect(other.connections == 0)
        }
    }

    @Test(
        arguments: [
            ("7", 7), ("0", nil), ("999999999", 86_400), ("Fri, 20 Nov 2026 12:01:30 GMT", 90), ("soon", nil),
        ] as [(String, Int64?)])
    func `Retry-After is honoured within bounds`(value: String, seconds: Int64?) async throws {
        for status in [429, 503] {
            #expect(
                try await answer(.status(status, headers: [("retry-after", value)]))
                    == .retry(after: seconds, why: "HTTP \(status)"))
        }
    }

    @Test func `Discord and Telegram say it in the body`() async throws {
        let discord = #"{"message": "You are being rate limited.", "retry_after": 64.57, "global": false}"#
        #expect(try await answer(.status(429, body: discord), .discord) == .retry(after: 65, why: "HTTP 429"))
        let telegram = #"{"ok":false,"error_code":429,"parameters":{"retry_after":31}}"#
        #expect(try await answer(.status(429, body: telegram), .telegram) == .retry(after: 31, why: "HTTP 429"))
        for body in ["", "[]", #"{"retry_after": -1}"#, #"{"retry_after": 1e400}"#] {
            #expect(try await answer(.status(429, body: body), .discord) == .retry(after: nil, why: "HTTP 429"))
        }
        let long = #"{"retry_after": 5, "x": ""# + String(repeating: "x", count: 20_000) + "\"}"
        #expect(try await answer(.status(429, body: long), .discord) == .retry(after: nil, why: "HTTP 429"))
    }

    @Test func `of ten megabytes hardly any is read`() async throws {
        try await withReceiver(.flood) { receiver async throws in
            try await withClient { client async throws in
                #expect(
                    try await client.send(post("http://127.0.0.1:\(receiver.port)/", .discord))
                        == .retry(after: nil, why: "HTTP 429"))
                await receiver.closed(1)
                #expect(receiver.written < 10_000_000)
            }
        }
    }

    @Test(arguments: [false, true])
    func `who says nothing, or a byte at a time, is left after fifteen seconds`(drips: Bool) async throws {
        let clock = ManualClock()
        try await withReceiver(drips ? .drip : .hang) { receiver async throws in
            try await withClient(clock: clock) { client async throws in
                let sending = Task { try await client.send(post("http://127.0.0.1:\(receiver.port)/")) }
                await receiver.arrived(1)
                await clock.sleepers(1)
                clock.advance(by: .seconds(15))
                #expect(try await sending.value == .retry(after: nil, why: "no answer within 15 s"))
                await receiver.closed(1)
            }
        }
    }

    @Test func `a look-up that hangs counts too`() async throws {
        let clock = ManualClock()
        let resolver = HostResolver { _ in
            try await clock.sleep(for: .seconds(3_600))
            return []
        }
        let client = WebhookClient(resolver: resolver, now: { noon }, clock: clock)
        let sending = Task { try await client.send(post("https://hook.example/")) }
        await clock.sleepers(2)
        clock.advance(by: .seconds(15))
        #expect(try await sending.value == .retry(after: nil, why: "no answer within 15 s"))
        await client.shutdown()
    }

    @Test func `a try that is cancelled closes its connection`() async throws {
        try await withReceiver(.hang) { receiver async throws in
            try await withClient { client async throws in
                let sending = Task { try await client.send(post("http://127.0.0.1:\(receiver.port)/")) }
                await receiver.arrived(1)
                sending.cancel()
                await #expect(throws: CancellationError.self) { try await sending.value }
                await receiver.closed(1)
            }
        }
    }

    @Test(arguments: [
        "10.0.0.1", "127.0.0.1", "::1", "169.254.169.254", "192.168.1.1", "::ffff:10.0.0.1", "fd00::1", "224.0.0.1",
        "0.0.0.0", "fe80::1", "64:ff9b::127.0.0.1",
    ])
    func `a host with an address inside is not connected to`(address: String) async throws {
        try await withClient(addresses: ["17.253.38.253", address]) { client async throws in
            let answer = try await client.send(post("https://hook.example/canary"))
            guard case .retry(nil, let why) = answer else {
                Issue.record("\(answer)")
                return
            }
            #expect(why.contains(address) && why.contains("privateHosts") && !why.contains("canary"))
        }
    }

    @Test(arguments: ["169.254.169.254", "224.0.0.1", "0.0.0.0", "::ffff:10.0.0.1", "fd00:ec2::254"])
    func `not even a host that was named may be at no machine's address`(address: String) async throws {
        try await withClient(privateHosts: ["hook.example"], addresses: [address]) { client async throws in
            guard case .retry(nil, let why) = try await client.send(post("https://hook.example/")),
                why.contains("not on the public Internet")
            else {
                Issue.record("\(address) is connected to")
                return
            }
        }
    }

    @Test func `this machine's name has to be this machine`() async throws {
        try await withClient(addresses: ["10.0.0.1"]) { client async throws in
            guard case .retry(nil, let why) = try await client.send(post("http://localhost/")),
                why.contains("not on the public Internet")
            else {
                Issue.record("localhost is somewhere else")
                return
            }
        }
    }

    @Test(.enabled(if: TestCertificate.openssl != nil))
    func `a certificate that nobody vouches for is refused`() async throws {
        try await withReceiver(.status(200), tls: TestCertificate.selfSigned()) { receiver async throws in
            try await withClient { client async throws in
                #expect(
                    try await client.send(post("https://127.0.0.1:\(receiver.port)/"))
                        == .retry(after: nil, why: "the certificate is not trusted"))
                #expect(receiver.requests.isEmpty)
            }
        }
    }

    @Test(.enabled(if: TestCertificate.openssl != nil))
    func `a private host that was named is asked under its name, and has to have its certificate`() async throws {
        let certificate = try TestCertificate(for: "hook.example")
        try await withReceiver(.status(200), tls: certificate.context) { receiver async throws in
            try await withClient(
                privateHosts: ["HOOK.example", "other.example"], trust: .certificates(certificate.roots)
            ) { client async throws in
                #expect(try await client.send(post("https://hook.example:\(receiver.port)/x")) == .delivered)
                #expect(receiver.requests.first?.headers["host"] == ["hook.example:\(receiver.port)"])
                guard
                    case .retry(after: nil, let why) =
                        try await client.send(post("https://other.example:\(receiver.port)/x"))
                else {
                    Issue.record("another host's certificate is taken")
                    return
                }
                #expect(why.contains("certificate"))
                #expect(receiver.requests.count == 1)
            }
        }
    }

    @Test func `nobody at the port is said`() async throws {
        // No program that asks for any free port is given this one.
        try await withClient { client async throws in
            #expect(try await client.send(post("http://127.0.0.1:1/")) == .retry(after: nil, why: "no connection"))
        }
    }

    @Test(arguments: [
        ("http://hook.example/", OutgoingAddress.Mistake.scheme), ("ftp://127.0.0.1/", .scheme),
        ("http://127.0.0.1.example/", .scheme), ("https://a:b@hook.example/", .userInfo),
        ("https://hook.example/#x", .fragment), ("https:///x", .malformed), ("hook.example", .malformed),
        ("", .malformed),
        ("https://hook.example/a b", .malformed), ("https://hook.example\\@evil.example/", .malformed),
        ("https://hook.example:99999/", .malformed),
        ("https://h.example/" + String(repeating: "x", count: 2_000), .tooLong),
    ])
    func `an address that could mean something else is refused`(text: String, mistake: OutgoingAddress.Mistake) {
        #expect(throws: mistake) { try OutgoingAddress(text) }
    }
}
