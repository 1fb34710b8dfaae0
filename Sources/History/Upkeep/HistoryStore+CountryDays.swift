import GRDB
package import RankKit

/// Some consecutive days, of all stores or one, as they are about to be written.
package struct CountryDayDraft: Sendable {
    package let days: ClosedRange<Int64>
    /// `nil` if the draft is about all stores.
    package let store: Store?
    /// Whose days they are.
    private let zone: ZoneDays
    /// What is still to be counted.
    package fileprivate(set) var queries: [(id: Int64, store: Store)]
    /// What has been counted of stores that are done.
    fileprivate(set) var rows: [CountryDay] = []
    /// Days of these stores of which some lists cannot be read.
    fileprivate(set) var unread: Set<CountryDayRow.Key> = []
    private var tally: CountryTally?
    /// The newest check when the counting began.
    fileprivate let newest: Int64
    /// How often checks had been judged anew when the counting began.
    fileprivate let rulings: Int64

    /// - Parameter store: `nil` for all.
    package init(
        _ days: ClosedRange<Int64>, of store: Store? = nil, from reader: HistoryReader
    ) throws(HistoryError) {
        self.days = days
        self.store = store
        (zone, newest, rulings, queries) = try reader.read { database in
            (
                try CountryDayRow.zone(in: database),
                try Int64.fetchOne(database, sql: "SELECT max(id) FROM check_log") ?? 0,
                try CountryDayRow.rulings(in: database), try CountryDayDraft.queries(of: store, in: database)
            )
        }
    }

    static func queries(of store: Store?, in database: Database) throws -> [(id: Int64, store: Store)] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT source, country, id FROM query WHERE \(CountryDayRow.isOfStore) AND \(QueryRow.isAsked)
                ORDER BY country DESC, source, id
                """, arguments: CountryDayRow.arguments(of: store)
        ).map { try ($0[2], try CountryDayRow.store($0)) }
    }

    /// Counts the next query. One store's counts at a time are held in memory.
    ///
    /// - Returns: whether there are more.
    package mutating func countNext(from reader: HistoryReader) throws(HistoryError) -> Bool {
        guard let next = queries.popLast() else {
            if let tally { take(tally) }
            tally = nil
            return false
        }
        var tally = tally ?? CountryTally(next.store, days, of: zone)
        if tally.store != next.store {
            take(tally)
            tally = CountryTally(next.store, days, of: zone)
        }
        let counted = tally
        self.tally = try reader.read { database in
            var counted = counted
            try counted.add(query: next.id, in: database)
            return counted
        }
        return true
    }

    private mutating func take(_ tally: CountryTally) {
        rows += tally.rows
        unread.formUnion(tally.unread.map { CountryDayRow.Key(store: tally.store, day: $0) })
    }
}

/// Deriving `country_day`. What is read is read beside the writer; each draft is written in one short transaction, and
/// one that is cut off is made again.
extension HistoryStore {
    /// The next closed days that are not in `country_day` yet, at most `limit`, from the first one with a check on;
    /// `nil` if there are none.
    ///
    /// - Parameter now: which days are over then is asked of the zone whose days are counted from this call on. A watchlist
    ///   may bring another one while a clean-up runs.
    package func nextCountryDays(now: Timestamp, limit: Int64) async throws -> ClosedRange<Int64>? {
        try await takeUpRule()
        try await reopenDays(at: now)
        return try await read { database in
            let zone = try CountryDayRow.zone(in: database)
            let today = zone.day(of: now)
            let from = try CountryDayRow.lastDay(in: database).map { zone.start(of: $0 + 1) }
            guard let next = try Self.nextCheck(from: from, askedOnly: true, in: database).map(zone.day),
                next < today
            else { return nil }
            return next...min(next + limit - 1, today - 1)
        }
    }

    /// Has all days derived anew that an earlier version derived by another rule, or that are of another zone than the
    /// watchlist's.
    func takeUpRule() async throws {
        let isTakenUp = try await read { database in
            try Setting.countryDaysRule.integer(in: database) == CountryTally.rule
                && Setting.countryDaysZone.text(in: database) == CountryDayRow.wantedZone(in: database).name
        }
        guard !isTakenUp else { return }
        try await tidy { database in
            if try Setting.countryDaysRule.integer(in: database) != CountryTally.rule {
                try CountryDayRow.noteAll(in: database)
                try Setting.countryDaysRule.set(CountryTally.rule, in: database)
            }
            try CountryDayRow.adopt(try CountryDayRow.wantedZone(in: database), in: database)
        }
    }

    /// Has the day of `now` and later ones derived when they have closed, where that was done too soon: by a clock that was
    /// ahead. What is stored of them stays until then, so that a clock that is behind costs nothing.
    private func reopenDays(at now: Timestamp) async throws {
        /// - Returns: today, if it has been derived already.
        @Sendable func openDay(_ database: Database) throws -> Int64? {
            let today = try CountryDayRow.zone(in: database).day(of: now)
            guard let last = try CountryDayRow.lastDay(in: database), today <= last else { return nil }
            // A clock that is so far behind has no battery, or was never set.
            return last - today < Self.mostReopenedDays ? today : nil
        }
        guard try await read(openDay) != nil else { return }
        try await tidy { database in
            guard let today = try openDay(database) else { return }
            try Setting.countryDaysThrough.set(today - 1, in: database)
            if let outdated = try CountryDayRow.lastOutdatedDay(in: database), outdated != CountryDayRow.everyDay {
                try Setting.countryDaysOutdated.set(min(outdated, today - 1), in: database)
            }
            try database.execute(literal: "DELETE FROM country_day_due WHERE day >= \(today)")
        }
    }

    private static let mostReopenedDays: Int64 = 366

    /// The days that are over at `now`, or all, which are to be derived anew because of late checks, at most `limit`, the
    /// newest rather than others: together where they follow one another in a store.
    package func countryDaysDue(
        now: Timestamp? = nil, limit: Int
    ) async throws -> [(store: Store, days: ClosedRange<Int64>)] {
        try await read { database in
            let today = try now.map { try CountryDayRow.zone(in: database).day(of: $0) } ?? .max
            var spans: [(store: Store, days: ClosedRange<Int64>)] = []
            for due in try CountryDayRow.newestDue(before: today, limit: limit, in: database) {
                if let last = spans.last, last.store == due.store, last.days.upperBound + 1 == due.day {
                    spans[spans.count - 1].days = last.days.lowerBound...due.day
                } else {
                    spans.append((due.store, due.day...due.day))
                }
            }
            return spans
        }
    }

    /// The newest days of all stores, at most `limit`, that are to be derived anew because of another rule, or because
    /// two apps turned out to be one; `nil` if there are none.
    package func nextOutdatedCountryDays(limit: Int64) async throws -> ClosedRange<Int64>? {
        guard let last = try await read(CountryDayRow.lastOutdatedDay) else { return nil }
        // What turns out from then on is noted once more.
        var newest: Int64? = last
        if last == CountryDayRow.everyDay { newest = try await tidy { try CountryDayRow.beginRenewal(in: $0) } }
        return newest.map { $0 - limit + 1...$0 }
    }

    /// Enters what `draft` has counted. What was recorded in its days meanwhile is noted as due; all of them are where
    /// checks came to count otherwise meanwhile, because they were judged anew.
    package func enter(_ draft: CountryDayDraft) async throws {
        try await tidy { database in
            let days = draft.days
            let rows = try CountryDayRow.keepingMoves(draft.rows, unread: draft.unread, days, in: database)
            let arguments =
                ["from": days.lowerBound, "to": days.upperBound] + CountryDayRow.arguments(of: draft.store)
            try database.cachedStatement(
                sql: """
                    DELETE FROM country_day
                    WHERE day BETWEEN :from AND :to AND \(CountryDayRow.isOfStore)
                    """
            ).execute(arguments: arguments)
            try database.cachedStatement(
                sql: """
                    DELETE FROM country_day_due
                    WHERE day BETWEEN :from AND :to AND \(CountryDayRow.isOfStore)
                    """
            ).execute(arguments: arguments)
            for row in rows { try CountryDayRow.insert(row, in: database) }
            if draft.store == nil {
                let last = try CountryDayRow.lastDay(in: database) ?? .min
                // A clock that was ahead had these derived, and their checks are gone since. Failed ones are thinned out
                // as time goes by, and leave what was told of them.
                try database.execute(
                    literal: """
                        DELETE FROM country_day WHERE day > \(last) AND day < \(days.lowerBound) AND NOT EXISTS (
                            SELECT 1 FROM failure_day JOIN query ON query.id = failure_day.query
                            WHERE failure_day.day = country_day.day AND query.country = country_day.country
                                AND query.source = country_day.source)
                        """)
                try Setting.countryDaysThrough.set(max(last, days.upperBound), in: database)
                try CountryDayRow.noteRenewal(of: days, in: database)
            }
            if try CountryDayRow.rulings(in: database) != draft.rulings {
                try database.cachedStatement(
                    sql: """
                        INSERT OR IGNORE INTO country_day_due (source, country, day)
                        SELECT source, country, day FROM country_day
                        WHERE day BETWEEN :from AND :to AND \(CountryDayRow.isOfStore)
                        """
                ).execute(arguments: arguments)
            }
            let zone = try CountryDayRow.zone(in: database)
            let late = try Row.fetchAll(
                database,
                sql: """
                    SELECT query.source, query.country, check_log.at FROM check_log CROSS JOIN query ON query.id = check_log.query
                    WHERE check_log.id > ? AND check_log.at < ? AND \(QueryRow.isAsked)
                    """, arguments: [draft.newest, zone.start(of: days.upperBound + 1).secondsSinceEpoch])
            for row in late {
                try CountryDayRow.noteChange(
                    of: CountryDayRow.store(row), on: zone.day(of: row[2] as Timestamp), in: database)
            }
        }
    }
}
