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
        let nearer = PositionScale.position(PositionScale.value(now) - Opportunities.leastRise)
        let isWeak = reasons.contains { $0 == .fewRatings || $0 == .fewNames }
        return Position(max(1, min(Int(nearer.rounded()), isWeak ? Self.weakReach : now.number, now.number - 1)))
    }

    /// What `reach` is worth beside today's place: points of the query's `Visibility` (0–100), times its popularity over
    /// the middle one. Of a place to keep, what the competitors would take that climb below it. `nil` of what brings
    /// nothing.
    package var gain: Double? {
        guard let reach else { return nil }
        let now = reading.position.map { Visibility.discount($0) } ?? 0
        var points = Visibility.discount(reach) - now
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

    /// What a pair of mine has lost: why that is known, and the best place that it had.
    struct Loss {
        var reasons: [Reason] = []
        var had: Position?

        private mutating func add(_ reason: Reason, from place: Position) {
            reasons.append(reason)
            had = had.map { min($0, place) } ?? place
        }

        /// - Parameters:
        ///   - recent: the usual place of this week.
        ///   - earlier: that of three weeks ago.
        init(
            of reading: Reading, recent: Double?, earlier: Double?, slide: LastingMove?, judgement: MoveJudgement?
        ) {
            guard let now = reading.position else {
                if case .left(let from, _)? = judgement { add(.left, from: from) }
                return
            }
            if let slide, slide.direction == .down { add(.sliding(slide), from: slide.from) }
            if let earlier, let recent, let from = Position(Int(earlier.rounded())),
                PositionScale.value(recent) - PositionScale.value(earlier) >= Opportunities.leastRise
            {
                add(.fell, from: from)
            }
            if case .real(let move)? = judgement, move.direction == .down {
                had = had.map { min($0, move.from) }
                if !reasons.contains(.fell) { add(.fell, from: move.from) }
            }
            // What is back where it was has lost nothing.
            guard let had, 100 * (Visibility.discount(had) - Visibility.discount(now)) >= Opportunities.leastLoss else {
                (reasons, self.had) = ([], nil)
                return
            }
        }
    }
}
