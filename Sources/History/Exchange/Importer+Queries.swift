import Foundation
import GRDB
import RankKit

/// Queries and pairs.
extension Importer {
    mutating func take(_ line: ExchangeLine.Query, _ database: Database) throws {
        let folded = RankKit.Query.fold(line.text)
        let existing = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id FROM query
                    WHERE folded = ? AND country = ? AND platform = ? AND source = ? AND language = ?
                    """), arguments: [folded, line.country, line.platform, line.source, line.language])
        queries[line.n] =
            try existing
            ?? insert(
                "query", at: line.n,
                [
                    ("text", line.text), ("folded", folded), ("country", line.country), ("platform", line.platform),
                    ("source", line.source), ("language", line.language), ("cadences", line.cadences),
                    ("cadence_seconds", line.cadenceSeconds), ("popularity", line.popularity),
                    ("ordinal", line.ordinal), ("retired_at", retirement(line.retiredAt)),
                    ("baseline_from", line.baselineFrom == 0 ? 0 : line.baselineFrom + block.offset),
                    ("is_cut", line.isCut ?? false),
                ], database)
        if let existing {
            let first = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT min(at) FROM check_log WHERE query = ?"), arguments: [existing])
            beginnings[existing] = (line.isCut ?? false, first)
        }
    }

    /// Takes up which queries have lost their first checks: the history that goes back further says so.
    func noteCuts(_ database: Database) throws {
        for (query, beginning) in beginnings {
            try database.cachedStatement(
                sql: """
                    UPDATE query SET is_cut = ?1
                    WHERE id = ?2 AND (SELECT min(at) FROM check_log WHERE query = ?2) < ifnull(?3, 9223372036854775807)
                    """
            ).execute(arguments: [beginning.isCut, query, beginning.first])
        }
    }

    mutating func take(_ line: ExchangeLine.Pair, _ database: Database) throws {
        let query = try known(line.query, in: queries, "query")
        guard let bundleID = BundleID(line.bundleId) else { throw Unfitting(what: "has a bundleId that cannot be") }
        let existing = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM pair WHERE query = ? AND bundle_key = ?"),
            arguments: [query, bundleID.folded])
        let tags = String(decoding: try JSONEncoder().encode(line.tags), as: UTF8.self)
        let pair =
            try existing
            ?? insert(
                "pair", at: line.n,
                [
                    ("query", query), ("bundle_id", bundleID.text), ("bundle_key", bundleID.folded), ("tags", tags),
                    ("retired_at", retirement(line.retiredAt)),
                ], database)
        pairs[line.n] = pair
        filePairs[line.n] = FilePair(query: line.query, key: bundleID.folded)
        if existing == nil, let moment = line.prunedBefore {
            guard PrunedPairs.isStorable(moment) else { throw Unfitting(what: "has a time that cannot be") }
            try PrunedPairs.note([pair], before: moment, in: database)
        }
        if existing == nil, retirement(line.retiredAt) == nil, try hasChecks(query, database) {
            try PairFill.note(pair, in: database)
        }
        for period in line.periods {
            try database.cachedStatement(
                sql: "INSERT INTO pair_period (pair, from_at, until_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            ).execute(arguments: [pair, period.from, retirement(period.until)])
            // Other checks may say where the pair stands.
            if database.changesCount > 0 { changed.insert(query) }
        }
    }

    private func hasChecks(_ query: Int64, _ database: Database) throws -> Bool {
        let statement = try database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM check_log WHERE query = ?)")
        return try Bool.fetchOne(statement, arguments: [query]) ?? false
    }

    /// Inserts a row, with the number that it has in the file where that is free.
    func insert(
        _ table: String, at number: Int64, _ values: [(String, (any DatabaseValueConvertible)?)],
        _ database: Database
    ) throws -> Int64 {
        let isTaken = try Bool.fetchOne(
            database, SQLRequest(literal: "SELECT EXISTS (SELECT 1 FROM \(SQL(sql: table)) WHERE id = \(number))"))
        let columns = values.map(\.0).joined(separator: ", ")
        let row = ([isTaken == true ? nil : number] + values.map(\.1)).map { SQL("\($0)") }
        try database.execute(
            literal: """
                INSERT INTO \(SQL(sql: table)) (id, \(sql: columns)) VALUES (\(row.joined(separator: ", ")))
                """)
        return database.lastInsertedRowID
    }
}
