import Foundation
import GRDBSQLite

/// A connection through SQLite's own interface and nothing else: what the references write with.
final class PlainSQLite {
    private var connection: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]

    enum Value {
        case integer(Int64)
        case real(Double)
        case blob([UInt8])
    }

    /// - Parameter creates: whether a file that is not there is made.
    init(_ path: String, creates: Bool = false) throws {
        let flags = SQLITE_OPEN_READWRITE | (creates ? SQLITE_OPEN_CREATE : 0)
        try check(sqlite3_open_v2(path, &connection, flags, nil))
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close(connection)
    }

    func execute(_ sql: String) throws { try check(sqlite3_exec(connection, sql, nil, nil, nil)) }

    /// Runs one statement, prepared once.
    ///
    /// - Parameter row: told the first column of each row, as an integer.
    func run(_ sql: String, _ values: [Value] = [], row: (Int64) -> Void = { _ in }) throws {
        let statement = try prepared(sql)
        defer { sqlite3_reset(statement) }
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            switch value {
            case .integer(let number): try check(sqlite3_bind_int64(statement, place, number))
            case .real(let number): try check(sqlite3_bind_double(statement, place, number))
            case .blob(let bytes):
                try check(sqlite3_bind_blob(statement, place, bytes, Int32(bytes.count), Self.copied))
            }
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: row(sqlite3_column_int64(statement, 0))
            case SQLITE_DONE: return
            case let code: try check(code)
            }
        }
    }

    /// The first column of the last row, 0 where there is none.
    func integer(_ sql: String) throws -> Int64 {
        var value: Int64 = 0
        try run(sql) { value = $0 }
        return value
    }

    /// The first column of each row.
    func blobs(_ sql: String, _ values: [Int64] = []) throws -> [[UInt8]] {
        let statement = try prepared(sql)
        defer { sqlite3_reset(statement) }
        for (place, value) in zip(Int32(1)..., values) { try check(sqlite3_bind_int64(statement, place, value)) }
        var blobs: [[UInt8]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                let count = Int(sqlite3_column_bytes(statement, 0))
                blobs.append([UInt8](UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, 0), count: count)))
            case SQLITE_DONE: return blobs
            case let code: try check(code)
            }
        }
    }

    /// What some tables and their indexes take in the file, in bytes.
    func size(of tables: [String]) throws -> Int64 {
        let names = tables.map { "'\($0)'" }.joined(separator: ", ")
        return try integer(
            """
            SELECT sum(pgsize) FROM dbstat
            WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name IN (\(names)))
            """)
    }

    var lastRow: Int64 { sqlite3_last_insert_rowid(connection) }

    /// SQLite's `SQLITE_TRANSIENT`, a macro that Swift cannot see.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private func prepared(_ sql: String) throws -> OpaquePointer? {
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(connection, sql, -1, &statement, nil))
        statements[sql] = statement
        return statement
    }

    private func check(_ code: Int32) throws {
        guard code != SQLITE_OK else { return }
        throw BenchmarkFailure("SQLite: \(String(cString: sqlite3_errmsg(connection)))")
    }
}
