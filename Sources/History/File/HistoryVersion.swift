import GRDB

/// Which state of the history something was made of: two answers of the same version are the same.
package struct HistoryVersion: Sendable, Hashable {
    /// Another number for every program that wrote the history.
    let generation: Int64
    /// How often it has changed.
    let count: Int64

    /// Fit for a header of HTTP: letters, digits and a hyphen.
    package var text: String { "\(String(UInt64(bitPattern: generation), radix: 36))-\(String(count, radix: 36))" }

    /// A number of its own for a program that begins to write.
    static func newGeneration() -> Int64 { .random(in: 1...Int64.max) }

    private static let raising = "UPDATE change SET generation = ?, count = count + 1"

    /// Does `work` in the transaction that is open, and counts it where it changed anything.
    ///
    /// Every transaction of the one writing connection comes by here, so that no writer can forget to count.
    static func counting<Value>(
        as generation: Int64, in database: Database, _ work: () throws -> Value
    ) throws -> Value {
        let before = database.totalChangesCount
        let value = try work()
        if database.totalChangesCount != before { try raise(as: generation, in: database) }
        return value
    }

    static func raise(as generation: Int64, in database: Database) throws {
        try database.cachedStatement(sql: raising).execute(arguments: [generation])
    }
}

extension HistoryReader {
    /// Which state of the history this is: one row is read.
    package func version() throws(HistoryError) -> HistoryVersion {
        try read { database in
            let row = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT generation, count FROM change"))
            return try HistoryVersion(generation: row?.wide(0) ?? 0, count: row?[1] ?? 0)
        }
    }

    /// Which state of what this reader shows: other than `version`, it stays while only others' queries are checked. A few
    /// rows of each query are read.
    package func ownVersion() throws(HistoryError) -> String {
        try read { database in
            let checks = try Row.fetchOne(
                database, sql: "SELECT count(*), total(newest_check), max(newest_check) FROM query")
            let pairs = try Row.fetchOne(database, sql: "SELECT count(*), total(id), total(length(tags)) FROM pair")
            return [checks, pairs].compactMap { row in
                row.map { row in (0..<3).map { row.value($0).description }.joined(separator: " ") }
            }.joined(separator: " ")
        }
    }
}
