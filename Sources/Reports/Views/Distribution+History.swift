package import History
import Judging
package import RankKit

extension Distribution {
    /// Compared with so many days ago where nothing else is asked for.
    package static let defaultDays: Int64 = 30

    /// - Parameters:
    ///   - since: within the day (UTC) to compare with.
    ///   - until: the moment to be told of, `now` where it is `nil` or later.
    ///   - competitors: whether they are counted as well; those that `filter` names always are.
    package init(
        from reader: HistoryReader, filter: PairFilter = PairFilter(), since: Timestamp? = nil,
        until: Timestamp? = nil, competitors: Bool = false, now: Timestamp
    ) throws(HistoryError) {
        let span = DaySpan(since: since, until: until, now: now, defaultDays: Self.defaultDays)
        let asked = try reader.pairDays(filter, days: span.shown, until: span.until, reachingBack: true)
        let pairs = asked.filter { $0.isMine || competitors || !filter.apps.isEmpty }
        let watched = try WatchedApps(reader)
        var rows: [Row] = []
        for pairs in Self.byApp(pairs) {
            var app = try watched.reported(pairs[0].bundleID, namedIn: pairs[0].query.country, reader)
            app.mark = pairs[0].isMine ? .mine : .competitor
            rows.append(Row(app: app, counts: Self.counts(pairs, span.shown)))
        }
        self.init(generatedAt: now, days: span.shown, rows: rows, pairs: asked.count)
    }

    /// The pairs of each app, in the order of its first one.
    private static func byApp(_ pairs: [PairDays]) -> [[PairDays]] {
        var turns: [BundleID: Int] = [:]
        var groups: [[PairDays]] = []
        for pair in pairs {
            let turn = turns[pair.bundleID] ?? groups.count
            if turn == groups.count {
                turns[pair.bundleID] = turn
                groups.append([])
            }
            groups[turn].append(pair)
        }
        return groups
    }

    static func counts(_ pairs: [PairDays], _ days: ClosedRange<Int64>) -> [Count] {
        var counts = Array(repeating: Count(), count: days.count)
        for pair in pairs {
            for (index, day) in days.enumerated() { counts[index].add(pair.reading(asOf: day)) }
        }
        return counts
    }
}
