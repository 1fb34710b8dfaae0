import History
import Judging
import RankKit

/// Where one app stood on its queries, day by day: the value behind `rankctl report grid`.
struct Grid: Sendable {
    var generatedAt: Timestamp
    var app: ReportedApp
    /// Of the report's zone, counted from 1970-01-01.
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
        /// There was a good check, and what it said of the app is not known any more or not read yet: its list was dropped or
        /// is damaged, or the app is new and its past still being filled in.
        case unknown
        /// The query had not been checked yet.
        case notYet
    }

    /// How many days are shown unless something else is asked for.
    static let defaultDays: Int64 = 14
}

extension Grid {
    /// - Parameters:
    ///   - since: within the first day that is shown.
    ///   - until: the last moment that is read.
    init(
        of bundleID: BundleID, on queries: [Query], since: Timestamp? = nil, until: Timestamp? = nil,
        from reader: HistoryReader, now: Timestamp
    ) throws(HistoryError) {
        let span = try Self.span(since: since, until: until, from: reader, now: now)
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
            try reader.requireWanted()
            var readings = known[query] ?? DailyReadings()
            var told: Set<Int64> = []
            if days.contains(where: { readings[$0] == nil }) {
                let moments = Timestamp.startOfReportDay(days.lowerBound)...span.until
                told = try reader.daysTold(of: query, in: moments)
                if told.contains(where: { readings[$0] == nil }) {
                    // Not tracked on the query, or still being filled in.
                    let past = try reader.history(of: bundleID, on: query, in: moments)
                    damaged += past.damaged
                    readings = Self.daily(past, beside: readings)
                }
            }
            let first = readings.firstDay(try reader.firstCheck(of: query), reader.days) ?? .max
            rows.append(
                Row(
                    query: query,
                    cells: days.map { day in
                        if let reading = readings[day] { return .reading(reading) }
                        if told.contains(day) { return .unknown }
                        return day < first ? .notYet : .gap
                    }))
        }
    }

    /// The days that are shown.
    static func span(
        since: Timestamp?, until: Timestamp?, from reader: HistoryReader, now: Timestamp
    ) throws(HistoryError) -> DaySpan {
        try DaySpan(since: since, until: until, now: now, defaultDays: defaultDays - 1, from: reader)
    }

    /// - Parameter known: what need not be looked up, and counts.
    private static func daily(_ past: AppPast, beside known: DailyReadings) -> DailyReadings {
        var days: [Int64: Reading] = [:]
        for check in past.checks {
            if let reading = check.outcome.reading(checkedAt: check.at) { days[check.at.reportDay] = reading }
        }
        for element in known.elements { days[element.day] = element.reading }
        return DailyReadings(days)
    }
}
