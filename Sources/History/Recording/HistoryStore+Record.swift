import Foundation
import GRDB
package import RankKit

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
            try LaneRow.note(requestAt: check.at, of: Endpoint.name(of: check.query.source), in: database)
            return try (recorded, Self.hasNoted(in: database))
        }
        if hasNoted { await deriveNoted() }
        return recorded
    }

    /// Notes that a request was made which left no check. For tests and benchmarks, as `begin(passAt:due:)`, `endPass`
    /// and `noteLookup`.
    package func noteRequest(at moment: Timestamp) async throws {
        try await write { try LaneRow.note(requestAt: moment, of: Endpoint.name(of: .usual), in: $0) }
    }

    package func begin(passAt moment: Timestamp, due: Int) async throws {
        try await write { try PassProgress.begin(.usual, at: moment, due: due, in: $0) }
    }

    package func endPass() async throws {
        try await write { try PassProgress.end(.usual, in: $0) }
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
        let counted = CountedChecks.counts(at, by: now) ? at : nil
        try CountedChecks.note(try CountedChecks.advance(to: now, recording: counted, in: database), in: database)
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
        try CountryDayRow.noteChange(of: check.query.store, at: check.at, in: database)
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
        try PassProgress.count(checkAt: check.at, of: check.query.source, in: database)
        return recorded
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
        try UnnumberedPlaces.keep(list.places, as: numbers, of: id, in: database)

        let places = SeenPlaces(list, numbers)
        let insert = try database.cachedStatement(
            sql: "INSERT INTO position (pair, at, check_id, position, within) VALUES (?, ?, ?, ?, ?)")
        let pairs = try MetPair.all(on: query, at: check.at, in: database)
        var ranked = 0
        for pair in pairs {
            let position = try places.first(of: pair.bundleID, at: at, in: database)
            if position != nil {
                ranked += 1
            } else if try !list.isKnownToLack(pair.bundleID, numbers, in: database) {
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
        try UnnumberedPlaces.keep(list.places, as: numbers, of: id, in: database)
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

extension ResultList {
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

    /// Whether every place is known to be another app's, for an app that no place names: by what the list keeps, or by
    /// its number where the app's own is known. An entry without a number may be anybody's if nobody has its name: an app
    /// may have come under a new one.
    fileprivate func isKnownToLack(
        _ bundleID: BundleID, _ numbers: [Int64?], in database: Database
    ) throws -> Bool {
        guard numbers.contains(nil) else { return true }
        guard numbers.indices.allSatisfy({ numbers[$0] != nil || unnamed[$0] != nil }) else { return false }
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
