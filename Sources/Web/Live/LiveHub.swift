import History
import RankKit
import ServiceLifecycle

/// Tells every open page when the history has changed, and how far the pass under way is.
///
/// One look at the file a second serves them all, and none is taken while nobody listens.
actor LiveHub {
    /// What pages are told.
    enum Event: Sendable, Hashable {
        /// The history is this one now.
        case changed(String)
        /// So many of the queries that were due have been asked, and it will take about so long yet; the end of the pass
        /// where it is `nil`.
        case progress(Progress?)
    }

    struct Progress: Sendable, Hashable {
        var done: Int
        var due: Int
        var secondsLeft: Int64?
    }

    /// What a look at the history finds.
    struct Look: Sendable, Hashable {
        var version: String
        var progress: Progress?
    }

    private let look: @Sendable () throws -> Look
    private var listeners: [Int: AsyncStream<Event>.Continuation] = [:]
    /// Whose each listener is.
    private var clients: [Int: Client] = [:]
    private var lastTicket = 0
    /// Whether the site ends: nobody would tell anything any more.
    private var isClosed = false
    private var last: Look?
    /// When pages were last told of a change.
    private var toldAt: ContinuousClock.Instant?
    private let waiting = WaitingTasks()

    /// Pages that listen at the same time, of all visitors.
    static let most = 2_000
    /// Pages of one client that do.
    static let mostOfOne = 1_000
    /// What a page that reads nothing is kept at most; the newest are the ones that count.
    private static let backlog = 4
    /// Between two changes that are told: in a pass there is one with every check, and each has every page made anew.
    private static let calm = Duration.seconds(5)

    /// - Parameter look: reads the file; throws where it cannot be read, which no page need be told.
    init(look: @escaping @Sendable () throws -> Look) { self.look = look }

    /// What happens from now on, beginning with how it is; `nil` where too many listen already, of all or of `client`.
    func listen(for client: Client = Client(name: "", isKnown: true)) -> AsyncStream<Event>? {
        guard !isClosed, listeners.count < Self.most,
            clients.values.count(where: { $0 == client }) < Self.mostOfOne
        else { return nil }
        lastTicket += 1
        let ticket = lastTicket
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(Self.backlog))
        continuation.onTermination = { _ in Task { await self.leave(ticket) } }
        if listeners.isEmpty { last = nil }
        listeners[ticket] = continuation
        clients[ticket] = client
        if let last { continuation.tell(last, after: nil) }
        waiting.wakeAll()
        return stream
    }

    var count: Int { listeners.count }

    private func leave(_ ticket: Int) {
        listeners[ticket] = nil
        clients[ticket] = nil
    }

    /// Looks once and tells what is new; of a change soon after another, later.
    func turn(at now: ContinuousClock.Instant = .now) {
        guard !listeners.isEmpty, var found = try? look() else { return }
        if let last, found.version != last.version {
            if let toldAt, now < toldAt.advanced(by: Self.calm) { found.version = last.version } else { toldAt = now }
        }
        guard found != last else { return }
        let before = last
        last = found
        for listener in listeners.values { listener.tell(found, after: before) }
    }

    /// Looks every `interval` until it is cancelled, and sleeps while nobody listens.
    func run(every interval: Duration, clock: any Clock<Duration>) async throws {
        defer {
            isClosed = true
            for listener in listeners.values { listener.finish() }
        }
        while true {
            while listeners.isEmpty {
                await waiting.wait()
                try Task.checkCancellation()
            }
            turn()
            try await clock.sleep(for: interval)
        }
    }
}

extension AsyncStream<LiveHub.Event>.Continuation {
    fileprivate func tell(_ look: LiveHub.Look, after before: LiveHub.Look?) {
        if look.version != before?.version { yield(.changed(look.version)) }
        if look.progress != before?.progress { yield(.progress(look.progress)) }
    }
}
