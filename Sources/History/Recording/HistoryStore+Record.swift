import Foundation
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

    fileprivate var isGood: Bool { failure == nil && suspicion == nil }
}

extension HistoryStore {
    /// Records a check that has been judged already, in no pass. For tests and benchmarks: whatever asks applies
    /// entries.
    ///
    /// - Parameters:
    ///   - restartsBaseline: whether from this check on its query's lists are usually as long as this one.
    ///   - clock: what the clock shows now, as `SearchAnswer.clock`.
    ///   - unlessStored: whether a check of the same query and moment is taken for this one.
    /// - Throws: `HistoryError`; nothing of the check is in the history then.
    @discardableResult
    package func record(
        _ check: Check, clock: Timestamp? = nil, restartsBaseline: Bool = false, unlessStored: Bool = false
    ) async throws -> RecordedCheck {
        let path = path
        let (recorded, hasNoted) = try await write { database, isAgain in
            guard let query = try QueryRow.id(of: check.query, in: database) else {
                throw HistoryError.unusable(path: path, what: "no query “\(check.query.text)” was adopted")
            }
            if unlessStored || isAgain, let stored = try RecordedCheck(of: check, query: query, in: database) {
                return try (stored, Self.hasNoted(in: database))
            }
            let recorded = try Self.keep(
                check, of: query, clock: clock, restartsBaseline: restartsBaseline, in: database)
            try Setting.lastRequest.set(check.at.secondsSinceEpoch, in: database)
            return try (recorded, Self.hasNoted(in: database))
        }
        if hasNoted { await deriveNoted() }
        return recorded
    }

    /// Notes that a request was made which left no check. For tests and benchmarks, as `begin(passAt:due:)`, `endPass`
    /// and `noteLookup`.
    package func noteRequest(at moment: Timestamp) async throws {
        try await write { try Setting.lastRequest.set(moment.secondsSinceEpoch, in: $0) }
    }

    package func begin(passAt moment: Timestamp, due: Int) async throws {
        try await write { try PassProgress.begin(at: moment, due: due, in: $0) }
    }

    package func endPass() async throws {
        try await write { try PassProgress.end(in: $0) }
    }

    package func noteLookup(at moment: Timestamp) async throws {
        _ = try await apply(.lookup(LookupAnswer(at: moment)))
    }

    /// Keeps a check whole: the check, the positions and standings of all active pairs on its query, the list, and what
    /// was new about the apps in it. A query that is not being watched any more is recorded all the same.
    static func keep(
        _ check: Check, of query: Int64, clock: Timestamp?, restartsBaseline: Bool, in database: Database
    ) throws -> RecordedCheck {
        let at = check.at.secondsSinceEpoch
        let now = try clock?.secondsSinceEpoch ?? max(at, CountedChecks.newest(in: database) ?? at)
        try CountedChecks.note(try CountedChecks.advance(to: now, in: database), in: database)
        let recorded =
            switch check.outcome {
            case .answered(let list):
                try record(
                    list.named(in: database), of: check, query: query, counts: CountedChecks.counts(at, by: now),
                    in: database)
            case .suspect(let list, let why):
                try record(list.named(in: database), why, of: check, query: query, in: database)
            case .failed(let failure): try record(failure, of: check, query: query, in: database)
            }
        try CountryDayRow.noteChange(of: check.query.country.code, on: check.at.day, in: database)
        try QueryRow.enterNewestCheck(StoredList.Key(at: at, check: recorded.id), of: query, in: database)
        let noted = try CountedChecks.noted(in: database)
        if try CountedChecks.leaveOut(checkAt: at, by: now, in: database) || noted.contains(query) {
            try CountedChecks.deriveNoted(query, in: database)
        }
        if restartsBaseline {
            try database.cachedStatement(sql: "UPDATE query SET baseline_from = ? WHERE id = ?")
                .execute(arguments: [recorded.id, query])
        }
        // A short list that comes late can be outgrown already.
        if recorded.isGood, let within = recorded.within,
            try within >= Belief.fewestPlaces || EarlyLists.isLate(recorded.id, at: at, of: query, in: database)
        {
            try EarlyLists.judge(query, in: database)
        }
        try PassProgress.count(checkAt: check.at, in: database)
        return recorded
    }

