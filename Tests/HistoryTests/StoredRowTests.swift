import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// Columns that hold what no rankd writes.
@Suite struct StoredRowTests {
    private func read<Value: StoredValue>(_ sql: String, as type: Value.Type) throws -> Value? {
        try DatabaseQueue().read {
            try History.Row.fetchOne($0, sql: "SELECT \(sql) AS place, 7 AS id").map { try $0[0] }
        }
    }

    private func refusal<Value: StoredValue>(_ sql: String, as type: Value.Type) -> DatabaseError? {
        refusal { _ = try read(sql, as: type) }
    }

    private func refusal(_ body: () throws -> Void) -> DatabaseError? {
        do { try body() } catch { return error as? DatabaseError }
        return nil
    }

    @Test(arguments: ["NULL", "'x'", "x'00'", "1.5", "274877906945", "-9223372036854775808"])
    func `what is no whole number is refused as damage`(_ sql: String) {
        for error in [refusal(sql, as: Int64.self), refusal(sql, as: Int.self)] {
            #expect(error?.resultCode == .SQLITE_CORRUPT)
        }
    }

    @Test(arguments: ["NULL", "1", "x'00'"])
    func `what is no text is refused as damage`(_ sql: String) {
        let error = refusal(sql, as: String.self)
        #expect(error?.resultCode == .SQLITE_CORRUPT)
    }

    @Test(arguments: ["'x'", "2", "1e999"])
    func `what may be missing is refused where it is something else`(_ sql: String) throws {
        let error = refusal(sql, as: Bool?.self)
        #expect(error?.resultCode == .SQLITE_CORRUPT)
        let missing = try read("NULL", as: Bool?.self)
        #expect(missing == .some(nil))
    }

    @Test(arguments: ["253402300800", "-62135596801", "9223372036854775807"])
    func `a time outside the years 1 to 9999 is refused as damage`(_ sql: String) {
        let error = refusal(sql, as: Timestamp.self)
        #expect(error?.resultCode == .SQLITE_CORRUPT)
    }

    @Test func `a place below 1 is refused, and no absence`() throws {
        let error = refusal("0", as: Position?.self)
        #expect(error?.resultCode == .SQLITE_CORRUPT)
        let (none, first) = try (read("NULL", as: Position?.self), read("1", as: Position?.self))
        #expect(none == .some(nil) && first == Position(1))
    }

    @Test(arguments: [0, -1, 1 << 37]) func `a cadence of no time, or of more than years, is refused`(_ seconds: Int64)
        throws
    {
        let error = refusal {
            _ = try DatabaseQueue().read { try History.Row.fetchOne($0, sql: "SELECT \(seconds)")?.cadence(0) }
        }
        #expect(error?.resultCode == .SQLITE_CORRUPT)
    }

    @Test func `the words name the table, the column, what stood there and the row, and no text of it`() throws {
        let error = refusal {
            try DatabaseQueue().write { database in
                try database.execute(
                    sql: "CREATE TABLE pair (id, tags, note); INSERT INTO pair VALUES (7, 12, 'secret')")
                for row in try History.Row.fetchAll(database, sql: "SELECT id, tags, note FROM pair") {
                    _ = try row[1] as String
                }
            }
        }
        #expect(error?.message == "pair: tags is 12, where a text belongs, in the row with id 7")
    }

    @Test func `single values are read as strictly as rows are`() throws {
        try DatabaseQueue().read { database in
            let refusals = [
                refusal { _ = try Int64.fetchOne(database, sql: "SELECT 'x'") },
                refusal { _ = try String.fetchAll(database, sql: "SELECT 'x' UNION ALL SELECT 1") },
                refusal { _ = try Timestamp.fetchSet(database, sql: "SELECT 1e300") },
            ]
            #expect(refusals.allSatisfy { $0?.resultCode == .SQLITE_CORRUPT })
            let null = try Int64.fetchOne(database, sql: "SELECT NULL")
            let none = try Int64.fetchOne(database, sql: "SELECT 1 WHERE 0")
            #expect(null == nil && none == nil)
            let first = try String.fetchOne(database, sql: "SELECT 'first' UNION ALL SELECT 'second'")
            #expect(first == "first")
        }
    }
}
