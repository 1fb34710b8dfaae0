package import AppStore
package import History
package import RankKit

/// The way of what is found into the history, and what lies behind each query because of it. While the history cannot
/// take it (no room, somebody's lock, a file system that became read-only) it waits in memory, and lands in order as
/// soon as it can.
package actor Recorder<C: Clock> where C.Duration == Duration {
    private let history: HistoryStore
    private let clock: C
    private let now: (@Sendable () -> Timestamp)?

    /// What lies behind each query, recorded or waiting to be.
    private var attempts: [Query: Attempts] = [:]
    private var checks = WaitingChecks()
    /// The newest of each, besides the checks.
    private var lastRequest: Timestamp?
    private var lastLookup: Timestamp?
    private var passes: [PassResult] = []
    /// Who knows how each endpoint is, and what the file has of it.
    private let paces: [Endpoint: Pace<C>]
    private var stored: [Endpoint: EndpointHealth]

    /// Why things wait; `nil` while nothing does.
    private var trouble: HistoryError?
    private var lastTry: C.Instant?
    /// Checks that have landed since the trouble began.
    private var landed = 0
    /// When the first check came that waits.
    private var waitsSince: (moment: Timestamp, instant: C.Instant)?
    /// Whether somebody records. One at a time: what is first in line must still be when it has been recorded.
    private var isTaken = false
    private let line = WaitingTasks()

    /// Between two tries while another program holds the lock: each waits for some seconds of its own.
    package static var retryInterval: Duration { .seconds(30) }
    private static var mostPasses: Int { 100 }
    /// What waited for less, and was all written, is not noted.
    private static var longWait: Duration { .seconds(600) }

    /// - Parameter now: the wall clock; `nil` where it shows the time of what is recorded.
    package init(
        history: HistoryStore, paces: [Endpoint: Pace<C>] = [:], clock: C, now: (@Sendable () -> Timestamp)? = nil
    ) {
        self.history = history
        self.now = now
        self.paces = paces
        stored = paces.mapValues { $0.inherited }
        self.clock = clock
    }

    /// `nil` while everything is recorded.
    package var backlog: Backlog? {
        trouble.map { Backlog(checks: checks.count, dropped: checks.dropped, reason: $0) }
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
    /// Reads anew what lies behind the queries that are being watched.
    package func takeUp(asOf now: Timestamp) async throws {
        attempts = try await attempts(of: history.scheduledQueries(), asOf: now)
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
        guard checks.count > 0 else { return stored }
        var slots = SlotTable(now: now)
        let ends = queries.map { ($0.query, slots.slot(of: $0.cadences).end) }
        return checks.added(to: stored, asOf: now, slotEnds: Dictionary(ends) { max($0, $1) })
    }

    private func note(_ query: Query, good: Bool, at moment: Timestamp) {
        attempts[query] = (attempts[query] ?? Attempts()).adding(good: good, at: moment)
    }
}

// MARK: Checks

extension Recorder {
    /// What to make of the check's list by itself, and whether its query is new. One that cannot be compared for now is
    /// judged when it lands: `nil`.
    func judge(_ check: Check) async throws -> (verdict: Belief.Verdict, isNew: Bool)? {
        guard case .answered(let list) = check.outcome else { return nil }
        do {
            let belief = try await history.belief(about: check.query, at: check.at)
            return (belief.verdict(length: list.count, at: check.at), belief.isNew)
        } catch let error as HistoryError where error.mayPass {
            return nil
        }
    }

    /// Records a check, or keeps it until it can be.
    ///
    /// - Returns: what became true, in order: earlier checks that landed first.
    /// - Throws: `HistoryError` if waiting would mend nothing.
    func record(
        _ check: Check, _ circumstances: PassCircumstances = .usual
    ) async throws -> [TrackingEvent] {
        await turn()
        defer { endTurn() }
        var events = try await landInTurn()
        if trouble == nil {
            do {
                let recorded = try await commit(check, circumstances, isRepeat: false)
                note(check.query, good: recorded.failure == nil, at: check.at)
                return await events + [.recorded(recorded)] + told()
            } catch let error as HistoryError where error.mayPass {
                begin(error)
            }
        }
        guard let trouble else { return events }
        if waitsSince == nil { waitsSince = (check.at, clock.now) }
        checks.add(check, circumstances)
        note(check.query, good: check.outcome.isGood, at: check.at)
        events.append(.waits(check, because: trouble))
        return events
    }

    /// Tries to record all that waits, unless that was tried a moment ago in vain.
    ///
    /// - Parameter isLastChance: tries in any case.
    /// - Returns: what became true, in order.
    package func land(isLastChance: Bool = false) async throws -> [TrackingEvent] {
        await turn()
        defer { endTurn() }
        return try await landInTurn(isLastChance: isLastChance)
    }

    private func landInTurn(isLastChance: Bool = false) async throws -> [TrackingEvent] {
        guard let trouble, isLastChance || isTime(after: trouble) else { return [] }
        var events: [TrackingEvent] = []
        do {
            while let next = checks.first {
                // The try before may have reached the disk although it was said to have failed.
                events.append(.landed(try await commit(next.check, next.circumstances, isRepeat: true)))
                checks.removeFirst()
                landed += 1
            }
            if let waited { try await history.note(waited) }
            try await writeOthers()
        } catch let error as HistoryError where error.mayPass {
            begin(error)
            return await events + told()
        }
        events.append(.settled(landed, dropped: checks.dropped))
        self.trouble = nil
        checks = WaitingChecks()
        (landed, waitsSince) = (0, nil)
        return await events + told()
    }

    /// What the history is to keep of the wait that ends now; `nil` if it is not worth that.
    private var waited: WaitedResults? {
        guard let waitsSince else { return nil }
        let wait = waitsSince.instant.duration(to: clock.now)
        guard wait >= Self.longWait || checks.dropped > 0 else { return nil }
        return WaitedResults(
            from: waitsSince.moment, until: waitsSince.moment + Int64(wait / .seconds(1)), written: landed,
            lost: checks.dropped)
    }

    private func begin(_ error: HistoryError) {
        trouble = error
        lastTry = clock.now
    }

    private func isTime(after trouble: HistoryError) -> Bool {
        guard case .busy = trouble, let lastTry else { return true }
        return lastTry.advanced(by: Self.retryInterval) <= clock.now
    }

    private func verdict(on check: Check, _ circumstances: PassCircumstances) async throws -> Belief.Verdict {
        guard case .answered(let list) = check.outcome else { return .accepted }
        return try await history.belief(about: check.query, at: check.at)
            .verdict(
                length: list.count, at: check.at, onBadDay: circumstances == .badDay,
                isSupported: circumstances == .supported)
    }

    private func commit(
        _ check: Check, _ circumstances: PassCircumstances, isRepeat: Bool
    ) async throws -> RecordedCheck {
        let verdict = try await verdict(on: check, circumstances)
        var check = check
        if let suspicion = verdict.suspicion, case .answered(let list) = check.outcome {
            check = Check(
                query: check.query, at: check.at,
                outcome: .suspect(list, circumstances == .badDay ? .badDay : suspicion))
        }
        return try await history.record(
            check, clock: now?(), restartsBaseline: verdict == .believed, unlessStored: isRepeat)
    }
}

// MARK: What is no check

extension Recorder {
    /// Notes that a request was made at `moment` which leaves no check.
    func noteRequest(at moment: Timestamp) async throws {
        lastRequest = moment
        try await landOthers()
    }

    /// Notes that apps were looked up at `moment`, which told nothing.
    func noteLookup(at moment: Timestamp) async throws {
        lastLookup = moment
        try await landOthers()
    }

    /// Has the file say what the endpoints' paces now know of their health.
    func keepHealth() async throws { try await landOthers() }

    /// Notes that a pass of `due` queries begins, for those who look on. Where it cannot be noted, nobody sees it.
    func begin(passAt moment: Timestamp, due: Int) async throws {
        await turn()
        defer { endTurn() }
        guard trouble == nil, due > 1 else { return }
        do { try await history.begin(passAt: moment, due: due) } catch let error as HistoryError where error.mayPass {}
    }

    /// Notes that no pass is under way, where one ended without having asked anything.
    func endPass() async throws {
        await turn()
        defer { endTurn() }
        guard trouble == nil else { return }
        do { try await history.endPass() } catch let error as HistoryError where error.mayPass {}
    }

    func record(_ pass: PassResult) async throws {
        passes = passes.suffix(Self.mostPasses - 1) + [pass]
        try await landOthers()
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
            return .success(try await history.record(outcomes, at: moment))
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
        if let moment = lastRequest {
            try await history.noteRequest(at: moment)
            if lastRequest == moment { lastRequest = nil }
        }
        if let moment = lastLookup {
            try await history.noteLookup(at: moment)
            if lastLookup == moment { lastLookup = nil }
        }
        while let pass = passes.first {
            try await history.record(pass)
            if passes.first == pass { passes.removeFirst() }
        }
    }
}
