import Crypto
import Foundation
package import RankKit

/// The look before: what is to be looked at again depends on it.
package struct EarlierLook: Sendable, Hashable {
    /// Later than now if the clock was set back since.
    package var at: Timestamp
    /// The day (UTC) of the oldest check that was recorded since; `nil` if there was none.
    package var oldestCheck: Int64?

    package init(at: Timestamp, oldestCheck: Int64? = nil) {
        self.at = at
        self.oldestCheck = oldestCheck
    }

    /// The day before it: what was confirmed earlier is known, and what was not confirmed then is told only if it is still
    /// so.
    func lookedOn(now: Timestamp) -> Int64 { min(at, now).day - 1 }
}

/// When the lists of a query are looked at for newcomers: once a day (UTC), at an hour of its own. To look at those of
/// all queries at once would take a third of a look's time.
struct NewcomerTurn: Sendable, Hashable {
    /// Seconds after midnight.
    let offset: Int64

    /// The turns of all queries end before that hour, so that newcomers are told in the morning.
    static let hours: Int64 = 8

    /// - Parameter offset: seconds after midnight.
    init(offset: Int64) { self.offset = offset }

    init(of query: Query) {
        let digest = SHA256.hash(data: Data(AlertEvent.Subject.pairs(on: query).utf8))
        offset = digest.prefix(1).reduce(0) { $0 + Int64($1) } % Self.hours * 3_600
    }

    /// The day of the newest turn up to `moment`.
    private func day(at moment: Timestamp) -> Int64 { (moment - offset).day }

    /// The first day (UTC) that is to be looked at now.
    ///
    /// - Returns: `nil` if nothing is: it was looked at since its turn, and no list came since that the next turn would
    ///   not see.
    func firstDay(after look: EarlierLook, now: Timestamp) -> Int64? {
        let (last, newest) = (day(at: look.at), day(at: now))
        let isLate = look.oldestCheck.map { $0 < newest } ?? false
        guard last != newest || isLate else { return nil }
        return [last, newest, look.oldestCheck].compactMap(\.self).min()
    }
}
