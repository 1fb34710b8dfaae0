import Foundation
package import RankKit

/// The turns of all programs that ask from this address, in a small file beside the history, so that together they ask
/// no faster than the pace.
///
/// Whoever wants a turn takes a place behind the last one that was taken, waits, and then takes the turn; both are one
/// step each under the file's lock, which is held for as long as a read and a write take. What keeps the pace is when a
/// turn was last taken; the places only say who is next. So a program that ends between its place and its turn costs the
/// others one interval at most, and one that comes late takes no turn too early.
///
/// Times are those since the machine was started, which nobody sets. What lies ahead of now was written before a restart
/// of the machine, and is waited for one interval and no longer.
package struct TurnsFile: Sendable {
    package let path: String
    /// Nanoseconds since the machine was started.
    private let clock: @Sendable () -> Int64

    /// - Parameter database: as `HistoryReader.path` spells it.
    package init(beside database: String, clock: @escaping @Sendable () -> Int64 = Self.sinceStart) {
        path = database + ".turns"
        self.clock = clock
    }

    /// What asking for a turn came to.
    package enum Answer: Sendable, Hashable {
        case granted
        /// Ask again after so long, with the place that is held meanwhile. There is none where too many wait.
        case wait(Duration, Place?)
        /// The App Store has turned another program away.
        case paused(Duration)
    }

    /// Where somebody stands.
    package struct Place: Sendable, Hashable {
        let at: Int64
        /// Whoever stood last before.
        let before: Int64?
    }

    /// Takes a place, or the turn where it is time for it.
    ///
    /// - Parameters:
    ///   - program: who asks. Its own pauses do not stop it: it knows them itself.
    ///   - interval: what has to lie between two turns, at most a minute or two.
    ///   - place: what an earlier answer gave.
    ///   - keeper: the writer of the history, which says by it that it goes by this file.
    ///   - heedsPauses: whether pauses of other programs count.
    package func turn(
        of endpoint: Endpoint, for program: String, interval: Duration, holding place: Place? = nil,
        keeper: Int32? = nil, heedsPauses: Bool = true
    ) throws(Trouble) -> Answer {
        try update(keeper: keeper) { record, now in
            let interval = min(max(0, Self.nanoseconds(interval)), TurnsRecord.longestInterval)
            return record.withRow(of: endpoint, at: now) { row in
                row.turn(for: program, interval: interval, holding: place, heedsPauses: heedsPauses, at: now)
            }
        }
    }

    /// Takes the turn now, whatever the file says of others: they wait their interval from here.
    package func take(of endpoint: Endpoint, interval: Duration, keeper: Int32?) throws(Trouble) {
        try update(keeper: keeper) { record, now in
            let interval = min(max(0, Self.nanoseconds(interval)), TurnsRecord.longestInterval)
            record.withRow(of: endpoint, at: now) { row in (row.taken, row.tail, row.interval) = (now, nil, interval) }
        }
    }

    /// Leaves a place, to whoever comes next where nobody stands behind.
    package func giveBack(_ place: Place, of endpoint: Endpoint) throws(Trouble) {
        try update { record, now in
            record.withRow(of: endpoint, at: now) { row in
                if row.tail == place.at { row.tail = place.before }
            }
        }
    }

    /// Tells the others that the App Store has turned `program` away.
    ///
    /// - Parameter seconds: for how long `program` pauses; an hour counts at most.
    package func notePause(_ seconds: Int64, of endpoint: Endpoint, by program: String) throws(Trouble) {
        try update { record, now in
            record.withRow(of: endpoint, at: now) { row in
                let seconds = min(max(1, seconds), EndpointHealth.permittedRetryAfter.upperBound)
                row.pauses[program] = TurnsRecord.Pause(from: now, seconds: seconds)
            }
        }
    }

    /// How long `program` has still to pause by what it noted, in an earlier life perhaps.
    package func pauseLeft(of endpoint: Endpoint, by program: String) throws(Trouble) -> Duration? {
        try update { record, now in
            record.withRow(of: endpoint, at: now) { $0.pauses[program].map { .nanoseconds($0.left(at: now)) } }
        }
    }

    /// The process that writes the history and said that it goes by this file; `nil` if none did.
    package func keeper() throws(Trouble) -> Int32? {
        try update { record, _ in record.keeper }
    }

    package static var sinceStart: @Sendable () -> Int64 {
        {
            var time = timespec()
            #if os(Linux)
                // Goes on while the machine sleeps, as `ContinuousClock` does (clock_gettime(2)).
                clock_gettime(CLOCK_BOOTTIME, &time)
            #else
                clock_gettime(CLOCK_MONOTONIC_RAW, &time)
            #endif
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
    }

    static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    private func update<Value>(
        keeper: Int32? = nil, _ change: (inout TurnsRecord, _ now: Int64) -> Value
    ) throws(Trouble) -> Value {
        let file = try LockedFile(path)
        var (record, isWhole) = TurnsRecord.read(try file.content())
        // Only now: another program may have held the lock for a moment.
        let now = clock()
        if !isWhole { record.knowsNothingBefore = now }
        let before = record
        if let keeper { record.keeper = keeper }
        let value = change(&record, now)
        if record != before || !isWhole { try file.replace(with: try record.bytes()) }
        return value
    }
}
