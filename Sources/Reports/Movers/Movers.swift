import Judging
import RankKit

/// What moved between two moments: the value behind `rankctl report movers`.
struct Movers: Sendable {
    var generatedAt: Timestamp
    var since: Timestamp
    /// `generatedAt`, or an earlier moment.
    var until: Timestamp
    /// The pairs that stand elsewhere at `until` than at `since`, those that moved for good in between, and those
    /// that moved in the month before: the biggest moves first, those out of the list and into it last.
    var rows: [Row]
    /// Pairs with a reading at both moments.
    var compared: Int
    /// All pairs that were looked at.
    var pairs: Int
    /// Those of mine among them.
    var mine: Scope
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
        pairs: Int? = nil, mine: Scope? = nil, remarks: [StoreRemark] = [], sensitivity: Sensitivity = .normal
    ) {
        self.generatedAt = generatedAt
        self.since = since
        self.until = until ?? generatedAt
        self.rows = rows.sorted()
        self.compared = compared
        self.pairs = pairs ?? compared
        self.mine = mine ?? Scope(pairs: self.pairs, compared: compared)
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
        /// Its move over `NoiseModel.monthDays`, where it only wobbled otherwise.
        var slide: LastingMove?
        /// How far back the query's cadence has one look.
        var span = JudgedSpan(cadence: Timestamp.secondsPerDay)
        /// The moment that it is compared with, if the query is asked too seldom for the report's own.
        var since: Timestamp?

        /// Between the two readings, which may be a spike's; `nil` if one list was too short to show the place of the other.
        var change: Standings.Change? { Standings.Change(from: from, to: to) }

        /// Whether it entered or left between the two moments, and is where it was at the first of them.
        var isBack: Bool { judgement.leadsBack(from: from, to: to) }

        /// Between the usual places before and since; `nil` for what only wobbled.
        var usualChange: Standings.Change? {
            switch judgement {
            case .real(let move): .places(move.direction == .up ? move.places : -move.places)
            case .entered: .entered
            case .left: .left
            case .unconfirmed, .withinNoise, .notJudged: nil
            }
        }

        /// What it came to: between the usual places if it moved and is not back, else between the two readings; `nil` if
        /// that is not known.
        var outcome: Standings.Change? { isBack ? change : usualChange ?? change }

        /// How far it moved on `PositionScale`, on which a place counts for more the higher it is; 0 if it was
        /// absent at either moment.
        var distance: Double {
            guard let before = from.position, let after = to.position else { return 0 }
            return abs(PositionScale.value(before) - PositionScale.value(after))
        }
    }

    /// A move takes this many daily readings to be believed.
    static let leastDays: Int64 = 3

    /// Counts of mine that moved. Competitors never count.
    var summary: Summary {
        var summary = Summary()
        for row in rows where row.mine && row.judgement.isBeyondNoise {
            if row.isBack {
                if case .left = row.judgement { summary.cameAndWent += 1 } else { summary.returned += 1 }
                continue
            }
            switch row.outcome {
            case .places(let places) where places > 0: summary.up += 1
            case .places(let places) where places < 0: summary.down += 1
            case .places, nil: break
            case .entered: summary.entered += 1
            case .left: summary.left += 1
            }
        }
        for row in rows where row.mine && !row.judgement.isBeyondNoise {
            if row.slide != nil {
                summary.slides += 1
                continue
            }
            switch row.judgement {
            case .notJudged(.shortList): summary.uncompared += 1
            case .notJudged: summary.notJudged += 1
            case .unconfirmed: summary.unconfirmed += 1
            default: summary.noise += 1
            }
        }
        summary.isTooShort = until.reportDay - since.reportDay < Self.leastDays
        summary.tooSeldom = mine.tooSeldom
        return summary
    }

    /// What to say about mine instead of counts; `nil` if there are some.
    var quiet: String? {
        let summary = summary
        guard
            summary.up + summary.down + summary.entered + summary.left + summary.cameAndWent + summary.returned == 0
        else { return nil }
        if mine.pairs == 0 { return NoSuchPair.competitors(pairs) }
        return mine.compared == 0 ? "no pair has a good check at both moments" : summary.nothing
    }

    struct Summary: Sendable, Hashable {
        var up = 0
        var down = 0
        var entered = 0
        var left = 0
        /// Those that came into the list and are out of it at both moments.
        var cameAndWent = 0
        /// Those that left the list and are in it at both moments.
        var returned = 0
        /// Moves of mine within their noise.
        var noise = 0
        /// Moves of mine over a month, that only wobbled otherwise.
        var slides = 0
        /// Moves of mine that look real; the next checks will tell.
        var unconfirmed = 0
        /// Moves of mine with too little history to judge.
        var notJudged = 0
        /// Pairs of mine that a list was too short to compare.
        var uncompared = 0
        /// Whether there are fewer days between the two moments than it takes to tell a move from noise.
        var isTooShort = false
        /// Pairs of mine whose queries are asked too seldom to tell a move from noise between the two moments.
        var tooSeldom = 0

        static let cameAndWent = "came and went"
        static let returned = "left and came back"
        static let uncompared = "not comparable: a list was too short"

        /// Whether the counts of what did not move say what `nothing` says.
        var isToldByCounts: Bool {
            let isQuiet = up + down + entered + left + cameAndWent + returned == 0
            return isQuiet && !isTooShort && (noise > 0 || notJudged > 0)
        }

        /// What to say where nothing moved beyond noise.
        var nothing: String {
            if isTooShort { return "too short a time to judge: a move shows after \(Movers.leastDays) days or more" }
            // What looks real may yet turn out to be.
            if unconfirmed > 0 { return "nothing confirmed yet" }
            if noise == 0, notJudged > 0 { return "too little history yet to tell moves from wobble" }
            return noise == 0 && uncompared > 0
                ? "nothing moved, as far as can be compared" : "nothing moved more than it usually wobbles"
        }
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
