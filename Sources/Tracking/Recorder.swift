package import AppStore
package import History
package import RankKit

/// The way of entries into the history, in order, and what lies behind each query because of them. While the history
/// cannot take them (no room, somebody's lock, a file system that became read-only) they wait in memory, and are
/// applied in order as soon as they can be.
package actor Recorder<C: Clock> where C.Duration == Duration {
    private let history: HistoryStore
    private let clock: C

    /// What lies behind each query, recorded or waiting to be.
    private var attempts: [Query: Attempts] = [:]
    private var waiting = WaitingEntries()
    /// The newest look-up that told nothing.
    private var lastLookup: Timestamp?
    /// Who knows how each endpoint is, and what the file has of it.
    private let paces: [Endpoint: Pace<C>]
    private var stored: [Endpoint: EndpointHealth]
    /// The number of the last pass of each source.
    private var passes: [Source: Int64] = [:]
    /// The pass that began last.
    private var current: PassID?

    /// Why things wait; `nil` while nothing does.
    private var trouble: HistoryError?
    private var lastTry: C.Instant?
    /// Checks that have landed since the trouble began.
    private var landed = 0
    /// Questions whose answer waited, or was asked for in a pass that was cut off, and is held in the history since.
    private var landedHeld: Set<Query> = []
    /// When the first answer came that waits.
    private var waitsSince: (moment: Timestamp, instant: C.Instant)?
    /// Whether somebody records. One at a time: what is first in line must still be when it has been recorded.
    private var isTaken = false
    private let line = WaitingTasks()

    /// Between two tries while another program holds the lock: each waits for some seconds of its own.
    package static var retryInterval: Duration { .seconds(30) }
    /// What waited for less, and was all written, is not noted.
    private static var longWait: Duration { .seconds(600) }

    package init(history: HistoryStore, paces: [Endpoint: Pace<C>] = [:], clock: C) {
        self.history = history
        self.paces = paces
        stored = paces.mapValues { $0.inherited }
        self.clock = clock
    }

    /// `nil` while everything is recorded.
    package var backlog: Backlog? {
        trouble.map { Backlog(checks: waiting.count, dropped: waiting.dropped, reason: $0) }
    }

    /// Waits until nobody else records. What has been answered is recorded whether the task is cancelled or not.
    private func turn() async {
        while isTaken { await line.wait(evenIfCancelled: true) }
        isTaken = true
    }

    private func endTurn() {
        isTaken = false
        line.wakeFirst()
    }

    private func told() async -> [TrackingEvent] { await history.takeMended().map { .mended($0) } }
}

// MARK: What lies behind each query

extension Recorder {
    /// Reads anew what lies behind the queries that are being watched. Between passes: what one that was cut off has
    /// left is settled.
    ///
    /// - Returns: what became true.
    @discardableResult
    package func takeUp(asOf now: Timestamp) async throws -> [TrackingEvent] {
        let events = try await settleOpenPasses(now: now)
        attempts = try await attempts(of: history.scheduledQueries(), asOf: now)
        return events
    }

    private func settleOpenPasses(now: Timestamp) async throws -> [TrackingEvent] {
        // What waits says itself how its passes went on.
        guard trouble == nil else { return [] }
        var events: [TrackingEvent] = []
        for (pass, held) in try await history.openPasses() {
            landedHeld.formUnion(held)
            for query in held {
                events += try await record(
                    .answer(SearchAnswer(to: query, at: now, clock: now, asking: .second(pass), reply: .unasked))
                ).events
            }
            events += try await record(.pass(.ended(pass, at: now, nil))).events
        }
        return events
    }

    /// Those of `queries` that are due at `now`, in the order in which they are to be asked: none whose slot has its
    /// check, stored or waiting. Slots that a clock set back brings round again have theirs.
    package func due(_ queries: [ScheduledQuery], now: Timestamp) async throws -> [ScheduledQuery] {
        let supposed = Schedule.due(queries, attempts: attempts, now: now)
        guard !supposed.isEmpty else { return [] }
        let known = try await attempts(of: supposed, asOf: now)
        let due = Set(Schedule.due(supposed, attempts: known, now: now).map(\.query))
        for query in supposed.map(\.query) where !due.contains(query) { attempts[query] = known[query] }
        return supposed.filter { due.contains($0.query) }
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

    private func note(_ query: Query, good: Bool, at moment: Timestamp) {
        attempts[query] = (attempts[query] ?? Attempts()).adding(good: good, at: moment)
    }
}

// MARK: Entries

/// What became of an entry, and of those that waited before it.
package struct Recorded: Sendable {
    /// What became true, in order.
    package var events: [TrackingEvent] = []
    /// Questions that are to be asked again in the pass.
    package var askAgain: [Query] = []
    /// How the pass went that ended.
    package var pass: PassResult?
}

extension Recorder {
    /// Records an entry, or keeps it until it can be. Those that wait come first.
    ///
    /// - Throws: `HistoryError` if waiting would mend nothing.
    func record(_ entry: Entry) async throws -> Recorded {
        await turn()
        defer { endTurn() }
        var recorded = try await landInTurn()
        if trouble == nil {
            do {
                let applied = try await history.apply(entry)
                recorded.events += applied.recorded.map(event)
                recorded.events += await told()
                recorded.askAgain += applied.askAgain
                recorded.pass = applied.pass
                for check in applied.recorded { note(check.query, good: check.failure == nil, at: check.at) }
                return recorded
            } catch let error as HistoryError where error.mayPass {
                begin(error)
            }
        }
        guard let trouble else { return recorded }
        waiting.add(entry)
        guard case .answer(let answer) = entry, let check = answer.check else { return recorded }
        if waitsSince == nil { waitsSince = (check.at, clock.now) }
        note(check.query, good: check.outcome.isGood, at: check.at)
        recorded.events.append(.waits(check, because: trouble))
        return recorded
    }

