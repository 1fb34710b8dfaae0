import Foundation
import GRDB
import GRDBSQLite
import RankKit

/// What a column is read as. A damaged file can hold anything anywhere, whatever the schema says of the column.
protocol StoredValue: DatabaseValueConvertible, StatementColumnConvertible {
    /// `nil` if the column holds something else.
    init?(stored: DatabaseValue.Storage)

    /// What belongs in the column, for people.
    static var kind: String { get }
}

/// Whole numbers that rankd writes are smaller than this, either way: ids, counts, and seconds up to the year 9999. Sums and
/// products of them do not overflow. What fills all 64 bits is read with `Row.wide`.
private let widest: Int64 = 1 << 38

extension Int64: StoredValue {
    init?(stored: DatabaseValue.Storage) {
        guard case .int64(let number) = stored, (-widest...widest).contains(number) else { return nil }
        self = number
    }

    static var kind: String { "a whole number up to 2^38" }
}

extension Int: StoredValue {
    init?(stored: DatabaseValue.Storage) {
        guard let number = Int64(stored: stored) else { return nil }
        self.init(number)
    }

    static var kind: String { Int64.kind }
}

extension Bool: StoredValue {
    init?(stored: DatabaseValue.Storage) {
        guard case .int64(let number) = stored, number == 0 || number == 1 else { return nil }
        self = number == 1
    }

    static var kind: String { "0 or 1" }
}

extension Double: StoredValue {
    init?(stored: DatabaseValue.Storage) {
        switch stored {
        case .double(let number) where number.magnitude <= 1e15: self = number
        case .int64(let number): self = Double(number)
        default: return nil
        }
    }

    static var kind: String { "a number" }
}

extension String: StoredValue {
    init?(stored: DatabaseValue.Storage) {
        guard case .string(let text) = stored else { return nil }
        self = text
    }

    static var kind: String { "a text" }
}

extension Data: StoredValue {
    init?(stored: DatabaseValue.Storage) {
        guard case .blob(let bytes) = stored else { return nil }
        self = bytes
    }

    static var kind: String { "bytes" }
}

extension Optional: StoredValue where Wrapped: StoredValue {
    init?(stored: DatabaseValue.Storage) {
        if case .null = stored {
            self = .none
        } else {
            guard let value = Wrapped(stored: stored) else { return nil }
            self = .some(value)
        }
    }

    static var kind: String { "\(Wrapped.kind), or nothing," }
}

extension Position: StoredValue {
    init?(stored: DatabaseValue.Storage) {
        guard let number = Int(stored: stored) else { return nil }
        self.init(number)
    }

    static var kind: String { "a place from 1" }

    var databaseValue: DatabaseValue { number.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Position? { Position(stored: value.storage) }

    init?(sqliteStatement: SQLiteStatement, index: CInt) {
        self.init(stored: DatabaseValue(sqliteStatement: sqliteStatement, index: index).storage)
    }
}

/// A moment of the years 1 to 9999, which every calendar and every form of a date can tell.
extension Timestamp: StoredValue {
    init?(stored: DatabaseValue.Storage) {
        guard case .int64(let seconds) = stored else { return nil }
        self.init(secondsSinceEpoch: seconds)
        if !Self.storable.contains(self) { return nil }
    }

    static var kind: String { "a time" }

    var databaseValue: DatabaseValue { secondsSinceEpoch.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Timestamp? { Timestamp(stored: value.storage) }

    init?(sqliteStatement: SQLiteStatement, index: CInt) {
        self.init(stored: DatabaseValue(sqliteStatement: sqliteStatement, index: index).storage)
    }
}
