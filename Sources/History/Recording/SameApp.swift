import GRDB
import RankKit

/// A pair of a query whose name is one of an app's names, beside the name that is asked for.
struct SameApp {
    let id: Int64
    /// Its name, folded.
    let key: String
    /// Whether it is tracked, and its past is there as far as lists tell it.
    let isFilled: Bool
    /// Whether it has the very name that is asked for.
    let isItself: Bool
    private let own: AppNumbers
    private let numbers: AppNumbers

    /// The pairs on `query` that name the app of the bundle identifier `key`, folded, the one that names it so first.
    static func pairs(of key: String, on query: Int64, in database: Database) throws -> [SameApp] {
        let own = try AppNumbers(of: key, in: database)
        return try Row.fetchAll(
            database.cachedStatement(sql: sql), arguments: ["key": key, "query": query]
        ).map { row in
            let name: String = try row[1]
            return try SameApp(
                id: row[0], key: name, isFilled: row[2], isItself: name == key, own: own,
                numbers: name == key ? own : AppNumbers(of: name, in: database))
        }
    }

    private static let sql = """
        SELECT id, bundle_key, retired_at IS NULL AND NOT EXISTS (SELECT 1 FROM pair_fill WHERE pair = pair.id)
        FROM pair WHERE query = :query AND bundle_key IN \(AppNames.keys(":key"))
        ORDER BY bundle_key <> :key, id
        """

    /// Whether both names stood for the same numbers at a moment, in seconds.
    func isSame(at moment: Int64) -> Bool { isItself || own.at(moment) == numbers.at(moment) }
}
