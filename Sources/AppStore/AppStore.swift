package import AsyncHTTPClient
package import NIOCore
import NIOHTTPCompression
import Outgoing
package import RankKit

/// What asks the App Store: functions, so that a test can put its own in their place.
package struct AppStore: Sendable {
    /// Asks one search, of the query's source. Throws `CancellationError` alone; every other outcome is a value.
    package var search: @Sendable (Query) async throws -> Reply
    /// Asks for apps by what identifies them. Throws `CancellationError` alone.
    package var lookup: @Sendable (Lookup) async throws -> Reply

    package init(
        search: @escaping @Sendable (Query) async throws -> Reply,
        lookup: @escaping @Sendable (Lookup) async throws -> Reply
    ) {
        self.search = search
        self.lookup = lookup
    }

    /// How a request ended.
    package enum Reply: Sendable {
        /// A whole, well-formed answer.
        case answered(ResultList)
        /// Apple asks for fewer requests, perhaps saying for how many seconds: see `HTTPStatus`. It says nothing about
        /// any app.
        case throttled(status: Int, retryAfter: Int64? = nil)
        case failed(Failure)

        /// What the reply says about the endpoint that gave it.
        package var endpointOutcome: EndpointHealth.Outcome {
            switch self {
            case .answered: .reached
            case .throttled(_, let retryAfter): .throttled(retryAfter: retryAfter)
            case .failed(let failure) where failure.isUnreachable: .unreachable
            case .failed(let failure):
                switch failure.reason {
                // No answer is no better than an error: a server that has too much to do gives both.
                case .timedOut, .connectionLost, .insecure: .troubled
                // Of all statuses only those of a server in trouble are worth another try: see `HTTPStatus`.
                case .status: failure.isTransient ? .troubled : .reached
                default: .reached
                }
            }
        }
    }
}

// MARK: Over HTTP

extension AppStore {
    /// An App Store that is asked over HTTP.
    ///
    /// - Parameters:
    ///   - origin: who is asked.
    ///   - client: made by `HTTPClient.forStore()`, and shut down by whoever made it.
    ///   - patience: the time a try has, from connecting to the last byte.
    ///   - clock: what measures it.
    package static func http(
        _ origin: Origin, client: HTTPClient, patience: Duration = .seconds(30),
        clock: some Clock<Duration> = ContinuousClock()
    ) -> AppStore {
        @Sendable func ask(_ request: StoreRequest) async throws -> Reply {
            do {
                let exchange = try await HTTPExchange.get(
                    request.url(at: origin), in: request.manner, client: client, patience: patience, clock: clock)
                return HTTPStatus.reply(exchange, to: request)
            } catch {
                if Task.isCancelled { throw CancellationError() }
                return .failed(Failure(transport: error))
            }
        }
        return AppStore(search: { try await ask(.search($0)) }, lookup: { try await ask(.lookup($0)) })
    }

    /// Runs `body` with an App Store that is asked over HTTP, and closes its connections when `body` ends.
    package static func withHTTP<Value>(
        _ origin: Origin, isolation: isolated (any Actor)? = #isolation, _ body: (AppStore) async throws -> Value
    ) async throws -> Value {
        let client = HTTPClient.forStore()
        do {
            let value = try await body(.http(origin, client: client))
            try await client.shutdown()
            return value
        } catch {
            try await client.shutdown()
            throw error
        }
    }
}

extension HTTPClient {
    /// A client that asks as the App Store is to be asked: gzip within the cap, no redirects, no surprises.
    ///
    /// - Parameters:
    ///   - connect: for a connection to be there.
    ///   - read: between two parts of an answer.
    package static func forStore(
        connect: TimeAmount = .seconds(10), read: TimeAmount = .seconds(30)
    ) -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: connect, read: read),
            decompression: .enabled(limit: .size(HTTPExchange.largestBody)))
        configuration.httpVersion = .http1Only
        configuration.guardAnswers()
        // A refused connection is an answer: the schedule decides when to ask again.
        configuration.connectionPool.retryConnectionEstablishment = false
        // Waiting for a connection would eat into the time of a try.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        configuration.connectionPool.idleTimeout = .seconds(30)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }
}
