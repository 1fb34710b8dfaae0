package import RankKit

/// Whether a pair's move is beyond the pair's own noise.
package enum MoveJudgement: Sendable, Hashable {
    /// It stands elsewhere, for as many checks as that takes to be believed.
    case real(LastingMove)
    /// It looks like a move, yet a spike would look the same: the next check or two will tell.
    case unconfirmed(LastingMove)
    /// Nothing that the pair does not do by itself.
    case withinNoise
    /// It was hardly ever in the list before, and is now; from the first day of that.
    case entered(at: Position, since: Int64)
    /// It was in the list nearly always, and is no longer, although the list is long enough to show it; from the first
    /// day of that.
    case left(from: Position, since: Int64)
    case notJudged(Shortage)

    /// Why a move was not judged.
    package enum Shortage: String, Sendable, Hashable, CaseIterable {
        /// No good reading on the day that was asked about, or the days before it.
        case noReading = "no-reading"
        /// Fewer readings than `NoiseModel.minimumReadings` before the move.
        case history
        /// One of the two lists was too short to show the place that the app has in the other one.
        case shortList = "short-list"
    }

    package var isReal: Bool { if case .real = self { true } else { false } }
}

extension MoveJudgement {
    /// Whether the pair is elsewhere now than it used to be: a move, an entry or an exit that is no noise.
    package var isBeyondNoise: Bool {
        switch self {
        case .real, .entered, .left: true
        case .unconfirmed, .withinNoise, .notJudged: false
        }
    }

    /// The same judgement; where nothing moved and the two readings cannot be compared, that nothing is known.
    ///
    /// - Parameter isComparable: whether each list was long enough to show the place that the app has in the other one.
    package func given(isComparable: Bool) -> MoveJudgement {
        if case .withinNoise = self, !isComparable { return .notJudged(.shortList) }
        return self
    }

    /// Whether it is a move, an entry or an exit, confirmed or likely.
    package var isMove: Bool { if case .unconfirmed = self { true } else { isBeyondNoise } }

    /// The same way from the same place and day, to where `newest` leads, which is of a shorter time up to the same day;
    /// `newest` itself where the pair has turned back with it, or only now is known to have moved.
    func ending(with newest: MoveJudgement) -> MoveJudgement {
        guard newest.isBeyondNoise else { return self }
        switch (self, newest) {
        case (.real(let whole), .real(let last)):
            let holds = MoveDetection.isNearer(last.to.number, to: whole.to.number, than: whole.from.number)
            return holds ? .real(whole.leading(to: last.to)) : newest
        case (.entered(_, let since), .real(let last)): return .entered(at: last.to, since: since)
        default: return newest
        }
    }

    /// What is said of the same move when `newest` is judged: a later step from where this one had led, or from half-way,
    /// ends it, and does not replace where it came from.
    func going(on newest: MoveJudgement) -> MoveJudgement {
        guard case .real(let first) = self, case .real(let last) = newest, last.since >= first.since,
            MoveDetection.isBetween(last.from.number, first.from.number, last.to.number),
            MoveDetection.isWorthAWord(from: first.from.number, to: last.from.number)
        else { return newest }
        return .real(first.leading(to: last.to))
    }

    /// The usual place before; `nil` for out of the list, or where nothing moved.
    package var from: Position? {
        switch self {
        case .real(let move), .unconfirmed(let move): move.from
        case .left(let from, _): from
        case .entered, .withinNoise, .notJudged: nil
        }
    }

    /// The usual place since; `nil` for out of the list, or where nothing moved.
    package var to: Position? {
        switch self {
        case .real(let move), .unconfirmed(let move): move.to
        case .entered(let at, _): at
        case .left, .withinNoise, .notJudged: nil
        }
    }

    /// The first day of the new place; `nil` if there is none.
    package var since: Int64? {
        switch self {
        case .real(let move), .unconfirmed(let move): move.since
        case .entered(_, let since), .left(_, let since): since
        case .withinNoise, .notJudged: nil
        }
    }
}

/// A change from one usual place to another.
package struct LastingMove: Sendable, Hashable {
    /// Which way; `up` is towards the first place.
    package enum Direction: String, Sendable, Hashable, CaseIterable {
        case up, down
    }

    /// The usual place before, and that of the newest readings.
    package let from: Position
    package let to: Position
    /// Days since 1970-01-01: the first that belongs to the new place or, of two steps that are one move, the first away
    /// from the old one.
    package let since: Int64
    /// How many times the pair's own step it is: that far, or less, it went in four of five moments of its past.
    package let strength: Double
    /// What was weighed against the threshold of the sensitivity: `strength`, more or less what the likelihood says.
    package let evidence: Double
    /// Whether it drifted there: no single step went most of the way.
    package let isSlow: Bool
    /// How the store was on that day; `nil` if that is not known. A storm may have moved everybody.
    package let weather: Weather.State?

    package init(
        from: Position, to: Position, since: Int64, strength: Double, evidence: Double? = nil, isSlow: Bool = false,
        weather: Weather.State?
    ) {
        self.from = from
        self.to = to
        self.since = since
        self.strength = strength
        self.evidence = evidence ?? strength
        self.isSlow = isSlow
        self.weather = weather
    }

    /// The same to another place; what was weighed is still what led to the first.
    func leading(to place: Position) -> LastingMove {
        LastingMove(
            from: from, to: place, since: since, strength: strength, evidence: evidence, isSlow: isSlow,
            weather: weather)
    }

    /// Whether it leads farther its way than `place`, by what is worth a word.
    func leadsOn(from place: Position) -> Bool {
        (to < place) == (direction == .up) && MoveDetection.isWorthAWord(from: place.number, to: to.number)
    }

    package var direction: Direction { to < from ? .up : .down }
    /// Above 0.
    package var places: Int { abs(to.number - from.number) }
}
