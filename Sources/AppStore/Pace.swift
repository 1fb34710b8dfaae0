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
    package init(
        requestsPerMinute: Int, sinceLastRequest: Duration? = nil, health: EndpointHealth = EndpointHealth(),
        now: Timestamp = Timestamp(secondsSinceEpoch: 0), clock: C
    ) {
        self.clock = clock
        let interval = Self.interval(requestsPerMinute)
        let wait = sinceLastRequest.map { min(interval, max(.zero, interval - $0)) } ?? .zero
        self.interval = interval
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
    /// - Throws: `CancellationError`. The turn is then lost where others wait behind it, so that nobody is early.
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
            do {
                try await spaced(by: health.slowTurns > 0 ? interval * 2 : interval)
            } catch {
                if isProbe { endProbe() }
                throw error
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

    private func spaced(by interval: Duration) async throws {
        var mine = max(next, clock.now)
        let after = mine.advanced(by: interval)
        next = after
        while true {
            do {
                if clock.now < mine { try await clock.sleep(until: mine, tolerance: nil) }
            } catch {
                // Where nobody stands behind, nobody would be early, and those to come need not wait for nothing.
                if next == after { next = mine }
                throw error
            }
            // After a suspend everyone wakes at once: whoever is not the first waits its interval anew.
            guard let earliest = granted?.advanced(by: interval), clock.now < earliest else { return }
            mine = earliest
        }
    }

    /// Takes up how a request ended.
    package func note(_ outcome: EndpointHealth.Outcome, at now: Timestamp) {
        lastMove = clock.now
        if !isProbing, health.pause != nil {
            // Requests that were under way together are turned away together: that is one pause, not several. And an
            // answer that was still under way when it began says nothing about its end.
            return
        }
        health.note(outcome, at: now)
        pauseEnd = health.pause == nil ? nil : clock.now.advanced(by: .seconds(health.pauseLength))
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
