import GRDB
package import RankKit

/// A check as it now stands in the history.
package struct RecordedCheck: Sendable, Hashable {
    package let id: Int64
    package let query: Query
    package let at: Timestamp
    /// How many places the check saw; `nil` if it failed.
    package let within: Int?
    /// Why it failed; `nil` if it did not.
    package let failure: Failure?
    /// Why its list cannot be believed yet; `nil` if it can.
    package let suspicion: Suspicion?
    /// How many tracked apps hold a place in the list.
    package let ranked: Int
    /// How many tracked apps the check was recorded for.
    package let pairs: Int

    var isGood: Bool { failure == nil && suspicion == nil }
}

extension RecordedCheck {
    /// The check as it stands in the history; `nil` if none of its query and moment does.
    init?(of check: Check, query: Int64, in database: Database) throws {
        let id = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM check_log WHERE query = ? AND at = ? LIMIT 1"),
            arguments: [query, check.at.secondsSinceEpoch])
        guard let id else { return nil }
        try self.init(id, of: check.query, query: query, in: database)
    }

    /// The check that an answer has left: one of its question and moment that ended as it did; `nil` if there is none.
    /// A list that was not believed, or that was spoken against later, is the same list.
    init?(of answer: SearchAnswer, query: Int64, in database: Database) throws {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT id, outcome, within, reason FROM check_log WHERE query = ? AND at = ?"),
            arguments: [query, answer.at.secondsSinceEpoch])
        for row in rows {
            let isSame =
                switch (try CheckOutcome(row, at: 1, ofCheck: row[0]), answer.reply) {
                case (.good(let count, _), .list(let list)), (.suspect(_, let count), .list(let list)):
                    try count == list.count && list.isLike(listOfCheck: row[0], in: database)
                case (.failed(let reason), .failed(let failure)): reason == failure.reason
                default: false
                }
            guard isSame else { continue }
            try self.init(row[0], of: answer.query, query: query, in: database)
            return
        }
        return nil
    }

    /// The check `id`; `nil` if there is none.
    init?(_ id: Int64, of question: Query, query: Int64, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT at, outcome, within, reason, detail FROM check_log WHERE id = ?"),
            arguments: [id])
        guard let row else { return nil }
        let at: Timestamp = try row[0]
        let outcome = try CheckOutcome(row, at: 1, ofCheck: id)
        let failure: Failure? = if case .failed(let reason) = outcome { try Failure(reason, row[4] ?? "") } else { nil }
        let suspicion: Suspicion? = if case .suspect(let why, _) = outcome { why } else { nil }
        let ranked = try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT count(position.position) FROM pair
                    JOIN position ON position.pair = pair.id AND position.at = ? AND position.check_id = ?
                    WHERE pair.query = ?
                    """), arguments: [at.secondsSinceEpoch, id, query])
        self.init(
            id: id, query: question, at: at, within: outcome.within, failure: failure, suspicion: suspicion,
            ranked: ranked ?? 0, pairs: try MetPair.all(on: query, at: at, in: database).count)
    }
}

extension ResultList {
    /// Whether the check's list has the same apps in its places, as far as it is kept and both can be read.
    fileprivate func isLike(listOfCheck id: Int64, in database: Database) throws -> Bool {
        let kept: StoredList?
        do { kept = try HistoryReader.list(ofCheck: id, database) } catch is UnreadableLists { return true }
        guard let kept, kept.places.count == places.count else { return kept == nil }
        let number = try database.cachedStatement(sql: "SELECT app_id FROM app WHERE id = ?")
        return try zip(kept.places, places).allSatisfy { kept, seen in
            guard let kept, let id = seen?.id else { return true }
            return try Row.fetchOne(number, arguments: [kept.number])?.wide(0) == id.number
        }
    }
}
