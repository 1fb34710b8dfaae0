import Foundation
import GRDB
import RankKit

/// What SQLite itself finds wrong with a file.
enum StructureCheck {
    /// Beyond this many findings, damage is not listed one by one.
    private static let most = 100

    static func findings(in database: Database) throws -> [Finding] {
        let structure = try String.fetchAll(database, sql: "PRAGMA integrity_check(100)")
            .filter { $0 != "ok" }
            .map { Finding(part: .structure, place: "file", problem: $0) }
        var dangling: [Finding] = []
        let rows = try Row.fetchCursor(database, sql: "PRAGMA foreign_key_check")
        while let row = try rows.next(), dangling.count < most {
            let (table, id, parent): (String, Int64?, String) = try (row[0], row.wideIfAny(1), row[2])
            dangling.append(
                Finding(
                    part: .references, place: id.map { "\(table) \($0)" } ?? table,
                    problem: "the row refers to a row of \(parent) that does not exist"))
        }
        return structure + dangling
    }
}

/// Looks whether the bytes of all lists are as they were written, without making lists of them: pages by their
/// checksums, and lists by themselves, of which there are few and which have none, by their form.
enum ListBytesCheck {
    /// Beyond this many findings, damage is not listed one by one.
    private static let most = 100

    static func findings(in database: Database) throws -> [Finding] {
        var findings: [Finding] = []
        func tell(_ place: String) {
            if findings.count < most {
                findings.append(Finding(part: .lists, place: place, problem: "the stored bytes cannot be read"))
            }
        }
        let pages = try Row.fetchCursor(database, sql: "SELECT id, query, bytes FROM result_page")
        while let row = try pages.next() {
            if try !ResultPage.isIntact(row.bytes(2)) {
                try tell("page \(row[0] as Int64) of query \(row[1] as Int64)")
            }
        }
        let lists = try Row.fetchCursor(database, sql: "SELECT check_id, places FROM result_list")
        while let row = try lists.next() {
            do { _ = try ResultListCodec.decode(row.bytes(1)) } catch {
                try tell("the list of check \(row[0] as Int64)")
            }
        }
        return findings
    }
}

/// The lists of one query that are in no page, read beside its checks.
struct LoneLists {
    private let rows: RowCursor
    private var row: Row?
    /// Before this none is looked for where lists are read; `nil` if that is not known.
    private let start: Int64?
    /// How many lie before `start`, and the first of their checks.
    private(set) var hidden: (count: Int, check: Int64)?

    init(of query: Int64, in database: Database) throws {
        start = try UnpagedLists.knownStart(of: query, in: database)
        rows = try Row.fetchCursor(
            database.makeStatement(
                sql: """
                    SELECT check_log.at, check_log.id, result_list.places
                    FROM check_log CROSS JOIN result_list ON result_list.check_id = check_log.id
                    WHERE check_log.query = ? ORDER BY check_log.at, check_log.id
                    """), arguments: [query])
        try step()
    }

    /// The bytes of the list of a check, which comes after all that were asked for before.
    mutating func bytes(of key: StoredList.Key) throws -> [UInt8]? {
        while let row {
            let next = try StoredList.Key(at: row[0], check: row[1])
            guard next <= key else { return nil }
            let bytes = try next == key ? row.bytes(2) : nil
            try step()
            if let bytes { return bytes }
        }
        return nil
    }

    /// Looks at the rest, of which nothing is wanted.
    mutating func finish() throws { while row != nil { try step() } }

    private mutating func step() throws {
        row = try rows.next()
        guard let row, let start else { return }
        let (at, check): (Int64, Int64) = try (row[0], row[1])
        if at < start { hidden = ((hidden?.count ?? 0) + 1, min(hidden?.check ?? check, check)) }
    }
}