    /// Brings up to date the queries of which other checks count since a recording, or in which a name stands for another
    /// app: each in a transaction of its own, so that others read and write between them, and one that is broken off goes
    /// on with the next recording.
    ///
    /// A query that cannot be read stays as it is and keeps nobody from recording: whoever asks for it is told.
    func deriveNoted() async {
        while true {
            do {
                let unreadable = unreadableQueries
                guard let query = try await read({ try Self.noted(but: unreadable, in: $0) }) else { return }
                do {
                    try await write { database in
                        if try CountedChecks.noted(in: database).contains(query) {
                            try CountedChecks.deriveNoted(query, in: database)
                        }
                        if try Derivation.pending(in: database).contains(query) {
                            try Derivation.finish(query, in: database)
                        }
                    }
                } catch HistoryError.corrupt {
                    unreadableQueries.insert(query)
                }
            } catch {
                // What stands in the way now does so for the next recording, which says it and tries again.
                return
            }
        }
    }

    /// Whether something is to be derived anew.
    static func hasNoted(in database: Database) throws -> Bool { try noted(in: database) != nil }

    /// A query of which something is to be derived anew.
    private static func noted(but others: Set<Int64> = [], in database: Database) throws -> Int64? {
        try CountedChecks.noted(in: database).union(Derivation.pending(in: database)).subtracting(others).min()
    }

    /// - Parameter counts: whether the check counts at once (`CountedChecks`).
    private static func record(
        _ list: ResultList, of check: Check, query: Int64, counts: Bool, in database: Database
    ) throws -> RecordedCheck {
        let at = check.at.secondsSinceEpoch
        let numbers = try numbers(in: list, of: check, query: query, isGood: true, counts: counts, in: database)
        let unread = Gap.failed(.unreadPlaces)
        try database.cachedStatement(
            sql: "INSERT INTO check_log (query, at, outcome, within, reason) VALUES (?, ?, 'good', ?, ?)"
        ).execute(arguments: [query, at, list.count, numbers.contains(nil) ? unread.reason : nil])
        let id = database.lastInsertedRowID
        try QueryTopRow.enter(numbers, of: StoredList.Key(at: at, check: id), on: query, in: database)
        try UnpagedLists.keep(numbers, of: id, at: at, query: query, in: database)

        let places = SeenPlaces(list, numbers)
        let insert = try database.cachedStatement(
            sql: "INSERT INTO position (pair, at, check_id, position, within) VALUES (?, ?, ?, ?, ?)")
        let pairs = try MetPair.all(on: query, at: check.at, in: database)
        var ranked = 0
        for pair in pairs {
            let position = try places.first(of: pair.bundleID, at: at, in: database)
            if position != nil {
                ranked += 1
            } else if try !list.isKnownToLack(pair.bundleID, in: database) {
                try pair.leaveUnread(unread, at: check.at, in: database)
                continue
            }
            try insert.execute(arguments: [pair.id, at, id, position?.number, list.count])
            try StandingRow.reading(position, within: list.count, at: check.at, of: pair.id, in: database)
        }
        try DayRollUp.refresh(day: check.at.day, pairs: pairs.map(\.id), in: database)
        return RecordedCheck(
            id: id, query: check.query, at: check.at, within: list.count, failure: nil, suspicion: nil, ranked: ranked,
            pairs: pairs.count)
    }

    /// The list is kept and its apps are seen; no position comes from it.
    private static func record(
        _ list: ResultList, _ suspicion: Suspicion, of check: Check, query: Int64, in database: Database
    ) throws -> RecordedCheck {
        let at = check.at.secondsSinceEpoch
        let numbers = try numbers(in: list, of: check, query: query, isGood: false, counts: false, in: database)
        try database.cachedStatement(
            sql: "INSERT INTO check_log (query, at, outcome, within, reason) VALUES (?, ?, 'suspect', ?, ?)"
        ).execute(arguments: [query, at, list.count, suspicion.rawValue])
        let id = database.lastInsertedRowID
        try UnpagedLists.keep(numbers, of: id, at: at, query: query, in: database)
        let pairs = try MetPair.all(on: query, at: check.at, in: database)
        for pair in pairs { try pair.leaveUnread(.suspect(suspicion), at: check.at, in: database) }
        return RecordedCheck(
            id: id, query: check.query, at: check.at, within: list.count, failure: nil, suspicion: suspicion, ranked: 0,
            pairs: pairs.count)
    }

