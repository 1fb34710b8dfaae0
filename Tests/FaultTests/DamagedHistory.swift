import Foundation
import GRDB
import History
import JudgingStage
import RankKit
import TestSupport
import Tracking

/// A history of every kind, as one file, and copies of it that are damaged in one place.
struct DamagedHistory {
    let clients: TwoClients
    /// The whole file.
    let bytes: [UInt8]
    private let cells: [Cell]

    static let now = noon

    init() async throws {
        clients = try await TwoClients()
        let store = clients.store
        try await Self.fill(store)
        _ = try await Housekeeping(history: store).run(now: Self.now)
        try await Self.tell(store)
        try await store.checkpoint()
        bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: store.path)))
        cells = try Self.loosen(bytes, to: clients.folder.file("loose.sqlite"))
    }

    /// What the service notes beside its checks.
    private static func fill(_ store: HistoryStore) async throws {
        let focus = StorefrontApp(bundle("com.acme.focus"), in: Country(code: "fr")!)
        _ = try await store.record([focus: .empty], at: now - 3 * day)
        try await store.noteLookup(at: now - hour)
        try await store.noteRequest(at: now - hour)
        try await store.keep(
            EndpointHealth(pause: .throttled, pausedAt: now - hour, pauseLength: 60, pausesInARow: 2, slowTurns: 3),
            of: .search(at: "https://itunes.apple.com"))
        try await store.begin(passAt: now - 60, due: 6)
        try await store.noteServiceStart(at: now - 2 * hour)
        try await store.begin(passAt: now - 60, due: 6)
        let longAgo = PruneRequest(apps: ["com.acme.focus"], before: now - 400 * day)
        try await store.prune(try await store.plan(longAgo))
        try await store.note(WaitedResults(from: now - 3 * hour, until: now - 2 * hour, written: 5, lost: 1))
        // A number of Apple's that has another bundle identifier from now on.
        let places = list(["com.other1", "com.acme.focus"]).places
        let renamed = places.map { place in
            place.map { app in
                SeenApp(
                    id: app.id, bundleID: app.bundleID == bundle("com.other1") ? bundle("com.other.one") : app.bundleID,
                    fingerprint: 1, details: { AppDetails(name: "Renamed", version: "3.0", price: 2, currency: "USD") })
            }
        }
        let nameless = SeenApp(id: nil, bundleID: bundle("com.unnumbered"))
        let whole = renamed + list((1...20).map { "com.more\($0)" } + [nil]).places + [nameless]
        try await store.record(
            Check(query: query("clock"), at: now - 600, outcome: .answered(ResultList(places: whole))))
    }

    private static func tell(_ store: HistoryStore) async throws {
        try await store.adopt(["team", "hook"].map { OutboxChannel(name: $0, kind: "webhook", settings: "1") })
        let events = ["a", "b"].map { subject in
            OutboxEvent(
                identity: .init(kind: "moved", subject: subject, variant: "", onset: now.day), confirmedAt: now,
                decidedAt: now, state: subject == "a" ? .told : .noted, facts: "{}",
                message: subject == "a" ? "m1" : nil)
        }
        let message = OutboxMessage(id: "m1", decidedAt: now, content: "{}", channels: ["team", "hook"])
        _ = try await store.decide(
            OutboxDecision(
                mark: AlertMark(since: now - day, check: 1, judgedAt: now), messages: [message], events: events),
            from: nil)
        _ = try await store.beginTry(on: "team", at: now, oldest: now - day, lease: 60)
    }

    /// The file with one byte changed, at `path`.
    func write(byte: Int, xor mask: UInt8, to path: String) throws {
        var bytes = bytes
        bytes[byte] ^= mask
        try write(bytes, to: path)
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}

/// Damage that a single byte does only after many tries: any value in any column.
extension DamagedHistory {
    /// A column of a table that has rows.
    struct Cell: Hashable {
        let table: String
        let column: String
        let isKey: Bool
    }

    /// What any column may come to hold, as SQL that may use what it holds now.
    static let values = [
        "NULL", "0", "-1", "1", "{} + 1", "{} - 1", "-{}", "{} | 4294967296", "137438953472", "-137438953472",
        "253402300799",
        "9223372036854775807", "-9223372036854775808", "1e300", "''", "'x'", "x'00'", "x'01ffffffffffffffffff01'",
        "substr({}, 2)", "{} || '0'", "{} * 1000",
    ]

    var cellCount: Int { cells.count }
    func cell(_ index: Int) -> Cell { cells[index] }

    /// Writes a copy of the file in which nothing holds a value back, and says what columns there are.
    private static func loosen(_ bytes: [UInt8], to path: String) throws -> [Cell] {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try DatabaseQueue(path: path).inDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = DELETE;
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_schema
                    SET sql = replace(
                        replace(
                            replace(replace(sql, 'STRICT, WITHOUT', 'WITHOUT'), ') STRICT', ')'),
                            'IS NOT NULL', 'NOTNULL'),
                        ' NOT NULL', '')
                    WHERE type = 'table';
                    """)
        }
        return try DatabaseQueue(path: path).inDatabase { database in
            let tables = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
            return try tables.flatMap { table -> [Cell] in
                guard try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM \"\(table)\")") ?? false else {
                    return []
                }
                return try database.columns(in: table).map {
                    Cell(table: table, column: $0.name, isKey: $0.primaryKeyIndex > 0)
                }
            }
        }
    }

    /// The file with another value in one row of a cell, or in all of them.
    ///
    /// - Returns: `false` if the column cannot hold it.
    func write(_ value: String, into cell: Cell, ofAll: Bool, row: Int, to path: String) throws -> Bool {
        for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
        try Data(contentsOf: URL(fileURLWithPath: clients.folder.file("loose.sqlite"))).write(
            to: URL(fileURLWithPath: path))
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        return try DatabaseQueue(path: path, configuration: configuration).inDatabase { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
            let new = value.replacingOccurrences(of: "{}", with: "\"\(cell.column)\"")
            let keys = try database.primaryKey(cell.table).columns.map { "\"\($0)\"" }.joined(separator: ", ")
            let one =
                "WHERE (\(keys)) = (SELECT \(keys) FROM \"\(cell.table)\" LIMIT 1 OFFSET \(row) % (SELECT count(*) FROM \"\(cell.table)\"))"
            do {
                try database.execute(
                    sql: "UPDATE \"\(cell.table)\" SET \"\(cell.column)\" = \(new) \(ofAll && !cell.isKey ? "" : one)")
            } catch is DatabaseError { return false }
            try database.execute(
                sql: "ATTACH ? AS whole; PRAGMA writable_schema = ON", arguments: [clients.store.path])
            try database.execute(
                sql: """
                    UPDATE main.sqlite_schema AS kept SET sql = (
                        SELECT sql FROM whole.sqlite_schema AS whole
                        WHERE whole.name = kept.name AND whole.type = 'table')
                    WHERE type = 'table'
                    """)
            return true
        }
    }
}
