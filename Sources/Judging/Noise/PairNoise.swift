import Foundation
import RankKit

/// The noise of one pair: at its usual place, or away from it by a step drawn from a Student t distribution with three
/// degrees of freedom, whose heavy tails make a single wild day no proof of anything (Lange, Little and Taylor, “Robust
/// statistical modeling using the t distribution”, 1989).
struct PairNoise {
    /// The share of readings away from the usual place; between 0 and 1, both excluded.
    var away: Double
    /// The share of readings that follow an excursion and repeat it.
    var stay: Double
    /// Of the t distribution, on `PositionScale`; above 0.
    var spread: Double

    /// How likely a reading is beside `usual`, given the one before it.
    ///
    /// On a day on which the lists moved f times as far as usual, excursions are f times as long, and the share of pairs
    /// that are away is at least 1 − 1 / f². An absence has the likelihood of all places beyond the list together.
    func chance(of point: ReadingTrack.Point, usual: Int, after previous: ReadingTrack.Point?) -> Double {
        chance(of: point, usual: usual, home: PositionScale.table(usual), after: previous)
    }

    /// - Parameter home: `usual` on `PositionScale`, for whoever asks of several readings.
    @inline(__always)
    func chance(
        of point: ReadingTrack.Point, usual: Int, home: Double, after previous: ReadingTrack.Point?
    ) -> Double {
        let away = max(self.away, 1 - 1 / (point.storm * point.storm))
        let scale = 1 / (spread * point.storm)
        var chance: Double
        if let place = point.place {
            chance = away * Self.between((point.edges.above - home) * scale, (point.edges.below - home) * scale)
            if place == usual { chance += 1 - away }
        } else {
            chance = away * (1 - Self.below((PositionScale.table(halfBelow: point.within + 1) - home) * scale))
            if point.within < usual { chance += 1 - away }
        }
        if let previous, previous.place != usual {
            let isSame = previous.place == point.place
            chance = (1 - stay) * chance + (isSame ? stay : 0)
        }
        return max(chance, 1e-12)
    }

    /// The distribution function of Student's t with three degrees of freedom, in its closed form.
    static func below(_ value: Double) -> Double {
        let ratio = value / 3.0.squareRoot()
        return 0.5 + (ratio / (1 + ratio * ratio) + atan(ratio)) / .pi
    }

    /// `below(upper) - below(lower)`, with one arc tangent: the difference of two is that of a single value.
    ///
    /// - Parameter lower: not above `upper`.
    static func between(_ lower: Double, _ upper: Double) -> Double {
        let (low, high) = (lower / 3.0.squareRoot(), upper / 3.0.squareRoot())
        let product = 1 + low * high
        var angle = product == 0 ? .pi / 2 : atan((high - low) / product)
        // Beyond a right angle.
        if product < 0 { angle += .pi }
        return (high / (1 + high * high) - low / (1 + low * low) + angle) / .pi
    }

    /// `spread` in places around `usual`.
    func places(around usual: Int) -> Double { spread * (Double(usual) + PositionScale.offset) * M_LN2 }
}

/// Positions among which noise is alike.
enum PositionBand: Int, CaseIterable {
    case top, topTen, topThirty, hundred, beyond

    /// The last position of each.
    var last: Int {
        switch self {
        case .top: 3
        case .topTen: 10
        case .topThirty: 30
        case .hundred: 100
        case .beyond: ReadingTable.absent - 1
        }
    }

    init(position: Int) { self = Self.allCases.first { position <= $0.last } ?? .beyond }

    /// That of the usual place; `nil` where the pair was absent from most lists.
    init?(_ track: ReadingTrack) {
        // The lower median lies where more than its rank do.
        let rank = (track.count - 1) / 2
        guard let band = Self.allCases.first(where: { track.table.count(upTo: $0, in: track.range) > rank }) else {
            return nil
        }
        self = band
    }

    /// What is supposed before any pair has been seen. The share of readings away from the usual place grows with depth
    /// so that about 45 % of readings differ from the day before over all; the spread lies between that of steady
    /// searches and that of charts.
    var usual: PairNoise {
        switch self {
        case .top: PairNoise(away: 0.12, stay: 0.15, spread: 0.12)
        case .topTen: PairNoise(away: 0.18, stay: 0.15, spread: 0.12)
        case .topThirty: PairNoise(away: 0.27, stay: 0.15, spread: 0.12)
        case .hundred: PairNoise(away: 0.32, stay: 0.15, spread: 0.12)
        case .beyond: PairNoise(away: 0.35, stay: 0.15, spread: 0.12)
        }
    }
}
