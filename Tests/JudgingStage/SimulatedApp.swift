import Foundation
import Judging
package import TestSupport

/// An app on one list, day by day: where it would stand, and how it wobbles.
///
/// What is known of keyword ranks is kept to: nearly half of all readings differ from the day before, by a few places, and
/// by some three dozen at most. How often and how far an app is away grows with depth. Most come back at once; some stay
/// where they were thrown until the next throw; some wander.
package struct SimulatedApp: Sendable {
    /// What it does when it has left its usual place.
    package enum Manner: Sendable {
        /// Is back the next day, nine times in ten.
        case returning
        /// Stays until it is thrown anew, around the usual place.
        case held
        /// Drifts off and is pulled back, a tenth of the way each day.
        case wandering
    }

    /// Something that was put in by hand, and that a judgement ought to find.
    package struct Change: Sendable, Hashable {
        package enum Kind: String, Sendable, CaseIterable {
            case step, small, drift, entry, exit, passing
        }

        package var kind: Kind
        /// The first day of it.
        package var day: Int
        /// The usual places before and since. `SimulatedApp.nowhere` is out of the list.
        package var from: Double
        package var to: Double
        /// Days until a drift is at its end, or until what passes is over; 0 for the others.
        package var length: Int
        /// Whether the store shuffled that day.
        package var isOfStorm: Bool

        package init(
            kind: Kind, day: Int, from: Double, to: Double, length: Int = 0, isOfStorm: Bool = false
        ) {
            self.kind = kind
            self.day = day
            self.from = from
            self.to = to
            self.length = length
            self.isOfStorm = isOfStorm
        }

        /// The first day on which nothing changes any more.
        package var end: Int { day + length }

        package var isUp: Bool { to < from }
    }

    /// A usual place that no list reaches.
    package static let nowhere = 400.0

    package let usual: Double
    package let manner: Manner
    package private(set) var changes: [Change] = []
    /// How much farther and how much more often than others it is away.
    private let width: Double
    private let haste: Double
    private var off = 0.0

    /// - Parameter haste: how often it is away, beside what is usual; 1 for as often.
    package init(usual: Double, haste: Double = 1, _ random: inout SplitMix) {
        self.usual = usual
        let draw = random.unit()
        manner = draw < 0.94 ? .returning : draw < 0.98 ? .held : .wandering
        width = 1.25 * exp(0.35 * random.normal())
        self.haste = haste * exp(0.5 * random.normal())
    }

    /// - Parameter change: later than all that there are.
    package mutating func plant(_ change: Change) { changes.append(change) }

    /// Notes that the store shuffled when that change began.
    mutating func mark(_ index: Int) { changes[index].isOfStorm = true }

    /// The usual place on a day.
    package func level(on day: Int) -> Double {
        var level = usual
        for change in changes where change.day <= day {
            switch change.kind {
            case .drift where day < change.end:
                level =
                    change.from + (change.to - change.from) * Double(day - change.day + 1) / Double(change.length + 1)
            case .passing where day >= change.end: level = change.from
            default: level = change.to
            }
        }
        return level
    }

    /// Where it would stand, days in order.
    ///
    /// - Parameter storm: how much farther than usual everybody is thrown; 1 on a calm day.
    package mutating func place(on day: Int, storm: Double = 1, _ random: inout SplitMix) -> Double {
        let level = level(on: day)
        let spread = width * min(0.25 + 0.036 * level, 7)
        let rate = min(0.9, max(0.02, haste * Self.rate(level)))
        if storm > 1 {
            off = random.unit() < 0.85 ? random.heavy() * spread * storm : 0
            return level + off
        }
        switch manner {
        case .returning:
            if off == 0 || random.unit() >= 0.1 { off = random.unit() < rate ? random.heavy() * spread : 0 }
        case .held: if random.unit() < 1.6 * rate { off = random.heavy() * spread }
        case .wandering: if random.unit() < 1.6 * rate { off = off * 0.9 + random.heavy() * spread * 0.5 }
        }
        return level + off
    }

    /// The share of days on which an app is away: the two that differ around one such day make it about 1.7 as many
    /// changes.
    private static func rate(_ level: Double) -> Double {
        level <= 10 ? 0.1 + 0.012 * level : level <= 40 ? 0.22 + 0.0033 * (level - 10) : 0.32
    }
}

extension SplitMix {
    /// Standard normal (Box and Muller 1958).
    package mutating func normal() -> Double {
        (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
    }

    /// Student's t with four degrees of freedom: a normal one over the root of a mean of four squares.
    package mutating func heavy() -> Double {
        let squares = -2 * log((1 - unit()) * (1 - unit()))
        return normal() / (squares / 4).squareRoot()
    }
}
