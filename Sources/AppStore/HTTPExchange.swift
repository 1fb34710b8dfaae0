import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import Outgoing
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

    /// How a request presents itself, and how much of an answer it takes.
    struct Manner: Sendable {
        var userAgent: String
        var accept: String
        /// In decoded bytes.
        var largestBody: Int

        static let api = Manner(
            userAgent: "rankd/\(Release.version) (self-hosted App Store rank tracker)",
            accept: "application/json, text/javascript", largestBody: HTTPExchange.largestBody)
        /// As a browser asks, and saying who it is.
        static let webStore = Manner(
            userAgent: "Mozilla/5.0 (compatible; rankd/\(Release.version))",
            accept: "text/html", largestBody: WebStorePage.largestBody)
    }

    /// Gets `url` within `patience`, from connecting to the last byte: the client's own deadline ends with the response's
    /// head.
    ///
    /// - Throws: `Failure` with `tooLarge`, `DeadlinePassed`, what the client throws, or `CancellationError`.
    static func get(
        _ url: String, in manner: Manner = .api, client: HTTPClient, patience: Duration, clock: some Clock<Duration>
    ) async throws -> HTTPExchange {
        try await withThrowingTaskGroup(of: HTTPExchange.self) { group in
            group.addTask { try await get(url, in: manner, client: client) }
            group.addTask {
                try await clock.sleep(for: patience)
                throw DeadlinePassed(after: patience)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    private static func get(
        _ url: String, in manner: Manner, client: HTTPClient
    ) async throws -> HTTPExchange {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "User-Agent", value: manner.userAgent)
        request.headers.add(name: "Accept", value: manner.accept)
        let response = try await client.execute(request, deadline: .distantFuture)
        let announced = response.headers.first(name: "content-length").flatMap { Int($0) }
        if let announced, announced > manner.largestBody { throw Failure(.tooLarge, "\(announced) bytes announced") }

        var body: [UInt8] = []
        body.reserveCapacity(max(0, announced ?? 0))
        for try await chunk in response.body {
            guard body.count + chunk.readableBytes <= manner.largestBody else {
                throw Failure(.tooLarge, "more than \(manner.largestBody) bytes")
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

extension Failure {
    /// What an error of the HTTP client means for a check. Sorted by what a reader would do about it.
    init(transport error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let answer as ImpossibleAnswer: self.init(answer.status == nil ? .connectionLost : .status, "\(answer)")
        case let passed as DeadlinePassed: self.init(.timedOut, "no whole answer within \(passed.after)")
        case let error as HTTPClientError: self.init(client: error)
        case let error as NIOConnectionError: self.init(connection: error)
        case ChannelError.connectTimeout: self.init(.cannotConnect, "no connection in time")
        case let error as IOError: self.init(error: error)
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: self.init(.insecure, "\(error)")
        case let error as NIOHTTPDecompression.DecompressionError: self.init(decompression: error)
        case let error as NIOHTTPDecompression.ExtraDecompressionError: self.init(.badEncoding, "\(error)")
        default: self.init(.connectionLost, "\(error)")
        }
    }

    private init(client error: HTTPClientError) {
        switch error {
        case .connectTimeout: self.init(.cannotConnect, "no connection in time")
        case .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout:
            self.init(.timedOut, error.shortDescription)
        case .tlsHandshakeTimeout: self.init(.insecure, error.shortDescription)
        default: self.init(.connectionLost, error.shortDescription)
        }
    }

    private init(connection error: NIOConnectionError) {
        guard error.connectionErrors.isEmpty else {
            let errors = error.connectionErrors.map { "\($0.target): \($0.error)" }
            self.init(.cannotConnect, errors.joined(separator: "; "))
            return
        }
        self.init(.nameNotFound, error.host)
    }

    private init(error: IOError) {
        let wasConnected = [ECONNRESET, EPIPE, ETIMEDOUT].contains(error.errnoCode)
        self.init(wasConnected ? .connectionLost : .cannotConnect, String(cString: strerror(error.errnoCode)))
    }

    private init(decompression error: NIOHTTPDecompression.DecompressionError) {
        switch error {
        case .limit: self.init(.tooLarge, "more than \(HTTPExchange.largestBody) bytes once decompressed")
        default: self.init(.badEncoding, "\(error)")
        }
    }
}
