import Foundation
import GRDB
import RankKit

/// Brings another tool's table into a history: its rows get queries of their own, which nobody asks and whose source
/// names the tool, so that they never mix with Apple's checks.
struct ForeignImporter {
    let queue: CountingQueue
    let file: String
    let options: ForeignTableOptions
    let now: Timestamp
    private(set) var result = ImportResult()
    /// When the newest check began that counts: rows that are dated later do not count yet.
    private var counted: Timestamp
    /// How many rows those are, and the last of them.
    private var ahead: (rows: Int, last: Timestamp)?
    /// The last check before the import.
    private var lastBefore: Int64 = 0
    private var days: TableDays?
    /// How many rows are there by the days of another zone, by its name.
    private var former: [String: Int] = [:]
    private var bundles: [TableApp: BundleID] = [:]
    private var queries: [RankKit.Query: Int64] = [:]
    private var pairs: [PairKey: Int64] = [:]
    /// `nil` for a table about one app.
    private var taken: TakenPlaces?

    private struct PairKey: Hashable {
        let query: Int64
        let bundleID: BundleID
    }

    private static let rowsPerTransaction = 500

    init(queue: CountingQueue, file: String, options: ForeignTableOptions, now: Timestamp) {
        self.queue = queue
        self.file = file
        self.options = options
        self.now = now
        counted = now
    }

    /// Looks through all of it before anything is written.
    mutating func run(_ work: BlockingWork, progress: (_ done: Int64, _ total: Int64) -> Void) throws {
        var options = options
        options.queries.formUnion(try queue.read { try Self.watched(in: $0) })
        var table = try ForeignTable(file, options: options)
        let survey = try TableSurvey(&table, now: now, work)
        let path = file
        let apps = try queue.read { try TableApps(survey.apps, options, in: $0, file: path) }
        try survey.checkLanguages(apps.bundles)
        bundles = apps.bundles
        taken = Set(bundles.values).count > 1 ? TakenPlaces() : nil
        days = try queue.read { try TableDays(of: options.source, in: $0) }
        let newest = try queue.read { try CountedChecks.newestBeforeImport(in: $0) }
        counted = max(now, newest.map(Timestamp.init(secondsSinceEpoch:)) ?? now)
        lastBefore = try queue.read { try Int64.fetchOne($0, sql: "SELECT max(id) FROM check_log") ?? 0 }
        do { try read(table, work, progress) } catch {
            try finish(after: newest)
            throw error
        }
        try finish(after: newest)
        result.notes = table.notes + apps.notes + formerNotes + [taken?.note].compactMap(\.self)
        if let (rows, last) = ahead {
            result.notes.append(
                "\(rows) \(rows == 1 ? "row is" : "rows are") dated later than now, the last \(last): until then they count "
                    + "for no newest and no best place; import the table again after that if rankd checks nothing here")
        }
    }

    /// The texts of queries that the watchlist of the history has, folded.
    private static func watched(in database: Database) throws -> Set<String> {
        try String.fetchSet(database, sql: "SELECT folded FROM query WHERE retired_at IS NULL")
    }

    /// What is to be said of rows that are there by the days of another zone.
    private var formerNotes: [String] {
        former.sorted { $0.key < $1.key }.map { zone, rows in
            let (are, days, stay) =
                rows == 1 ? ("1 row is", "day", "stays") : ("\(rows) rows are", "days", "stay")
            return zone == ZoneDays.utc.name
                ? "\(are) there already at 00:00 UTC of \(rows == 1 ? "its" : "their") \(days), where an earlier import put "
                    + "\(rows == 1 ? "it" : "them"), and \(stay) there"
                : "\(are) there already by the \(days) of \(zone), where an earlier import put "
                    + "\(rows == 1 ? "it" : "them"), and \(stay) there"
        }
    }

    private func finish(after newest: Int64?) throws {
        let moment = now.secondsSinceEpoch
        try queue.write {
            try Derivation.note(try CountedChecks.admit(upTo: moment, after: newest, in: $0), in: $0)
        }
        try Derivation.finish(queue)
    }

    private mutating func read(
        _ table: ForeignTable, _ work: BlockingWork, _ progress: (_ done: Int64, _ total: Int64) -> Void
    ) throws {
        var table = table
        let total = Int64(table.file.bytes.count)
        var batch: [ForeignTable.Row] = []
        try table.forEachRow { row, bytesRead in
            batch.append(row)
            guard batch.count >= Self.rowsPerTransaction else { return }
            try work.checkCancellation()
            try commit(&batch)
            progress(bytesRead, total)
        }
        try commit(&batch)
    }

    /// Looks through a whole table that is to be imported into a history that is yet to be made.
    ///
    /// - Throws: `ImportRefusal` for one that cannot be imported.
    static func check(_ file: String, _ options: ForeignTableOptions, now: Timestamp, _ work: BlockingWork) throws {
        var table = try ForeignTable(file, options: options)
        let survey = try TableSurvey(&table, now: now, work)
        try survey.checkLanguages(try TableApps(survey.apps, options, in: nil, file: file).bundles)
    }

