package import Foundation

/// A moment as whole UTC seconds since 1970-01-01T00:00:00Z, the only form in which times are stored.
///
/// Whole seconds compare and survive storage exactly, which a floating-point `Date` does not promise.
package struct Timestamp: Hashable, Comparable, Sendable {
    package var secondsSinceEpoch: Int64

    package init(secondsSinceEpoch: Int64) {
        self.secondsSinceEpoch = secondsSinceEpoch
    }

    /// The second that `date` lies in (fractions are dropped towards the past).
    package init(_ date: Date) {
        secondsSinceEpoch = Int64(date.timeIntervalSince1970.rounded(.down))
    }

    package var date: Date { Date(timeIntervalSince1970: TimeInterval(secondsSinceEpoch)) }

    /// Days since 1970-01-01 in UTC, counted downwards before it.
    package var day: Int64 {
        let (days, rest) = secondsSinceEpoch.quotientAndRemainder(dividingBy: Self.secondsPerDay)
        return rest < 0 ? days - 1 : days
    }

    package static let secondsPerDay: Int64 = 86_400

    /// The years 1 to 9999, which every calendar and every form of a date can tell: nothing else is kept.
    package static let storable =
        Timestamp(secondsSinceEpoch: -62_135_596_800)...Timestamp(secondsSinceEpoch: 253_402_300_799)

    package static func startOfDay(_ day: Int64) -> Timestamp {
        Timestamp(secondsSinceEpoch: day * secondsPerDay)
    }

    /// Where tomorrow ends (UTC). A check dated later was written by a clock that was ahead, and is the measure of nothing.
    package var endOfTomorrow: Timestamp { .startOfDay(day + 2) }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.secondsSinceEpoch < right.secondsSinceEpoch
    }

    package static func + (moment: Timestamp, seconds: Int64) -> Timestamp {
        Timestamp(secondsSinceEpoch: moment.secondsSinceEpoch &+ seconds)
    }

    /// When a wait that has begun by now and takes another `left` is over for certain: a part of a second counts as one,
    /// since this moment has lost its own.
    package func end(of left: Duration) -> Timestamp { self + left.components.seconds + 1 }

    package static func - (moment: Timestamp, seconds: Int64) -> Timestamp {
        Timestamp(secondsSinceEpoch: moment.secondsSinceEpoch &- seconds)
    }

    /// Seconds from `earlier` to `later`; negative where `later` is the earlier one.
    package static func - (later: Timestamp, earlier: Timestamp) -> Int64 {
        later.secondsSinceEpoch - earlier.secondsSinceEpoch
    }
}

extension Timestamp: Codable, CustomStringConvertible {
    /// ISO 8601 in UTC with seconds: `2026-11-20T10:00:00Z`.
    package var description: String { CivilTime.iso8601(self) }

    /// Reads ISO 8601 with a zone, as `description` writes it; `nil` if `text` is anything else.
    package init?(iso8601 text: String) {
        if let moment = CivilTime.moment(iso8601: text) {
            self = moment
        } else if let date = try? Date(text, strategy: .iso8601) {
            self.init(date)
        } else {
            return nil
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let timestamp = Timestamp(iso8601: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is not an ISO 8601 time")
        }
        self = timestamp
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
