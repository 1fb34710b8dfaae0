package import Foundation
import GRDB
package import RankKit

/// The plan as the history knows it: what is watched, and what was.
package struct StoredPlan: Sendable {
    /// When rankd last made a watchlist its plan; `nil` if it never did.
    package var adoptedAt: Timestamp?
    package var requestsPerMinute: Int
    /// How keenly its reports tell moves from wobble.
    package var sensitivity: Sensitivity
    /// Retired ones included, in the order of the watchlist.
    package var queries: [StoredQuery]
    /// Which of its apps' names, and of those that were asked about, are of one app.
    package var oneApps: [OneApp]

    package init(
        adoptedAt: Timestamp?, requestsPerMinute: Int, sensitivity: Sensitivity = .normal, queries: [StoredQuery],
        oneApps: [OneApp] = []
    ) {
        self.adoptedAt = adoptedAt
        self.requestsPerMinute = requestsPerMinute
        self.sensitivity = sensitivity
        self.queries = queries
        self.oneApps = oneApps
    }

    package struct StoredQuery: Sendable, Hashable {
        package var query: Query
        package var cadences: [Cadence]
        package var isActive: Bool
        /// The newest check, whatever its outcome; `nil` if there is none.
        package var lastCheckedAt: Timestamp?
        /// From when on there are lists of it, which tell the past of any app; `nil` if there are none.
        package var listsSince: Timestamp?
        package var pairs: [StoredPair]

        package init(
            query: Query, cadences: [Cadence], isActive: Bool = true, lastCheckedAt: Timestamp? = nil,
            listsSince: Timestamp? = nil, pairs: [StoredPair] = []
        ) {
            self.query = query
            self.cadences = cadences
            self.isActive = isActive
            self.lastCheckedAt = lastCheckedAt
            self.listsSince = listsSince
            self.pairs = pairs
        }
    }

    package struct StoredPair: Sendable, Hashable {
        package var bundleID: BundleID
        package var isActive: Bool

        package init(bundleID: BundleID, isActive: Bool = true) {
            self.bundleID = bundleID
            self.isActive = isActive
        }
    }
}

extension HistoryReader {
    /// What the history would compare a new watchlist with.
    ///
    /// - Parameter names: the apps of that watchlist, which may be other names of those that are watched.
    package func plan(comparedWith names: [BundleID] = []) throws(HistoryError) -> StoredPlan {
        try read { database in
            let queries = try Self.storedQueries(in: database)
            let stored = queries.flatMap(\.pairs).map(\.bundleID)
            var known: Set<BundleID> = []
            let oneApps = try OneApp.all(of: (names + stored).filter { known.insert($0).inserted }, in: database)
            return StoredPlan(
                adoptedAt: try Setting.adoptedAt.moment(in: database),
                requestsPerMinute: try Setting.requestsPerMinute.positive(in: database)
                    ?? ServiceSettings.defaultRequestsPerMinute,
                sensitivity: try Self.sensitivity(in: database),
                queries: queries, oneApps: oneApps)
        }
    }

    private static func storedQueries(in database: Database) throws -> [StoredPlan.StoredQuery] {
        var pairs: [Int64: [StoredPlan.StoredPair]] = [:]
        let rows = try Row.fetchCursor(
            database, sql: "SELECT query, bundle_id, retired_at IS NULL FROM pair ORDER BY id")
        while let row = try rows.next() {
            guard let bundleID = try BundleID(row[1]) else { continue }
            try pairs[row[0], default: []].append(.init(bundleID: bundleID, isActive: row[2]))
        }
        let listsSince = try Setting.listsSince.integer(in: database)
        return try Row.fetchAll(
            database,
            sql: """
                SELECT query.id, cadences, \(QueryRow.columns), retired_at IS NULL, newest.at,
                    (SELECT at FROM check_log
                        WHERE check_log.query = query.id AND check_log.outcome = 'good' AND check_log.at >= ?
                        ORDER BY at LIMIT 1)
                FROM query LEFT JOIN check_log AS newest ON newest.id = query.newest_check
                ORDER BY query.ordinal, query.id
                """, arguments: [listsSince ?? .min]
        ).compactMap { row in
            let query = try QueryRow.query(from: row, at: 2)
            // What was imported was never asked for, and never will be.
            guard !query.source.isImported else { return nil }
            let (at, first): (Int64?, Int64?) = try (row[8], row[9])
            return try StoredPlan.StoredQuery(
                query: query, cadences: try CadenceText.stored(row[1]),
                isActive: row[7], lastCheckedAt: at.map(Timestamp.init(secondsSinceEpoch:)),
                listsSince: first.map(Timestamp.init(secondsSinceEpoch:)), pairs: pairs[row[0], default: []])
        }
    }
}

extension HistoryReader {
    /// The watchlist's notes, in its order.
    package func notes() throws(HistoryError) -> [Note] {
        try read { try Self.notes(in: $0) }
    }

    static func notes(in database: Database) throws -> [Note] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT note.on_date, ifnull(watched_app.bundle_id, note.bundle_key), note.version, note.text, note.added,
                    note.removed
                FROM note LEFT JOIN watched_app ON watched_app.bundle_key = note.bundle_key
                ORDER BY note.ordinal
                """
        ).map { row in
            let bundleID: String? = try row[1]
            return try Note(
                on: row[0], bundleID: bundleID.flatMap { BundleID($0) }, version: row[2], text: row[3],
                added: texts(row[4]), removed: texts(row[5]))
        }
    }

    private static func texts(_ lines: String) -> [String] { lines.split(separator: "\n").map(String.init) }
}

extension Note {
    /// The seconds of its day in `zone`; `nil` if it names no day, which no watchlist lets pass.
    package func day(in zone: TimeZone) -> ClosedRange<Timestamp>? {
        NamedTime(on, now: Timestamp(secondsSinceEpoch: 0), zone: zone).map { $0.first...$0.last }
    }
}
