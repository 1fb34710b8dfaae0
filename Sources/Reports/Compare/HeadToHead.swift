import History
import Judging
import RankKit

/// Two apps on the queries of the first, day by day: the value behind `rankctl report compare --with`.
struct HeadToHead: Sendable {
    var generatedAt: Timestamp
    var since: Timestamp
    /// `generatedAt`, or an earlier moment.
    var until: Timestamp
    var app: ReportedApp
    var other: ReportedApp
    /// In the watchlist's order; also queries of which no check tells of both.
    var rows: [Row]
    /// Lists that would have told more, and cannot be read.
    var damaged: [DamagedLists] = []

    /// Which of the two stands better. Absence is below every place.
    enum Lead: String, Sendable, Hashable, CaseIterable {
        case app, other
        /// Neither is in the list.
        case neither

        init(_ position: Position?, _ other: Position?) {
            self = position.isAbove(other) ? .app : other.isAbove(position) ? .other : .neither
        }
    }

    /// The last good check of a day that tells of both.
    struct Day: Sendable, Hashable {
        var at: Timestamp
        var within: Int
        var position: Position?
        var other: Position?

        var lead: Lead { Lead(position, other) }

        /// By how many places one is ahead; `nil` unless both are in the list.
        var places: Int? {
            guard let position, let other else { return nil }
            return abs(position.number - other.number)
        }
    }

    struct Row: Sendable, Hashable {
        var query: Query
        /// Oldest first.
        var days: [Day]
        /// Whether a later check than the newest of them failed, is suspect, or could not tell of both.
        var isOutdated = false

        var newest: Day? { days.last }

        /// The first day from which on the one that leads now has led; `nil` where neither does.
        var leadsSince: Day? {
            guard let newest, newest.lead != .neither else { return nil }
            return days.reversed().prefix { $0.lead == newest.lead }.last
        }

        /// Whether that was so on the first day of all, so that it began no later.
        var hasAlwaysLed: Bool { leadsSince != nil && leadsSince == days.first }

        var tally: Tally { Tally(days) }
    }

    /// How many days each of the two was ahead.
    struct Tally: Sendable, Hashable {
        var won = 0
        var lost = 0
        /// Days on which neither was in the list.
        var tied = 0

        init(_ days: some Sequence<Day>) {
            for day in days {
                switch day.lead {
                case .app: won += 1
                case .other: lost += 1
                case .neither: tied += 1
                }
            }
        }

        init(_ rows: [Row]) { self.init(rows.lazy.flatMap(\.days)) }

        /// Of the days on which one was ahead, the share that the first won, 0–1; `nil` if there are none.
        var share: Double? { won + lost > 0 ? Double(won) / Double(won + lost) : nil }
    }

    /// How often the first leads now, by query.
    var now: Tally { Tally(rows.compactMap(\.newest)) }

    /// The days of all queries.
    var days: Tally { Tally(rows) }

    /// The first day that is told of: that of the first check of both.
    var firstDay: Int64 { rows.compactMap { $0.days.first?.at.reportDay }.min() ?? since.reportDay }

    /// Whether there are days enough for two halves to be compared.
    var hasTrend: Bool { until.reportDay - firstDay + 1 >= Self.leastDaysOfTrend }

    /// The day on which there will be, while the history of both is younger than the time that was asked for; else `nil`.
    var trendComesOn: Int64? {
        hasTrend || firstDay <= since.reportDay + 1 ? nil : firstDay + Self.leastDaysOfTrend - 1
    }

    private static let leastDaysOfTrend: Int64 = 8

    /// The days of these rows in the first and in the second half of the time between `firstDay` and `until`.
    func halves(of rows: [Row]) -> (earlier: Tally, later: Tally) {
        let since = max(since, .startOfReportDay(firstDay))
        let middle = since + (until - since) / 2
        let days = rows.lazy.flatMap(\.days)
        return (Tally(days.filter { $0.at < middle }), Tally(days.filter { $0.at >= middle }))
    }
}

extension HeadToHead {
    /// In days, where no beginning is asked for.
    static let defaultDays: Int64 = 30

    /// The moment that days are counted from.
    static func beginning(_ asked: Timestamp?, until: Timestamp) -> Timestamp {
        asked ?? .startOfReportDay(until.reportDay - defaultDays + 1)
    }

    /// Reads what the same checks said about `other`.
    init(
        _ mine: AppOnQueries, _ other: BundleID, from reader: HistoryReader, now: Timestamp
    ) throws(HistoryError) {
        let queries = mine.pasts.map(\.query)
        let watched = try WatchedApps(reader)
        func reported(_ bundle: BundleID) throws(HistoryError) -> ReportedApp {
            guard let country = queries.first?.country else {
                return ReportedApp(bundleID: bundle, alias: watched[bundle]?.alias)
            }
            return try watched.reported(bundle, namedIn: country, reader)
        }
        self.init(
            generatedAt: now, since: mine.span.lowerBound, until: mine.span.upperBound,
            app: try reported(mine.bundleID), other: try reported(other), rows: [])
        for (query, past) in mine.pasts {
            let theirs = try reader.history(of: other, on: query, in: mine.span)
            for lists in past.damaged + theirs.damaged where !damaged.contains(lists) { damaged.append(lists) }
            let days = Self.days(past.checks, theirs.checks)
            let newest = past.checks.last
            rows.append(Row(query: query, days: days, isOutdated: days.last.map { $0.at != newest?.at } ?? false))
        }
    }

    private static func days(_ mine: [PastCheck], _ theirs: [PastCheck]) -> [Day] {
        let others = Dictionary(
            theirs.compactMap { check in check.outcome.reading(checkedAt: check.at).map { (check.at, $0) } },
            uniquingKeysWith: { _, last in last })
        var days: [Day] = []
        for check in mine {
            guard let own = check.outcome.reading(checkedAt: check.at), let other = others[check.at] else { continue }
            if days.last?.at.reportDay == check.at.reportDay { days.removeLast() }
            days.append(Day(at: check.at, within: own.within, position: own.position, other: other.position))
        }
        return days
    }
}

/// What the checks of some queries said about an app: read once, and compared with several others.
struct AppOnQueries: Sendable {
    let bundleID: BundleID
    let span: ClosedRange<Timestamp>
    let pasts: [(query: Query, past: AppPast)]

    init(
        _ bundleID: BundleID, on queries: [Query], in span: ClosedRange<Timestamp>, _ reader: HistoryReader
    ) throws(HistoryError) {
        (self.bundleID, self.span) = (bundleID, span)
        pasts = try queries.map { query throws(HistoryError) in
            (query, try reader.history(of: bundleID, on: query, in: span))
        }
    }
}
