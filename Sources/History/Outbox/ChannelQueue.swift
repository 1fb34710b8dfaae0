import RankKit

/// What is to go to one channel, in the order of its decision, and when which of it is tried.
///
/// “Back at #8” is not to arrive before “#8 → #3”. So a message is preceded by an older one that was tried in vain, though
/// that would not be due yet. If it is still not taken, the newer one waits until it is due, but not for long: a message
/// that never gets through holds up nothing for good.
struct ChannelQueue {
    struct Entry {
        /// Its number, by which messages are in the order of their decision.
        var message: Int64
        /// By the clock that shows now.
        var dueAt: Timestamp
        var triedAt: Timestamp?
        /// Whether the last try had no answer: if there was one, whoever made it was killed in it.
        var hasNoAnswer: Bool
        /// When it would be due, where it is due before that as the channel takes messages again; else `nil`.
        var usuallyDueAt: Timestamp?

        /// Whether it was tried in vain, or is being tried.
        var isTried: Bool { triedAt != nil }
        var isCutOff: Bool { isTried && hasNoAnswer }
    }

    private let entries: [Entry]
    private let hold: ChannelHold?

    /// In seconds: for how long, from when it is due, a message waits behind an older one that is not taken.
    static let longestHold: Int64 = 900

    /// - Parameter entries: those that are due now or later, by their numbers.
    init(_ entries: [Entry], hold: ChannelHold?, at now: Timestamp) {
        let taken = hold?.taken(at: now)
        self.entries = taken.map { taken in entries.map { Self.hasten($0, since: taken) } } ?? entries
        self.hold = hold
    }

    /// Has what was tried in vain before `taken`, when the channel took another message, due since then.
    ///
    /// - Parameter taken: not later than now.
    private static func hasten(_ entry: Entry, since taken: Timestamp) -> Entry {
        guard let tried = entry.triedAt, !entry.isCutOff, tried < taken, taken < entry.dueAt else { return entry }
        var hastened = entry
        (hastened.dueAt, hastened.usuallyDueAt) = (taken, entry.dueAt)
        return hastened
    }

    /// What is tried now.
    struct Turn: Equatable {
        var message: Int64
        /// When it would be due, where it is tried before that: for the sake of a newer one, or as one was taken; else
        /// `nil`.
        var before: Timestamp?
    }

    /// - Returns: `nil` if nothing is to be tried at `now`.
    func turn(at now: Timestamp) -> Turn? {
        guard hold?.all(at: now) == nil else { return nil }
        guard let first = entries.first(where: { $0.dueAt <= now }) else { return nil }
        let usual = first.usuallyDueAt.flatMap { $0 > now ? $0 : nil }
        guard let older = older(than: first) else { return Turn(message: first.message, before: usual) }
        let end = first.dueAt + Self.longestHold
        if let tried = older.triedAt, !older.isCutOff, tried < (now < end ? first.dueAt : end) {
            return Turn(message: older.message, before: older.dueAt)
        }
        return now < heldUntil(first, behind: older, at: now) ? nil : Turn(message: first.message, before: usual)
    }

    /// When something is tried next, if nothing happens until then; `nil` if nothing is to go to the channel.
    func nextTry(at now: Timestamp) -> Timestamp? {
        guard let soonest = entries.map(\.dueAt).min() else { return nil }
        if turn(at: now) != nil { return min(soonest, now) }
        let next = entries.filter { $0.dueAt > now }.map(\.dueAt).min()
        var held: Timestamp?
        if let first = entries.first(where: { $0.dueAt <= now }) {
            held = older(than: first).map { heldUntil(first, behind: $0, at: now) } ?? first.dueAt
        }
        let moment = [next, held].compactMap(\.self).min() ?? soonest
        return hold?.all(at: now).map { max($0, moment) } ?? moment
    }

    /// The oldest before `entry`, the first that is due, that was tried.
    private func older(than entry: Entry) -> Entry? {
        entries.first { $0.message < entry.message && $0.isTried }
    }

    private func heldUntil(_ entry: Entry, behind older: Entry, at now: Timestamp) -> Timestamp {
        let end = entry.dueAt + Self.longestHold
        if older.isCutOff { return min(older.dueAt, end) }
        return hold?.newer(at: now).map { min($0, end) } ?? entry.dueAt
    }
}
