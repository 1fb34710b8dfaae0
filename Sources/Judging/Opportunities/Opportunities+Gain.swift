import Foundation
package import RankKit

/// What a row would bring: a place that is in reach, and what that is worth beside today's. Choices, not estimates, as
/// the rules are.
extension Opportunities.Row {
    /// The popularity that weighs 1, which a query without one is taken to have: the middle of Apple's scale.
    package static let middlePopularity = 50.0
    /// The last of the first places that a weak top ten leaves open.
    private static let weakReach = 10

    /// The place to win, or to keep if that is today's; `nil` of what brings nothing.
    package var reach: Position? {
        guard kind != .drop else { return nil }
        guard let now = reading.position else { return had }
        if kind != .push { return had.map { min($0, now) } ?? now }
        let nearer = PositionScale.position(PositionScale.value(now) - Opportunities.halfStep)
        let isWeak = reasons.contains { $0 == .fewRatings || $0 == .fewNames }
        return Position(max(1, min(Int(nearer.rounded()), isWeak ? Self.weakReach : now.number, now.number - 1)))
    }

    /// What `reach` is worth beside today's place: points of the query's `Visibility` (0–100), times its popularity over
    /// the middle one. Of a place to keep, what the competitors would take that climb below it. `nil` of what brings
    /// nothing.
    package var gain: Double? {
        guard let reach else { return nil }
        let now = Opportunities.worth(reading)
        var points = max(0, Visibility.discount(reach) - now)
        let rivals = reasons.count { if case .rival = $0 { true } else { false } }
        if let place = reading.position, let passed = Position(place.number + rivals) {
            points = max(points, now - Visibility.discount(passed))
        }
        return 100 * points * (popularity ?? Self.middlePopularity) / Self.middlePopularity
    }
}

extension Opportunities {
    /// Points of `gain`, at the middle popularity, below which a loss is none to win back.
    private static let leastLoss = 1.0

    /// What it is worth to be where the app is, beside the first place. An app that is absent stands at the place after the
    /// list's last at best, and is taken to stand there, or where releases put an absence if that is nearer: else a way
    /// back to the end of a list would seem to be worth more than one from the thirtieth place to the tenth.
    static func worth(_ reading: Reading) -> Double {
        let below = min(reading.within + 1, Int(DifferenceInDifferences.floor))
        return (reading.position ?? Position(below)).map { Visibility.discount($0) } ?? 0
    }

    /// What a pair of mine has lost: why that is known, and the best place that it had.
    struct Loss {
        var reasons: [Reason] = []
        var had: Position?
        /// The day since which it is in no list; `nil` if it is in one.
        var leftOn: Int64?

        /// - Parameters:
        ///   - fall: what it moved down for good in the month.
        ///   - departure: how the readings at hand say that it left the list.
        init(of reading: Reading, fall: LastingMove?, judgement: MoveJudgement?, departure: Departure?) {
            if reading.position == nil {
                if case .left(let from, let since)? = judgement {
                    (reasons, had, leftOn) = ([.left], from, since)
                } else if let departure {
                    (reasons, had, leftOn) = ([.left], departure.from, departure.since)
                }
            } else if let fall {
                (reasons, had) = ([fall.isSlow ? .sliding(fall) : .fell], fall.from)
            }
            // What is back where it was, or hardly farther down, has lost nothing.
            let points = had.map { 100 * (Visibility.discount($0) - Opportunities.worth(reading)) } ?? 0
            guard points < Opportunities.leastLoss else { return }
            (reasons, had, leftOn) = ([], nil, nil)
        }
    }
}
