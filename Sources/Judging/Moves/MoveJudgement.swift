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
    }

    package var isReal: Bool { if case .real = self { true } else { false } }
}

/// A change from one usual place to another.
package struct LastingMove: Sendable, Hashable {
    /// Which way; `up` is towards the first place.
    package enum Direction: String, Sendable, Hashable, CaseIterable {
        case up, down
    }

    /// The median position before and since.
    package let from: Position
    package let to: Position
    /// Days since 1970-01-01: the first that belongs to the new place.
    package let since: Int64
    /// How many times its noise the move is.
    package let strength: Double
    /// How the store was on that day; `nil` if that is not known. A storm may have moved everybody.
    package let weather: Weather.State?

    package init(from: Position, to: Position, since: Int64, strength: Double, weather: Weather.State?) {
        self.from = from
        self.to = to
        self.since = since
        self.strength = strength
        self.weather = weather
    }

    package var direction: Direction { to < from ? .up : .down }
    /// Above 0.
    package var places: Int { abs(to.number - from.number) }
}
