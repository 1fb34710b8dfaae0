internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
package import NIOSSL
package import Outgoing
package import RankKit

/// Sends messages over HTTP, for one channel, each within a time of its own.
///
/// It resolves a host by itself and connects to the very address that it found fit. It follows no redirect and keeps
/// nothing of an answer.
package struct WebhookClient: Sendable {
    private let clients: PinnedClients
    private let patience: Patience
    private let now: @Sendable () -> Timestamp

    /// What a try has, from the question for the host's address to the end of what is read of the answer.
    package static let patience = Duration.seconds(15)
    /// Bytes of an answer that are read.
    package static let mostOfAnswer = 16_384
    /// Seconds that an answer may put off the next try by.
    package static let permittedDelay: ClosedRange<Int64> = 1...86_400

    /// - Parameters:
    ///   - privateHosts: those of the channel, which may have private addresses.
    ///   - now: read for a `Retry-After` with a date.
    ///   - clock: measures the time of a try, and for how long an address stays good.
    ///   - trust: whose certificates are believed.
    package init(
        privateHosts: [String] = [], resolver: HostResolver = .system, now: @escaping @Sendable () -> Timestamp,
        clock: some Clock<Duration> = ContinuousClock(), trust: NIOSSLTrustRoots = .default
    ) {
        let privateHosts = PrivateHosts(privateHosts)
        clients = PinnedClients(
            resolver: resolver, admits: { host, address in privateHosts.admits(address, of: host) },
            elapsed: clock.elapsed(), trust: trust)
        patience = Patience(Self.patience, clock: clock)
        self.now = now
    }

    /// Sends one request, once.
    ///
    /// - Throws: `CancellationError` if the task was cancelled. The request may have arrived all the same.
    package func send(_ post: AlertPost) async throws -> DeliveryAnswer {
        do {
            return try await patience.run { [clients, now] in
                try await clients.withClient(for: post.address.host) { try await Self.send(post, by: $0, now: now) }
            }
        } catch {
            if Task.isCancelled { throw CancellationError() }
            return Self.answer(to: error)
        }
    }

    package func shutdown() async { await clients.shutdown() }

    private static func send(
        _ post: AlertPost, by client: PinnedClient, now: @Sendable () -> Timestamp
    ) async throws -> DeliveryAnswer {
        var request = HTTPClientRequest(url: post.address.text)
        request.method = .POST
        request.headers.add(name: "User-Agent", value: "rankd/\(Release.version) (self-hosted App Store rank tracker)")
        request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
        for (name, value) in post.headers { request.headers.add(name: name, value: value.revealed) }
        request.body = .bytes(ByteBuffer(bytes: post.body))
        let response = try await client.execute(request)
        let status = Int(response.status.code)
        if let final = Self.final(status) { return final }
        let header = response.headers.first(name: "retry-after").flatMap {
            RetryAfter.seconds($0, sentAt: response.headers.first(name: "date"), receivedAt: now())
        }
        let body = await beginning(of: response.body, for: post.answer)
        let asked = [header, body.flatMap { AnswerBody.retryAfter(in: $0, of: post.answer) }].compactMap(\.self).max()
        let delay = asked.map { min(max($0, permittedDelay.lowerBound), permittedDelay.upperBound) }
        return Self.isOfAll(status)
            ? .retry(after: delay, why: "HTTP \(status)") : .declined(after: delay, why: Self.words(status))
    }

    /// What no later try would change. All else may pass: a proxy knows nothing of what is behind it while that is put in
    /// place anew, and a right can be given.
    private static func final(_ status: Int) -> DeliveryAnswer? {
        switch status {
        case 200..<300: .delivered
        case 410: .gone
        case 413: .refused(why: "HTTP 413: the message is too large")
        default: nil
        }
    }

    /// Whether the trouble is the server's, whatever it is sent.
    private static func isOfAll(_ status: Int) -> Bool {
        switch status {
        case 408, 425, 429, 500...: true
        default: false
        }
    }

    private static func words(_ status: Int) -> String {
        switch status {
        case 300..<400:
            "HTTP \(status): the address redirects, and rankd does not follow; give the address that it leads to"
        default: "HTTP \(status)"
        }
    }

    /// Where nothing in it counts, or it ends too soon, nothing is read.
    private static func beginning(of body: HTTPClientResponse.Body, for answer: AlertPost.Answer) async -> [UInt8]? {
        if case .plain = answer { return nil }
        var bytes: [UInt8] = []
        do {
            for try await piece in body {
                guard bytes.count + piece.readableBytes <= mostOfAnswer else { return nil }
                piece.withUnsafeReadableBytes { bytes.append(contentsOf: $0) }
            }
        } catch { return nil }
        return bytes
    }
}

/// What the bodies of answers say about when to try again.
enum AnswerBody {
    private struct Wait: Decodable {
        let seconds: Double

        enum CodingKeys: String, CodingKey { case seconds = "retry_after" }
    }

    private struct Telegram: Decodable {
        let parameters: Wait
    }

    /// Whole seconds, rounded up; `nil` if `body` does not say so.
    static func retryAfter(in body: [UInt8], of answer: AlertPost.Answer) -> Int64? {
        let seconds: Double?
        switch answer {
        case .plain: seconds = nil
        case .discord: seconds = try? JSONDecoder().decode(Wait.self, from: Data(body)).seconds
        case .telegram: seconds = try? JSONDecoder().decode(Telegram.self, from: Data(body)).parameters.seconds
        }
        return seconds.flatMap { $0 > 0 ? Int64(min($0.rounded(.up), 1e9)) : nil }
    }
}
