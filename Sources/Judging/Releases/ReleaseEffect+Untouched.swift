import RankKit

extension ReleaseEffect.Pair {
    /// Steps on `PositionScale` that a pair must stand elsewhere to be told of: from 10 to 13, from 14 to 18.
    private static let leastChange = 0.25
    /// How many of all comparisons of a day after with a day before must go the same way.
    private static let leastShare = 0.85

    /// Which way the app stands from where it stood before the release, on most days; `nil` if it has not moved. That is
    /// what was seen, and no verdict on its cause.
    package var direction: ReleaseEffect.Direction? {
        guard counts, let old = before.middle, let new = after.middle else { return nil }
        let change = PositionScale.value(new.placeOrFloor) - PositionScale.value(old.placeOrFloor)
        guard abs(change) >= Self.leastChange else { return nil }
        // The share of Mann and Whitney (“On a test of whether one of two random variables is stochastically larger than
        // the other”, 1947): how often a day after is farther that way than a day before; of equals, half.
        var agreeing = 0.0
        for earlier in before {
            for later in after {
                let step = (later.placeOrFloor - earlier.placeOrFloor) * (change > 0 ? 1 : -1)
                agreeing += step > 0 ? 1 : step == 0 ? 0.5 : 0
            }
        }
        guard agreeing >= Self.leastShare * Double(before.count * after.count) else { return nil }
        return change > 0 ? .down : .up
    }
}

extension ReleaseEffect {
    package enum Direction: String, Sendable, Hashable, CaseIterable { case up, down }

    /// A query that the release did not touch and on which the app moved all the same, in one direction.
    package struct Aside: Sendable, Hashable {
        package var text: String
        package var direction: Direction
        /// In the order of the watchlist.
        package var pairs: [Pair]
    }

    /// What moved among the app's other queries: falls first, then by how many countries share them.
    package var asides: [Aside] {
        var asides: [Aside] = []
        for pair in pairs where pair.role == .untouched {
            guard let direction = pair.direction else { continue }
            if let known = asides.firstIndex(where: {
                $0.direction == direction && $0.pairs[0].query.folded == pair.query.folded
            }) {
                asides[known].pairs.append(pair)
            } else {
                asides.append(Aside(text: pair.query.text, direction: direction, pairs: [pair]))
            }
        }
        return asides.enumerated().sorted { left, right in
            let (a, b) = (left.element, right.element)
            if a.direction != b.direction { return a.direction == .down }
            return a.pairs.count == b.pairs.count ? left.offset < right.offset : a.pairs.count > b.pairs.count
        }.map(\.element)
    }
}
