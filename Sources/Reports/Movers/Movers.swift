import Judging
import RankKit

/// What moved between two moments: the value behind `rankctl report movers`.
struct Movers: Sendable {
    var generatedAt: Timestamp
    var since: Timestamp
    /// `generatedAt`, or an earlier moment.
    var until: Timestamp
    /// The pairs that stand elsewhere at `until` than at `since`, those that moved for good in between or are likely to
    /// have, and those that moved in the month before: the biggest moves first, those out of the list and into it last.
    var rows: [Row]
    /// Pairs with a reading at both moments.
    var compared: Int
    /// All pairs that were looked at.
    var pairs: Int
    /// Those of mine among them.
    var mine: Scope
    /// Pairs of mine that no row tells of, because they stand where they stood.
    var unmoved: MoveCounts
    /// What was out of the ordinary with the store between the two.
    var remarks: [StoreRemark]
    /// How the stores of their countries were, day by day.
    var weather: [StoreWeather] = []
    /// When the first check of all was; only where nothing could be compared.
    var begins: Timestamp?
    /// How keenly moves were told from wobble.
    var sensitivity: Sensitivity

    init(
        generatedAt: Timestamp, since: Timestamp, until: Timestamp? = nil, rows: [Row], compared: Int,
        pairs: Int? = nil, mine: Scope? = nil, unmoved: MoveCounts? = nil, remarks: [StoreRemark] = [],
        sensitivity: Sensitivity = .normal
    ) {
        self.generatedAt = generatedAt
        self.since = since
        self.until = until ?? generatedAt
        self.rows = rows.sorted()
        self.compared = compared
        self.pairs = pairs ?? compared
        let mine = mine ?? Scope(pairs: self.pairs, compared: compared)
        self.mine = mine
        var steady = MoveCounts()
        steady.steady = max(0, mine.compared - rows.count(where: \.mine))
        self.unmoved = unmoved ?? steady
        self.remarks = remarks
        self.sensitivity = sensitivity
    }

    /// Some of the pairs.
    struct Scope: Sendable, Hashable {
        var pairs = 0
        /// Those with a reading at both moments.
        var compared = 0
        /// Those whose queries are asked too seldom to tell a move from noise between the two moments.
        var tooSeldom = 0
    }

    /// One pair.
    struct Row: Sendable {
        var query: Query
        var app: ReportedApp
        var mine = true
        var tags: [String] = []
        /// The last good reading at each moment, as `Reading.window` has it.
        var from: Reading
        var to: Reading
        var judgement: MoveJudgement
        /// Its move over `NoiseModel.monthDays`, its entry or its exit, where it only wobbled otherwise.
        var monthMove: MoveJudgement?
        /// How far back the query's cadence has one look.
        var span = JudgedSpan(cadence: Timestamp.secondsPerDay)
        /// The moment that it is compared with, if the query is asked too seldom for the report's own.
        var since: Timestamp?

        /// Between the two readings, which may be a spike's; `nil` if one list was too short to show the place of the other.
        var change: Standings.Change? { Standings.Change(from: from, to: to) }

        /// Whether it entered or left between the two moments, and is where it was at the first of them.
        var isBack: Bool { judgement.leadsBack(from: from, to: to) }

        /// Between the usual places before and since; `nil` for what only wobbled, or is back where it was.
        var usualChange: Standings.Change? { judgement.isBeyondNoise && !isBack ? judgement.change : nil }

        /// What a table of moves tells of it: its move of the month where nothing is to be said of the week.
        var told: MoveJudgement { monthMove ?? judgement }

        /// Whether it stands in a table of moves, as one that is confirmed or likely.
        var isMove: Bool { told.change != nil && !isBack }

        /// How far it moved on `PositionScale`, on which a place counts for more the higher it is; 0 if it was
        /// absent at either moment.
        var distance: Double {
            guard let before = from.position, let after = to.position else { return 0 }
            return abs(PositionScale.value(before) - PositionScale.value(after))
        }
    }

    /// A move takes this many daily readings to be believed.
    static let leastDays: Int64 = 3

    /// Pairs of mine by what is to be said of them. Competitors never count.
    var summary: MoveCounts {
        var counts = unmoved
        for row in rows where row.mine {
            counts.count(row.judgement, isBack: row.isBack, isOfMonth: row.monthMove != nil)
        }
        return counts
    }

    /// Pairs of mine that changed place no more than they usually do.
    var wobbles: Int { rows.count { $0.mine && $0.monthMove == nil && $0.judgement == .withinNoise } }

    /// Whether there are fewer days between the two moments than it takes to tell a move from noise.
    var isTooShort: Bool { until.reportDay - since.reportDay < Self.leastDays }

    /// What to say about mine instead of moves; `nil` if there are some.
    var quiet: String? {
        let summary = summary
        guard !summary.hasMoved else { return nil }
        if mine.pairs == 0 { return NoSuchPair.competitors(pairs) }
        if mine.compared == 0 { return "no pair has a good check at both moments" }
        if isTooShort { return "too short a time to judge: a move shows after \(Self.leastDays) days or more" }
        // What looks real may yet turn out to be.
        if summary.likely > 0 { return "nothing confirmed yet" }
        if summary.steady == 0, summary.notJudged > 0 { return "too little history yet to tell moves from wobble" }
        return summary.steady == 0 && summary.uncompared > 0
            ? "nothing moved, as far as can be compared" : "nothing moved more than it usually wobbles"
    }

    /// The same movers with the rows for which `isIncluded` is true, and nothing of other pairs.
    func only(_ isIncluded: (Row) -> Bool) -> Movers {
        var some = self
        some.rows.removeAll { !isIncluded($0) }
        some.unmoved = MoveCounts()
        return some
    }
}

extension MoveJudgement {
    /// Whether it is an entry or an exit that leads back to where the pair was before: in the list, or out of it.
    func leadsBack(from earlier: Reading?, to later: Reading?) -> Bool {
        guard let earlier, let later else { return false }
        return switch self {
        case .entered: earlier.position != nil && later.position != nil
        case .left: earlier.position == nil && later.position == nil
        case .real, .unconfirmed, .withinNoise, .notJudged: false
        }
    }
}

extension Movers.Row {
    /// Nearer the top first, for what entered and left; farther moved first, for the rest.
    fileprivate func precedes(_ other: Self) -> Bool {
        if distance != other.distance { return distance > other.distance }
        return edge < other.edge
    }

    /// The place that it entered at or left from.
    private var edge: Int { to.position?.number ?? from.position?.number ?? .max }
}

extension [Movers.Row] {
    /// Mine first, then the biggest; ties stay in the watchlist's order.
    fileprivate func sorted() -> Self {
        enumerated().sorted { left, right in
            if left.element.mine != right.element.mine { return left.element.mine }
            if left.element.precedes(right.element) { return true }
            return !right.element.precedes(left.element) && left.offset < right.offset
        }.map(\.element)
    }
}
