import HTTPTypes
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
package import RankKit
import ServiceLifecycle
import Synchronization

/// A small HTTP server for Prometheus: `/metrics`, and nothing else.
package struct MetricsServer: Service {
    /// Connections at the same time; Prometheus needs one.
    static let mostConnections = 16
    /// For the head of a request, for a reader that takes nothing, and between two requests.
    static let idle = TimeAmount.seconds(30)
    private static let age = Duration.seconds(5)
    private static let path = "/metrics"

    private let place: HostPort
    private let log: Logger
    private let cache: MetricsCache<ContinuousClock>
    private let onReady: @Sendable (_ address: String) async -> Void

    /// - Parameters:
    ///   - text: makes the text; never called twice at once, nor more than once in 5 seconds.
    ///   - onReady: called once, with the address to scrape, when connections are accepted.
    package init(
        _ place: HostPort, log: Logger, text: @escaping @Sendable () async throws -> String,
        onReady: @escaping @Sendable (_ address: String) async -> Void
    ) {
        self.place = place
        self.log = log
        self.onReady = onReady
        cache = MetricsCache(clock: ContinuousClock(), age: Self.age, make: text)
    }

    /// Serves until it is cancelled or shut down gracefully; either way at once. What goes wrong once it listens ends the
    /// server alone: recording is worth more.
    ///
    /// - Throws: `ListeningFailure` if the port cannot be had.
    package func run() async throws {
        let isListening = Mutex(false)
        var quiet = log
        quiet.logLevel = max(.error, log.logLevel)
        do {
            let server = try HTTPServerBuilder.http1(
                configuration: .init(
                    additionalChannelHandlers: [SlowReaders(Self.idle)], idleTimeout: Self.idle,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 50))
            ).buildServer(
                configuration: ServerConfiguration(
                    address: .hostname(place.host, port: place.port),
                    availableConnectionsDelegate: AcceptedConnections(most: Self.mostConnections) { [log] why in
                        log.warning("metrics", metadata: ["trouble": "\(why)"])
                    }),
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: quiet,
                responder: { request, writer, _ in try await respond(to: request, writer) },
                onServerRunning: { channel in
                    isListening.withLock { $0 = true }
                    let taken = HostPort(host: place.host, port: channel.localAddress?.port ?? place.port)
                    await onReady("http://\(taken)\(Self.path)")
                })
            try await cancelWhenGracefulShutdown { try await server.run() }
        } catch  where !(error is CancellationError) {
            guard isListening.withLock({ $0 }) else {
                throw ListeningFailure(place, option: "--metrics", .init(error))
            }
            log.error("metrics stopped", metadata: ["reason": "\(error)"])
        }
    }

    private func respond(to request: Request, _ writer: consuming ResponseWriter) async throws {
        let path = request.head.path?.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        guard path == Self.path else {
            return try await send(.notFound, "only \(Self.path) is here\n", request, writer)
        }
        guard request.method == .get || request.method == .head else {
            return try await send(.methodNotAllowed, "only GET and HEAD are answered\n", request, writer)
        }
        do {
            try await send(.ok, try await cache.text(), request, writer)
        } catch  where !(error is CancellationError) {
            log.warning("metrics could not be made", metadata: ["reason": "\(error)"])
            throw error
        }
    }

    /// The whole text at once: a slow reader holds nothing of the history.
    private func send(
        _ status: HTTPResponse.Status, _ text: String, _ request: Request, _ writer: consuming ResponseWriter
    ) async throws {
        var fields = HTTPFields()
        fields[.contentType] = status == .ok ? PrometheusText.contentType : "text/plain; charset=utf-8"
        fields[.contentLength] = String(text.utf8.count)
        fields[.cacheControl] = "no-store"
        if status == .methodNotAllowed { fields[.allow] = "GET, HEAD" }
        let head = HTTPResponse(status: status, headerFields: fields)
        if request.method == .head { return try await writer.writeResponse(head) }
        try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
