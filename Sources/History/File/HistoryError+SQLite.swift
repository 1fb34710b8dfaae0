import GRDB
import RankKit

extension HistoryError {
    /// Sorts what SQLite reports about the file at `path`.
    init(_ error: any Error, path: String) {
        switch error {
        case let known as HistoryError: self = known
        case let failure as DatabaseError: self.init(failure, path: path)
        case let damage as UnreadableLists:
            self = .damagedLists(
                path: path, what: damage.what, from: Timestamp(secondsSinceEpoch: damage.from),
                through: Timestamp(secondsSinceEpoch: damage.through))
        // Its own words would hold the row, the statement and what was bound to it.
        case is RowDecodingError: self = .corrupt(path: path, what: "a row that no rankd writes")
        default: self = .unusable(path: path, what: "\(error)")
        }
    }

    private init(_ failure: DatabaseError, path: String) {
        let what = failure.message ?? "SQLite error \(failure.extendedResultCode.rawValue)"
        self =
            switch failure.resultCode {
            case .SQLITE_FULL: .full(path: path)
            case .SQLITE_READONLY: .readOnly(path: path)
            case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: .busy(path: path)
            case .SQLITE_IOERR: Self.device(of: path) ?? .inputOutput(path: path, what: what)
            case .SQLITE_CANTOPEN: Self.device(of: path) ?? .unusable(path: path, what: what)
            case .SQLITE_NOTADB: .foreign(path: path, what: "not an SQLite database")
            case .SQLITE_CORRUPT: .corrupt(path: path, what: what)
            case .SQLITE_PERM, .SQLITE_AUTH: .notPermitted(path: path)
            default: .unusable(path: path, what: what)
            }
    }

    /// Runs `body`, throwing whatever it throws as a `HistoryError` about `path`.
    static func catching<Value>(path: String, _ body: () throws -> Value) throws(HistoryError) -> Value {
        do { return try body() } catch { throw HistoryError(error, path: path) }
    }

    /// Runs `body`, throwing whatever it throws as a `HistoryError` about `path`; cancellation stays what it is.
    static func catching<Value>(
        path: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch let error as CancellationError {
            throw error
        } catch {
            throw HistoryError(error, path: path)
        }
    }
}
