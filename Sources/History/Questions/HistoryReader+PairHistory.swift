import GRDB
package import RankKit

/// What one check said about an app.
package struct PastCheck: Sendable, Hashable {
    package var at: Timestamp
    /// Never `pending`.
    package var outcome: Outcome
    /// What was seen of a check that failed, such as its status; may hold foreign text.
    package var detail: String?

    let check: Int64

    /// Whether the check is good, also where it cannot tell the app from an absent one.
    fileprivate var isOfGoodCheck: Bool { outcome.isGood || outcome.gap == .failed(.unreadPlaces) }

    fileprivate init(_ position: Position?, within: Int, at: Timestamp, check: Int64) {
        self.at = at
        outcome = .placed(position, of: within)
        self.check = check
    }

    /// Where the app stood in a list.
    fileprivate init(_ place: StoredPlace) {
        at = place.head.at
        outcome = place.isUnknown ? .failed(.unreadPlaces) : .placed(place.position, of: place.within)
        check = place.head.checkID
    }

    /// A check without a reading; `nil` where such a one says nothing.
    fileprivate init?(unread row: Row) throws {
        guard let outcome = try CheckOutcome(row, at: 2, ofCheck: row[0]).untold else { return nil }
        self.outcome = outcome
        at = try row[1]
        detail = try row[5]
        check = try row[0]
    }
}

/// What the checks of a query said about an app, as far as that is known.
package struct AppPast: Sendable, Hashable {
    /// Oldest first.
    package var checks: [PastCheck] = []
    /// Lists that would have said more, and cannot be read.
    package var damaged: [DamagedLists] = []
}

extension HistoryReader {
    /// What every check of `query` in `span` said about an app: from the stored positions where the app was tracked,
    /// else from the kept lists. A good check of which neither is kept is left out, as is one whose date lies ahead of the
    /// clock (`CountedChecks`).
    package func history(
        of bundleID: BundleID, on query: Query, in span: ClosedRange<Timestamp> = .always
    ) throws(HistoryError) -> AppPast {
        guard let span = try counted(span) else { return AppPast() }
        let stored = try storedHistory(of: bundleID, on: query, in: span)
        var past = AppPast(checks: stored.checks)
        if stored.isWhole {
            past.checks += stored.untold
        } else {
            let known = Set(stored.checks.map(\.check))
            let app = try numbers(of: bundleID)
            let places = try naming(
                places(of: app, on: query, in: span) { past.damaged.append($0) }, app, bundleID, query)
            for place in places where place.head.outcome == .good && !known.contains(place.head.checkID) {
                past.checks.append(PastCheck(place))
            }
            let told = Set(past.checks.map(\.check))
            past.checks += stored.untold.filter { !told.contains($0.check) }
            past.damaged = try read { database in
                try past.damaged.filter { lists in
                    let seconds = lists.from.secondsSinceEpoch...lists.through.secondsSinceEpoch
                    let told = past.checks.count { $0.isOfGoodCheck && seconds.contains($0.at.secondsSinceEpoch) }
                    return try told < Self.goodChecks(of: query, in: seconds, database)
                }
            }
        }
        past.checks.sort { ($0.at, $0.check) < ($1.at, $1.check) }
        return past
    }

    /// `places` with what the entries of their lists called the apps that had no number of Apple's: there the app may
    /// stand by its name, or every other one. Also where its number is known, it may stand higher by its name.
    private func naming(
        _ places: [StoredPlace], _ app: Set<DenseID>, _ bundleID: BundleID, _ query: Query
    ) throws(HistoryError) -> [StoredPlace] {
        let unread = places.filter { !$0.isWhole }
        guard let first = unread.first, let last = unread.last else { return places }
        let span = first.head.at...max(first.head.at, last.head.at)
        let named = try read { database -> [Int64: StoredPlace] in
            guard let query = try QueryRow.id(of: query, in: database) else { return [:] }
            let checks = try UnnumberedPlaces.checks(of: query, in: span.seconds, in: database)
            guard !checks.isEmpty else { return [:] }
            var named: [Int64: StoredPlace] = [:]
            var failure: (any Error)?
            try Self.lists(
                on: query, in: span.seconds, database, where: { $0.map { checks.contains($0.checkID) } },
                damaged: { _ in }
            ) { list in
                guard checks.contains(list.checkID) else { return true }
                do {
                    named[list.checkID] = try self.named(list, in: database).place(of: app, or: bundleID)
                } catch { failure = error }
                return failure == nil
            }
            if let failure { throw failure }
            return named
        }
        return places.map { named[$0.head.checkID] ?? $0 }
    }

    /// The part of `span` whose checks count; `nil` if none of it is past yet.
    private func counted(_ span: ClosedRange<Timestamp>) throws(HistoryError) -> ClosedRange<Timestamp>? {
        let end = try read { try CountedChecks.end(in: $0) }
        guard end < .max, Timestamp(secondsSinceEpoch: end) <= span.upperBound else { return span }
        let last = Timestamp(secondsSinceEpoch: end) - 1
        return span.lowerBound <= last ? span.lowerBound...last : nil
    }

