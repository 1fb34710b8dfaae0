import GRDB
import RankKit

/// An active pair on a query.
struct ActivePair {
    let id: Int64
    let bundleID: BundleID

    static func all(on query: Int64, in database: Database) throws -> [ActivePair] {
        let statement = try database.cachedStatement(
            sql: "SELECT id, bundle_id FROM pair WHERE query = ? AND retired_at IS NULL")
        return try Row.fetchAll(statement, arguments: [query]).compactMap { row in
            BundleID(row[1]).map { ActivePair(id: row[0], bundleID: $0) }
        }
    }
}
