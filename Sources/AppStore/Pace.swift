package import RankKit

/// The pace at which one endpoint may be asked, shared by all who ask: a token bucket with a burst of one, which stops
/// when Apple turns requests away or nobody can be reached.
///
/// Turns are granted in the order of asking, one interval apart, and never sooner than one interval after the last
/// request of an earlier run. After a pause one request is let through as a probe; if it reaches someone, turns go on
/// at half the pace for a while.
package actor Pace<C: Clock> where C.Duration == Duration {
    private let clock: C
    private var interval: Duration
    /// When the next turn may begin.
    private var next: C.Instant
    /// When the newest turn was granted.
    private var granted: C.Instant?
    package private(set) var health: EndpointHealth
    /// What an earlier run left of it.
    package nonisolated let inherited: EndpointHealth
    /// How many turns have been granted.
    package private(set) var turns = 0
    /// When a turn was last granted or a request last ended: a sign that asking gets on.
    package private(set) var lastMove: C.Instant?
    /// When the pause ends. On the clock that nobody sets, so that a wall clock that jumps can't prolong it.
    private var pauseEnd: C.Instant?
    private var isProbing = false
    /// Who waits for the probe to come back.
    private let waiting = WaitingTasks()
    /// With whom the turns are shared beyond this process.
    private let shared: SharedTurns?
    /// Why they are not, for now.
    private var sharingTrouble: TurnsFile.Trouble?
    /// Whether somebody of this process stands in line with others: one at a time, or it would take more than its share.
    private var isInLine = false
    private let behind = WaitingTasks()
    /// Until when nobody's place in the file of turns is waited for: others held this program up for too long.
    private var goesAlone: C.Instant?
    /// How long others have held up the keeper of the file, as of a moment: it is forgotten over an hour.
    private var heldUp = Duration.zero
    private var heldUpAt: C.Instant
    /// When another program's pause was last taken over, which Apple has not borne out since.
    private var believedAt: C.Instant?

    /// How long the writer of the history waits for what another program wrote into the file of turns. Whoever is in its
    /// group can write there: without a limit, anybody could keep rankd from asking.
    package static var longestBelief: Duration { .seconds(60) }
    /// How much of an hour the keeper waits for others in all, whatever each turn of its own waits: as long as 75 searches
    /// of theirs take at the default pace. Without it, somebody who holds up each turn for a little less than is believed
    /// would slow all searches down for as long as they like.
    package static var mostHeldUp: Duration { .seconds(300) }
    /// How long nothing of the kind is believed afterwards.
    package static var disbelief: Duration { .seconds(3_600) }

    /// What asking for a turn came to.
    package enum Turn: Sendable, Hashable {
        case granted
        /// Nothing is to be asked for so long.
        case paused(Duration)
    }

    /// - Parameters:
    ///   - requestsPerMinute: 1–100,000.
    ///   - sinceLastRequest: how long ago the last request of an earlier run began, where one is known. Negative
    ///     where the wall clock has gone back, which waits one interval and no more.
    ///   - health: what an earlier run left, as of `now`.
    ///   - shared: the turns of all programs at this address, each of which is waited for as well.
    package init(
        requestsPerMinute: Int, sinceLastRequest: Duration? = nil, health: EndpointHealth = EndpointHealth(),
        now: Timestamp = Timestamp(secondsSinceEpoch: 0), shared: SharedTurns? = nil, clock: C
    ) {
        self.clock = clock
        self.shared = shared
        let interval = Self.interval(requestsPerMinute)
        let wait = sinceLastRequest.map { min(interval, max(.zero, interval - $0)) } ?? .zero
        self.interval = interval
        heldUpAt = clock.now
        next = clock.now.advanced(by: wait)
        self.health = health
        inherited = health
        pauseEnd = health.pause == nil ? nil : clock.now.advanced(by: .seconds(health.secondsLeft(at: now)))
    }

    /// How long nothing is to be asked; `nil` while turns are granted or the probe may go.
    package var pauseLeft: Duration? {
        guard let pauseEnd else { return nil }
        let left = clock.now.duration(to: pauseEnd)
        return left > .zero ? left : nil
    }

    /// Changes the pace from the next turn on.
    package func set(requestsPerMinute: Int) {
        interval = Self.interval(requestsPerMinute)
    }

    /// Waits for the caller's turn. Whoever is granted one asks, and then says by `note` how it ended, or by `giveUp`
    /// that it did not.
    ///
    /// - Throws: `CancellationError`. The turn is then lost where others wait behind it, so that nobody is early. And
    ///   `TurnsFile.Trouble` where turns are shared by a file that is of no use and not this program's to keep.
    package func turn() async throws -> Turn {
        while true {
            try Task.checkCancellation()
            while isProbing {
                await waiting.wait()
                try Task.checkCancellation()
            }
            if let pauseLeft { return .paused(pauseLeft) }
            // The pause is over, and nobody has asked yet: this is the probe.
            let isProbe = health.pause != nil
            if isProbe { isProbing = true }
            let isMine: Bool
            do {
                isMine = try await spaced(by: health.slowTurns > 0 ? interval * 2 : interval)
            } catch {
                if isProbe { endProbe() }
                throw error
            }
            guard isMine else {
                if isProbe { endProbe() }
                continue
            }
            // Somebody's answer may have begun a pause in the meantime.
            if !isProbe, health.pause != nil { continue }
            granted = clock.now
            lastMove = clock.now
            turns += 1
            next = max(next, clock.now.advanced(by: interval))
            return .granted
        }
    }

    /// - Returns: `false` where a pause of another program's came instead.
    private func spaced(by interval: Duration) async throws -> Bool {
        var mine = max(next, clock.now)
        let after = mine.advanced(by: interval)
        next = after
        while true {
            do {
                if clock.now < mine { try await clock.sleep(until: mine, tolerance: nil) }
                if isInLine {
                    await behind.wait()
                    try Task.checkCancellation()
                }
            } catch {
                // Where nobody stands behind, nobody would be early, and those to come need not wait for nothing.
                if next == after { next = mine }
                throw error
            }
            // After a suspend everyone wakes at once: whoever is not the first waits its interval anew.
            if let earliest = granted?.advanced(by: interval), clock.now < earliest {
                mine = earliest
            } else if !isInLine {
                return try await standInLine(by: interval)
            }
        }
    }

    /// Waits for the turn among all programs of this address.
    private func standInLine(by interval: Duration) async throws -> Bool {
        guard let shared else { return true }
        isInLine = true
        defer {
            isInLine = false
            behind.wakeAll()
        }
        let isKeeper = shared.keeper != nil
        let began = clock.now
        let patienceEnd = began.advanced(by: isKeeper ? patience(at: interval) : Self.outsidersPatience(at: interval))
        defer { if isKeeper { heldUp += began.duration(to: clock.now) } }
        var place: TurnsFile.Place?
        while true {
            lastMove = clock.now
            if isKeeper, clock.now >= patienceEnd { goesAlone = clock.now.advanced(by: Self.disbelief) }
            if let until = goesAlone, clock.now < until {
                shared.take(interval: interval, was: &sharingTrouble)
                return true
            }
            let heedsPauses =
                !isKeeper || believedAt.map { $0.duration(to: clock.now) >= Self.disbelief } ?? true
            switch try shared.turn(
                interval: interval, holding: place, heedsPauses: heedsPauses, was: &sharingTrouble)
            {
            case .granted, nil: return true
            case .paused(let left):
                if isKeeper { believedAt = clock.now }
                take(over: isKeeper ? min(left, Self.longestBelief) : left, at: shared.now())
                return false
            case .wait(let time, let held):
                place = held
                do {
                    if !isKeeper, clock.now >= patienceEnd { throw TurnsFile.Trouble.held(path: shared.file.path) }
                    try await clock.sleep(until: min(clock.now.advanced(by: time), patienceEnd), tolerance: nil)
                } catch {
                    if let place { shared.giveBack(place) }
                    throw error
                }
            }
        }
    }

    /// How long whoever does not keep the file waits in line: for all who may honestly stand before it, a minute at least.
    private static func outsidersPatience(at interval: Duration) -> Duration {
        // Others may go at half the pace, after Apple has turned one of them away.
        max(longestBelief, interval * 2 * Int(TurnsRecord.Row.longestLine)) + interval
    }

    /// How long the keeper of the file waits in line now: for all who may honestly stand before it, one of whom at least is
    /// waited for at any pace, and no longer than is left of what it waits within an hour.
    private func patience(at interval: Duration) -> Duration {
        let now = clock.now
        let most = max(Self.mostHeldUp, interval * 10)
        let forgotten = most * (heldUpAt.duration(to: now) / Self.disbelief)
        heldUp = max(.zero, heldUp - forgotten)
        heldUpAt = now
        return min(min(Self.longestBelief, interval * Int(TurnsRecord.Row.longestLine)) + interval, most - heldUp)
    }

    /// Another program was turned away: that counts as if this one had been, for as long as that one pauses.
    private func take(over left: Duration, at now: Timestamp) {
        let (whole, rest) = left.components
        let seconds = whole + (rest > 0 ? 1 : 0)
        health = EndpointHealth(
            pause: .throttled, pausedAt: now, pauseLength: seconds, pausesInARow: max(1, health.pausesInARow))
        pauseEnd = clock.now.advanced(by: .seconds(seconds))
    }

    /// Takes up how a request ended.
    package func note(_ outcome: EndpointHealth.Outcome, at now: Timestamp) {
        lastMove = clock.now
        if !isProbing, health.pause != nil {
            // Requests that were under way together are turned away together: that is one pause, not several. And an
            // answer that was still under way when it began says nothing about its end.
            return
        }
        // The other program was right: its next pause is believed again.
        if case .throttled = outcome { believedAt = nil }
        health.note(outcome, at: now)
        pauseEnd = health.pause == nil ? nil : clock.now.advanced(by: .seconds(health.pauseLength))
        if health.pause == .throttled { shared?.notePause(health.pauseLength) }
        endProbe()
    }

    /// The turn that was granted was not used, or cut off.
    package func giveUp() {
        lastMove = clock.now
        endProbe()
    }

    private func endProbe() {
        guard isProbing else { return }
        isProbing = false
        waiting.wakeAll()
    }

    private static func interval(_ requestsPerMinute: Int) -> Duration {
        Duration.seconds(60) / max(1, requestsPerMinute)
    }
}
