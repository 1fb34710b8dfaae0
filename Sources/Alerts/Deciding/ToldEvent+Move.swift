import RankKit

/// What was told as a move of a pair.
extension ToldEvent {
    /// Whether whoever was told of it has heard of `other`: one event that was judged more and less keenly, or one move
    /// that is two things, such as a move and an entry into the first places.
    func tells(of other: ToldEvent) -> Bool { isSameThing(as: other) || isSameMove(as: other) && shows(other) }

    private func isSameMove(as other: ToldEvent) -> Bool {
        guard isOfPair, other.isOfPair, !isOver, !isBack, !other.isBack, knownWayIsUp == other.knownWayIsUp else {
            return false
        }
        // A step further within the same days began where this one ended.
        return abs(onset - other.onset) <= min(sameWithin, other.sameWithin)
            && Self.distance(other.from, from) <= Self.distance(other.from, to)
    }

    /// Whether its places show what the other tells: a move to #12 does not show an entry into the first ten.
    private func shows(_ other: ToldEvent) -> Bool {
        guard other.kind == .entered || other.kind == .left else { return true }
        let top = other.top
        func isIn(_ place: Int?) -> Bool { place.map { $0 <= top ?? .max } ?? false }
        return isIn(from) != isIn(to)
    }

    private var isOfPair: Bool {
        switch kind {
        case .moved, .entered, .left, .drift: true
        default: false
        }
    }

    /// The first places that it is about; `nil` for the list.
    private var top: Int? {
        let part = thing.split(separator: "\t", omittingEmptySubsequences: false).dropLast().last
        return part.flatMap { Int($0.dropFirst(AlertEvent.topWord.count)) }
    }

    /// On `PositionScale`. Out of the list is taken for just below place 200.
    private static func distance(_ one: Int?, _ other: Int?) -> Double {
        abs(PositionScale.table(one ?? 201) - PositionScale.table(other ?? 201))
    }
}
