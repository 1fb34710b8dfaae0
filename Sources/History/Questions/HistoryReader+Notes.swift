package import Foundation
import GRDB
package import RankKit

extension HistoryReader {
    /// The watchlist's notes, in its order.
    package func notes() throws(HistoryError) -> [Note] {
        try read { try Self.notes(in: $0) }
    }

    static func notes(in database: Database) throws -> [Note] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT note.on_date, ifnull(watched_app.bundle_id, note.bundle_key), note.version, note.text, note.added,
                    note.removed
                FROM note LEFT JOIN watched_app ON watched_app.bundle_key = note.bundle_key
                ORDER BY note.ordinal
                """
        ).map { row in
            let bundleID: String? = row[1]
            return Note(
                on: row[0], bundleID: bundleID.flatMap { BundleID($0) }, version: row[2], text: row[3],
                added: texts(row[4]), removed: texts(row[5]))
        }
    }

    private static func texts(_ lines: String) -> [String] { lines.split(separator: "\n").map(String.init) }
}

extension Note {
    /// The seconds of its day in `zone`; `nil` where it names no day, which no watchlist lets pass.
    package func day(in zone: TimeZone) -> ClosedRange<Timestamp>? {
        NamedTime(on, now: Timestamp(secondsSinceEpoch: 0), zone: zone).map { $0.first...$0.last }
    }
}
