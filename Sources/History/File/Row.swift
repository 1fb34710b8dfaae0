import Foundation
import GRDB
import GRDBSQLite
import RankKit

/// A row of the file's, read column by column. GRDB's own ends the program where a column holds what does not belong there;
/// this one throws, and says where it stands.
struct Row {
    private let columns: GRDB.Row
    private let source: Source

    /// What the row was asked for with. Words are made of it only if something is wrong.
    fileprivate enum Source {
        case sql(String)
        /// Of a row that is read while the cursor stands on it: one that is let go leaves the row.
        case cursor(GRDB.RowCursor)

        var sql: String {
            switch self {
            case .sql(let sql): sql
            case .cursor(let rows): rows._statement.sql
            }
        }
    }

    fileprivate init(_ columns: GRDB.Row, of source: Source) {
        self.columns = columns
        self.source = source
    }

    /// What the column `index` holds.
    ///
    /// - Throws: a `DatabaseError` that says what stood there instead, and where.
    subscript<Value: StoredValue>(_ index: Int) -> Value {
        get throws {
            guard let value = Value(stored: stored(index)) else { throw misfit(at: index, Value.kind) }
            return value
        }
    }

    /// What the column `name` holds.
    ///
    /// - Throws: a `DatabaseError` that says what stood there instead, and where.
    subscript<Value: StoredValue>(_ name: String) -> Value {
        get throws { try self[index(of: name)] }
    }

    private func index(of name: String) throws -> Int {
        guard let index = Array(columns.columnNames).firstIndex(of: name) else {
            throw DatabaseError(message: "there is no column \(name) in: \(source.sql)")
        }
        return index
    }

    /// A number that may fill all 64 bits, such as one of Apple's or a checksum.
    ///
    /// - Throws: a `DatabaseError` that says what stood there instead, and where.
    func wide(_ index: Int) throws -> Int64 {
        guard let number = try wideIfAny(index) else { throw misfit(at: index, "a whole number") }
        return number
    }

    func wide(_ name: String) throws -> Int64 { try wide(index(of: name)) }

    /// The same where there may be none.
    func wideIfAny(_ index: Int) throws -> Int64? {
        switch stored(index) {
        case .null: nil
        case .int64(let number): number
        default: throw misfit(at: index, "a whole number")
        }
    }

