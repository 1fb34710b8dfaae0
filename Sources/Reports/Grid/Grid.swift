import History
import Judging
import RankKit

/// Where one app stood on its queries, day by day: the value behind `rankctl report grid`.
struct Grid: Sendable {
    var generatedAt: Timestamp
    var app: ReportedApp
    /// UTC days, counted from 1970-01-01.
    var days: ClosedRange<Int64>
    /// In the watchlist's order.
    var rows: [Row]
    /// Lists that would have said more, and cannot be read.
    var damaged: [DamagedLists] = []

    struct Row: Sendable, Hashable {
        var query: Query
        /// One a day.
        var cells: [Day]
    }

    /// What is known of one day.
    enum Day: Sendable, Hashable {
        /// Its last good check.
        case reading(Reading)
        /// None of its checks was good, or there was none.
        case gap
        /// The query had not been checked yet.
        case notYet
    }

    /// How many days are shown unless something else is asked for.
    static let defaultDays: Int64 = 14
}

extension Grid {
    /// - Parameters:
    ///   - since: within the first day (UTC) that is shown.
    ///   - until: the last moment that is read.
    init(
        of bundleID: BundleID, on queries: [Query], since: Timestamp? = nil, until: Timestamp? = nil,
        from reader: HistoryReader, now: Timestamp
    ) throws(HistoryError) {
        let span = DaySpan(since: since, until: until, now: now, defaultDays: Self.defaultDays - 1)
        let watched = try WatchedApps(reader)
        self.init(
            generatedAt: now, app: try watched.reported(bundleID, namedIn: queries.first?.country, reader),
            days: span.shown, rows: [])
        let tracked = try reader.pairDays(
            PairFilter(apps: [bundleID.text]), days: span.shown, until: span.until)
        let known = Dictionary(
            tracked.filter { $0.bundleID == bundleID }.map { ($0.query, $0.days) },
            uniquingKeysWith: { first, _ in first })
        for query in queries {
            let readings: DailyReadings
            if let days = known[query] {
                readings = days
            } else {
                let past = try reader.history(of: bundleID, on: query, in: .startOfDay(days.lowerBound)...span.until)
                damaged += past.damaged
                readings = Self.daily(past)
            }
            let firstCheck = try reader.firstCheck(of: query)?.day
            let firstReading = readings.elements.first?.day
            // Checks may be thinned out where their days are kept.
            let first = [firstCheck, firstReading].compactMap(\.self).min() ?? .max
            rows.append(
                Row(
                    query: query,
                    cells: days.map { day in readings[day].map(Day.reading) ?? (day < first ? .notYet : .gap) }))
        }
    }

    /// Of an app that is not tracked on the query.
    private static func daily(_ past: AppPast) -> DailyReadings {
        var readings = DailyReadings()
        for check in past.checks {
            if let reading = check.outcome.reading(checkedAt: check.at) { readings.append(reading, on: check.at.day) }
        }
        return readings
    }
}
