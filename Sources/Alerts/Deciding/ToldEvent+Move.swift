import Judging
import RankKit

/// What was told as one thing and is another one as well.
extension ToldEvent {
    /// Whether whoever was told of it has heard of `other`: one event that was judged more and less keenly, one move that
    /// is two things, such as a move and an entry into the first places, or one newcomer of two rules.
    func tells(of other: ToldEvent) -> Bool {
        isSameThing(as: other) || isSameMove(as: other) && shows(other) || isSameNewcomer(as: other)
    }

    /// A newcomer at #8 is told of the first ten and not of the first three.
    private func isSameNewcomer(as other: ToldEvent) -> Bool {
        kind == .newcomer && other.kind == .newcomer && !isOver
            && abs(onset - other.onset) <= other.sameWithin + slack(other)
            && to ?? .max <= other.top ?? .max
    }

    /// Whether both are one move: a step further within the same days began where this one ended.
    func isSameMove(as other: ToldEvent) -> Bool {
        guard isOfPair, other.isOfPair, !isOver, !isBack, !other.isBack, knownWayIsUp == other.knownWayIsUp else {
            return false
        }
        return abs(onset - other.onset) <= min(sameWithin, other.sameWithin) + slack(other)
            && Self.distance(other.from, from) <= Self.distance(other.from, to)
    }

    /// Whether its places show what the other tells: a move to #12 does not show an entry into the first ten.
    private func shows(_ other: ToldEvent) -> Bool {
        guard other.kind == .entered || other.kind == .left else { return true }
        let top = other.top
        func isIn(_ place: Int?) -> Bool { place.map { $0 <= top ?? .max } ?? false }
        return isIn(from) != isIn(to)
    }

    /// Whether it is noted of a move that turned back, as where it was before: the way there may look like a move of its
    /// own.
    var isWayBack: Bool { kind == .moved && isOver && !isBack && messages.isEmpty && from == nil && to != nil }

    /// Whether the other went on from where this way back led: it ended farther from there than it began.
    func isLeftBehind(by other: ToldEvent) -> Bool {
        isWayBack && Self.distance(other.to, to) > Self.distance(other.from, to)
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

/// What becomes of a move that was told.
extension ToldEvent {
    /// Whether it is something that may turn out to be over.
    var canTurnBack: Bool { !isOver && !isBack && knownMove(.utc) != nil }

    /// Whether it is a drift, which may go on.
    var isSlide: Bool { kind == .drift && way != nil }

    /// What is to be looked at of it again.
    ///
    /// - Parameter zone: whose days are judged.
    func knownMove(_ zone: ZoneDays) -> KnownMove? {
        guard kind == .moved || kind == .entered || kind == .left, !isOver, let way else { return nil }
        let move: MoveDirection
        switch (way, from, to) {
        // Into or out of the first places it moved within the list.
        case (.entered, _?, _?), (.up, _, _): move = .up
        case (.left, _?, _?), (.down, _, _): move = .down
        case (.entered, _, _): move = .entered
        case (.left, _, _): move = .left
        }
        return KnownMove(
            way: move, from: from.flatMap { Position($0) }, to: to.flatMap { Position($0) }, began: onset, at: at,
            otherDays: otherDays(zone))
    }

    /// Whose days it was told by, if by others than `zone`.
    private func otherDays(_ zone: ZoneDays) -> ZoneDays? { self.zone == zone.kept ? nil : ZoneDays(kept: self.zone) }

    /// A drift that may go on, which is then no other one.
    ///
    /// - Parameter zone: whose days are judged.
    func knownSlide(_ zone: ZoneDays) -> KnownMove? {
        guard isSlide, let way else { return nil }
        return KnownMove(
            way: way == .up ? .up : .down, from: from.flatMap { Position($0) }, to: to.flatMap { Position($0) },
            began: onset, at: at, slidOn: slidOn ?? onset, otherDays: otherDays(zone))
    }

    var knownWayIsUp: Bool { way?.isUp ?? false }

    /// Whether it is what `back` says is over: it went that way, by the day of the return. The way back may be an event of
    /// its own, and what began later is another one.
    func isEnded(by back: AlertEvent) -> Bool {
        let slack = ZoneDays.slack(zone, back.zone)
        guard !isOver, !isBack, kind.canTurnBack, onset <= back.on + slack,
            abs(onset - back.onset) <= back.sameWithin + slack
        else {
            return false
        }
        guard !back.isOfRivals else { return kind == back.kind }
        guard kind != .overtaken, kind != .overtook else { return false }
        // Who came into the list and went on within it may turn back there and stay in it.
        let isPassage = from == nil || to == nil
        return knownWayIsUp == (back.way?.isUp ?? false) && isPassage == (back.kind != .moved)
    }

    /// Whether it is noted of a move that turned back, and the other is the way there.
    func isWay(of other: ToldEvent) -> Bool {
        isWayBack && (other.kind == .entered || other.kind == .left) && sensitivity == other.sensitivity
            && knownWayIsUp == other.knownWayIsUp
            && abs(onset - other.onset) <= max(sameWithin, other.sameWithin) + slack(other)
    }
}

extension AlertKind {
    var canTurnBack: Bool {
        switch self {
        case .moved, .entered, .left, .overtaken, .overtook: true
        default: false
        }
    }
}
