import GRDB
import GRDBSQLite
import RankKit

/// Reads the readings of one pair after the other.
struct PairReadings {
    private let closed: PairStatement
    private let open: PairStatement
    private let newest: PairStatement
    private let rolledUp: Int64?
    private let zone: ZoneDays

    private static let closedDays = """
        SELECT last_at, last_position, last_within, day, good FROM pair_day
        WHERE pair = ? AND day BETWEEN ? AND ? ORDER BY day
        """
    private static let openDays = """
        SELECT at, position, within FROM position WHERE pair = ? AND at BETWEEN ? AND ? ORDER BY at, check_id
        """
    private static let newestReading = """
        SELECT at, position, within FROM position
        WHERE pair = ? AND at BETWEEN ? AND ? ORDER BY at DESC, check_id DESC LIMIT 1
        """

    /// - Parameter zone: whose days the readings are told by.
    init(_ zone: ZoneDays, in database: Database) throws {
        self.zone = zone
        closed = PairStatement(try database.cachedStatement(sql: Self.closedDays), in: database)
        open = PairStatement(try database.cachedStatement(sql: Self.openDays), in: database)
        newest = PairStatement(try database.cachedStatement(sql: Self.newestReading), in: database)
        rolledUp = try DayRollUp.lastDay(in: database)
    }

    /// The last good reading of each day. Closed days come from the roll-ups, later ones from the positions themselves,
    /// and so does one of which only a part is wanted.
    ///
    /// - Parameter until: nothing later is read; `nil` for all of the days.
    func days(of pair: Int64, _ days: ClosedRange<Int64>, until: Timestamp? = nil) throws -> DailyReadings {
        let (begin, end) = (zone.start(of: days.lowerBound), end(of: days, until: until))
        let lastClosed = min(rolledUp ?? .min, (end + 1).day - 1)
        var readings = DailyReadings()
        readings.reserveCapacity(Int(min(days.upperBound - days.lowerBound + 1, 128)))
        try closed.each(pair, from: begin.day, to: lastClosed) { row in
            let last = try row.reading
            if let earlier = try self.earlier(than: last, in: row, pair), earlier.checkedAt >= begin {
                try readings.append(earlier, of: row, on: zone.day(of: earlier.checkedAt), among: days)
            }
            guard last.checkedAt >= begin else { return }
            try readings.append(last, of: row, on: zone.day(of: last.checkedAt), among: days)
        }
        let first = lastClosed < begin.day ? begin : .startOfDay(lastClosed + 1)
        if first <= end {
            try open.each(pair, from: first.secondsSinceEpoch, to: end.secondsSinceEpoch) { row in
                let reading = try row.reading
                try readings.append(reading, of: row, on: zone.day(of: reading.checkedAt), among: days)
            }
        }
        readings.trim()
        return readings
    }

    /// Roll-ups are of UTC's days, and one of the zone's may end within: the last reading of that one, if there is another
    /// than the roll-up has.
    private func earlier(than last: Reading, in rollUp: PairStatement.Columns, _ pair: Int64) throws -> Reading? {
        guard !zone.isUTC, try rollUp.number(4) > 1 else { return nil }
        let (start, ends) = (Timestamp.startOfDay(try rollUp.number(3)), zone.start(of: zone.day(of: last.checkedAt)))
        return start < ends ? try newest(of: pair, in: start...ends - 1) : nil
    }

    /// The newest reading in `window`; `nil` where there is none.
    func newest(of pair: Int64, in window: ClosedRange<Timestamp>) throws -> Reading? {
        var found: Reading?
        let (from, to) = (window.lowerBound.secondsSinceEpoch, window.upperBound.secondsSinceEpoch)
        try newest.each(pair, from: from, to: to) { found = try $0.reading }
        return found
    }

    /// The same, from the readings of `days` up to `until` where these can tell.
    func newest(
        of pair: Int64, in window: ClosedRange<Timestamp>, knowing readings: DailyReadings,
        of days: ClosedRange<Int64>, until: Timestamp?
    ) throws -> Reading? {
        guard window.upperBound <= end(of: days, until: until),
            days.contains(zone.day(of: window.lowerBound))
        else {
            return try newest(of: pair, in: window)
        }
        guard let last = readings.last(upTo: zone.day(of: window.upperBound)) else { return nil }
        // Of the day on which the window ends, the last reading may be too late, and one before it is not at hand.
        guard last.reading.checkedAt <= window.upperBound else { return try newest(of: pair, in: window) }
        return last.reading.checkedAt >= window.lowerBound ? last.reading : nil
    }

