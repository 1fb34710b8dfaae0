internal import Foundation

/// The scale on which moves are compared: log2(position + 5), on which a step up is a step up at the top of a list as
/// well as far down.
///
/// Positions scatter more the deeper they are. On the charts of five countries over half a year, the 95th percentile of
/// a day's move grows from 2 places at the top to 19 at place 75; with an offset of 5 it stays between 0.35 and 0.55 on
/// this scale, while without one the top would be blown up.
package enum PositionScale {
    package static let offset = 5.0

    package static func value(_ position: Double) -> Double { log2(position + offset) }
    package static func value(_ position: Position) -> Double { value(Double(position.number)) }

    /// The position with this value, not below 1.
    package static func position(_ value: Double) -> Double { max(1, exp2(value) - offset) }

    /// `value` of `place`, 1–400 of them worked out beforehand.
    package static func table(_ place: Int) -> Double {
        place < whole.count ? whole[max(place, 0)] : value(Double(place))
    }
    /// `value` half a place above `place`.
    package static func table(halfBelow place: Int) -> Double {
        place < half.count ? half[max(place, 0)] : value(Double(place) - 0.5)
    }

    private static let whole = (0...400).map { value(Double($0)) }
    private static let half = (0...400).map { value(Double($0) - 0.5) }
}
