import GRDB
package import RankKit

/// Some consecutive days, of all countries or one, as they are about to be written.
package struct CountryDayDraft: Sendable {
    package let days: ClosedRange<Int64>
    /// `nil` if the draft is about all countries.
    package let country: Country?
    /// What is still to be counted.
    package fileprivate(set) var queries: [(id: Int64, country: Country)]
    /// What has been counted of countries that are done.
    fileprivate(set) var rows: [CountryDay] = []
    private var tally: CountryTally?
    /// The newest check when the counting began.
    fileprivate let newest: Int64

    /// - Parameter country: `nil` for all.
    package init(
        _ days: ClosedRange<Int64>, of country: Country? = nil, from reader: HistoryReader
    ) throws(HistoryError) {
        self.days = days
        self.country = country
        (newest, queries) = try reader.read { database in
            (
                try Int64.fetchOne(database, sql: "SELECT max(id) FROM check_log") ?? 0,
                try CountryDayDraft.queries(of: country, in: database)
            )
        }
    }

    static func queries(of country: Country?, in database: Database) throws -> [(id: Int64, country: Country)] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT id, country FROM query WHERE (:country IS NULL OR country = :country) AND \(QueryRow.isAsked)
                ORDER BY country DESC, id
                """, arguments: ["country": country?.code]
        ).map { try ($0[0], try CountryDayRow.country($0[1])) }
    }

    /// Counts the next query. One country's counts at a time are held in memory.
    ///
    /// - Returns: whether there are more.
    package mutating func countNext(from reader: HistoryReader) throws(HistoryError) -> Bool {
        guard let next = queries.popLast() else {
            rows += tally?.rows ?? []
            tally = nil
            return false
        }
        var tally = tally ?? CountryTally(next.country, days)
        if tally.country != next.country {
            rows += tally.rows
            tally = CountryTally(next.country, days)
        }
        let counted = tally
        self.tally = try reader.read { database in
            var counted = counted
            try counted.add(query: next.id, in: database)
            return counted
        }
        return true
    }
}

/// Deriving `country_day`. What is read is read beside the writer; each draft is written in one short transaction, and
/// one that is cut off is made again.
extension HistoryStore {
    /// The next closed days that are not in `country_day` yet, at most `limit`, from the first one with a check on;
    /// `nil` if there are none.
    package func nextCountryDays(today: Int64, limit: Int64) async throws -> ClosedRange<Int64>? {
        try await takeUpRule()
        return try await read { database in
            let from = try CountryDayRow.lastDay(in: database).map { Timestamp.startOfDay($0 + 1) }
            guard let next = try Self.dayOfNextCheck(from: from, askedOnly: true, in: database), next < today else {
                return nil
            }
            return next...min(next + limit - 1, today - 1)
        }
    }

    /// Has all days derived anew that an earlier version derived by another rule.
    private func takeUpRule() async throws {
        guard try await read({ try Setting.countryDaysRule.integer(in: $0) }) != CountryTally.rule else { return }
        try await tidy { database in
            try CountryDayRow.noteAll(in: database)
            try Setting.countryDaysRule.set(CountryTally.rule, in: database)
        }
    }

    /// The days that are to be derived anew because of late checks, at most `limit`, together where they follow one
    /// another in a country.
    package func countryDaysDue(limit: Int) async throws -> [(country: Country, days: ClosedRange<Int64>)] {
        try await read { database in
            var spans: [(country: Country, days: ClosedRange<Int64>)] = []
            for due in try CountryDayRow.due(.min ... .max, in: database).prefix(limit) {
                if let last = spans.last, last.country == due.country, last.days.upperBound + 1 == due.day {
                    spans[spans.count - 1].days = last.days.lowerBound...due.day
                } else {
                    spans.append((due.country, due.day...due.day))
                }
            }
            return spans
        }
    }

    /// Enters what `draft` has counted. What was recorded in its days meanwhile is noted as due.
    package func enter(_ draft: CountryDayDraft) async throws {
        try await tidy { database in
            let (days, country) = (draft.days, draft.country?.code)
            let rows = try CountryDayRow.keepingMoves(draft.rows, days, in: database)
            let arguments: StatementArguments = ["from": days.lowerBound, "to": days.upperBound, "country": country]
            try database.cachedStatement(
                sql: """
                    DELETE FROM country_day
                    WHERE day BETWEEN :from AND :to AND (:country IS NULL OR country = :country)
                    """
            ).execute(arguments: arguments)
            try database.cachedStatement(
                sql: """
                    DELETE FROM country_day_due
                    WHERE day BETWEEN :from AND :to AND (:country IS NULL OR country = :country)
                    """
            ).execute(arguments: arguments)
            for row in rows { try CountryDayRow.insert(row, in: database) }
            if draft.country == nil {
                let last = try CountryDayRow.lastDay(in: database) ?? .min
                try Setting.countryDaysThrough.set(max(last, days.upperBound), in: database)
            }
            let late = try Row.fetchAll(
                database,
                sql: """
                    SELECT query.country, check_log.at FROM check_log CROSS JOIN query ON query.id = check_log.query
                    WHERE check_log.id > ? AND check_log.at < ?
                    """, arguments: [draft.newest, Timestamp.startOfDay(days.upperBound + 1).secondsSinceEpoch])
            for row in late {
                try CountryDayRow.noteChange(
                    of: row[0], on: (row[1] as Timestamp).day, in: database)
            }
        }
    }
}
