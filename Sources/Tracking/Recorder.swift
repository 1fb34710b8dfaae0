package import AppStore
package import History
package import RankKit

/// The way of entries into the history, in order, and what lies behind each query because of them. While the history
/// cannot take them (no room, somebody's lock, a file system that became read-only) they wait in memory, and are
/// applied in order as soon as they can be.
package actor Recorder<C: Clock> where C.Duration == Duration {
    let history: HistoryStore
    let clock: C

    /// What lies behind each query, recorded or waiting to be.
    private var attempts: [Query: Attempts] = [:]
    var waiting = WaitingEntries()
    /// The newest look-up that told nothing.
    var lastLookup: Timestamp?
    /// Who knows how each endpoint is, and what the file has of it.
    private let paces: [Endpoint: Pace<C>]
    private var stored: [Endpoint: EndpointHealth]
    /// The number of the last pass of each source.
    var passes: [Source: Int64] = [:]
    /// The pass of each source that began last.
    var current: [Source: PassID] = [:]
    /// Questions whose first answers a pass that was cut off has left, and which are to be asked again.
    var cutOff: Set<Query> = []
    /// What became of answers elsewhere than in their pass, such as after it, while its end waits: its result has not
    /// counted them.
    var late: [PassID: [Query: RecordedCheck]] = [:]

    /// Questions to be asked again in the pass of their source, which became known while another source's answer was
    /// recorded.
    var againElsewhere: [Source: [Query]] = [:]

    /// What an end of a pass has settled that could not be applied whole, and has not been told.
    var untold: [RecordedCheck] = []

    /// Why things wait; `nil` while nothing does.
    var trouble: HistoryError?
    var lastTry: C.Instant?
    /// Checks that have landed since the trouble began.
    var landed = 0
    /// Questions that were told to wait in the pass of their source that began last: what is recorded of them is told as landed.
    var toldToWait: Set<Query> = []
    /// When the first answer came that waits.
    var waitsSince: (moment: Timestamp, instant: C.Instant)?
    /// Whether somebody records. One at a time: what is first in line must still be when it has been recorded.
    private var isTaken = false
    private let line = WaitingTasks()

    /// Between two tries while another program holds the lock: each waits for some seconds of its own.
    package static var retryInterval: Duration { .seconds(30) }

    package init(history: HistoryStore, paces: [Endpoint: Pace<C>] = [:], clock: C) {
        self.history = history
        self.paces = paces
        stored = paces.mapValues { $0.inherited }
        self.clock = clock
    }

    /// `nil` while everything is recorded.
    package var backlog: Backlog? {
        trouble.map { Backlog(checks: waiting.checks, dropped: waiting.dropped, reason: $0) }
    }

    /// Waits until nobody else records. What has been answered is recorded whether the task is cancelled or not.
    func turn() async {
        while isTaken { await line.wait(evenIfCancelled: true) }
        isTaken = true
    }

    func endTurn() {
        isTaken = false
        line.wakeFirst()
    }

    func told() async -> [TrackingEvent] { await history.takeMended().map { .mended($0) } }
}

// MARK: What lies behind each query

extension Recorder {
    /// Reads anew what lies behind the queries of a source that are being watched, and settles what passes that were cut
    /// off have left, as far as it is not to be asked again. Between passes of the source.
    ///
    /// - Returns: what became true.
    @discardableResult
    package func takeUp(_ source: Source = .usual, asOf now: Timestamp) async throws -> [TrackingEvent] {
        let events = try await settleCutOff(of: source, now: now)
        let queries = try await history.scheduledQueries().filter { $0.query.source == source }
        let read = try await attempts(of: queries, asOf: now)
        attempts = attempts.filter { $0.key.source != source }.merging(read) { $1 }
        return events
    }