    /// What the list is kept as. Also keeps what was new about the apps in it.
    private static func numbers(
        in list: ResultList, of check: Check, query: Int64, isGood: Bool, counts: Bool, in database: Database
    ) throws -> [Int64?] {
        try AppRegister(storefrontOf: check.query, id: query, in: database)
            .numbers(for: list.places, isGood: isGood, tellsNames: counts, seenAt: check.at, in: database)
    }

    private static func record(
        _ failure: Failure, of check: Check, query: Int64, in database: Database
    ) throws -> RecordedCheck {
        try database.cachedStatement(
            sql: "INSERT INTO check_log (query, at, outcome, reason, detail) VALUES (?, ?, 'failed', ?, ?)"
        ).execute(
            arguments: [
                query, check.at.secondsSinceEpoch, failure.reason.rawValue,
                failure.detail.isEmpty ? nil : failure.detail.cut(toBytes: Self.longestDetail),
            ])
        let id = database.lastInsertedRowID
        let pairs = try MetPair.all(on: query, at: check.at, in: database)
        for pair in pairs { try pair.leaveUnread(.failed(.check(failure.reason)), at: check.at, in: database) }
        return RecordedCheck(
            id: id, query: check.query, at: check.at, within: nil, failure: failure, suspicion: nil, ranked: 0,
            pairs: pairs.count)
    }

    /// In bytes: details hold foreign text of any length.
    private static let longestDetail = 300
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

    /// With the apps that the history knows by their number in those places whose bundle identifier could not be read.
    fileprivate func named(in database: Database) throws -> ResultList {
        guard !unnamed.isEmpty else { return self }
        var (places, unnamed) = (places, unnamed)
        for (index, id) in self.unnamed {
            let bundleID = try String.fetchOne(
                database.cachedStatement(sql: "SELECT bundle_id FROM app WHERE app_id = ?"), arguments: [id.number])
            guard let bundleID = bundleID.flatMap({ BundleID($0) }) else { continue }
            places[index] = SeenApp(id: id, bundleID: bundleID, tellsName: false)
            unnamed[index] = nil
        }
        return ResultList(places: places, unnamed: unnamed)
    }

    /// Whether every place is known to be another app's, for an app that no place names: by its bundle identifier, or by
    /// its number where the app's own is known.
    fileprivate func isKnownToLack(_ bundleID: BundleID, in database: Database) throws -> Bool {
        guard places.contains(where: { $0 == nil }) else { return true }
        guard places.indices.allSatisfy({ places[$0] != nil || unnamed[$0] != nil }) else { return false }
        return try !AppNumbers(of: bundleID.folded, in: database).isEmpty
    }
}

/// Where the apps of a list stand that is being recorded.
private struct SeenPlaces {
    private var byNumber: [DenseID: Int] = [:]
    /// Of entries without a number of Apple's whose app has none yet.
    private var byName: [BundleID: Int] = [:]

    init(_ list: ResultList, _ numbers: [Int64?]) {
        byNumber.reserveCapacity(numbers.count)
        for (index, number) in numbers.enumerated() {
            if let number {
                byNumber[DenseID(number)] = byNumber[DenseID(number)] ?? index
            } else if let app = list.places[index] {
                byName[app.bundleID] = byName[app.bundleID] ?? index
            }
        }
    }

    /// The first place that an app holds under any of its numbers.
    func first(of bundleID: BundleID, at moment: Int64, in database: Database) throws -> Position? {
        var indices = try AppNumbers(of: bundleID.folded, in: database).at(moment).compactMap { byNumber[$0] }
        if let index = byName[bundleID] { indices.append(index) }
        return indices.min().flatMap { Position($0 + 1) }
    }
}
