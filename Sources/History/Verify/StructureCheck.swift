import GRDB

/// What SQLite itself finds wrong with a file.
enum StructureCheck {
    /// Damage beyond so many findings is not told one by one.
    private static let most = 100

    static func findings(in database: Database) throws -> [Finding] {
        let structure = try String.fetchAll(database, sql: "PRAGMA integrity_check(100)")
            .filter { $0 != "ok" }
            .map { Finding(part: .structure, place: "file", problem: $0) }
        var dangling: [Finding] = []
        let rows = try Row.fetchCursor(database, sql: "PRAGMA foreign_key_check")
        while let row = try rows.next(), dangling.count < most {
            let (table, id, parent): (String, Int64?, String) = (row[0], row[1], row[2])
            dangling.append(
                Finding(
                    part: .references, place: id.map { "\(table) \($0)" } ?? table,
                    problem: "refers to a row of \(parent) that is not there"))
        }
        return structure + dangling
    }
}
