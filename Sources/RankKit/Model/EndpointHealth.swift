/// Something that is asked, with a pace and a health of its own.
package struct Endpoint: Sendable, Hashable {
    package let name: String
    /// The store's origin. What one origin asked for says nothing about another.
    package let origin: String

    /// What is asked for answers of a source.
    package static func search(_ source: Source = .usual, at origin: String) -> Endpoint {
        Endpoint(name: name(of: source), origin: origin)
    }

    package static func lookup(at origin: String) -> Endpoint { Endpoint(name: lookupName, origin: origin) }

    /// The name of what is asked for answers of `source`, as the history and `rankctl status` have it.
    package static func name(of source: Source) -> String { source == .itunes ? "search" : source.rawValue }

    package static let lookupName = "lookup"

    package var isOfLookups: Bool { name == Self.lookupName }
}

/// Whether one of Apple's endpoints may be asked, and what led to it: pure, so that it can be stored and tested.
package struct EndpointHealth: Sendable, Hashable {
    /// Why nothing is asked.
    package enum Pause: String, Sendable, Hashable {
        /// Apple turned requests away.
        case throttled
        /// Nobody could be reached several times in a row: the machine is offline.
        case offline
        /// The endpoint has answered nothing but errors of its own (5xx) for a while.
        case failing
    }

    /// How a request ended, as far as the endpoint's health goes.
    package enum Outcome: Sendable, Hashable {
        /// Someone answered, whatever the answer was worth.
        case reached
        /// Someone answered that the trouble is theirs (a status of 500–599), or did not bring an answer to its end.
        case troubled
        /// Apple's throttle, with the seconds that `Retry-After` asked for.
        case throttled(retryAfter: Int64?)
        /// No name, or no connection.
        case unreachable
    }

    /// `nil` while requests may be made.
    package private(set) var pause: Pause?
    /// When the pause began.
    package private(set) var pausedAt: Timestamp
    /// How long it lasts, in seconds.
    package private(set) var pauseLength: Int64
    /// Pauses since the endpoint last worked for a while: each doubles the next.
    package private(set) var pausesInARow: Int
    /// Requests that reached nobody since the last that did.
    package private(set) var unreachableInARow: Int
    /// Errors of its own (5xx, or no whole answer) that the endpoint gave since anything else came of a request.
    package private(set) var errorsInARow: Int
    /// Turns that are still taken at half the pace after a pause.
    package private(set) var slowTurns: Int

    package static let firstPause: Int64 = 60
    package static let longestPause: Int64 = 30 * 60
    /// What `Retry-After` may ask for, in seconds.
    package static let permittedRetryAfter: ClosedRange<Int64> = 1...3_600
    /// Failures to connect in a row that mean that the machine is offline.
    package static let unreachableLimit = 5
    /// Errors in a row that mean that the endpoint is in trouble: 25 queries with all their tries, which is five minutes at
    /// the usual pace. What is over sooner costs nobody a pause.
    package static let errorLimit = 75
    /// How many turns the slower start after a pause has.
    package static let slowStart = 10

    package init(
        pause: Pause? = nil, pausedAt: Timestamp = Timestamp(secondsSinceEpoch: 0), pauseLength: Int64 = 0,
        pausesInARow: Int = 0, unreachableInARow: Int = 0, errorsInARow: Int = 0, slowTurns: Int = 0
    ) {
        self.pause = pause
        self.pausedAt = pausedAt
        self.pauseLength = pauseLength
        self.pausesInARow = pausesInARow
        self.unreachableInARow = unreachableInARow
        self.errorsInARow = errorsInARow
        self.slowTurns = slowTurns
    }

    /// When the pause ends; `nil` if there is none.
    package var pausedUntil: Timestamp? { pause == nil ? nil : pausedAt + pauseLength }

    /// Seconds that the pause still has at `now`, 0 where there is none or it is over. Never more than the pause's
    /// whole length, whatever the clock says: one that was set back must not prolong it.
    package func secondsLeft(at now: Timestamp) -> Int64 {
        guard let until = pausedUntil else { return 0 }
        return min(max(0, until - now), min(pauseLength, Self.permittedRetryAfter.upperBound))
    }

    /// Takes up how a request ended.
    package mutating func note(_ outcome: Outcome, at now: Timestamp) {
        switch outcome {
        case .reached:
            (unreachableInARow, errorsInARow) = (0, 0)
            if pause != nil {
                resume()
            } else if slowTurns > 0 {
                slowTurns -= 1
                if slowTurns == 0 { pausesInARow = 0 }
            }
        case .troubled:
            unreachableInARow = 0
            // More than anybody counts, and what a column holds.
            errorsInARow = min(errorsInARow + 1, 1_000_000)
            if errorsInARow >= Self.errorLimit {
                begin(.failing, atLeast: 0, at: now)
            } else if pause != nil {
                resume()
            }
        case .throttled(let retryAfter):
            (unreachableInARow, errorsInARow) = (0, 0)
            begin(.throttled, atLeast: retryAfter ?? 0, at: now)
        case .unreachable:
            unreachableInARow += 1
            errorsInARow = 0
            if pause != nil || unreachableInARow >= Self.unreachableLimit { begin(.offline, atLeast: 0, at: now) }
        }
    }

    /// After a pause turns go on at half the pace for a while.
    private mutating func resume() {
        pause = nil
        slowTurns = Self.slowStart
    }

    private mutating func begin(_ kind: Pause, atLeast wanted: Int64, at now: Timestamp) {
        let doubled = min(Self.firstPause << Int64(min(pausesInARow, 10)), Self.longestPause)
        let asked =
            wanted > 0 ? min(max(wanted, Self.permittedRetryAfter.lowerBound), Self.permittedRetryAfter.upperBound) : 0
        pause = kind
        pausedAt = now
        pauseLength = max(doubled, asked)
        pausesInARow += 1
        slowTurns = 0
    }
}