    /// Tries to record all that waits, unless that was tried a moment ago in vain.
    ///
    /// - Parameter isLastChance: tries in any case.
    /// - Returns: what became true, in order.
    package func land(isLastChance: Bool = false) async throws -> [TrackingEvent] {
        await turn()
        defer { endTurn() }
        return try await landInTurn(isLastChance: isLastChance).events
    }

    private func landInTurn(isLastChance: Bool = false) async throws -> Recorded {
        var recorded = Recorded()
        guard let trouble, isLastChance || isTime(after: trouble) else { return recorded }
        do {
            while let next = waiting.first {
                let applied = try await history.apply(next)
                recorded.events += applied.recorded.map { .landed($0) }
                landed += applied.recorded.count
                // What an earlier pass asked its own end settles.
                if let current, case .answer(let answer) = next, answer.asking == .first(current) {
                    recorded.askAgain += applied.askAgain
                }
                landedHeld.formUnion(applied.askAgain)
                landedHeld.subtract(applied.recorded.map(\.query))
                waiting.removeFirst()
            }
            if let waited { try await history.note(waited) }
            try await writeOthers()
        } catch let error as HistoryError where error.mayPass {
            begin(error)
            recorded.events += await told()
            return recorded
        }
        recorded.events.append(.settled(landed, dropped: waiting.dropped))
        self.trouble = nil
        waiting = WaitingEntries()
        (landed, waitsSince) = (0, nil)
        recorded.events += await told()
        return recorded
    }

    /// One whose answer waited was counted then.
    private func event(_ check: RecordedCheck) -> TrackingEvent {
        landedHeld.remove(check.query) == nil ? .recorded(check) : .landed(check)
    }

    /// What the history is to keep of the wait that ends now; `nil` if it is not worth that.
    private var waited: WaitedResults? {
        guard let waitsSince else { return nil }
        let wait = waitsSince.instant.duration(to: clock.now)
        guard wait >= Self.longWait || waiting.dropped > 0 else { return nil }
        return WaitedResults(
            from: waitsSince.moment, until: waitsSince.moment + Int64(wait / .seconds(1)), written: landed,
            lost: waiting.dropped)
    }

    private func begin(_ error: HistoryError) {
        trouble = error
        lastTry = clock.now
    }

    private func isTime(after trouble: HistoryError) -> Bool {
        guard case .busy = trouble, let lastTry else { return true }
        return lastTry.advanced(by: Self.retryInterval) <= clock.now
    }
}

// MARK: What is no check

extension Recorder {
    /// Notes that apps were looked up at `moment`, which told nothing.
    func noteLookup(at moment: Timestamp) async throws {
        lastLookup = moment
        try await landOthers()
    }

    /// Has the file say what the endpoints' paces now know of their health.
    func keepHealth() async throws { try await landOthers() }

    /// Begins a pass over `due` queries of a source. For those who look on it is noted if there are several; if that
    /// cannot be, nobody sees it.
    func begin(passOf source: Source, at moment: Timestamp, due: Int) async throws -> (
        pass: PassID, events: [TrackingEvent]
    ) {
        await turn()
        defer { endTurn() }
        let pass = PassID(of: source, number: try await nextPass(of: source, at: moment))
        current = pass
        guard trouble == nil, due > 1 else { return (pass, []) }
        do {
            let applied = try await history.apply(.pass(.began(pass, at: moment, due: due)))
            return (pass, applied.recorded.map { .landed($0) })
        } catch let error as HistoryError where error.mayPass {
            return (pass, [])
        }
    }

    /// The number of a pass that begins at `moment`. Passes whose ends wait have theirs, too. Where the history cannot
    /// be asked, the seconds since 1970 are larger than any.
    private func nextPass(of source: Source, at moment: Timestamp) async throws -> Int64 {
        var next = (passes[source] ?? 0) + 1
        do {
            next = max(next, try await history.nextPass(of: source))
        } catch let error as HistoryError where error.mayPass {
            next = max(next, moment.secondsSinceEpoch)
        }
        passes[source] = next
        return next
    }

    /// Takes up what a look-up told of each of its apps. It need not wait: it is asked again.
    ///
    /// - Returns: what was known of each app before, and what is known of it now; why it could not be taken up.
    func record(
        _ outcomes: [StorefrontApp: AppPresence.Outcome], at moment: Timestamp
    ) async throws -> Result<[StorefrontApp: (before: AppPresence, after: AppPresence)], HistoryError> {
        await turn()
        defer { endTurn() }
        do {
            if let trouble { throw trouble }
            return .success(
                try await history.apply(.lookup(LookupAnswer(at: moment, outcomes: outcomes))).presences)
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
    private func writeOthers() async throws {
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
