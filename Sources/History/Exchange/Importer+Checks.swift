import Foundation
import GRDB
import RankKit

/// Checks with their lists and positions, and counts.
extension Importer {
    mutating func take(_ line: ExchangeLine.Check, _ database: Database) throws {
        let query = try known(line.query, in: queries, "query")
        let outcome: CheckOutcome
        do {
            outcome = try CheckOutcome(outcome: line.outcome, within: line.within, reason: line.reason)
        } catch { throw Unfitting(what: error.description) }
        let id = line.n + block.offset
        if let existing = try twin(of: line, query: query, id: id, database) {
            result.duplicates += 1
            try addPositions(line, to: existing, outcome, database, asOfTwin: existing != id)
            return
        }
        try database.cachedStatement(
            sql: "INSERT INTO check_log (id, query, at, outcome, within, reason, detail) VALUES (?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [id, query, line.at, line.outcome, line.within, line.reason, line.detail])
        if let list = line.list {
            let places: [Int64?] = try list.map { $0 == 0 ? nil : try known($0, in: apps, "app") }
            try UnpagedLists.keep(places, of: id, at: line.at, query: query, in: database)
            if outcome.isGood {
                let placed = Set((line.positions ?? []).compactMap { pairs[$0.pair] })
                unfilled.formUnion(try activePairs(on: query, database).subtracting(placed))
            }
        }
        let country = try String.fetchOne(
            database.cachedStatement(sql: "SELECT country FROM query WHERE id = ?"), arguments: [query])
        if let country {
            let day = Timestamp(secondsSinceEpoch: line.at).day
            try CountryDayRow.noteChange(of: country, on: day, in: database)
        }
        (block.first, block.last) = (min(block.first, id), max(block.last, id))
        result.checks += 1
        changed.insert(query)
        try addPositions(line, to: id, outcome, database, asOfTwin: false)
    }

    private mutating func activePairs(on query: Int64, _ database: Database) throws -> Set<Int64> {
        if let known = activePairs[query] { return known }
        let pairs = Set(try ActivePair.all(on: query, in: database).map(\.id))
        activePairs[query] = pairs
        return pairs
    }

    /// The check of the same query and time that is there already; two of one file are no twins.
    private func twin(
        of line: ExchangeLine.Check, query: Int64, id: Int64, _ database: Database
    ) throws -> Int64? {
        let there = try Int64.fetchAll(
            database.cachedStatement(sql: "SELECT id FROM check_log WHERE query = ? AND at = ?"),
            arguments: [query, line.at])
        if there.contains(id) { return id }
        return there.first { other in
            !(blocks + [block]).contains { $0.file == block.file && $0.first <= other && other <= $0.last }
        }
    }

    /// - Parameter asOfTwin: only where the check that is there says the same of the list's length.
    private mutating func addPositions(
        _ line: ExchangeLine.Check, to check: Int64, _ outcome: CheckOutcome, _ database: Database, asOfTwin: Bool
    ) throws {
        guard let positions = line.positions else { return }
        guard outcome.isGood else { throw Unfitting(what: "has positions, though the check is not good") }
        if asOfTwin {
            let within = try Int.fetchOne(
                database, sql: "SELECT within FROM check_log WHERE id = ? AND outcome = 'good'", arguments: [check])
            guard within == line.within else { return }
        }
        for position in positions {
            let pair = try known(position.pair, in: pairs, "pair")
            try database.cachedStatement(
                sql: """
                    INSERT INTO position (pair, at, check_id, position, within) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [pair, line.at, check, position.position, position.within ?? line.within])
            guard database.changesCount > 0 else { continue }
            result.positions += 1
            changed.insert(try known(line.query, in: queries, "query"))
            touched.insert(PairDay(pair: pair, day: Timestamp(secondsSinceEpoch: line.at).day))
        }
    }

    func take(_ line: ExchangeLine.FailureDay, _ database: Database) throws {
        do { _ = try Gap(failure: line.reason) } catch { throw Unfitting(what: error.description) }
        try database.cachedStatement(
            sql: "INSERT INTO failure_day (query, day, reason, failed) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        ).execute(arguments: [known(line.query, in: queries, "query"), line.day, line.reason, line.failed])
    }

    /// Only beside a plan of the file's: how another rankd's passes went says nothing about this one.
    func take(_ line: ExchangeLine.Pass, _ database: Database) throws {
        guard !keepsPlan else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO pass (started_at, finished_at, due, succeeded, failed, throttled, requests, suspect, bad_day)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
                WHERE NOT EXISTS (SELECT 1 FROM pass WHERE started_at = ?1 AND finished_at = ?2)
                """
        ).execute(
            arguments: [
                line.startedAt, line.finishedAt, line.due, line.succeeded, line.failed, line.throttled, line.requests,
                line.suspect, line.badDay,
            ])
    }
}
