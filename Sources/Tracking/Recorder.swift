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
    /// Device errors that opening the file anew has mended, to be told.
    private var mended: [HistoryError] = []

    /// Between two tries while another program holds the lock: each waits for some seconds of its own.
    package static var retryInterval: Duration { .seconds(30) }
    private static var mostRetries: Int { 5 }
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

    /// What lies behind each query, recorded or waiting to be.
    package func attempts(asOf now: Timestamp) async throws -> [Query: Attempts] {
        checks.added(to: try await history.attempts(asOf: now), asOf: now)
    }

    /// Whether the check's list is far shorter than usual. One that cannot be compared for now is judged when it lands.
    func hasCollapsed(_ check: Check) async throws -> Bool {
        do {
            return try await mending { _ in try await self.verdict(on: check, onBadDay: false) } == .collapsed
        } catch let error as HistoryError where error.mayPass {
            return false
        }
    }

    /// Records a check, or keeps it until it can be.
    ///
    /// - Returns: what became true, in order: earlier checks that landed first.
    /// - Throws: `HistoryError` where waiting would mend nothing.
    func record(_ check: Check, onBadDay: Bool = false) async throws -> [Event] {
        var events = try await land()
        if trouble == nil {
            do {
                events.append(.recorded(try await commit(check, onBadDay: onBadDay, isRepeat: false)))
                return events + told()
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
            return events + told()
        }
        events.append(.settled(landed, dropped: checks.dropped))
        self.trouble = nil
        checks = WaitingChecks()
        landed = 0
        return events + told()
    }

    private func begin(_ error: HistoryError) {
        trouble = error
        lastTry = clock.now
    }

    private func isTime(after trouble: HistoryError) -> Bool {
        guard case .busy = trouble, let lastTry else { return true }
        return lastTry.advanced(by: Self.retryInterval) <= clock.now
    }

    private func told() -> [Event] {
        defer { mended = [] }
        return mended.map { .mended($0) }
    }

    private func verdict(on check: Check, onBadDay: Bool) async throws -> Belief.Verdict {
        guard case .answered(let list) = check.outcome else { return .accepted }
        return try await history.belief(about: check.query)
            .verdict(length: list.count, at: check.at, onBadDay: onBadDay)
    }

    private func commit(_ check: Check, onBadDay: Bool, isRepeat: Bool) async throws -> RecordedCheck {
        try await mending { isAgain in
            let verdict = try await self.verdict(on: check, onBadDay: onBadDay)
            var check = check
            if verdict == .collapsed, case .answered(let list) = check.outcome {
                check = Check(
                    query: check.query, at: check.at, outcome: .suspect(list, onBadDay ? .badDay : .collapsed))
            }
            return try await self.history.record(
                check, restartsBaseline: verdict == .believed, unlessStored: isRepeat || isAgain)
        }
    }

    /// Records what is no check, where nothing stands in the way.
    private func landOthers() async throws {
        guard trouble == nil else { return }
        do { try await writeOthers() } catch let error as HistoryError where error.mayPass { begin(error) }
    }

    private func writeOthers() async throws {
        for (endpoint, health) in health {
            try await mending { _ in try await self.history.keep(health, of: endpoint) }
            self.health[endpoint] = nil
        }
        if let moment = lastRequest {
            try await mending { _ in try await self.history.noteRequest(at: moment) }
            lastRequest = nil
        }
        if let moment = lastLookup {
            try await mending { _ in try await self.history.noteLookup(at: moment) }
            lastLookup = nil
        }
        while let pass = passes.first {
            try await mending { _ in try await self.history.record(pass) }
            passes.removeFirst()
        }
    }

    /// Does `work`; after an error of the device the file is opened anew and the work done again, five times at most.
    ///
    /// - Parameter work: told whether it is done again, with the time before possibly not in vain.
    private func mending<Value: Sendable>(_ work: (_ isAgain: Bool) async throws -> Value) async throws -> Value {
        var failures: [HistoryError] = []
        while true {
            do {
                if !failures.isEmpty { try await history.reopen() }
                let value = try await work(!failures.isEmpty)
                if let first = failures.first { mended.append(first) }
                return value
            } catch let error as HistoryError where error.isInputOutput && failures.count < Self.mostRetries {
                failures.append(error)
                // Whoever is told to end tries again all the same, without the wait.
                do { try await clock.sleep(for: .milliseconds(100) * (1 << failures.count)) } catch {}
            }
        }
    }
}
