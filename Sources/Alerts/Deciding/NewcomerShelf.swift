import Crypto
import Foundation
import RankKit
import Synchronization

/// Who came on a day that is over, looked for in the hours before it is told: to read the lists of all queries at once
/// would take a third of a look's time. What is not on the shelf, as after a start, is looked for when it is told.
package final class NewcomerShelf: Sendable {
    private struct Content {
        /// Whose newcomers are kept.
        var day: Int64?
        var tops: [Int] = []
        var found: [Query: [NewcomerSearch.Found]] = [:]
    }

    private let content = Mutex(Content())

    package init() {}

    /// What was found on a query, if all that is asked about is that day.
    func found(on query: Query, tops: [Int], days: ClosedRange<Int64>) -> [NewcomerSearch.Found]? {
        content.withLock { $0.day == days.upperBound && days.count == 1 && $0.tops == tops ? $0.found[query] : nil }
    }

    /// Of `queries` those that are to be looked at by now, and are not yet on the shelf: each at an hour of its own.
    func due(_ queries: [Query], tops: [Int], day: Int64, now: Timestamp) -> [Query] {
        content.withLock { content in
            if content.day != day || content.tops != tops { content = Content(day: day, tops: tops) }
            let hour = (now - .startOfDay(now.day)) / 3_600
            return queries.filter { content.found[$0] == nil && Self.hour(of: $0) <= hour }
        }
    }

    func put(_ found: [NewcomerSearch.Found], on query: Query) { content.withLock { $0.found[query] = found } }

    /// Lists of `day` or later came: they may change what was found.
    func clear(since day: Int64) {
        content.withLock { content in
            if let kept = content.day, day <= kept { content = Content() }
        }
    }

    package func clear() { content.withLock { $0 = Content() } }

    /// Before `NewcomerTurn.offset`.
    private static func hour(of query: Query) -> Int64 {
        let digest = SHA256.hash(data: Data(AlertEvent.Subject.pairs(on: query).utf8))
        return digest.withUnsafeBytes { Int64($0[0]) } % (NewcomerTurn.offset / 3_600)
    }
}
