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
    /// How many rows are there at a moment that earlier versions gave them.
    private var former = 0
    private var bundles: [TableApp: BundleID] = [:]
    private var queries: [RankKit.Query: Int64] = [:]
    private var pairs: [PairKey: Int64] = [:]

    private struct PairKey: Hashable {
        let query: Int64
        let bundleID: BundleID
    }

    private struct LanguageKey: Hashable {
        let query: RankKit.Query
        let app: TableApp
        let at: Timestamp
    }

    private static let rowsPerTransaction = 500
    /// 2008-07-10T00:00:00Z.
    private static let storeOpened = Timestamp(secondsSinceEpoch: 1_215_648_000)

    init(queue: CountingQueue, file: String, options: ForeignTableOptions, now: Timestamp) {
        self.queue = queue
        self.file = file
        self.options = options
        self.now = now
        counted = now
    }

    /// Looks through all of it before anything is written.
    mutating func run(_ work: BlockingWork, progress: (_ done: Int64, _ total: Int64) -> Void) throws {
        var table = try ForeignTable(file, options: options)
        let wanted = try Self.apps(in: &table, now: now, work)
        let (options, path) = (options, file)
        let apps = try queue.read { try TableApps(wanted, options, in: $0, file: path) }
        bundles = apps.bundles
        let newest = try queue.read { try CountedChecks.newestBeforeImport(in: $0) }
        counted = max(now, newest.map(Timestamp.init(secondsSinceEpoch:)) ?? now)
        lastBefore = try queue.read { try Int64.fetchOne($0, sql: "SELECT max(id) FROM check_log") ?? 0 }
        do { try read(table, work, progress) } catch {
            try finish(after: newest)
            throw error
        }
        try finish(after: newest)
        result.notes = table.notes + apps.notes
        if former > 0 {
            result.notes.append(
                former == 1
                    ? "1 row is there already at 00:00 UTC of its day, where an earlier import put it, and stays there"
                    : "\(former) rows are there already at 00:00 UTC of their days, where an earlier import put them, and "
                        + "stay there")
        }
        if let (rows, last) = ahead {
            result.notes.append(
                "\(rows) \(rows == 1 ? "row is" : "rows are") dated later than now, the last \(last): until then they count "
                    + "for no newest and no best place; import the table again after that if rankd checks nothing here")
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
        _ = try TableApps(apps(in: &table, now: now, work), options, in: nil, file: file)
    }

    /// Looks through a whole table.
    ///
    /// - Returns: the apps that it names.
    private static func apps(in table: inout ForeignTable, now: Timestamp, _ work: BlockingWork) throws -> Set<TableApp>
    {
        var apps: Set<TableApp> = []
        var rows = 0
        let file = table.file.path
        var languages: [LanguageKey: (language: String, line: Int)] = [:]
        try table.forEachRow { row, _ in
            rows += 1
            if rows.isMultiple(of: 1_000) { try work.checkCancellation() }
            apps.insert(row.app)
            if let language = row.language {
                let key = LanguageKey(query: row.query, app: row.app, at: row.at)
                if let other = languages[key], other.language != language {
                    throw ImportRefusal(
                        file: file, line: row.line,
                        problem: "differs from line \(other.line) in the language alone, “\(language)” and "
                            + "“\(other.language)”, which rankctl does not keep",
                        remedy: "import the rows of each language alone, each with a --source of its own")
                }
                languages[key] = (language, row.line)
            }
            guard storeOpened <= row.formerly ?? row.at, row.at <= now + Timestamp.secondsPerDay else {
                throw ImportRefusal(
                    file: file, line: row.line,
                    problem: "the time is \(row.at), which is "
                        + (row.at < storeOpened ? "before there was an App Store" : "in the future"),
                    remedy: "correct it, or remove the line")
            }
        }
        guard rows > 0 else { throw table.isEmpty }
        return apps
    }

    private mutating func commit(_ batch: inout [ForeignTable.Row]) throws {
        guard !batch.isEmpty else { return }
        let rows = batch
        batch = []
        var next = self
        try queue.write { database in
            var touched: [Int64: Set<Int64>] = [:]
            for row in rows {
                if let pair = try next.take(row, database) { touched[row.at.day, default: []].insert(pair) }
            }
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
        if let there = try there(row, pair, database) {
            // How far a tool looked may be told otherwise at another time.
            if try there[0] as Int? == row.position {
                result.duplicates += 1
            } else {
                result.contradictions += 1
                result.firstContradiction = result.firstContradiction ?? row.line
            }
            return nil
        }
        let check = try self.check(query, row, database)
        try database.cachedStatement(
            sql: "INSERT INTO position (pair, at, check_id, position, within) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [pair, row.at.secondsSinceEpoch, check, row.position, row.within])
        result.positions += 1
        return pair
    }

    /// What the history has of a row: at its moment, or at 00:00 UTC of its day, where versions that knew no other days
    /// put it. No day of a zone begins at that of another date.
    private mutating func there(_ row: ForeignTable.Row, _ pair: Int64, _ database: Database) throws -> Row? {
        let there = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT position FROM position WHERE pair = ? AND at = ?"),
            arguments: [pair, row.at.secondsSinceEpoch])
        guard there == nil, let formerly = row.formerly else { return there }
        let before = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT position FROM position WHERE pair = ? AND at = ? AND check_id <= ?"),
            arguments: [pair, formerly.secondsSinceEpoch, lastBefore])
        if before != nil { former += 1 }
        return before
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
