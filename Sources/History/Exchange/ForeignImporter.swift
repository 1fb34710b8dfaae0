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
    private var bundles: [Int64: BundleID] = [:]
    private var queries: [RankKit.Query: Int64] = [:]
    private var pairs: [PairKey: Int64] = [:]

    private struct PairKey: Hashable {
        let query: Int64
        let bundleID: BundleID
    }

    private static let rowsPerTransaction = 500
    /// 2008-07-10T00:00:00Z.
    private static let storeOpened = Timestamp(secondsSinceEpoch: 1_215_648_000)
    /// How many unknown apps are named.
    private static let named = 10

    init(queue: CountingQueue, file: String, options: ForeignTableOptions, now: Timestamp) {
        self.queue = queue
        self.file = file
        self.options = options
        self.now = now
    }

    /// Looks through all of it before anything is written.
    mutating func run(_ work: BlockingWork, progress: (_ done: Int64, _ total: Int64) -> Void) throws {
        try resolveApps(work)
        do { try read(work, progress) } catch {
            try Derivation.finish(queue)
            throw error
        }
        try Derivation.finish(queue)
    }

    private mutating func read(_ work: BlockingWork, _ progress: (_ done: Int64, _ total: Int64) -> Void) throws {
        var table = try ForeignTable(file, options: options)
        var batch: [ForeignTable.Row] = []
        while let row = try table.row() {
            batch.append(row)
            guard batch.count >= Self.rowsPerTransaction else { continue }
            try work.checkCancellation()
            try commit(&batch)
            progress(table.bytesRead, table.size)
        }
        try commit(&batch)
    }

    /// Looks through a whole table.
    ///
    /// - Returns: the apps that it names by Apple's numbers.
    static func numbers(
        in file: String, _ options: ForeignTableOptions, now: Timestamp, _ work: BlockingWork
    ) throws -> Set<Int64> {
        var numbers: Set<Int64> = []
        var table = try ForeignTable(file, options: options)
        var rows = 0
        while let row = try table.row() {
            rows += 1
            if rows.isMultiple(of: 1_000) { try work.checkCancellation() }
            if case .number(let number) = row.app { numbers.insert(number) }
            guard Self.storeOpened <= row.at, row.at <= now + Timestamp.secondsPerDay else {
                throw ImportRefusal(
                    file: file, line: row.line,
                    problem: "the time is \(row.at), which is "
                        + (row.at < Self.storeOpened ? "before there was an App Store" : "in the future"),
                    remedy: "correct it, or remove the line")
            }
        }
        return numbers
    }

    private mutating func resolveApps(_ work: BlockingWork) throws {
        let wanted = try Self.numbers(in: file, options, now: now, work)
        let known = try queue.read { database in
            var known: [Int64: BundleID] = [:]
            for number in wanted {
                let text = try String.fetchOne(
                    database.cachedStatement(sql: "SELECT bundle_id FROM app WHERE app_id = ?"), arguments: [number])
                if let bundle = text.flatMap({ BundleID($0) }) { known[number] = bundle }
            }
            return known
        }
        bundles = known
        try Self.refuse(unknown: wanted.filter { known[$0] == nil }, in: file)
    }

    static func refuse(unknown numbers: Set<Int64>, in file: String) throws {
        let unknown = numbers.sorted()
        guard unknown.isEmpty else {
            let more = unknown.count > named ? " and \(unknown.count - named) more" : ""
            throw ImportRefusal(
                file: file, line: nil,
                problem: "no search has shown the apps "
                    + unknown.prefix(named).map { String($0) }.joined(separator: ", ") + more
                    + ", so their bundle ids are not known",
                remedy: "add a column bundle_id, or track them first")
        }
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
            try Derivation.note(Set(rows.compactMap { next.queries[next.key($0)] }), in: database)
            for (day, pairs) in touched { try DayRollUp.refresh(day: day, pairs: pairs.sorted(), in: database) }
        }
        self = next
    }

    /// - Returns: the pair where a position was new.
    private mutating func take(_ row: ForeignTable.Row, _ database: Database) throws -> Int64? {
        let bundle: BundleID
        switch row.app {
        case .bundle(let known): bundle = known
        case .number(let number):
            guard let known = bundles[number] else { return nil }
            bundle = known
        }
        let query = try self.query(row, database)
        let pair = try self.pair(bundle, on: query, database)
        let there = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT position, within FROM position WHERE pair = ? AND at = ?"),
            arguments: [pair, row.at.secondsSinceEpoch])
        if let there {
            if there[0] as Int? == row.position, there[1] == row.within {
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

    private func key(_ row: ForeignTable.Row) -> RankKit.Query {
        RankKit.Query(text: row.query, country: row.country, platform: row.platform)
    }

    private mutating func query(_ row: ForeignTable.Row, _ database: Database) throws -> Int64 {
        let key = key(row)
        if let known = queries[key] { return known }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO query (text, folded, country, platform, source, cadences, cadence_seconds, ordinal, retired_at)
                VALUES (?, ?, ?, ?, ?, 'every 86400', 86400, 0, ?)
                ON CONFLICT (folded, country, platform, source, language) DO UPDATE SET text = text
                RETURNING id
                """)
        let id = try Int64.fetchOne(
            statement,
            arguments: [
                row.query, key.folded, row.country.code, row.platform.rawValue, options.source.rawValue,
                now.secondsSinceEpoch,
            ])
        guard let id else { throw DatabaseError(message: "a query was not imported") }
        queries[key] = id
        return id
    }

    private mutating func pair(_ bundleID: BundleID, on query: Int64, _ database: Database) throws -> Int64 {
        let key = PairKey(query: query, bundleID: bundleID)
        if let known = pairs[key] { return known }
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