    /// How many checks of `queries` that count there are in `span`, of any outcome.
    package func checkCount(on queries: [Query], in span: ClosedRange<Timestamp>) throws(HistoryError) -> Int {
        guard let span = try counted(span) else { return 0 }
        return try read { database in
            try queries.reduce(0) { count, query in
                guard let id = try QueryRow.id(of: query, in: database) else { return count }
                return try count
                    + (Int.fetchOne(
                        database.cachedStatement(
                            sql: "SELECT count(*) FROM check_log WHERE query = ? AND at BETWEEN ? AND ?"),
                        arguments: [id, span.lowerBound.secondsSinceEpoch, span.upperBound.secondsSinceEpoch]) ?? 0)
            }
        }
    }

    private static func goodChecks(
        of query: Query, in span: ClosedRange<Int64>, _ database: Database
    ) throws -> Int {
        guard let query = try QueryRow.id(of: query, in: database) else { return 0 }
        return try Int.fetchOne(
            database.cachedStatement(sql: goodChecks),
            arguments: ["query": query, "from": span.lowerBound, "to": span.upperBound]) ?? 0
    }

    /// Counted from indexes alone: the rows of one query lie far apart.
    static let goodChecks = """
        SELECT (SELECT count(*) FROM check_log WHERE query = :query AND at BETWEEN :from AND :to)
            - (SELECT count(*) FROM check_log WHERE query = :query AND at BETWEEN :from AND :to AND outcome <> 'good')
        """

    /// - Returns: the checks that failed or are suspect, and those with a stored position; the good checks without one
    ///   of which some places could not be read; and whether these are all.
    private func storedHistory(
        of bundleID: BundleID, on query: Query, in span: ClosedRange<Timestamp>
    ) throws(HistoryError) -> (checks: [PastCheck], untold: [PastCheck], isWhole: Bool) {
        try read { database in
            guard let id = try QueryRow.id(of: query, in: database) else { return ([], [], true) }
            var checks: [PastCheck] = []
            let (from, to) = (span.lowerBound.secondsSinceEpoch, span.upperBound.secondsSinceEpoch)
            let pairs = try SameApp.pairs(of: bundleID.folded, on: id, in: database)
            var good: Set<Int64> = []
            for pair in pairs {
                let rows = try Row.fetchCursor(
                    database.cachedStatement(
                        sql: """
                            SELECT at, check_id, position, within FROM position
                            WHERE pair = ? AND at BETWEEN ? AND ? ORDER BY at, check_id
                            """), arguments: [pair.id, from, to])
                while let row = try rows.next() {
                    guard try pair.isSame(at: row[0]), try good.insert(row[1]).inserted else { continue }
                    try checks.append(PastCheck(row[2], within: row.depth(3), at: row[0], check: row[1]))
                }
            }
            let partly = try Row.fetchCursor(
                database.cachedStatement(sql: Self.partlyReadChecks), arguments: [id, from, to])
            var untold: [PastCheck] = []
            while let row = try partly.next() {
                if let check = try PastCheck(unread: row), !good.contains(check.check) { untold.append(check) }
            }
            let unread = try Row.fetchCursor(
                database.cachedStatement(sql: Self.unreadChecks), arguments: [id, from, to])
            while let row = try unread.next() {
                if let check = try PastCheck(unread: row) { checks.append(check) }
            }
            guard let pair = pairs.first, pair.isItself, pair.isFilled else { return (checks, untold, false) }
            let all = try Self.goodChecks(of: query, in: from...to, database)
            return (checks, untold, good.count + untold.count == all)
        }
    }

    /// When the checks of `query` in `span` began that failed or are suspect, oldest first: they say nothing of any app.
    package func uncertainChecks(
        of query: Query, in span: ClosedRange<Timestamp>
    ) throws(HistoryError) -> [Timestamp] {
        guard let span = try counted(span) else { return [] }
        return try read { database in
            guard let id = try QueryRow.id(of: query, in: database) else { return [] }
            let rows = try Row.fetchCursor(
                database.cachedStatement(sql: Self.unreadChecks),
                arguments: [id, span.lowerBound.secondsSinceEpoch, span.upperBound.secondsSinceEpoch])
            var moments: [Timestamp] = []
            while let row = try rows.next() { try moments.append(row[1]) }
            return moments
        }
    }

    static let partlyReadChecks = """
        SELECT id, at, outcome, within, reason, detail FROM check_log
        WHERE query = ? AND outcome = 'good' AND reason IS NOT NULL AND at BETWEEN ? AND ? ORDER BY at, id
        """

    static let unreadChecks = """
        SELECT id, at, outcome, within, reason, detail FROM check_log
        WHERE query = ? AND outcome <> 'good' AND at BETWEEN ? AND ? ORDER BY at, id
        """
}
