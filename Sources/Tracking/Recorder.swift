package import History
package import RankKit

/// The way of what a pass finds into the history. While the history cannot take it (no room, somebody's lock, a file
/// system that became read-only) it waits in memory, and lands in order as soon as it can.
package actor Recorder<C: Clock> where C.Duration == Duration {
    package typealias Event = TrackingPass<C>.Event

    private let history: HistoryStore
    private let clock: C
    private var checks = WaitingChecks()
    /// The newest of each, besides the checks.
    private var health: [Endpoint: EndpointHealth] = [:]
    private var lastRequest: Timestamp?
    private var lastLookup: Timestamp?
    private var passes: [PassResult] = []
    /// Why things wait; `nil` while nothing does.
    private var trouble: HistoryError?
    private var lastTry: C.Instant?
    /// Checks that have landed since the trouble began.
    private var landed = 0
    /// Whether somebody records. One at a time: what is first in line must still be when it has been recorded.
    private var isTaken = false
    private var waitingForTurn: [CheckedContinuation<Void, Never>] = []

    /// Between two tries while another program holds the lock: each waits for some seconds of its own.
    package static var retryInterval: Duration { .seconds(30) }
    private static var mostPasses: Int { 100 }

    package init(history: HistoryStore, clock: C) {
        self.history = history
        self.clock = clock
    }

    /// What has not been recorded, and why.
    package struct Backlog: Sendable, Hashable {
        package var checks: Int
        /// How many more there were than memory was allowed.
        package var dropped: Int
        package var reason: HistoryError
    }

    /// `nil` while everything is recorded.
    package var backlog: Backlog? {
        trouble.map { Backlog(checks: checks.count, dropped: checks.dropped, reason: $0) }
    }

    /// What lies behind each active query, recorded or waiting to be.
    package func attempts(asOf now: Timestamp) async throws -> [Query: Attempts] {
        try await attempts(of: history.scheduledQueries(), asOf: now)
    }

    /// The same for these queries alone, at the cadences given.
    func attempts(of queries: [ScheduledQuery], asOf now: Timestamp) async throws -> [Query: Attempts] {
        await turn()
        defer { endTurn() }
        let stored = try await history.attempts(of: queries, asOf: now)
        guard checks.count > 0 else { return stored }
        var slots = SlotTable(now: now)
        let ends = queries.map { ($0.query, slots.slot(of: $0.cadences).end) }
        return checks.added(to: stored, asOf: now, slotEnds: Dictionary(ends) { max($0, $1) })
    }

    /// Whether the check's list is far shorter than usual. One that cannot be compared for now is judged when it lands.
    func hasCollapsed(_ check: Check) async throws -> Bool {
        do {
            return try await verdict(on: check, onBadDay: false) == .collapsed
        } catch let error as HistoryError where error.mayPass {
            return false
        }
    }

    /// Records a check, or keeps it until it can be.
    ///
    /// - Returns: what became true, in order: earlier checks that landed first.
    /// - Throws: `HistoryError` where waiting would mend nothing.
    func record(_ check: Check, onBadDay: Bool = false) async throws -> [Event] {
        await turn()
        defer { endTurn() }
        var events = try await landInTurn()
        if trouble == nil {
            do {
                events.append(.recorded(try await commit(check, onBadDay: onBadDay, isRepeat: false)))
                return await events + told()
            } catch let error as HistoryError where error.mayPass {
                begin(error)
            }
        }
        guard let trouble else { return events }
        checks.add(check, onBadDay: onBadDay)
        return events + [.waits(check, because: trouble)]
    }

    func noteRequest(at moment: Timestamp) async throws {
        lastRequest = moment
        try await landOthers()
    }

    /// Notes that an app was looked up at `moment`. What the answer said need not wait: it is asked again.
    func noteLookup(at moment: Timestamp) async throws {
        lastLookup = moment
        try await landOthers()
    }

    func keep(_ health: EndpointHealth, of endpoint: Endpoint) async throws {
        self.health[endpoint] = health
        try await landOthers()
    }

    func record(_ pass: PassResult) async throws {
        passes = passes.suffix(Self.mostPasses - 1) + [pass]
        try await landOthers()
    }

    /// Tries to record all that waits, unless that was tried a moment ago in vain.
    ///
    /// - Parameter isLastChance: tries in any case.
    /// - Returns: what became true, in order.
    package func land(isLastChance: Bool = false) async throws -> [Event] {
        await turn()
        defer { endTurn() }
        return try await landInTurn(isLastChance: isLastChance)
    }

    private func landInTurn(isLastChance: Bool = false) async throws -> [Event] {
        guard let trouble, isLastChance || isTime(after: trouble) else { return [] }
        var events: [Event] = []
        do {
            while let next = checks.first {
                // The try before may have reached the disk although it was said to have failed.
                events.append(.landed(try await commit(next.check, onBadDay: next.onBadDay, isRepeat: true)))
                checks.removeFirst()
                landed += 1
            }
            try await writeOthers()
        } catch let error as HistoryError where error.mayPass {
            begin(error)
            return await events + told()
        }
        events.append(.settled(landed, dropped: checks.dropped))
        self.trouble = nil
        checks = WaitingChecks()
        landed = 0
        return await events + told()
    }

    private func begin(_ error: HistoryError) {
        trouble = error
        lastTry = clock.now
    }

    private func isTime(after trouble: HistoryError) -> Bool {
        guard case .busy = trouble, let lastTry else { return true }
        return lastTry.advanced(by: Self.retryInterval) <= clock.now
    }

    private func told() async -> [Event] { await history.takeMended().map { .mended($0) } }

    /// Waits until nobody else records.
    private func turn() async {
        while isTaken { await withCheckedContinuation { waitingForTurn.append($0) } }
        isTaken = true
    }

    private func endTurn() {
        isTaken = false
        guard !waitingForTurn.isEmpty else { return }
        waitingForTurn.removeFirst().resume()
    }

    private func verdict(on check: Check, onBadDay: Bool) async throws -> Belief.Verdict {
        guard case .answered(let list) = check.outcome else { return .accepted }
        return try await history.belief(about: check.query, at: check.at)
            .verdict(length: list.count, at: check.at, onBadDay: onBadDay)
    }

    private func commit(_ check: Check, onBadDay: Bool, isRepeat: Bool) async throws -> RecordedCheck {
        let verdict = try await verdict(on: check, onBadDay: onBadDay)
        var check = check
        if verdict == .collapsed, case .answered(let list) = check.outcome {
            check = Check(query: check.query, at: check.at, outcome: .suspect(list, onBadDay ? .badDay : .collapsed))
        }
        return try await history.record(check, restartsBaseline: verdict == .believed, unlessStored: isRepeat)
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
        for (endpoint, health) in health {
            try await history.keep(health, of: endpoint)
            if self.health[endpoint] == health { self.health[endpoint] = nil }
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
