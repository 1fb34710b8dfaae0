import Algorithms
import History
import Judging
package import RankKit

/// One of my apps at a glance: how many of its pairs stand in the first ten, today and on the days before.
///
/// A pair counts on a day as it does in `Distribution`, so that both say the same.
package struct AppOverview: Sendable {
    package let bundleID: BundleID
    package fileprivate(set) var name: String
    /// Its pairs on each of `Standings.trendDays` days, today last.
    private var counts: [Distribution.Count]
    /// Those whose readings of today and of a week ago can be compared.
    private var week = Distribution.Ends()

    /// Pairs that were asked about.
    package var pairs: Int { counts.last?.all ?? 0 }
    /// Those that have a fresh good check.
    package var checked: Int { counts.last?.checked ?? 0 }
    /// Those in the first ten.
    package var top: Int { counts.last?.top ?? 0 }

    /// How many more stand in the first ten than a week ago, of the pairs that can be compared; negative where fewer do.
    /// `nil` if none can.
    package var gained: Int? { week.now.checked > 0 ? week.now.top - week.then.top : nil }

    /// How many stood in the first ten on each day; `nil` for a day on which more pairs had no reading than a tenth.
    var days: [Int?] {
        counts.map { $0.all > 0 && Double($0.checked) / Double($0.all) >= Self.leastChecked ? $0.top : nil }
    }

    /// A drawing of `days`; empty if none can be told.
    package var drawing: String {
        let days = days
        let known = days.compactMap(\.self)
        guard let most = known.max(), let first = known.first, let last = known.last else { return "" }
        let levels = days.map { day in
            day.map { Sparkline.Level.place(height: Double($0) / Double(max(1, most))) } ?? .gap
        }
        return Sparkline.svg(
            levels, words: "in the first ten over \(days.count) days: from \(first) to \(last), at most \(most)")
    }

    /// The share of the pairs without which a day is not drawn.
    private static let leastChecked = 0.9

    init(_ bundleID: BundleID, days: Int) {
        self.bundleID = bundleID
        name = bundleID.text
        counts = Array(repeating: Distribution.Count(), count: days)
    }

    /// - Parameters:
    ///   - pair: the newest good reading of each day.
    ///   - cadence: of its query, in seconds.
    ///   - days: as many as the overview has.
    mutating func add(_ pair: DailyReadings, cadence: Int64, _ days: ClosedRange<Int64>) {
        func reading(_ day: Int64) -> Reading? { pair.reading(asOf: day, cadence: cadence) }
        for (index, day) in days.enumerated() { counts[index].add(reading(day)) }
        guard let now = reading(days.upperBound), let then = reading(days.upperBound - Standings.weekDays),
            Standings.Change(from: then, to: now) != nil
        else { return }
        week.now.add(now)
        week.then.add(then)
    }
}

/// Those of several apps, as their pairs are read.
struct AppOverviews {
    private var apps: [BundleID: AppOverview] = [:]

    mutating func add(_ pair: PairStanding, _ days: ClosedRange<Int64>) {
        apps[pair.bundleID, default: AppOverview(pair.bundleID, days: days.count)].add(
            pair.daily, cadence: pair.cadence, days)
    }

    /// In the rows' order, called as the first row calls them that has a name.
    func ordered(by rows: [Standings.Row]) -> [AppOverview] {
        let own = rows.filter(\.mine)
        let names = Dictionary(
            own.compactMap { row in (row.appName ?? row.alias).map { (row.bundleID, $0) } },
            uniquingKeysWith: { first, _ in first })
        return own.map(\.bundleID).uniqued().compactMap { bundleID in
            guard var app = apps[bundleID] else { return nil }
            app.name = names[bundleID] ?? app.name
            return app
        }
    }
}