    /// Those of `queries` that are due at `now`, in the order in which they are to be asked: none whose slot has its
    /// check, stored or waiting. Slots that a clock set back brings round again have theirs. At the end those that a pass
    /// which was cut off was to ask again.
    package func due(_ queries: [ScheduledQuery], now: Timestamp) async throws -> [ScheduledQuery] {
        let supposed = Schedule.due(queries, attempts: attempts, now: now)
        guard !supposed.isEmpty || !cutOff.isEmpty else { return [] }
        let known = try await attempts(of: supposed, asOf: now)
        let due = Set(Schedule.due(supposed, attempts: known, now: now).map(\.query))
        for query in supposed.map(\.query) where !due.contains(query) { attempts[query] = known[query] }
        return supposed.filter { due.contains($0.query) }
            + queries.filter { cutOff.contains($0.query) && !due.contains($0.query) }
    }

    /// The next moment at which one of `queries` is due; `nil` if there are none.
    ///
    /// - Parameter asked: those that are supposed to succeed now.
    package func nextWake(
        _ queries: [ScheduledQuery], asked: [ScheduledQuery] = [], now: Timestamp
    ) -> Timestamp? {
        let supposed = attempts.merging(asked.map { ($0.query, Attempts(lastGood: now)) }) { $1 }
        return Schedule.nextWake(queries, attempts: supposed, now: now)
    }

    func attempts(of queries: [ScheduledQuery], asOf now: Timestamp) async throws -> [Query: Attempts] {
        await turn()
        defer { endTurn() }
        let stored = try await history.attempts(of: queries, asOf: now)
        guard waiting.count > 0 else { return stored }
        var slots = SlotTable(now: now)
        let ends = queries.map { ($0.query, slots.slot(of: $0.cadences).end) }
        return waiting.added(to: stored, asOf: now, slotEnds: Dictionary(ends) { max($0, $1) })
    }

    func note(_ query: Query, good: Bool, at moment: Timestamp) {
        attempts[query] = (attempts[query] ?? Attempts()).adding(good: good, at: moment)
    }
}

// MARK: What is no check

extension Recorder {
    /// Notes that apps were looked up at `moment`, which told nothing.
    func noteLookup(at moment: Timestamp) async throws {
        lastLookup = max(lastLookup ?? moment, moment)
        try await landOthers()
    }

    /// Has the file say what the endpoints' paces now know of their health.
    func keepHealth() async throws { try await landOthers() }

    /// Takes up what a look-up told of each of its apps. It need not wait: it is asked again.
    ///
    /// - Parameter names: under which bundle identifiers it had the numbers that were asked for.
    /// - Returns: what was known of each app before, and what is known of it now; why it could not be taken up.
    func record(
        _ outcomes: [StorefrontApp: AppPresence.Outcome], _ names: [AppID: BundleID] = [:], at moment: Timestamp
    ) async throws -> Result<[StorefrontApp: (before: AppPresence, after: AppPresence)], HistoryError> {
        await turn()
        defer { endTurn() }
        do {
            if let trouble { throw trouble }
            return .success(
                try await history.apply(.lookup(LookupAnswer(at: moment, outcomes: outcomes, names: names))).presences)
        } catch let error as HistoryError where error.mayPass {
            if trouble == nil { begin(error) }
            lastLookup = moment
            return .failure(error)
        }
    }

    /// Records what is no check, where nothing stands in the way.
    private func landOthers() async throws {
        await turn()
        defer { endTurn() }
        guard trouble == nil else { return }
        do { try await writeOthers() } catch let error as HistoryError where error.mayPass { begin(error) }
    }

    /// Forgets what was written, but nothing that has come meanwhile.
    func writeOthers() async throws {
        for (endpoint, pace) in paces {
            let health = await pace.health
            guard health != stored[endpoint] else { continue }
            try await history.keep(health, of: endpoint)
            stored[endpoint] = health
        }
        if let moment = lastLookup {
            _ = try await history.apply(.lookup(LookupAnswer(at: moment)))
            if lastLookup == moment { lastLookup = nil }
        }
    }
}
