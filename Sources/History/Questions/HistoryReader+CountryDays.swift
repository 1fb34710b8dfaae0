import GRDB
package import RankKit

extension HistoryReader {
    /// How the store was on each of `days` with a check, by day and country: closed days from their roll-ups, and those
    /// that have none yet, such as the day under way, from the checks and lists themselves.
    ///
    /// - Parameter country: `nil` for all.
    package func countryDays(
        _ days: ClosedRange<Int64>, of country: Country? = nil
    ) throws(HistoryError) -> [CountryDay] {
        try read { database in
            let last = try CountryDayRow.lastDay(in: database) ?? .min
            let due = try CountryDayRow.due(days, in: database).filter { country == nil || $0.country == country }
            var found = try CountryDayRow.all(days, of: country, in: database).filter { row in
                row.day <= last && !due.contains { $0 == (row.country, row.day) }
            }
            let queries = try CountryDayDraft.queries(of: country, in: database)
            for (country, queries) in Dictionary(grouping: queries, by: \.country) {
                var open = due.filter { $0.country == country }.map { $0.day...$0.day }
                if last < days.upperBound { open.append(max(last &+ 1, days.lowerBound)...days.upperBound) }
                for span in open {
                    var tally = CountryTally(country, span)
                    for query in queries { try tally.add(query: query.id, in: database) }
                    found += try CountryDayRow.keepingMoves(tally.rows, span, in: database)
                }
            }
            return found.sorted { ($0.day, $0.country) < ($1.day, $1.country) }
        }
    }

    /// As `countryDays`, of those days alone that the clean-up has derived: a report that only wants to know how the
    /// store was need not read lists for the days since.
    ///
    /// - Parameter country: `nil` for all.
    package func derivedCountryDays(
        _ days: ClosedRange<Int64>, of country: Country? = nil
    ) throws(HistoryError) -> [CountryDay] {
        try read { database in
            try CountryDayRow.all(days, of: country, in: database).sorted {
                ($0.day, $0.country) < ($1.day, $1.country)
            }
        }
    }
}