    /// What the column `index` holds. Of the row that a cursor stands on SQLite is asked: GRDB's way there takes several
    /// times as long, and a report reads hundreds of thousands of columns.
    private func stored(_ index: Int) -> DatabaseValue.Storage {
        guard case .cursor(let rows) = source else { return (columns[index] as DatabaseValue).storage }
        let (statement, column) = (rows._statement.sqliteStatement, Int32(index))
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .int64(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .double(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            return sqlite3_column_text(statement, column).map { .string(String(cString: $0)) } ?? .null
        default: return (columns[index] as DatabaseValue).storage
        }
    }

    /// Whether the column `index` holds `value`, as SQLite's `IS` compares. Of the row that a cursor stands on no text is
    /// copied.
    func holds(_ value: DatabaseValue, at index: Int) -> Bool {
        guard case .cursor(let rows) = source, case .string(let text) = value.storage else {
            return stored(index) == value.storage
        }
        let (statement, column) = (rows._statement.sqliteStatement, Int32(index))
        guard sqlite3_column_type(statement, column) == SQLITE_TEXT else { return false }
        let start = sqlite3_column_text(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return UnsafeBufferPointer(start: start, count: start == nil ? 0 : count).elementsEqual(text.utf8)
    }

    /// The bytes that the column `index` holds.
    ///
    /// - Throws: a `DatabaseError` that says what stood there instead, and where.
    func bytes(_ index: Int) throws -> [UInt8] {
        guard let bytes = try bytesIfAny(index) else { throw misfit(at: index, Data.kind) }
        return bytes
    }

    /// The same where there may be none.
    func bytesIfAny(_ index: Int) throws -> [UInt8]? {
        guard case .cursor(let rows) = source else { return try (self[index] as Data?).map { [UInt8]($0) } }
        // Pages are read by the thousand: they are copied once.
        let statement = rows._statement.sqliteStatement
        switch sqlite3_column_type(statement, Int32(index)) {
        case SQLITE_NULL: return nil
        case SQLITE_BLOB:
            let count = Int(sqlite3_column_bytes(statement, Int32(index)))
            let start = sqlite3_column_blob(statement, Int32(index))
            return [UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
        default: throw misfit(at: index, Data.kind)
        }
    }

    /// Whatever the column `index` holds.
    func value(_ index: Int) -> DatabaseValue { columns[index] }

    /// The seconds of a cadence, which reports divide by.
    ///
    /// - Throws: a `DatabaseError` that says what stood there instead, and where.
    func cadence(_ index: Int) throws -> Int64 {
        guard let seconds = try cadenceIfAny(index) else { throw misfit(at: index, "a cadence in seconds") }
        return seconds
    }

    /// The same where there may be none.
    func cadenceIfAny(_ index: Int) throws -> Int64? {
        let seconds: Int64? = try self[index]
        if let seconds, !Self.cadences.contains(seconds) { throw misfit(at: index, "a cadence in seconds") }
        return seconds
    }

    /// In seconds, up to ten years: many times what a watchlist may name.
    static let cadences = 1...3_653 * Timestamp.secondsPerDay

    /// A day since 1970-01-01 (UTC), of the same years as a moment.
    ///
    /// - Throws: a `DatabaseError` that says what stood there instead, and where.
    func day(_ index: Int) throws -> Int64 {
        let day: Int64 = try self[index]
        guard Self.days.contains(day) else { throw misfit(at: index, "a day") }
        return day
    }

    /// Since 1970-01-01, those of the years that a moment can be of.
    static let days = Timestamp.storable.lowerBound.day...Timestamp.storable.upperBound.day

    /// How many places a list has.
    ///
    /// - Throws: a `DatabaseError` that says what stood there instead, and where.
    func depth(_ index: Int) throws -> Int {
        let depth = try count(index)
        guard depth <= Self.deepest else { throw misfit(at: index, "a number of places") }
        return depth
    }

    /// Many times what any store answers with.
    static let deepest = 1_000_000

    /// A number that counts something.
    ///
    /// - Throws: a `DatabaseError` that says what stood there instead, and where.
    func count(_ index: Int, atLeast least: Int = 0) throws -> Int {
        let count: Int = try self[index]
        guard count >= least else { throw misfit(at: index, "a number from \(least)") }
        return count
    }

    /// That the column `index` holds no `kind`. It tells no text of the row: there may be anything in it.
    func misfit(at index: Int, _ kind: String) -> DatabaseError {
        let names = Array(columns.columnNames)
        let place = names.indices.compactMap { column -> String? in
            guard column != index, case .int64(let number) = (columns[column] as DatabaseValue).storage else {
                return nil
            }
            return "\(names[column]) \(number)"
        }
        let row = place.isEmpty ? "" : ", in the row with " + place.prefix(4).joined(separator: ", ")
        return DatabaseError(
            resultCode: .SQLITE_CORRUPT,
            message: "\(Self.table(of: source.sql)): \(names[index]) is \(Self.words(columns[index])), "
                + "where \(kind) belongs\(row)")
    }

    private static func words(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: "missing"
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): "a text of \(text.utf8.count) bytes"
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }

    /// The first table that the statement reads.
    private static func table(of sql: String) -> String {
        let words = sql.split { $0.isWhitespace || "(),;".contains($0) }
        let froms = words.indices.dropLast().filter { words[$0].uppercased() == "FROM" }.map { words[$0 + 1] }
        return (froms.first { $0.uppercased() != "SELECT" } ?? words.prefix(2).last).map(String.init) ?? "the file"
    }
}

/// Rows one after the other, each of which is there until the next is read.
final class RowCursor: Cursor {
    private let rows: GRDB.RowCursor

    fileprivate init(_ rows: GRDB.RowCursor) { self.rows = rows }

    func next() throws -> Row? { try rows.next().map { Row($0, of: .cursor(rows)) } }
}

extension Row {
    static func fetchCursor(_ statement: Statement, arguments: StatementArguments? = nil) throws -> RowCursor {
        RowCursor(try GRDB.Row.fetchCursor(statement, arguments: arguments))
    }

    static func fetchAll(_ statement: Statement, arguments: StatementArguments? = nil) throws -> [Row] {
        let rows = try GRDB.Row.fetchAll(statement, arguments: arguments)
        guard !rows.isEmpty else { return [] }
        let source = Source.sql(String(cString: sqlite3_sql(statement.sqliteStatement)))
        return rows.map { Row($0, of: source) }
    }

    static func fetchOne(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Row? {
        // Without GRDB's trimming, which takes longer than the row.
        try GRDB.Row.fetchOne(statement, arguments: arguments).map {
            Row($0, of: .sql(String(cString: sqlite3_sql(statement.sqliteStatement))))
        }
    }

    static func fetchCursor(
        _ database: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> RowCursor {
        try fetchCursor(database.makeStatement(sql: sql), arguments: arguments)
    }

    static func fetchAll(
        _ database: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Row] {
        try fetchAll(database.makeStatement(sql: sql), arguments: arguments)
    }

    static func fetchOne(
        _ database: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Row? {
        try fetchOne(database.makeStatement(sql: sql), arguments: arguments)
    }

    static func fetchCursor(_ database: Database, _ request: some FetchRequest) throws -> RowCursor {
        RowCursor(try GRDB.Row.fetchCursor(database, request))
    }

    static func fetchAll(_ database: Database, _ request: some FetchRequest) throws -> [Row] {
        try fetchAll(request.makePreparedRequest(database, forSingleResult: false).statement)
    }

    static func fetchOne(_ database: Database, _ request: some FetchRequest) throws -> Row? {
        try fetchOne(request.makePreparedRequest(database, forSingleResult: true).statement)
    }
}

/// Values of a first column, checked as those of a row are.
extension StoredValue {
    static func fetchCursor(
        _ statement: Statement, arguments: StatementArguments? = nil
    ) throws -> MapCursor<RowCursor, Self> {
        try Row.fetchCursor(statement, arguments: arguments).map { try $0[0] }
    }

    static func fetchAll(_ statement: Statement, arguments: StatementArguments? = nil) throws -> [Self] {
        try Array(fetchCursor(statement, arguments: arguments))
    }

    /// `nil` if there is no row, or if the value of the first is NULL.
    static func fetchOne(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Self? {
        try Row.fetchCursor(statement, arguments: arguments).next().flatMap { try $0[0] as Self? }
    }

    static func fetchCursor(
        _ database: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> MapCursor<RowCursor, Self> {
        try fetchCursor(database.makeStatement(sql: sql), arguments: arguments)
    }

    static func fetchAll(
        _ database: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try fetchAll(database.makeStatement(sql: sql), arguments: arguments)
    }

    static func fetchOne(
        _ database: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        try fetchOne(database.makeStatement(sql: sql), arguments: arguments)
    }
}

extension StoredValue where Self: Hashable {
    static func fetchSet(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Set<Self> {
        try Set(fetchCursor(statement, arguments: arguments))
    }

    static func fetchSet(
        _ database: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Set<Self> {
        try fetchSet(database.makeStatement(sql: sql), arguments: arguments)
    }
}
