import GRDB
package import RankKit

/// Some consecutive days of one country, counted query by query.
package struct CountryTally: Sendable {
    package let country: Country
    package let days: ClosedRange<Int64>
    private var counts: [Int64: Counts] = [:]

    package init(_ country: Country, _ days: ClosedRange<Int64>) {
        self.country = country
        self.days = days
    }

    private struct Counts: Sendable {
        var row: CountryDay
        /// How many apps moved by so many places.
        var moves: [Int: Int] = [:]
    }

    /// What has been counted, of days with a check, in order.
    var rows: [CountryDay] {
        counts.values.filter { $0.row.queries > 0 }.map { counts in
            var row = counts.row
            row.moves.spread = CountryDay.Spread(counts.moves)
            return row
        }.sorted { $0.day < $1.day }
    }

    private mutating func count(_ day: Int64, _ change: (inout Counts) -> Void) {
        guard days.contains(day) else { return }
        change(&counts[day, default: Counts(row: CountryDay(country: country, day: day))])
    }

    /// Adds what the history has of one query. Lists that cannot be read are not compared, and neither are the query's
    /// others then.
    mutating func add(query: Int64, in database: Database) throws {
        try addChecks(of: query, in: database)
        var compared = self
        do {
            try compared.addMoves(of: query, in: database)
            self = compared
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {}
    }

    private mutating func addChecks(of query: Int64, in database: Database) throws {
        let checks = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT at, outcome FROM check_log WHERE query = ? AND at BETWEEN ? AND ?"),
            arguments: [query, days.start.secondsSinceEpoch, days.end.secondsSinceEpoch])
        var seen: Set<Int64> = []
        while let row = try checks.next() {
            let (day, outcome): (Int64, String) = (Timestamp(secondsSinceEpoch: row[0]).day, row[1])
            seen.insert(day)
            count(day) {
                switch outcome {
                case "good": $0.row.good += 1
                case "suspect": $0.row.suspect += 1
                default: $0.row.failed += 1
                }
            }
        }
        let thinned = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT day, failed FROM failure_day WHERE query = ? AND day BETWEEN ? AND ?"),
            arguments: [query, days.lowerBound, days.upperBound])
        for row in thinned {
            seen.insert(row[0])
            count(row[0]) { $0.row.failed += row[1] }
        }
        for day in seen { count(day) { $0.row.queries += 1 } }
    }

    private mutating func addMoves(of query: Int64, in database: Database) throws {
        let start = Timestamp.startOfDay(days.lowerBound - CountryDay.longestGap).secondsSinceEpoch
        /// The last good lists of the newest two days.
        var (before, newest): (StoredList?, StoredList?) = (nil, nil)
        try HistoryReader.lists(on: query, in: start...days.end.secondsSinceEpoch, database) { list in
            guard list.outcome == .good else { return true }
            if let last = newest, last.at.day != list.at.day {
                compare(before, last)
                before = last
            }
            newest = list
            return true
        }
        if let newest { compare(before, newest) }
    }

    private mutating func compare(_ old: StoredList?, _ new: StoredList) {
        guard let old, new.at.day - old.at.day <= CountryDay.longestGap else { return }
        count(new.at.day) { counts in
            var before = old.bestPlaces
            for (app, place) in new.bestPlaces {
                if let was = before.removeValue(forKey: app) {
                    counts.moves[abs(was - place), default: 0] += 1
                    counts.row.moves.apps += 1
                } else {
                    counts.row.moves.entered += 1
                }
            }
            counts.row.moves.left += before.count
            counts.row.moves.compared += 1
        }
    }
}

extension StoredList {
    /// The best place of each app, counted from 0.
    fileprivate var bestPlaces: [DenseID: Int] {
        var best: [DenseID: Int] = [:]
        best.reserveCapacity(places.count)
        for (index, app) in places.enumerated() {
            if let app, best[app] == nil { best[app] = index }
        }
        return best
    }
}

extension ClosedRange<Int64> {
    /// The first second of the first day.
    fileprivate var start: Timestamp { .startOfDay(lowerBound) }
    /// The last second of the last day.
    fileprivate var end: Timestamp { .startOfDay(upperBound + 1) - 1 }
}
