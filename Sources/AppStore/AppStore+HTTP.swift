package import AsyncHTTPClient
import NIOCore
import NIOHTTPCompression
import RankKit

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
            let url = request.url(at: origin)
            do {
                let exchange = try await withDeadline(patience, clock: clock) {
                    try await HTTPExchange.get(url, client: client)
                }
                return reply(to: exchange)
            } catch {
                if Task.isCancelled { throw CancellationError() }
                return .failed(Failure(transport: error))
            }
        }
        return AppStore(
            search: { try await ask(.search($0)) },
            lookup: { try await ask(.lookup($0)) })
    }

    private static func reply(to exchange: HTTPExchange) -> Reply {
        switch exchange.status {
        case 200:
            do {
                return .answered(try AnswerReader.list(from: exchange.body))
            } catch {
                return .failed(error)
            }
        case 403, 429:
            return .throttled(
                status: exchange.status,
                retryAfter: exchange.retryAfter.flatMap { RetryAfter.seconds($0, sentAt: exchange.date) })
        default:
            if exchange.status == 400, let message = AnswerReader.errorMessage(in: exchange.body) {
                return .failed(Failure(.rejected, message))
            }
            return .failed(
                Failure(.status, "status \(exchange.status)", isTransient: (500...599).contains(exchange.status)))
        }
    }
}

extension HTTPClient {
    /// A client that asks as the App Store is to be asked: gzip within the cap, no redirects, no surprises.
    package static func forStore() -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(10), read: .seconds(30)),
            decompression: .enabled(limit: .size(HTTPExchange.largestBody)))
        configuration.httpVersion = .http1Only
        // A refused connection is an answer: the schedule decides when to ask again.
        configuration.connectionPool.retryConnectionEstablishment = false
        // Waiting for a connection would eat into the time of a try.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        configuration.connectionPool.idleTimeout = .seconds(30)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }
}

extension AppStore {
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
