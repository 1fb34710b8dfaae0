import GRDB
import RankKit

/// Where a pair stands, worked out anew from its checks and not as recording does it.
struct DerivedStanding {
    /// A row of `standing`.
    struct Row: Hashable {
        var state: String
        var checkedAt: Int64
        var reason: String?
        var goodAt: Int64?
        var position: Int?
        var within: Int?
        var best: Int?
        var bestAt: Int64?
        var worst: Int?
        var worstAt: Int64?
    }

    private struct Good {
        let position: Int?
        let within: Int
    }

    private struct Extreme {
        var position: Int
        /// The first moments: by time, and as recorded.
        var at: Int64
        var recorded: (check: Int64, at: Int64)

        mutating func offer(check: Int64, at: Int64) {
            self.at = min(self.at, at)
            if check < recorded.check { recorded = (check, at) }
        }
    }

    private enum News {
        case good
        case unread(Gap)
    }

    /// The newest failed or suspect check, by which of them count.
    private struct Candidates {
        /// With those that met the pair.
        var news: Newest<News>
        /// With those too that may or may not have met it: they began about when it came or went.
        var possible: Newest<News>
        /// Only with those that certainly met it.
        var certain: Newest<News>

        init(_ order: RecordedOrder) { (news, possible, certain) = (Newest(order), Newest(order), Newest(order)) }

        mutating func offer(_ value: News, check: Int64, at: Int64, met: PairPeriods.Meeting) {
            if met != .no { possible.offer(value, check: check, at: at) }
            if met == .inside || met == .certainly { news.offer(value, check: check, at: at) }
            if met == .certainly { certain.offer(value, check: check, at: at) }
        }

        var all: [Newest<News>] { [news, possible, certain] }
    }

    private let order: RecordedOrder
    private var good: Newest<Good>
    private var tracked: Candidates
    /// A pair that is adopted is placed by what came before it, too.
    private var adopted: Candidates
    private var best: Extreme?
    private var worst: Extreme?

    init(_ order: RecordedOrder) {
        self.order = order
        good = Newest(order)
        (tracked, adopted) = (Candidates(order), Candidates(order))
    }

    mutating func read(_ position: Int?, within: Int, check: Int64, at: Int64) {
        good.offer(Good(position: position, within: within), check: check, at: at)
        guard let position, order.counts(at) else { return }
        Self.offer(position, to: &best, check: check, at: at, beats: <)
        Self.offer(position, to: &worst, check: check, at: at, beats: >)
    }

    private static func offer(
        _ position: Int, to extreme: inout Extreme?, check: Int64, at: Int64, beats: (Int, Int) -> Bool
    ) {
        if let known = extreme, !beats(position, known.position) {
            if known.position == position { extreme?.offer(check: check, at: at) }
            return
        }
        extreme = Extreme(position: position, at: at, recorded: (check, at))
    }

    /// Takes up a check that says nothing about the pair.
    mutating func unread(_ gap: Gap, check: Int64, at: Int64, _ periods: PairPeriods) {
        let value = News.unread(gap)
        tracked.offer(value, check: check, at: at, met: periods.meeting(at: at))
        adopted.offer(value, check: check, at: at, met: periods.meetingOrBefore(at: at))
    }

    /// `nil` if no check ever met the pair. A check from before it was added says where it stands too; one from after it
    /// was removed does not.
    var row: Row? { row(adopted.news) }

    /// Whether `stored` is what it is derived from, as far as that can be told.
    func admits(_ stored: Row?, exists failure: (_ at: Int64, _ reason: String?) throws -> Bool) rethrows -> Bool {
        let candidates = (tracked.all + adopted.all).map { row($0) }
        guard let stored else { return candidates.contains(nil) }
        if candidates.contains(where: { $0.map { isSame($0, stored) } ?? false }) { return true }
        // The failed check may have been thinned into a daily count since.
        guard stored.state == Outcome.State.failed.rawValue, try failure(stored.checkedAt, stored.reason) else {
            return false
        }
        var asFailed = row ?? Row(state: stored.state, checkedAt: stored.checkedAt)
        (asFailed.state, asFailed.checkedAt, asFailed.reason) = (stored.state, stored.checkedAt, stored.reason)
        return isSame(asFailed, stored)
    }

