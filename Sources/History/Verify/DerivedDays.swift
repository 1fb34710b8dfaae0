import GRDB
import RankKit

/// The roll-ups of one pair, worked out anew from its positions.
struct DerivedDays {
    /// A row of `pair_day`.
    struct Day: Hashable {
        var good = 0
        var ranked = 0
        var best: Int?
        var worst: Int?
        var lastAt: Int64
        var lastPosition: Int?
        var lastWithin: Int
    }

    private var earlier: [Int64: Day] = [:]
    private var last: (day: Int64, row: Day)?

    /// By day.
    var rows: [Int64: Day] {
        var rows = earlier
        if let last { rows[last.day] = last.row }
        return rows
    }

    /// Readings come by time, and within a second as they were recorded.
    mutating func read(_ position: Int?, within: Int, at: Int64) {
        let day = Timestamp(secondsSinceEpoch: at).day
        if let last, last.day != day { earlier[last.day] = last.row }
        var row = last.flatMap { $0.day == day ? $0.row : nil } ?? Day(lastAt: at, lastWithin: within)
        row.good += 1
        (row.lastAt, row.lastPosition, row.lastWithin) = (at, position, within)
        if let position {
            row.ranked += 1
            row.best = min(row.best ?? position, position)
            row.worst = max(row.worst ?? position, position)
        }
        last = (day, row)
    }

    /// Those of `pair` up to `day`, as they are kept.
    static func stored(of pair: Int64, through day: Int64, in database: Database) throws -> [Int64: Day] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT day, good, ranked, best, worst, last_at, last_position, last_within
                    FROM pair_day WHERE pair = ? AND day <= ?
                    """), arguments: [pair, day])
        var days: [Int64: Day] = [:]
        while let row = try rows.next() {
            try days[row[0]] = Day(
                good: row[1], ranked: row[2], best: row[3], worst: row[4], lastAt: row[5], lastPosition: row[6],
                lastWithin: row[7])
        }
        return days
    }
}