    private func end(of days: ClosedRange<Int64>, until: Timestamp?) -> Timestamp {
        let end = zone.end(of: days.upperBound)
        return min(until ?? end, end)
    }
}

extension DailyReadings {
    /// Takes up a reading that `row` tells. Judgements count on their order.
    fileprivate mutating func append(
        _ reading: Reading, of row: PairStatement.Columns, on day: Int64, among days: ClosedRange<Int64>
    ) throws {
        guard days.contains(day), elements.last.map({ $0.day <= day }) ?? true else {
            throw row.misfit(0, "of a day that follows")
        }
        append(reading, on: day)
    }
}

/// A question about one pair and a span of numbers, asked of one pair after the other.
///
/// It goes to SQLite itself: with a hundred thousand pairs, GRDB's arguments and rows take longer than the answers.
struct PairStatement {
    private let database: Database
    private let statement: Statement

    /// - Parameter statement: with three parameters: the pair, and where the span begins and ends, both included.
    init(_ statement: Statement, in database: Database) {
        self.database = database
        self.statement = statement
    }

    /// A row of whole numbers.
    struct Columns {
        fileprivate let statement: OpaquePointer
        fileprivate let pair: Int64

        func number(_ column: Int32) throws -> Int64 { try read(column) }

        var moment: Timestamp { get throws { try read(0) } }

        private func read<Value: StoredValue>(_ column: Int32) throws -> Value {
            let stored = DatabaseValue(sqliteStatement: statement, index: column).storage
            guard let value = Value(stored: stored) else { throw misfit(column, Value.kind) }
            return value
        }

        fileprivate func misfit(_ column: Int32, _ kind: String) -> DatabaseError {
            let name = sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "column \(column)"
            return DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "pair \(pair): \(name) is not \(kind), as belongs there")
        }

        /// Of the first columns: when, where and within how many places.
        var reading: Reading {
            get throws {
                let reading = try Reading(position: read(1), within: read(2), checkedAt: read(0))
                // Reports draw as many places as there are.
                guard (0...Row.deepest).contains(reading.within), reading.position?.number ?? 0 <= reading.within else {
                    throw misfit(2, "a number of places")
                }
                return reading
            }
        }
    }

    func each(_ pair: Int64, from: Int64, to: Int64, _ take: (Columns) throws -> Void) throws {
        let handle = statement.sqliteStatement
        // Whatever went wrong the last time has been thrown then.
        sqlite3_reset(handle)
        defer { sqlite3_reset(handle) }
        sqlite3_bind_int64(handle, 1, pair)
        sqlite3_bind_int64(handle, 2, from)
        sqlite3_bind_int64(handle, 3, to)
        while true {
            let code = sqlite3_step(handle)
            switch code {
            case SQLITE_ROW: try take(Columns(statement: handle, pair: pair))
            case SQLITE_DONE: return
            default:
                throw DatabaseError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
            }
        }
    }
}

/// Decodes once what many pairs have in common: queries have several pairs, and apps have many.
struct SharedValues {
    private var queries: [Int64: Query] = [:]
    private var bundleIDs: [String: BundleID?] = [:]
    private var tags: [String: [String]] = [:]

    /// Reads `QueryRow.columns`, which start at the row's column `first`.
    mutating func query(_ id: Int64, _ row: Row, at first: Int) throws -> Query {
        if let known = queries[id] { return known }
        let query = try QueryRow.query(from: row, at: first)
        queries[id] = query
        return query
    }

    mutating func bundleID(_ text: String) -> BundleID? {
        if let known = bundleIDs[text] { return known }
        let bundleID = BundleID(text)
        bundleIDs[text] = .some(bundleID)
        return bundleID
    }

    mutating func tags(_ text: String) throws -> [String] {
        if let known = tags[text] { return known }
        let decoded = try PairTags.decode(text)
        tags[text] = decoded
        return decoded
    }
}
