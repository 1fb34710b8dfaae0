import GRDB

/// Every version of the schema, oldest first. Append only: what has been released never changes.
enum Schema {
    private static let migrations = [
        version1, version2, version3, version4, version5, version6, version7, version8, version9, version10,
        version11, version12, version13, version14, version15, version16, version17,
    ]

    /// What a version needs besides its SQL, because only our own rules can say it.
    private static let further: [Int: @Sendable (Database) throws -> Void] = [
        7: { try foldDotlessLetters(in: $0) },
        13: { try noteMisnamed(in: $0) },
        16: { try CorrectedPlaces.noteNamedEntries(in: $0) },
    ]

    /// The version that this program reads and writes: SQLite's `user_version`.
    static let version = migrations.count

    /// Brings the database to `version`, one transaction a step. None of them takes longer than making an index does:
    /// what has to be derived from the rest of the file is derived step by step afterwards.
    static func migrate(_ queue: DatabaseQueue, to version: Int = Self.version) throws {
        let current = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
        for step in current..<max(current, version) {
            try queue.write { database in
                try database.execute(sql: migrations[step])
                try further[step + 1]?(database)
                try database.execute(
                    literal: "PRAGMA application_id = \(sql: String(DatabaseFile.applicationID))")
                try database.execute(literal: "PRAGMA user_version = \(sql: String(step + 1))")
            }
        }
        guard max(current, version) == Self.version else { return }
        try queue.write { try renewViews(in: $0) }
        try renewTexts(queue)
    }
}
