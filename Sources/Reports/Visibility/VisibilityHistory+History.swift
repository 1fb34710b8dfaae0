import History
import Judging
import RankKit

extension VisibilityHistory {
    static let defaultDays: Int64 = 90
    /// In days.
    static let longestChange: Int64 = 30

    /// - Parameters:
    ///   - filter: whose `apps` say whose queries are looked at; competitors stand beside them whatever it says. Without
    ///     any these are mine.
    ///   - since: within the first day (UTC) that is shown.
    ///   - until: the moment that the report is about; `now` if it is `nil` or later.
    ///   - requireRoom: told how many values there will be, one for each day and series, before the first is made.
    /// - Throws: `HistoryError`, and what `requireRoom` throws.
    init(
        from reader: HistoryReader, filter: PairFilter = PairFilter(), since: Timestamp? = nil,
        until: Timestamp? = nil, now: Timestamp, requireRoom: (Int) throws -> Void = { _ in }
    ) throws {
        let span = try DaySpan(
            since: since, until: until, now: now, defaultDays: Self.defaultDays, from: reader)
        var places = filter
        (places.apps, places.tags) = ([], [])
        let last = span.shown.upperBound
        let days = min(span.shown.lowerBound, last - Self.longestChange)...last
        let pairs = try reader.pairDays(places, days: days, until: span.until, reachingBack: true)
        let watched = try WatchedApps(reader)
        let byPair = Dictionary(
            pairs.enumerated().map { (PairKey($1), $0) }, uniquingKeysWith: { first, _ in first })
        let groups = Self.groups(of: pairs, filter).map { key, own in
            let apps = [key.bundleID] + (watched[key.bundleID]?.competitors ?? [])
            return (
                key: key, pairs: own,
                apps: apps.filter { app in own.contains { byPair[PairKey(pairs[$0].query, app)] != nil } }
            )
        }
        try requireRoom(span.shown.count * groups.reduce(0) { $0 + $1.apps.count })
        var rows: [Row] = []
        for (key, own, apps) in groups {
            let field = VisibilityField(own.map { pairs[$0].popularity }, days: span.shown)
            var series: [Series] = []
            for bundleID in apps {
                try reader.requireWanted()
                let readings = own.map { byPair[PairKey(pairs[$0].query, bundleID)].map { pairs[$0] } }
                let app = try watched.reported(bundleID, namedIn: key.country, reader)
                series.append(field.series(of: app, readings))
            }
            rows.append(
                Row(
                    country: key.country, platform: key.platform, queries: own.count, isWeighted: field.isWeighted,
                    series: series))
        }
        self.init(
            generatedAt: now, days: span.shown, rows: rows,
            pairs: pairs.count {
                filter.admits(query: $0.query, bundleID: $0.bundleID, alias: $0.alias, tags: $0.tags)
            })
    }

    private struct PairKey: Hashable {
        let query: Query
        let bundleID: BundleID

        init(_ query: Query, _ bundleID: BundleID) {
            self.query = query
            self.bundleID = bundleID
        }

        init(_ pair: PairDays) { self.init(pair.query, pair.bundleID) }
    }

    private struct GroupKey: Hashable {
        let bundleID: BundleID
        let country: Country
        let platform: Platform
    }

    /// The numbers that are asked for, each with the places of its pairs among `pairs`.
    private static func groups(of pairs: [PairDays], _ filter: PairFilter) -> [(key: GroupKey, pairs: [Int])] {
        var turns: [GroupKey: Int] = [:]
        var groups: [(key: GroupKey, pairs: [Int])] = []
        for (index, pair) in pairs.enumerated() {
            guard pair.isMine || !filter.apps.isEmpty,
                filter.admits(query: pair.query, bundleID: pair.bundleID, alias: pair.alias, tags: pair.tags)
            else { continue }
            let key = GroupKey(bundleID: pair.bundleID, country: pair.query.country, platform: pair.query.platform)
            let turn = turns[key] ?? groups.count
            if turn == groups.count {
                turns[key] = turn
                groups.append((key, []))
            }
            groups[turn].pairs.append(index)
        }
        return groups
    }
}

/// The queries that one number is about.
struct VisibilityField {
    private let popularities: [Double?]
    private let days: ClosedRange<Int64>

    init(_ popularities: [Double?], days: ClosedRange<Int64>) {
        self.popularities = popularities
        self.days = days
    }

    var isWeighted: Bool {
        let reading = Reading(position: nil, within: 0, checkedAt: .startOfDay(0))
        return Visibility(popularities.map { Visibility.Entry(popularity: $0, reading: reading) })?.isWeighted ?? false
    }

    /// - Parameter pairs: the app's, one a query; `nil` for a query on which it is not tracked.
    func series(of app: ReportedApp, _ pairs: [PairDays?]) -> VisibilityHistory.Series {
        VisibilityHistory.Series(
            app: app, points: days.map { .init(visibility(readings(pairs, $0))) }, change7d: change(pairs, 7),
            change30d: change(pairs, VisibilityHistory.longestChange))
    }

    private func readings(_ pairs: [PairDays?], _ day: Int64) -> [Reading?] {
        pairs.map { $0?.reading(asOf: day) }
    }

    private func visibility(_ readings: [Reading?]) -> Visibility? {
        Visibility(zip(popularities, readings).map { Visibility.Entry(popularity: $0, reading: $1) })
    }

    private func change(_ pairs: [PairDays?], _ count: Int64) -> VisibilityHistory.Change? {
        var now = readings(pairs, days.upperBound)
        var then = readings(pairs, days.upperBound - count)
        for index in now.indices where now[index] == nil || then[index] == nil {
            now[index] = nil
            then[index] = nil
        }
        guard let later = visibility(now), let earlier = visibility(then),
            VisibilityHistory.isEnough(later.coverage)
        else { return nil }
        return .init(points: later.score - earlier.score, coverage: later.coverage)
    }
}
