import RankKit
import Synchronization

/// What a narrowed reader has counted of countries' days, for whoever asks for the same days again: a page asks several
/// times, and every count reads a list of each query and day.
///
/// It is of one moment of the history. Whoever keeps one for several readers lets it go when the history has changed.
package final class CountryDayMemory: Sendable {
    private struct Key: Hashable {
        let store: Store
        let stretch: Int64
    }

    private let known = Mutex<[Key: [CountryDay]]>([:])

    /// Days that are counted together: what was asked for begins and ends elsewhere each time.
    private static let stretch: Int64 = 60

    package init() {}

    /// The counts of `days` in `store`, with those that are not known yet counted by `count`.
    ///
    /// - Parameter last: the last day that is counted at all.
    func days(
        _ days: ClosedRange<Int64>, of store: Store, through last: Int64,
        _ count: (ClosedRange<Int64>) throws(HistoryError) -> [CountryDay]
    ) throws(HistoryError) -> [CountryDay] {
        var found: [CountryDay] = []
        var first = Self.start(of: days.lowerBound)
        while first <= days.upperBound {
            let key = Key(store: store, stretch: first)
            if let counted = known.withLock({ $0[key] }) {
                found += counted
            } else {
                let counted = try count(first...min(first + Self.stretch - 1, last))
                known.withLock { $0[key] = counted }
                found += counted
            }
            first += Self.stretch
        }
        return found.filter { days.contains($0.day) }
    }

    private static func start(of day: Int64) -> Int64 { day - ((day % stretch) + stretch) % stretch }
}
