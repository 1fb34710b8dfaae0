package import RankKit

/// A move, an entry, an exit or a slide of a pair that the judgement confirmed, with the day on which it did so first.
package struct ConfirmedMove: Sendable, Hashable {
    package let way: MoveDirection
    /// As the newest day that confirmed it told it: `real`, `entered` or `left`.
    package var judgement: MoveJudgement
    /// The first day of the new place, as it was told first.
    package let began: Int64
    /// Whose day `began` is, if it was told first by other days than those that are judged; else `nil`.
    package private(set) var otherDays: ZoneDays?
    /// The day whose reading confirmed it.
    package let confirmedOn: Int64
    /// When that reading was made.
    package let at: Timestamp
    /// Whether it is one of the month of which no week told.
    package let isSlide: Bool
    /// `nil` as long as it stays where it went.
    package var turnedBack: TurnedBack?

    package struct TurnedBack: Sendable, Hashable {
        package let at: Timestamp
        /// The day of that reading.
        package let on: Int64
        /// The usual place of the newest readings; `nil` for out of the list.
        package let to: Position?
    }

    /// Whether a reading of the days that were looked at confirmed it; else it is known from what was told.
    package var isSeen = true

    /// The first day since which it is not confirmed any more; `nil` if the newest judgement confirms it, of a slide
    /// the newest of the month.
    package var lapsedOn: Int64?

    /// The newest day that confirmed it.
    package internal(set) var seenOn: Int64
    /// The newest day of which the places in `judgement` are.
    package internal(set) var judgedOn: Int64

    /// What was said of it before, oldest first, where the days are looked at as they were.
    private var past: [Past] = []

    private struct Past: Sendable, Hashable {
        /// The first day on which something else is said.
        let end: Int64
        let judgement: MoveJudgement
        let lapsedOn: Int64?
    }

    /// Keeps what was said of it up to `day`, on which something else is.
    mutating func keepPast(before day: Int64) {
        guard past.last?.end != day else { return }
        past.append(Past(end: day, judgement: judgement, lapsedOn: lapsedOn))
    }

    /// The days on which something else is said of it than before, ascending: that it turned back is one.
    package var changedOn: [Int64] {
        let ends = past.map(\.end)
        guard let back = turnedBack?.on, !ends.contains(back) else { return ends }
        return (ends + [back]).sorted()
    }

    /// It as it was known on a day since it was confirmed.
    package func asOf(_ day: Int64) -> ConfirmedMove {
        var move = self
        if let said = past.first(where: { day < $0.end }) {
            (move.judgement, move.lapsedOn) = (said.judgement, said.lapsedOn)
        }
        if let back = turnedBack, back.on > day { move.turnedBack = nil }
        move.seenOn = min(seenOn, day)
        move.past = []
        return move
    }

    /// The first day of the new place, of the days that are judged.
    package var since: Int64 {
        guard otherDays != nil, let since = judgement.since, abs(since - began) <= slack else { return began }
        return since
    }

    /// The day that it is dated to: the first of the new place, as the newest day that confirmed it told it; of one of the
    /// month the day on which it was seen first, and of one that went that way `again` the day of the first time.
    package var firstDay: Int64 { isSlide || again != nil ? began : judgement.since ?? began }

    /// The first day of the same move after it had turned back: who comes into the list and goes out of it by turns has one.
    package var again: Int64? {
        guard let back = turnedBack, let since = judgement.since, since > back.on else { return nil }
        return since
    }

    /// How many days `began` may lie apart from the same of the days that are judged: it is known by its number alone.
    var slack: Int64 { otherDays.map { $0.isUTC ? 1 : 2 } ?? 0 }

    /// - Parameter day: of the reading.
    init(
        _ way: MoveDirection, _ judgement: MoveJudgement, began: Int64, isSlide: Bool, by reading: Reading,
        on day: Int64
    ) {
        self.way = way
        self.judgement = judgement
        self.began = began
        self.isSlide = isSlide
        at = reading.checkedAt
        confirmedOn = day
        seenOn = confirmedOn
        judgedOn = confirmedOn
    }

    /// As it is told beside a later move that way: where its place is of a day of the later one, it leads to where that
    /// one begins.
    package func ending(before later: ConfirmedMove) -> ConfirmedMove {
        guard judgedOn >= later.firstDay, firstDay < later.firstDay, way == later.way, turnedBack == nil,
            case .real(let move) = judgement, let place = later.from,
            place == move.to || MoveDetection.isBetween(place.number, move.from.number, move.to.number)
        else { return self }
        var ended = self
        ended.judgement = .real(move.leading(to: place))
        ended.judgedOn = later.firstDay - 1
        return ended
    }

    /// Where the pair was before; `nil` for out of the list.
    package var from: Position? { judgement.from }

    /// Where it went; `nil` for out of the list.
    package var to: Position? { judgement.to }
}

extension MoveDirection {
    package init(_ direction: LastingMove.Direction) { self = direction == .up ? .up : .down }

    /// `nil` for what is not beyond noise.
    package init?(_ judgement: MoveJudgement) {
        switch judgement {
        case .real(let move): self.init(move.direction)
        case .entered: self = .entered
        case .left: self = .left
        case .unconfirmed, .withinNoise, .notJudged: return nil
        }
    }
}

/// A move that somebody was told of: looked at again even if no reading of a day's end confirms it.
package struct KnownMove: Sendable, Hashable {
    package var way: MoveDirection
    /// `nil` for out of the list.
    package var from: Position?
    package var to: Position?
    /// Days since 1970-01-01.
    package var began: Int64
    package var at: Timestamp
    /// Whose days it was told by, if by others than those that are judged now; else `nil`.
    package var otherDays: ZoneDays?
    /// Of a slide of the month the newest day on which it was seen to go on; `nil` for what a week told.
    package var slidOn: Int64?

    package init(
        way: MoveDirection, from: Position?, to: Position?, began: Int64, at: Timestamp, slidOn: Int64? = nil,
        otherDays: ZoneDays? = nil
    ) {
        self.way = way
        self.from = from
        self.to = to
        self.began = began
        self.at = at
        self.slidOn = slidOn
        self.otherDays = otherDays
    }
}

extension ConfirmedMove {
    /// - Parameter zone: whose days are judged.
    /// - Returns: `nil` if the places do not fit the way.
    init?(_ known: KnownMove, _ zone: ZoneDays) {
        let judgement: MoveJudgement
        switch (known.way, known.from, known.to) {
        case (.up, let from?, let to?), (.down, let from?, let to?):
            judgement = .real(LastingMove(from: from, to: to, since: known.began, strength: 0, weather: nil))
        case (.entered, _, let to?): judgement = .entered(at: to, since: known.began)
        case (.left, let from?, _): judgement = .left(from: from, since: known.began)
        default: return nil
        }
        self.init(
            known.way, judgement, began: known.began, isSlide: known.slidOn != nil,
            by: Reading(position: known.to, within: 0, checkedAt: known.at), on: zone.day(of: known.at))
        otherDays = known.otherDays
        seenOn = known.slidOn ?? seenOn
        isSeen = false
        // Until a reading confirms it.
        if !isSlide { lapsedOn = known.began }
    }
}
