import AsyncHTTPClient
import HTTPTypes
import History
import JudgingStage
import Logging
import NIOCore
import NIOHTTP1
import RankKit
import Testing

@testable import Web

/// A site over the history of two clients that listens on loopback, asked as the web server in front of it would.
struct RunningSite: Sendable {
    let site: Site
    private let origin: WebOrigin
    private let client: HTTPClient
    /// Where the site listens.
    private let place: String

    /// Runs a site until `body` returns.
    ///
    /// - Parameters:
    ///   - origin: what its visitors call it.
    ///   - credentials: `nil` lets everybody in.
    static func run(
        at origin: String, _ credentials: Credentials? = nil, _ body: (RunningSite) async throws -> Void
    ) async throws {
        let clients = try await TwoClients()
        let origin = try #require(WebOrigin(origin))
        var settings = SiteSettings(database: clients.store.path, listening: .tcp(host: "127.0.0.1", port: 0))
        settings.origins = [origin]
        settings.credentials = credentials
        settings.requestsPerMinute = 1_000_000
        settings.longestAnswer = .seconds(3_600)
        let (addresses, address) = AsyncStream.makeStream(of: String.self)
        let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
        let site = Site(settings, logger: quiet, now: { noon }) { address.yield($0) }
        let running = Task { try await site.run() }
        let client = HTTPClient(
            configuration: .init(
                redirectConfiguration: .disallow, timeout: .init(connect: .minutes(20), read: .minutes(20))))
        do {
            var first = addresses.makeAsyncIterator()
            let place = try #require(await first.next())
            try await body(RunningSite(site: site, origin: origin, client: client, place: place))
        } catch {
            Issue.record(error)
        }
        running.cancel()
        _ = await running.result
        try await client.shutdown()
        withExtendedLifetime(clients) {}
    }

    struct Page {
        var status: Int
        var type: String
        var fields: [(name: String, value: String)]
        var text: String

        func field(_ name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value }
    }

    func page(_ path: String, _ fields: [(String, String)] = [], form: String? = nil) async throws -> Page {
        var request = HTTPClientRequest(url: place + path)
        request.headers.add(name: "Host", value: origin.authority)
        for (name, value) in fields { request.headers.add(name: name, value: value) }
        if let form {
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(string: form))
        }
        let response = try await client.execute(request, timeout: .minutes(5))
        let body = try await response.body.collect(upTo: 64 << 20)
        return Page(
            status: Int(response.status.code), type: response.headers.first(name: "Content-Type") ?? "",
            fields: response.headers.map { ($0.name, $0.value) }, text: String(buffer: body))
    }
}
