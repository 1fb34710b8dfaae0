import GRDB
import RankKit

/// Rows of `pass_count`: up to which number the passes of a source have ended.
enum PassCount {
    /// 0 also where no rankd writes what stands there.
    static func ended(of source: Source, in database: Database) throws -> Int64 {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT ended FROM pass_count WHERE source = ?"),
            arguments: [source.rawValue])
        guard case .int64(let ended)? = row?.value(0).storage, PassID.stored.contains(ended) else { return 0 }
        return ended
    }

    static func hasEnded(_ pass: PassID, in database: Database) throws -> Bool {
        try pass.number <= ended(of: pass.source, in: database)
    }

    /// Passes of which something is kept, though they have not ended, oldest first.
    static func open(in database: Database) throws -> [PassID] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT source, pass FROM pass_answers UNION SELECT source, pass FROM held_answer ORDER BY source, pass
                """
        ).compactMap { PassID($0, at: 0) }
    }

    /// A pass of which nothing has been applied yet goes on with what earlier ones of its source have left, which will
    /// never end.
    static func begin(_ pass: PassID, in database: Database) throws {
        try HeldAnswer.handOver(to: pass, in: database)
        try PassTally.handOver(to: pass, in: database)
        if pass.number > 1 { try note(PassID(of: pass.source, number: pass.number - 1), in: database) }
    }

    /// Notes that a pass and all of its source before it have ended.
    static func end(_ pass: PassID, in database: Database) throws {
        for table in ["held_answer", "pass_answers"] {
            try database.cachedStatement(sql: "DELETE FROM \(table) WHERE source = ? AND pass <= ?")
                .execute(arguments: [pass.source.rawValue, pass.number])
        }
        try HeldAnswer.forgetUnreadable(in: database)
        try PassTally.forgetUnreadable(in: database)
        try note(pass, in: database)
    }

    private static func note(_ pass: PassID, in database: Database) throws {
        let ended = try max(ended(of: pass.source, in: database), pass.number)
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO pass_count (source, ended) VALUES (?, ?)")
            .execute(arguments: [pass.source.rawValue, ended])
    }

    /// Rows that no rankd writes.
    static func findings(in database: Database) throws -> [Finding] {
        try Row.fetchAll(database, sql: "SELECT source, ended FROM pass_count").compactMap { row in
            guard PassID(row, at: 0) == nil else { return nil }
            return Finding(
                part: .references, place: "passes of \(row.value(0))",
                problem: "\(row.value(1)) is no number of a pass")
        }
    }
}

extension PassID {
    /// Those that are written down: far from the last, so that many can follow.
    static let stored: ClosedRange<Int64> = 1...numbers.upperBound / 2

    /// Reads a source and a number, the columns from `index` on; `nil` if no rankd writes such.
    init?(_ row: Row, at index: Int) {
        guard case .string(let word) = row.value(index).storage, let source = Source(rawValue: word),
            case .int64(let number) = row.value(index + 1).storage, Self.stored.contains(number)
        else { return nil }
        self.init(of: source, number: number)
    }
}
