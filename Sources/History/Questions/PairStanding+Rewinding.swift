import GRDB
import RankKit

extension PairStanding {
    /// Takes back what is known only since `moment`.
    ///
    /// `standing` holds the newest alone, so that what came later is found out from the checks, and the extremes from
    /// the roll-ups of days where they were set since.
    mutating func rewind(to moment: Timestamp, _ readings: PairReadings, in database: Database) throws {
        let pair = id
        let always = Timestamp(secondsSinceEpoch: .min)
        if let checkedAt, checkedAt > moment {
            lastGood = try readings.newest(of: pair, in: always...moment)
            let unread = try Row.fetchOne(
                database.cachedStatement(sql: Self.newestUnread),
                arguments: [
                    "pair": pair, "from": lastGood?.checkedAt.secondsSinceEpoch, "to": moment.secondsSinceEpoch,
                ])
            outcome =
                try unread.flatMap { try CheckOutcome($0, at: 2, ofCheck: $0[1]).untold }
                ?? lastGood.map { Outcome($0) } ?? .pending
            self.checkedAt =
                try unread.map { try $0[0] } ?? lastGood?.checkedAt
        }
        if let best, best.at > moment { self.best = try Self.extreme(.best, of: pair, upTo: moment, in: database) }
        if let worst, worst.at > moment { self.worst = try Self.extreme(.worst, of: pair, upTo: moment, in: database) }
    }

    /// The newest check, after the last good one, that no position comes from, and in which the pair was tracked. Each
    /// kind has an index of its own.
    static let newestUnread = """
        SELECT at, id, outcome, within, reason FROM (
            SELECT check_log.at AS at, check_log.id AS id, outcome, within, reason
            FROM pair CROSS JOIN check_log ON check_log.query = pair.query
            WHERE pair.id = :pair AND check_log.outcome <> 'good'
                AND check_log.at BETWEEN ifnull(:from, -9223372036854775808) AND :to
                AND EXISTS (
                    SELECT 1 FROM pair_period
                    WHERE pair_period.pair = pair.id AND pair_period.from_at <= check_log.at
                        AND (pair_period.until_at IS NULL OR check_log.at < pair_period.until_at))
            ORDER BY check_log.at DESC, check_log.id DESC LIMIT 1)
        UNION ALL
        SELECT at, id, outcome, within, reason FROM (
            SELECT check_log.at AS at, check_log.id AS id, outcome, within, reason
            FROM pair CROSS JOIN check_log ON check_log.query = pair.query
            WHERE pair.id = :pair AND check_log.outcome = 'good' AND check_log.reason IS NOT NULL
                AND check_log.at BETWEEN ifnull(:from, -9223372036854775808) AND :to
                AND NOT EXISTS (
                    SELECT 1 FROM position
                    WHERE position.pair = pair.id AND position.at = check_log.at AND position.check_id = check_log.id)
                AND EXISTS (
                    SELECT 1 FROM pair_period
                    WHERE pair_period.pair = pair.id AND pair_period.from_at <= check_log.at
                        AND (pair_period.until_at IS NULL OR check_log.at < pair_period.until_at))
            ORDER BY check_log.at DESC, check_log.id DESC LIMIT 1)
        ORDER BY at DESC LIMIT 1
        """

    private enum Side: Int {
        case best = 1
        case worst = -1
    }

    /// Of equal ones the oldest counts.
    private static func extreme(
        _ side: Side, of pair: Int64, upTo moment: Timestamp, in database: Database
    ) throws -> Extreme? {
        let rolledUp = try DayRollUp.lastDay(in: database) ?? .min
        // The day of `moment` may have gone on after it.
        let lastClosed = min(rolledUp, moment.day - 1)
        let open = try Row.fetchOne(
            database.cachedStatement(sql: extremeOfChecks),
            arguments: [
                "pair": pair, "side": side.rawValue,
                "from": lastClosed == .min ? Int64.min : Timestamp.startOfDay(lastClosed + 1).secondsSinceEpoch,
                "to": moment.secondsSinceEpoch,
            ]
        ).flatMap { try Extreme($0, position: 0, at: 1) }
        let closed = try Row.fetchOne(
            database.cachedStatement(sql: extremeOfDays),
            arguments: ["pair": pair, "side": side.rawValue, "last": lastClosed])
        guard let closed else { return open }
        let (day, place): (Int64, Int) = try (closed[0], closed[1])
        if let open, side.rawValue * open.position.number < side.rawValue * place { return open }
        return try Row.fetchOne(
            database.cachedStatement(sql: firstAtPlace),
            arguments: [
                "pair": pair, "from": Timestamp.startOfDay(day).secondsSinceEpoch,
                "to": Timestamp.startOfDay(day + 1).secondsSinceEpoch, "place": place,
            ]
        ).flatMap { try Extreme($0, position: 0, at: 1) } ?? open
    }

    private static let extremeOfDays = """
        SELECT day, iif(:side = 1, best, worst) AS place FROM pair_day
        WHERE pair = :pair AND day <= :last AND best IS NOT NULL
        ORDER BY :side * place, day LIMIT 1
        """

    private static let extremeOfChecks = """
        SELECT position, at FROM position
        WHERE pair = :pair AND at BETWEEN :from AND :to AND position IS NOT NULL
        ORDER BY :side * position, at LIMIT 1
        """

    private static let firstAtPlace = """
        SELECT position, at FROM position WHERE pair = :pair AND at >= :from AND at < :to AND position = :place
        ORDER BY at LIMIT 1
        """
}
