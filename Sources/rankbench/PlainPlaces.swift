/// What one would write instead of pages: a row a place, with the one index that serves the questions best.
struct PlainPlaces {
    private let database: PlainSQLite

    init(_ path: String) throws {
        database = try PlainSQLite(path, creates: true)
        try database.execute(
            """
            PRAGMA journal_mode = OFF;
            PRAGMA synchronous = OFF;
            CREATE TABLE place (
                query INTEGER NOT NULL, app INTEGER NOT NULL, at INTEGER NOT NULL, position INTEGER NOT NULL,
                PRIMARY KEY (query, app, at, position)
            ) WITHOUT ROWID;
            """)
    }

    /// Writes the lists of one query, in the order of the index: as small as the table can be.
    func write(query: Int64, lists: [(at: Int64, apps: [Int64])]) throws {
        var rows: [(app: Int64, at: Int64, position: Int64)] = []
        for list in lists {
            for (index, app) in list.apps.enumerated() { rows.append((app, list.at, Int64(index + 1))) }
        }
        rows.sort { $0 < $1 }
        try database.run("BEGIN")
        for row in rows {
            try database.run(
                "INSERT INTO place (query, app, at, position) VALUES (?, ?, ?, ?)",
                [.integer(query), .integer(row.app), .integer(row.at), .integer(row.position)])
        }
        try database.run("COMMIT")
    }

    var size: Int64 { get throws { try database.size(of: ["place"]) } }

    /// The positions of an app on a query since a time.
    func positions(of app: Int64, on query: Int64, since at: Int64) throws -> [Int64] {
        var positions: [Int64] = []
        try database.run(
            "SELECT position, at FROM place WHERE query = ? AND app = ? AND at >= ? ORDER BY at",
            [.integer(query), .integer(app), .integer(at)]
        ) { positions.append($0) }
        return positions
    }
}
