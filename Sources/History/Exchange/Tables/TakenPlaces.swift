import RankKit

/// The places that the rows of one import hold at a moment, where a table is about several apps: no two of them are at one
/// place of one list. Rows of whole days may be of several lists.
final class TakenPlaces {
    private struct Place: Hashable {
        let query: Int64
        let at: Timestamp
        let number: Int
    }

    private var holders: [Place: (pair: Int64, line: Int32)] = [:]
    /// How many rows were left out, and what is to be said of the first.
    private var left: (rows: Int, first: String)?

    /// - Returns: the line with another app at the place of a row; `nil` if there is none, and the row holds it from now on.
    func take(_ row: ForeignTable.Row, query: Int64, pair: Int64) -> Int? {
        guard let number = row.position else { return nil }
        let place = Place(query: query, at: row.at, number: number)
        guard let holder = holders[place] else {
            holders[place] = (pair, Int32(clamping: row.line))
            return nil
        }
        return holder.pair == pair ? nil : Int(holder.line)
    }

    /// Notes that a row was left out because of the one in `line`.
    func leaveOut(_ row: ForeignTable.Row, _ bundleID: BundleID, for line: Int) {
        let first =
            left?.first
            ?? "line \(row.line) has \(bundleID) at place \(row.position ?? 0) of “\(row.query.text)” in "
            + "\(row.query.country) at \(row.at), where line \(line) has another app"
        left = ((left?.rows ?? 0) + 1, first)
    }

    /// For people; `nil` if no row was left out.
    var note: String? {
        left.map { rows, first in
            (rows == 1 ? first : "\(rows) rows have an app at a place of another one: \(first)")
                + "; what came first was taken: correct the table and import it again, or if the number means “not found”, "
                + "add it to --absent"
        }
    }
}
