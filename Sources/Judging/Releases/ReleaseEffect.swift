package import History
package import RankKit

/// What a release did to an app's positions, as far as that can be told: the value behind `rankctl report release`.
///
/// Two windows of equal length, before the day of the release and after it, are compared; the day itself belongs to
/// neither. What happened to the queries that the release touched is set against what happened meanwhile to what it
/// cannot have touched (`DifferenceInDifferences`).
package struct ReleaseEffect: Sendable {
    package var generatedAt: Timestamp
    package var app: ReportedApp
    package var release: AppRelease
    /// The day of the release, counted from 1970-01-01.
    package var day: Int64
    package var window: Window
    /// The touched ones first, each group in the standings' order.
    package var pairs: [Pair]
    /// The one that the verdict is about comes first; none where there is nothing to compare.
    package var comparisons: [Comparison]
    package var finding: Finding
    /// Queries of the note on which the app is not tracked.
    package var untracked: [String]
    /// Which were left out because they share their words with one of the note's: what the release did to them is unclear.
    package var unclear: [Query]
    /// Whatever else may have moved positions in the two windows, in order of time.
    package var events: [Event]
    /// How the stores were on the days of both windows, or on the day of the release where there are none.
    package var weather: [StoreWeather]
    /// Whether not all queries, countries or platforms were looked at.
    package var isFiltered = false

    /// Days on each side without `--days`, and the most that can be asked for.
    package static let defaultDays: Int64 = 14
    package static let mostDays: Int64 = 90

    /// The days that are compared.
    package struct Window: Sendable, Hashable {
        /// Days on each side that were asked for.
        package var wanted: Int64
        /// Days on each side that there are; 0 for none.
        package var days: Int64
        package var before: ClosedRange<Int64>?
        package var after: ClosedRange<Int64>?
        /// Why there are fewer than wanted; `nil` if there are not.
        package var limit: Limit?

        package init(
            wanted: Int64, days: Int64, before: ClosedRange<Int64>?, after: ClosedRange<Int64>?, limit: Limit?
        ) {
            self.wanted = wanted
            self.days = days
            self.before = before
            self.after = after
            self.limit = limit
        }
    }

    /// What makes the windows shorter.
    package enum Limit: Sendable, Hashable {
        /// There are no more days since.
        case today
        /// There are no older readings.
        case history
        /// Another noted change of the same app.
        case release(AppRelease)
    }

    /// What the release has to do with a pair.
    package enum Role: String, Sendable, Hashable, CaseIterable {
        /// The note names the query as one to gain.
        case added
        /// The note names it as one given up.
        case removed
        /// Every query of an app, where the note names none.
        case every
        /// The app's other queries: a control.
        case untouched
        /// Other apps on the queries that were touched: a control.
        case rival

        package var isControl: Bool { self == .untouched || self == .rival }
    }

    /// One pair in the two windows.
    package struct Pair: Sendable, Hashable {
        package var role: Role
        package var query: Query
        package var app: ReportedApp
        package var before: [Reading]
        package var after: [Reading]
        /// Which way reports on moves say that it went since the release, at one step or as a drift; looked up of
        /// untouched pairs alone.
        package var called: LastingMove.Direction?

        /// Whether it was read often enough.
        var isRead: Bool {
            min(before.count, after.count) >= DifferenceInDifferences.minimumReadings
        }

        /// Whether it counts: one that is absent throughout shows nothing.
        package var counts: Bool { isRead && (before + after).contains { $0.position != nil } }
    }

    /// Some touched pairs beside what they are compared with.
    package struct Comparison: Sendable, Hashable {
        package var treated: Role
        /// Which of the controls; both at once for the verdict.
        package var controls: [Role]
        package var figures: DifferenceInDifferences
        /// Good readings of the pairs that count, both windows and groups together.
        package var readings: Int
        /// Where the touched pairs stood on the average of `PositionScale`, an absence as its floor; `nil` if none
        /// counts.
        package var before: Double?
        package var after: Double?

        /// Where they would stand had they gone the way of those that they are compared with.
        package var expected: Double? { expected(without: figures.effect) }
        /// The interval of `expected`, better place first.
        package var expectedRange: ClosedRange<Double>? {
            guard let interval = figures.interval, let best = expected(without: interval.lowerBound),
                let worst = expected(without: interval.upperBound)
            else { return nil }
            return min(best, worst)...max(best, worst)
        }

        private func expected(without effect: Double?) -> Double? {
            guard let after, let effect else { return nil }
            return DifferenceInDifferences.position(after, after: -effect)
        }
    }

    /// What can be said, or why nothing can.
    package enum Finding: Sendable, Hashable {
        /// What the figures of the first comparison carry.
        case verdict(DifferenceInDifferences.Verdict)
        /// The touched pairs are in no list, neither before nor after.
        case absent
        /// Fewer days since than readings are needed.
        case tooEarly
        /// Fewer days before than readings are needed.
        case noHistory
        /// None of the note's queries is tracked, or the app on no query.
        case notTracked
        /// The app is tracked on some of the note's queries, and the filters leave none of them.
        case filteredOut
        /// There is nothing to compare with.
        case noControl
    }

    /// Something else that happened in those days.
    package struct Event: Sendable, Hashable {
        package var at: Timestamp
        /// `nil` for a note about no app.
        package var app: ReportedApp?
        package var version: String?
        package var text: String
        /// Whether it is the same app's: then the two can't be told apart.
        package var isOwn: Bool

        package init(at: Timestamp, app: ReportedApp?, version: String?, text: String, isOwn: Bool) {
            self.at = at
            self.app = app
            self.version = version
            self.text = text
            self.isOwn = isOwn
        }
    }
}
