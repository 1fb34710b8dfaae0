import Foundation
import GRDB

/// Queries whose first checks were deleted by name, or left out of an export: the first of those that are there are not the
/// query's first, and are not judged as such (`EarlyLists`).
enum CutQueries {
    static func all(in database: Database) throws -> Set<Int64> {
        guard let text = try Setting.cutQueries.text(in: database) else { return [] }
        do { return Set(try JSONDecoder().decode([Int64].self, from: Data(text.utf8))) } catch {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "setting \(Setting.cutQueries.rawValue): no rankd writes that")
        }
    }

    static func note(_ query: Int64, in database: Database) throws {
        try keep(try all(in: database).union([query]), in: database)
    }

    static func forget(_ query: Int64, in database: Database) throws {
        let all = try all(in: database)
        if all.contains(query) { try keep(all.subtracting([query]), in: database) }
    }

    private static func keep(_ queries: Set<Int64>, in database: Database) throws {
        let text = String(decoding: try JSONEncoder().encode(queries.sorted()), as: UTF8.self)
        try Setting.cutQueries.set(queries.isEmpty ? nil : text, in: database)
    }
}
