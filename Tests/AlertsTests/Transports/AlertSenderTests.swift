import Foundation
import NIOHTTP1
import RankKit
import TestSupport
import Testing

@testable import Alerts

@Suite struct AlertSenderTests {
    private static let canary = "canary4711"
    private static let key = "whsec_" + Data("canary4711canary4711canary".utf8).base64EncodedString()

    private func surroundings(_ port: Int, _ folder: TemporaryFolder) -> AlertSender.Surroundings {
        var surroundings = AlertSender.Surroundings(
            secrets: AlertSecrets(
                environment: [
                    "RANKD_SECRET_URL": "http://127.0.0.1:\(port)/services/\(Self.canary)",
                    "RANKD_SECRET_TOKEN": "12:\(Self.canary)", "RANKD_SECRET_KEY": Self.key,
                    "RANKD_SECRET_TOPIC": Self.canary, "RANKD_SECRET_BAD": "\(Self.canary) !",
                ], watchlist: nil), mail: .folder(MailSpool(folder: folder.file("mail"))), host: "box", now: { noon })
        surroundings.telegram = "http://127.0.0.1:\(port)"
        surroundings.clock = ManualClock()
        return surroundings
    }

    private static func ways(_ port: Int) -> [AlertChannel.Transport] {
        [
            .webhook(url: .secret(name: "url"), secrets: [.secret(name: "key")]), .slack(url: .secret(name: "url")),
            .discord(url: .secret(name: "url")), .telegram(token: .secret(name: "token"), chat: .plain("7")),
            .ntfy(
                server: "http://127.0.0.1:\(port)", topic: .secret(name: "topic"), token: .secret(name: "token")),
        ]
    }

    @Test func `each way delivers its own form to its own place`() async throws {
        let folder = try TemporaryFolder()
        try await withReceiver(.status(200)) { receiver async throws in
            for way in Self.ways(receiver.port) {
                let sender = try AlertSender(
                    AlertChannel(name: "c", transport: way), in: surroundings(receiver.port, folder))
                #expect(try await sender.send(message()) == .delivered)
                await sender.shutdown()
            }
            let requests = receiver.requests
            #expect(
                requests.map(\.path) == [
                    "/services/canary4711", "/services/canary4711", "/services/canary4711",
                    "/bot12:canary4711/sendMessage", "/",
                ])
            for (request, key) in zip(requests, ["events", "blocks", "embeds", "chat_id", "topic"]) {
                #expect(try parsed(request.body)[key] != nil)
            }
            #expect(requests[0].headers["webhook-id"] == ["m1"])
            #expect(requests[4].headers["authorization"] == ["Bearer 12:canary4711"])
        }
    }

    @Test(arguments: [302, 404, 410, 429, 500])
    func `no answer, description or error holds a secret`(status: Int) async throws {
        let folder = try TemporaryFolder()
        let body = "{\"description\":\"\(Self.canary)\"}"
        try await withReceiver(.status(status, headers: [("location", "http://x/\(Self.canary)")], body: body)) {
            receiver in
            for way in Self.ways(receiver.port) {
                let sender = try AlertSender(
                    AlertChannel(name: "c", transport: way), in: surroundings(receiver.port, folder))
                var shown = "\(try await sender.send(message()))"
                dump(try await sender.send(message()), to: &shown)
                #expect(!shown.contains(Self.canary), "\(shown)")
                await sender.shutdown()
            }
        }
    }

    @Test func `what a channel lacks is said without the secret`() throws {
        let folder = try TemporaryFolder()
        let bad = SecretText.secret(name: "bad")
        let ways: [AlertChannel.Transport] = [
            .webhook(url: bad, secrets: []), .webhook(url: .plain("https://x.example/"), secrets: [bad]),
            .slack(url: bad), .discord(url: .secret(name: "none")), .telegram(token: bad, chat: .plain("1")),
            .ntfy(server: "https://ntfy.sh", topic: bad, token: nil), .mail(to: ["a b"], from: nil),
            .mail(to: ["a@example.com"], from: "x y"),
        ]
        for way in ways {
            do {
                _ = try AlertSender(AlertChannel(name: "team", transport: way), in: surroundings(1, folder))
                Issue.record("it lacks nothing: \(way)")
            } catch {
                #expect(error.description.hasPrefix("channel “team”: ") && !error.description.contains(Self.canary))
            }
        }
    }

    @Test func `mail goes into its folder under the message's name and the channel's`() async throws {
        let folder = try TemporaryFolder()
        let channel = AlertChannel(name: "post", transport: .mail(to: ["a@example.com"], from: "rankd@example.com"))
        let sender = try AlertSender(channel, in: surroundings(1, folder))
        for _ in 1...2 { #expect(try await sender.send(message()) == .delivered) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("mail")) == ["m1.post.eml"])
    }

    @Test func `a command gets what a webhook gets`() async throws {
        let folder = try TemporaryFolder()
        let channel = AlertChannel(
            name: "run", transport: .command(["/bin/sh", "-c", "cat >\"$1\"", "sh", folder.file("in")], seconds: 30))
        let sender = try AlertSender(channel, in: surroundings(1, folder))
        #expect(try await sender.send(message()) == .delivered)
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: folder.file("in"))))
        #expect(bytes == WebhookPayload.body(message(), sentAt: noon))
    }

    @Test func `one at a time, and a channel that hangs holds up itself alone`() async throws {
        let folder = try TemporaryFolder()
        try await withReceiver(.hang) { hanging async throws in
            try await withReceiver(.status(200)) { other async throws in
                let clock = ManualClock()
                var around = surroundings(hanging.port, folder)
                around.clock = clock
                let slow = try AlertSender(
                    AlertChannel(name: "slow", transport: .slack(url: .secret(name: "url"))), in: around)
                let first = Task { try await slow.send(message()) }
                await hanging.arrived(1)
                let second = Task { try await slow.send(message()) }
                let quick = try AlertSender(
                    AlertChannel(name: "quick", transport: .slack(url: .secret(name: "url"))),
                    in: surroundings(other.port, folder))
                #expect(try await quick.send(message()) == .delivered)
                #expect(hanging.requests.count == 1)
                await clock.sleepers(1)
                clock.advance(by: .seconds(15))
                #expect(try await first.value == .retry(after: nil, why: "no answer within 15 s"))
                await hanging.arrived(2)
                second.cancel()
                await #expect(throws: CancellationError.self) { try await second.value }
                await slow.shutdown()
                await quick.shutdown()
            }
        }
    }
}
