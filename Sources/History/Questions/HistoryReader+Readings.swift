import Foundation
import GRDB
package import RankKit

extension HistoryReader {
    /// The recorded positions of a tracked app on `query` in `span`, in order of time; empty if it was never tracked
    /// on it.
    package func readings(
        of bundleID: BundleID, on query: Query, in span: ClosedRange<Timestamp> = .always
    ) throws(HistoryError) -> [Reading] {
        try read { database in
            guard let query = try QueryRow.id(of: query, in: database) else { return [] }
            let rows = try Row.fetchCursor(
                database.cachedStatement(sql: Self.readings),
                arguments: [
                    query, bundleID.folded, span.lowerBound.secondsSinceEpoch, span.upperBound.secondsSinceEpoch,
                ])
            var readings: [Reading] = []
            while let row = try rows.next() { readings.append(Reading(row, at: 0, position: 1, within: 2)) }
            return readings
        }
    }

    static let readings = """
        SELECT position.at, position.position, position.within
        FROM pair CROSS JOIN position ON position.pair = pair.id
        WHERE pair.query = ? AND pair.bundle_key = ? AND position.at BETWEEN ? AND ?
        ORDER BY position.at, position.check_id
        """
}

/// A pair's last good reading of each day.
enum DayReadings {
    /// Closed days come from the roll-ups, later ones from the positions themselves, and so does one of which only a
    /// part is wanted.
    ///
    /// - Parameter until: nothing later is read; `nil` for all of the days.
    static func of(
        pair: Int64, _ days: ClosedRange<Int64>, until: Timestamp? = nil, rolledUpThrough rolledUp: Int64?,
        in database: Database
    ) throws -> [Int64: Reading] {
        let end = min(until ?? .startOfDay(days.upperBound + 1) - 1, .startOfDay(days.upperBound + 1) - 1)
        let lastClosed = min(rolledUp ?? .min, (end + 1).day - 1)
        var readings: [Int64: Reading] = [:]
        let closed = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT day, last_at, last_position, last_within FROM pair_day
                    WHERE pair = ? AND day BETWEEN ? AND ?
                    """), arguments: [pair, days.lowerBound, lastClosed])
        while let row = try closed.next() { readings[row[0]] = Reading(row, at: 1, position: 2, within: 3) }
        let open = lastClosed < days.lowerBound ? days.lowerBound : lastClosed + 1
        guard Timestamp.startOfDay(open) <= end else { return readings }
        let positions = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT at, position, within FROM position
                    WHERE pair = ? AND at >= ? AND at <= ? ORDER BY at, check_id
                    """),
            arguments: [pair, Timestamp.startOfDay(open).secondsSinceEpoch, end.secondsSinceEpoch])
        while let row = try positions.next() {
            let reading = Reading(row, at: 0, position: 1, within: 2)
            readings[reading.checkedAt.day] = reading
        }
        return readings
    }
}

/// The tags of a pair, as `pair.tags` holds them.
enum PairTags {
    static func decode(_ text: String) throws -> [String] {
        text == "[]" ? [] : try JSONDecoder().decode([String].self, from: Data(text.utf8))
    }

    static func encode(_ tags: [String]) throws -> String {
        tags.isEmpty ? "[]" : String(decoding: try JSONEncoder().encode(tags), as: UTF8.self)
    }
}
