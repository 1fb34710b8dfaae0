package import History
package import RankKit

/// Queries of mine on which something can be done: the value behind `rankctl report opportunities`.
///
/// Every figure is of good checks alone. A usual place is the median of the last readings of seven days (UTC), of at
/// least `leastReadings` days on which the app was in the list.
package struct Opportunities: Sendable {
    package var generatedAt: Timestamp
    /// The moment that the report is about: `generatedAt`, or an earlier one.
    package var until: Timestamp
    /// The largest gain first; to drop, which gains nothing, last.
    package var rows: [Row]
    /// All pairs that were asked about, and those of mine, which alone are looked at.
    package var pairs: Int
    package var mine: Int
    /// Lists that cannot be read, and without which it is unknown how hard their queries are.
    package var damaged: [DamagedLists] = []

    package init(
        generatedAt: Timestamp, until: Timestamp? = nil, rows: [Row], pairs: Int? = nil, mine: Int? = nil
    ) {
        self.generatedAt = generatedAt
        self.until = until ?? generatedAt
        self.pairs = pairs ?? rows.count
        self.mine = mine ?? self.pairs
        self.rows = rows.enumerated().sorted { left, right in
            let (a, b) = (left.element.order, right.element.order)
            return a == b ? left.offset < right.offset : a < b
        }.map(\.element)
    }

    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Within reach of the top ten, and there is a reason to think that it can be reached.
        case push
        /// Farther down than it was, or out of the list.
        case recover
        /// In the first three or sliding from there, and something presses.
        case defend
        /// Asked for nothing.
        case drop
    }

    package enum Reason: Sendable, Hashable {
        /// It moved up within the month and stayed, at one step or slowly.
        case rising
        /// The first ten have no more ratings in the median than the app itself.
        case fewRatings
        /// At most `fewNames` of the first ten have the query's words in their names.
        case fewNames
        /// It moved down within the month, at one step, and is still among the first three.
        case slipping
        /// It drifted down over `NoiseModel.monthDays`, by no single step.
        case sliding(LastingMove)
        /// It moved down within the month, at one step, and stayed.
        case fell
        /// It was in the list, usually or at least once, and is no longer.
        case left
        /// A competitor that stands close below has climbed.
        case rival(Rival)
        /// Absent on every day of the last thirty with a good check, and in no check before.
        case neverRanked

        package var code: String {
            switch self {
            case .rising: "rising"
            case .fewRatings: "few-ratings"
            case .fewNames: "few-names"
            case .slipping: "slipping"
            case .sliding: "sliding"
            case .fell: "fell"
            case .left: "left"
            case .rival: "rival"
            case .neverRanked: "never-ranked"
            }
        }
    }

    /// A competitor below.
    package struct Rival: Sendable, Hashable {
        package var app: ReportedApp
        package var position: Position
        /// Its usual place before it climbed.
        package var usual: Position

        package init(app: ReportedApp, position: Position, usual: Position) {
            self.app = app
            self.position = position
            self.usual = usual
        }
    }

    /// One pair of mine.
    package struct Row: Sendable {
        package var kind: Kind
        package var query: Query
        package var app: ReportedApp
        package var tags: [String] = []
        package var popularity: Double?
        /// One at least.
        package var reasons: [Reason]
        /// The newest good reading; what the kind goes by.
        package var reading: Reading
        /// The usual places of this week and of three weeks ago; `nil` of too few readings.
        package var recent: Double?
        package var earlier: Double?
        /// Days of the last thirty with a good check.
        package var goodDays = 30
        package var difficulty: QueryDifficulty?
        package var ratingCount: Int64?
        /// What it did within the month beyond wobble.
        package var move: LastingMove?
        /// The best place that it had and has lost; `nil` if it has lost none.
        package var had: Position?
        /// If it left the list, the first day (UTC) since which it is in none.
        package var leftOn: Int64?

        fileprivate var order: Order {
            Order(
                gain: -(gain ?? -1), popularity: -(popularity ?? -1), position: reading.position?.number ?? .max)
        }
    }

    fileprivate struct Order: Comparable {
        var gain: Double
        var popularity: Double
        var position: Int

        static func < (left: Order, right: Order) -> Bool {
            (left.gain, left.popularity, left.position) < (right.gain, right.popularity, right.position)
        }
    }
}
