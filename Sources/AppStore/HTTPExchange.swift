import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import RankKit

/// A request that got a whole response.
struct HTTPExchange: Sendable {
    let status: Int
    let body: [UInt8]
    let retryAfter: String?
    /// When the server says that it answered.
    let date: String?

    /// In decoded bytes: eight times a full page of today.
    static let largestBody = 16 << 20

    /// Gets `url` within `patience`, from connecting to the last byte: the client's own deadline ends with the response's
    /// head.
    ///
    /// - Throws: `Failure` with `tooLarge`, `DeadlinePassed`, what the client throws, or `CancellationError`.
    static func get(
        _ url: String, client: HTTPClient, patience: Duration, clock: some Clock<Duration>
    ) async throws -> HTTPExchange {
        try await withThrowingTaskGroup(of: HTTPExchange.self) { group in
            group.addTask { try await get(url, client: client) }
            group.addTask {
                try await clock.sleep(for: patience)
                throw DeadlinePassed(after: patience)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    private static func get(_ url: String, client: HTTPClient) async throws -> HTTPExchange {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "User-Agent", value: "rankd/\(Release.version) (self-hosted App Store rank tracker)")
        request.headers.add(name: "Accept", value: "application/json, text/javascript")
        let response = try await client.execute(request, deadline: .distantFuture)
        let announced = response.headers.first(name: "content-length").flatMap { Int($0) }
        if let announced, announced > largestBody { throw Failure(.tooLarge, "\(announced) bytes announced") }

        var body: [UInt8] = []
        body.reserveCapacity(announced ?? 0)
        for try await chunk in response.body {
            guard body.count + chunk.readableBytes <= largestBody else {
                throw Failure(.tooLarge, "more than \(largestBody) bytes")
            }
            chunk.withUnsafeReadableBytes { body.append(contentsOf: $0) }
        }
        return HTTPExchange(
            status: Int(response.status.code), body: body,
            retryAfter: response.headers.first(name: "retry-after"), date: response.headers.first(name: "date"))
    }
}

/// A try took longer than it may.
struct DeadlinePassed: Error {
    let after: Duration
}
