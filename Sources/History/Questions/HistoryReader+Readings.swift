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
            while let row = try rows.next() { try readings.append(Reading(row, at: 0, position: 1, within: 2)) }
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