    private mutating func commit(_ batch: inout [ForeignTable.Row]) throws {
        guard !batch.isEmpty else { return }
        let rows = batch
        batch = []
        var next = self
        try queue.write { database in
            var touched: [Int64: Set<Int64>] = [:]
            for var row in rows {
                if let day = row.day, let at = next.days?.moment(of: day) { row.at = at }
                if let pair = try next.take(row, database) { touched[row.at.day, default: []].insert(pair) }
            }
            try next.days?.keep(in: database)
            try Derivation.note(Set(rows.compactMap { next.queries[$0.query] }), in: database)
            for (day, pairs) in touched { try DayRollUp.refresh(day: day, pairs: pairs.sorted(), in: database) }
        }
        self = next
    }

    /// - Returns: the pair where a position was new.
    private mutating func take(_ row: ForeignTable.Row, _ database: Database) throws -> Int64? {
        guard let bundle = bundles[row.app] else { return nil }
        if counted < row.at { ahead = (rows: (ahead?.rows ?? 0) + 1, last: max(row.at, ahead?.last ?? row.at)) }
        let query = try self.query(row, database)
        let pair = try self.pair(bundle, on: query, database)
        let isThere = try isThere(row, pair, database)
        if isThere == false {
            contradict(row)
            return nil
        }
        // What a table tells of a whole day need not be of one list.
        let other = row.day == nil ? taken?.take(row, query: query, pair: pair) : nil
        if isThere == true {
            result.duplicates += 1
            return nil
        }
        if let other {
            taken?.leaveOut(row, bundle, for: other)
            contradict(row)
            return nil
        }
        let check = try self.check(query, row, database)
        try database.cachedStatement(
            sql: "INSERT INTO position (pair, at, check_id, position, within) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [pair, row.at.secondsSinceEpoch, check, row.position, row.within])
        result.positions += 1
        return pair
    }

    private mutating func contradict(_ row: ForeignTable.Row) {
        result.contradictions += 1
        result.firstContradiction = result.firstContradiction ?? row.line
    }

    /// Whether the history has a row: at its moment or, if it is a day, at that of the same date in a zone by whose days an
    /// earlier import put it.
    ///
    /// - Returns: whether it says the same there; how far a tool looked may be told otherwise at another time. `nil` if the
    ///   row is not there.
    private mutating func isThere(_ row: ForeignTable.Row, _ pair: Int64, _ database: Database) throws -> Bool? {
        var found = try isThere(row, at: row.at, upTo: .max, pair, database)
        guard found != true, let day = row.day else { return found }
        for (zone, at) in days?.others(of: day) ?? [] where at != row.at {
            guard let isSame = try isThere(row, at: at, upTo: lastBefore, pair, database) else { continue }
            if found == nil { former[zone.name, default: 0] += 1 }
            if isSame { return true }
            found = false
        }
        return found
    }

    private func isThere(
        _ row: ForeignTable.Row, at moment: Timestamp, upTo check: Int64, _ pair: Int64, _ database: Database
    ) throws -> Bool? {
        let there = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT position FROM position WHERE pair = ? AND at = ? AND check_id <= ?"),
            arguments: [pair, moment.secondsSinceEpoch, check])
        return there.isEmpty ? nil : try there.contains { try $0[0] as Int? == row.position }
    }

    private mutating func check(_ query: Int64, _ row: ForeignTable.Row, _ database: Database) throws -> Int64 {
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM check_log WHERE query = ? AND at = ? AND within = ?"),
            arguments: [query, row.at.secondsSinceEpoch, row.within])
        if let known { return known }
        try database.cachedStatement(
            sql: "INSERT INTO check_log (query, at, outcome, within) VALUES (?, ?, 'good', ?)"
        ).execute(arguments: [query, row.at.secondsSinceEpoch, row.within])
        result.checks += 1
        return database.lastInsertedRowID
    }

    private mutating func query(_ row: ForeignTable.Row, _ database: Database) throws -> Int64 {
        if let known = queries[row.query] { return known }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO query (folded, country, platform, source, language, text, cadences, cadence_seconds, ordinal,
                    retired_at)
                VALUES (?, ?, ?, ?, ?, ?, 'every 86400', 86400, 0, ?)
                ON CONFLICT (folded, country, platform, source, language) DO UPDATE SET text = text
                RETURNING id
                """)
        let id = try Int64.fetchOne(
            statement, arguments: QueryRow.key(row.query) + [row.query.text, now.secondsSinceEpoch])
        guard let id else { throw DatabaseError(message: "a query was not imported") }
        queries[row.query] = id
        return id
    }

    private mutating func pair(_ bundleID: BundleID, on query: Int64, _ database: Database) throws -> Int64 {
        let key = PairKey(query: query, bundleID: bundleID)
        if let known = pairs[key] { return known }
        // The app may have come under another name since it was imported first.
        for name in try TableApps.keys(of: bundleID, in: database) {
            let known = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM pair WHERE query = ? AND bundle_key = ?"),
                arguments: [query, name])
            guard let known else { continue }
            pairs[key] = known
            return known
        }
        let id = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    INSERT INTO pair (query, bundle_id, bundle_key, retired_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT (query, bundle_key) DO UPDATE SET bundle_id = bundle_id
                    RETURNING id
                    """), arguments: [query, bundleID.text, bundleID.folded, now.secondsSinceEpoch])
        guard let id else { throw DatabaseError(message: "a pair was not imported") }
        pairs[key] = id
        return id
    }
}
