import Foundation
import Hummingbird
import HummingbirdCore
package import Logging
import Monitoring
import NIOCore
package import RankKit
import ServiceLifecycle
import Synchronization

/// The site: its middleware, its controllers, and where it listens.
package struct Site: Service {
    let settings: SiteSettings
    let now: @Sendable () -> Timestamp
    let clock: ContinuousClock
    let log: RefusalLog
    let logger: Logger
    let history: HistoryAccess
    let cache: AnswerCache
    let key: SecretKey
    let ended: EndedSessions
    let origins: KnownOrigins
    let hub: LiveHub
    let look: SiteLook
    let outgoing = OutgoingBytes()
    let connections: OpenConnections
    private let onReady: @Sendable (_ address: String) async throws -> Void

    /// Connections at the same time: those of pages that listen, and others.
    private static let mostConnections = 2_500
    /// Of all that are accepted, one part in so many is room for those that come while others are being closed for them.
    private static let spareShare = 25
    /// What is being answered when the site is stopped has so long yet; then its connection is closed.
    private static let lastAnswers = Duration.seconds(3)
    /// Connections, with what else is open: the history, images, the connections to others.
    package static let mostDescriptors = 4_096
    /// What is open beside the connections: the history for each reader, images, the connections to others.
    package static let otherDescriptors = 64
    private static let watch = Duration.seconds(1)
    private static let tidying = Duration.seconds(5)
    /// Times five seconds, between giving memory back and giving it back in the midst of making.
    private static let mostRounds = 12

    /// - Parameters:
    ///   - now: the wall clock.
    ///   - onReady: called once, with the address, when connections are accepted.
    package init(
        _ settings: SiteSettings, logger: Logger, now: @escaping @Sendable () -> Timestamp,
        onReady: @escaping @Sendable (_ address: String) async throws -> Void
    ) {
        self.settings = settings
        self.now = now
        self.logger = logger
        self.onReady = onReady
        clock = ContinuousClock()
        log = RefusalLog(logger)
        let accepted = Self.acceptedConnections(settings)
        connections = OpenConnections(most: max(1, accepted - max(1, accepted / Self.spareShare)))
        let history = HistoryAccess(path: settings.database, zone: settings.zone)
        self.history = history
        cache = AnswerCache { try await ContinuousClock().sleep(for: settings.longestAnswer) }
        let complain: @Sendable (String) -> Void = { logger.warning("\($0)") }
        key = settings.cacheFolder.flatMap { SecretKey.kept(in: $0, complain: complain) } ?? SecretKey()
        ended = EndedSessions(in: settings.cacheFolder, complain: complain)
        origins = KnownOrigins(settings.origins)
        hub = LiveHub { try history.look(now: now()) }
        look = .site
    }

    /// - Throws: `ListeningFailure` if it cannot listen there.
    package func run() async throws {
        if case .unix(let path) = settings.listening { try UnixSocket.requireFree(path) }
        let controllers = await Controllers.open(of: self)
        do { try await serve(controllers) } catch {
            await controllers.close()
            throw error
        }
        await controllers.close()
    }

    private func serve(_ controllers: Controllers) async throws {
        let ready = AsyncStream<any Channel>.makeStream()
        // A socket is never open to everybody, not even for the moment until its rights could be set.
        let mask = settings.listening.isSocket ? umask(UnixSocket.mask) : nil
        defer { if let mask { umask(mask) } }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                let isListening = Mutex(false)
                do {
                    try await application(controllers) { channel in
                        isListening.withLock { $0 = true }
                        ready.continuation.yield(channel)
                    }.run()
                } catch  where !(error is CancellationError) && !isListening.withLock({ $0 }) {
                    throw settings.listening.failure(.init(error))
                }
                return true
            }
            group.addTask {
                for await channel in ready.stream {
                    if let mask { umask(mask) }
                    try await announce(channel)
                }
                return false
            }
            group.addTask {
                await cancelWhenGracefulShutdown { _ = try? await hub.run(every: Self.watch, clock: clock) }
                return false
            }
            group.addTask {
                await tidyUp()
                return false
            }
            group.addTask {
                do {
                    try await gracefulShutdown()
                    try await clock.sleep(for: Self.lastAnswers)
                } catch { return false }
                connections.closeAll()
                return false
            }
            // The hub ends first and lets the open pages go. The server then ends when it has given its last answer.
            while let isServer = try await group.next(), !isServer {}
            ready.continuation.finish()
            group.cancelAll()
        }
    }

    /// Pages are made of a hundred times what is left of them.
    ///
    /// Giving it back holds up whoever is making one, so it waits until nobody is; where somebody always is, a minute.
    private func tidyUp() async {
        var tidy = 0
        var last = 0
        var rounds = 0
        while true {
            do { try await clock.sleep(for: Self.tidying) } catch { return }
            let made = await cache.answersMade
            let isResting = await cache.isResting && made == last
            last = made
            rounds += 1
            guard made != tidy, isResting || rounds >= Self.mostRounds else { continue }
            tidy = made
            rounds = 0
            settings.giveBack()
        }
    }

    private func announce(_ channel: any Channel) async throws {
        switch settings.listening {
        case .unix(let path):
            origins.add(settings.listening.origins(port: 0))
            try await onReady("unix:" + path)
        case .tcp(let host, let port):
            let port = channel.localAddress?.port ?? port
            origins.add(settings.listening.origins(port: port))
            try await onReady("http://\(host.contains(":") ? "[\(host)]" : host):\(port)")
        }
    }

    private func application(_ controllers: Controllers, _ onRunning: @escaping @Sendable (any Channel) -> Void)
        -> Application<
            BaseResponder<RouterResponder<SiteContext>>
        >
    {
        let address: BindAddress =
            switch settings.listening {
            case .unix(let path): .unixDomainSocket(path: path)
            case .tcp(let host, let port): .hostname(host, port: port)
            }
        var quiet = logger
        quiet.logLevel = max(.warning, logger.logLevel)
        return Application(
            responder: BaseResponder(origins: origins, inner: router(controllers).buildResponder()),
            server: .http1(configuration: Self.connections(connections, outgoing: outgoing, note: log.note)),
            configuration: ApplicationConfiguration(
                address: address,
                availableConnectionsDelegate: AcceptedConnections(
                    most: Self.acceptedConnections(settings), note: log.note)),
            onServerRunning: { onRunning($0) }, logger: quiet)
    }

    /// With so many, no more are accepted until one ends. Some are closed for others before that.
    static func acceptedConnections(_ settings: SiteSettings) -> Int {
        min(mostConnections, settings.mostConnections)
    }

    /// How connections are read. All that they may hold together fits the memory of the service.
    static func connections(
        _ connections: OpenConnections = OpenConnections(), pending: PendingBytes = PendingBytes(),
        outgoing: OutgoingBytes = OutgoingBytes(), note: @escaping @Sendable (String) -> Void
    ) -> HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                ConnectionWatcher(.init(), connections: connections),
                RequestWatcher(.init(), pending: pending, note: note),
                OutgoingBytes.Counter(outgoing),
            ],
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 128 << 10, maxHeaderListSize: 160 << 10, maxHeaderFieldCount: 100))
    }

    private func router(_ controllers: Controllers) -> Router<SiteContext> {
        let sessions = Sessions(key: key, ended: ended)
        let attempts = Attempts(clock: clock)
        let router = Router(context: SiteContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ResponseMiddleware(look: look, log: log, origins: origins))
        router.add(middleware: HostGuard(origins: origins))
        router.add(
            middleware: AccessGuard(
                credentials: settings.credentials, sessions: sessions, attempts: attempts, origins: origins, now: now,
                isPublic: Self.isPublic))
        router.add(middleware: ClientGuard(limits: ClientLimits(perMinute: settings.requestsPerMinute, clock: clock)))
        LoginController(
            credentials: settings.credentials, sessions: sessions, attempts: attempts, origins: origins, look: look,
            now: now
        ).add(to: router)
        let shared = SharedLinkController(
            key: key, credentials: settings.credentials, history: history, origins: origins, look: look, now: now)
        shared.add(to: router)
        var routes = Routes()
        shared.add(to: &routes)
        controllers.add(to: &routes)
        for route in routes.all {
            router.on(RouterPath(route.path), method: route.method) { request, context in
                try await respond(to: request, context, edition: controllers.edition, route)
            }
        }
        return router
    }

    /// What is shown to those who have not logged in: how to, and what that looks like.
    @Sendable private static func isPublic(_ path: String) -> Bool {
        path == "/login" || path == "/logout" || path.hasPrefix("/assets/") || path.hasPrefix("/shared/")
    }
}
