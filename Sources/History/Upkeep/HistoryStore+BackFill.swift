import GRDB
package import RankKit

/// What is still to be filled in from the kept lists of one query.
package struct BackFillWork: Sendable {
    let query: Query
    let pairs: [Pair]
    /// Whether the apps of the lists are to be entered in the register of apps by query.
    let fillsApps: Bool
    /// The first of what is to be filled comes after this; `nil` for the whole history.
    let after: StoredList.Key?

    let id: Int64
    /// Through which list the apps are there.
    let appsThrough: StoredList.Key?
    /// Lists from then on, in seconds, do not count for the apps (`CountedChecks`).
    let appsEnd: Int64

    struct Pair {
        let id: Int64
        let app: NamedApp
        let through: StoredList.Key?
    }
}

/// Filling in the past from the kept lists. Each step is one short transaction, safe to be cut off anywhere.
extension HistoryStore {
    /// The queries with something left to fill in.
    package func queriesToFill() async throws -> [Query] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(QueryRow.columns) FROM query
                    WHERE id IN (SELECT query FROM query_fill)
                        OR id IN (SELECT pair.query FROM pair_fill JOIN pair ON pair.id = pair_fill.pair
                            WHERE pair.retired_at IS NULL)
                    ORDER BY ordinal, id
                    """
            ).map { try QueryRow.query(from: $0) }
        }
    }

    /// What is to be filled in from the lists of `query`; `nil` if nothing is.
    package func backFillWork(on query: Query) async throws -> BackFillWork? {
        try await read { database in
            guard let id = try QueryRow.id(of: query, in: database) else { return nil }
            let pairs = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT pair.id, through_at, through_check
                        FROM pair JOIN pair_fill ON pair_fill.pair = pair.id
                        WHERE pair.query = ? AND pair.retired_at IS NULL
                        """), arguments: [id]
            ).map { row in
                let pair: Int64 = try row[0]
                return try BackFillWork.Pair(
                    id: pair, app: try NamedApp(ofPair: pair, in: database), through: .init(row, at: 1))
            }
            let apps = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT through_at, through_check FROM query_fill WHERE query = ?"),
                arguments: [id])
            guard !pairs.isEmpty || apps != nil else { return nil }
            let appsThrough = try apps.flatMap { try StoredList.Key($0, at: 0) }
            var marks = pairs.map(\.through)
            if apps != nil { marks.append(appsThrough) }
            let after = marks.contains(nil) ? nil : marks.compactMap(\.self).min()
            return BackFillWork(
                query: query, pairs: pairs, fillsApps: apps != nil, after: after, id: id, appsThrough: appsThrough,
                appsEnd: try CountedChecks.end(in: database))
        }
    }

    /// Fills in what consecutive lists tell about some pairs of one query, and notes how far that goes. Does nothing where
    /// the names of entries in the lists stand for other apps by now: the lists are read anew then.
    ///
    /// - Parameter isEnd: whether there are no further lists, so that the pairs are done.
    func fill(_ pairs: [FilledPair], isEnd: Bool) async throws {
        try await write { database in
            // All of them were read from the same lists.
            let owners = pairs.first?.owners ?? [:]
            guard try owners.allSatisfy({ try AppNumbers(of: $0.key, in: database) == $0.value }) else { return }
            for pair in pairs { try pair.enter(isEnd: isEnd, in: database) }
        }
    }

    /// Enters the best places that apps had on a query in some consecutive lists. Does nothing where other lists count by
    /// now than when these were read: they are read again then.
    func fill(_ apps: FilledApps, isEnd: Bool) async throws {
        try await write { database in
            guard try CountedChecks.end(in: database) == apps.end else { return }
            let old = apps.after
            try database.cachedStatement(
                sql: """
                    UPDATE query_fill SET through_at = ?, through_check = ?
                    WHERE query = ? AND through_at IS ? AND through_check IS ?
                    """
            ).execute(
                arguments: [
                    apps.through?.at, apps.through?.check, apps.query, old?.at,
                    old?.check,
                ])
            guard database.changesCount == 1 else { return }
            for (app, best) in apps.best {
                try QueryAppRow.enter(app.number, at: best.place, on: apps.query, at: best.at, in: database)
            }
            if isEnd {
                try database.execute(literal: "DELETE FROM query_fill WHERE query = \(apps.query)")
            }
        }
    }
}

/// What some consecutive lists tell of a pair.
struct FilledPair: Sendable {
    var pair: Int64
    /// What the lists were read with.
    var app: NamedApp
    /// Whose the names of their entries without a number were.
    var owners: [String: AppNumbers] = [:]
    /// How far the pair was filled before.
    var after: StoredList.Key?
    var places: [StoredPlace] = []

    /// Only where the pair is still to be filled from there on: it may have been retired or adopted anew meanwhile, or its
    /// app may have come under another bundle identifier. Then the lists are read anew.
    func enter(isEnd: Bool, in database: Database) throws {
        guard try NamedApp(ofPair: pair, in: database) == app else { return }
        let through = places.last?.head.key ?? after
        try database.cachedStatement(
            sql: """
                UPDATE pair_fill SET through_at = ?, through_check = ?
                WHERE pair = ? AND through_at IS ? AND through_check IS ?
                    AND (SELECT retired_at FROM pair WHERE pair.id = pair_fill.pair) IS NULL
                """
        ).execute(
            arguments: [
                through?.at, through?.check, pair, after?.at, after?.check,
            ])
        guard database.changesCount == 1 else { return }
        let good = try places.filter { place in
            try place.head.outcome == .good
                && (place.within >= Belief.fewestPlaces || EarlyLists.isGood(place.head, in: database))
        }
        let told = try good.map { place in
            try place.isUnknown
                ? PairFill.told(place, of: pair, in: database) : PairFill.enter(place, of: pair, in: database)
        }.filter { !$0.isUnknown }
        for day in Set(told.map(\.head.at.day)) { try DayRollUp.refresh(day: day, pairs: [pair], in: database) }
        if try !StandingRow.exists(for: pair, in: database) { try PairFill.place(pair, in: database) }
        try StandingRow.addPast(told, of: pair, in: database)
        if !told.isEmpty { try StandingRow.addLastGood(of: pair, in: database) }
        guard isEnd else { return }
        try database.execute(literal: "DELETE FROM pair_fill WHERE pair = \(pair)")
        try PairFill.takeOver(pair, in: database)
    }
}

/// What some consecutive lists tell of the apps in them.
struct FilledApps: Sendable {
    var query: Int64
    var after: StoredList.Key?
    var through: StoredList.Key?
    /// Lists from then on, in seconds, do not count.
    var end: Int64
    var best: [DenseID: (place: Int, at: Int64)] = [:]

    mutating func add(_ list: StoredList) {
        through = list.head.key
        guard list.outcome == .good, list.at.secondsSinceEpoch < end else { return }
        for (index, app) in list.places.enumerated() {
            guard let app else { continue }
            let known = best[app]
            if let known, known.place <= index + 1 { continue }
            best[app] = (index + 1, list.at.secondsSinceEpoch)
        }
    }
}

extension StoredList.Key {
    /// Reads a time and a check, either both or none.
    init?(_ row: Row, at column: Int) throws {
        let (at, check): (Timestamp?, Int64?) = try (row[column], row.wideIfAny(column + 1))
        guard let at, let check else { return nil }
        self.init(at: at.secondsSinceEpoch, check: check)
    }
}
