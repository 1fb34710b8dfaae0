internal import Foundation

/// Whose days something is remembered by.
///
/// The watchlist's zone may change, and histories of before it counted have days of UTC. What is remembered keeps its days,
/// since they are what it is known by, and says whose they are.
extension ZoneDays {
    /// As it is kept; `nil` for UTC.
    package var kept: String? { isUTC ? nil : zone.identifier }

    /// How many days the number of one moment's day may differ between two zones that are kept: by one if either is UTC, else
    /// by two, as the clocks of some are more than a day apart.
    package static func slack(_ one: String?, _ other: String?) -> Int64 {
        one == other ? 0 : one == nil || other == nil ? 1 : 2
    }

    /// - Parameter kept: a zone that this machine no longer knows counts as UTC, from which no zone is further than a day.
    package init(kept: String?) {
        self = kept.flatMap { TimeZone(identifier: $0) }.map { ZoneDays($0) } ?? .utc
    }
}