    /// The moment of an extreme may be the first by time or the first recorded.
    private func isSame(_ derived: Row, _ stored: Row) -> Bool {
        var other = stored
        if other.bestAt == best?.recorded.at { other.bestAt = best?.at }
        if other.worstAt == worst?.recorded.at { other.worstAt = worst?.at }
        return derived == other
    }

    private func row(_ unread: Newest<News>) -> Row? {
        var news = unread
        news.offer(self.good) { _ in .good }
        guard let newest = news.entry else { return nil }
        let good = good.entry
        var row = Row(state: "", checkedAt: newest.at)
        switch newest.value {
        case .good: row.state = (good?.value.position == nil ? Outcome.State.absent : .ranked).rawValue
        case .unread(let gap): (row.state, row.reason) = (gap.state.rawValue, gap.reason)
        }
        (row.goodAt, row.position, row.within) = (good?.at, good?.value.position, good?.value.within)
        (row.best, row.bestAt, row.worst, row.worstAt) = (best?.position, best?.at, worst?.position, worst?.at)
        return row
    }
}

extension DerivedStanding.Row {
    static func stored(of pair: Int64, in database: Database) throws -> DerivedStanding.Row? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT state, checked_at, reason, good_at, position, within, best, best_at, worst, worst_at
                    FROM standing WHERE pair = ?
                    """), arguments: [pair]
        ).map {
            try DerivedStanding.Row(
                state: $0[0], checkedAt: $0[1], reason: $0[2], goodAt: $0[3], position: $0[4], within: $0[5],
                best: $0[6], bestAt: $0[7], worst: $0[8], worstAt: $0[9])
        }
    }

    func store(for pair: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO standing
                    (pair, state, checked_at, reason, good_at, position, within, best, best_at, worst, worst_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [pair, state, checkedAt, reason, goodAt, position, within, best, bestAt, worst, worstAt])
    }
}

/// When a pair was active.
struct PairPeriods {
    /// Whether a check met the pair.
    enum Meeting {
        case no
        /// It began so near a border that either is possible.
        case outsideNearby
        case inside
        case certainly
    }

    /// In seconds: longer than a check takes from its beginning, which is noted, to its recording, which decides.
    private static let slack: Int64 = 600

    private let periods: [(from: Int64, until: Int64)]

    init(of pair: Int64, in database: Database) throws {
        periods = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT from_at, until_at FROM pair_period WHERE pair = ? ORDER BY from_at"),
            arguments: [pair]
        ).map { try (from: $0[0], until: $0[1] as Int64? ?? .max) }
    }

    func meeting(at moment: Int64) -> Meeting { Self.meeting(at: moment, periods) }

    /// The same as though the pair had been active all the time until the end of its last period.
    func meetingOrBefore(at moment: Int64) -> Meeting {
        Self.meeting(at: moment, periods.map(\.until).max().map { [(.min, $0)] } ?? [])
    }

    private static func meeting(at moment: Int64, _ periods: [(from: Int64, until: Int64)]) -> Meeting {
        var meeting = Meeting.no
        for (from, until) in periods {
            let (near, far) = (moment.clampedAdding(Self.slack), moment.clampedAdding(-Self.slack))
            if from <= moment, moment < until {
                return from <= far && near < until ? .certainly : .inside
            }
            if from <= near, far < until { meeting = .outsideNearby }
        }
        return meeting
    }
}

extension Int64 {
    fileprivate func clampedAdding(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other > 0 ? .max : .min) : sum
    }
}
