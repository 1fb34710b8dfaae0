import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
package import RankKit
import ServiceLifecycle

/// A stand-in App Store: an HTTP server on 127.0.0.1.
///
/// It serves `/search`, `/lookup` and the web store's pages of results (`/us/iphone/search`) from its backend, `/image/…` in place of Apple's image hosts, `/_stats` (requests since the start) and, where the backend
/// knows it, `/_truth` (the order that a search would be answered with now).
package struct AppStoreSimulator: Service {
    let backend: any StoreBackend
    let options: SimulatorOptions
    let clock: any Clock<Duration>
    let now: @Sendable () -> Timestamp
    let logger: Logger

    let counter = RequestCounter()
    let open: OpenAnswers
    let gzip = Gzip()
    let faults: FaultSequence
    let limit: RequestLimit?

    /// - Parameters:
    ///   - clock: what the latency and the slow faults sleep on.
    ///   - logger: silent unless given.
    ///   - now: the time that the store believes in, and that the limit counts by.
    package init(
        _ backend: any StoreBackend, options: SimulatorOptions = SimulatorOptions(),
        clock: any Clock<Duration> = ContinuousClock(), logger: Logger? = nil,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.backend = backend
        self.options = options
        self.clock = clock
        self.now = now
        self.logger = logger ?? Logger(label: "appstore-sim") { _ in SwiftLogNoOpLogHandler() }
        open = OpenAnswers(counter: counter)
        faults = FaultSequence(options.faults)
        limit = options.limitPerMinute.map(RequestLimit.init(perMinute:))
    }

    /// Requests received so far: what `/_stats` answers.
    package var counts: RequestCounts { counter.current }

    /// Serves until it is cancelled or shut down gracefully; either way at once, without waiting for slow answers.
    ///
    /// - Throws: `IOError` if the port cannot be had.
    package func run() async throws {
        try await run { _ in }
    }

    /// - Parameter onReady: called once, with the origin (`http://127.0.0.1:PORT`), when connections are accepted.
    package func run(onReady: @escaping @Sendable (_ origin: String) async -> Void) async throws {
        let server = try HTTPServerBuilder.http1(
            configuration: HTTP1Channel.Configuration(additionalChannelHandlers: [EndsWithClient()])
        ).buildServer(
            configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: options.port)),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: logger,
            responder: { request, writer, channel in
                try await respond(to: request, writer: writer, channel: channel)
            },
            onServerRunning: { channel in
                await onReady("http://127.0.0.1:\(channel.localAddress?.port ?? options.port)")
            })
        try await cancelWhenGracefulShutdown { try await server.run() }
    }
}

/// Runs the simulator for as long as `body` runs.
///
/// - Parameter body: gets the simulator's origin, `http://127.0.0.1:PORT`.
/// - Throws: what `body` throws, and what `AppStoreSimulator.run` throws before it is ready.
package func withRunning<Result: Sendable>(
    _ simulator: AppStoreSimulator, isolation: isolated (any Actor)? = #isolation,
    _ body: (_ origin: String) async throws -> Result
) async throws -> Result {
    let (ready, announcement) = AsyncStream.makeStream(of: String.self)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { announcement.finish() }
            try await simulator.run { announcement.yield($0) }
        }
        for await origin in ready {
            let result = try await body(origin)
            group.cancelAll()
            // Having been told to stop, the server can fail in no way that matters any more.
            _ = await group.nextResult()
            return result
        }
        try await group.waitForAll()
        throw CancellationError()
    }
}

/// How the simulator answers, whatever it answers with.
package struct SimulatorOptions: Sendable {
    /// The port on 127.0.0.1; 0 takes a free one.
    package var port: Int
    /// Compresses bodies for clients that accept gzip.
    package var gzip: Bool
    /// Slept before each answer of the store.
    package var latency: Duration
    /// Requests a minute and endpoint, beyond which the answer is 403 with an empty body; `nil` is no limit.
    package var limitPerMinute: Int?
    package var faults: FaultPlan
    /// What becomes of every image whose address names no trick of its own; `nil` serves plain pictures.
    package var images: ImageTrick?

    package init(
        port: Int = 0, gzip: Bool = false, latency: Duration = .zero, limitPerMinute: Int? = nil,
        faults: FaultPlan = FaultPlan(), images: ImageTrick? = nil
    ) {
        self.port = port
        self.gzip = gzip
        self.latency = latency
        self.limitPerMinute = limitPerMinute
        self.faults = faults
        self.images = images
    }
}
