import RankKit

/// How much a country's lists moved each day, beside what is usual there: tells “the store shuffled” from “you dropped”.
package struct Weather: Sendable, Hashable {
    /// How far back the usual is looked for.
    package static let window: Int64 = 60
    /// Days with a figure within the window, the day itself not counted, below which nothing is said.
    package static let minimumDays = 14

    /// How a day was.
    package enum State: String, Sendable, Hashable, CaseIterable, Comparable {
        case calm, unsettled, stormy

        /// z from which a day is `unsettled`, and from which `stormy`: 3.5 is what Iglewicz and Hoaglin (“How to detect
        /// and handle outliers”, 1993) advise for modified z-scores.
        package static let unsettledFrom = 2.0
        package static let stormyFrom = 3.5

        package static func < (one: State, other: State) -> Bool {
            switch (one, other) {
            case (.calm, .unsettled), (.calm, .stormy), (.unsettled, .stormy): true
            case (.calm, .calm), (.unsettled, .calm), (.unsettled, .unsettled), (.stormy, _): false
            }
        }

        init(z: Double) {
            self = z >= Self.stormyFrom ? .stormy : z >= Self.unsettledFrom ? .unsettled : .calm
        }
    }

    /// One day, judged by the days before it.
    package struct Day: Sendable, Hashable {
        /// Days since 1970-01-01.
        let day: Int64
        /// `figure` of the day, in places.
        let moves: Double
        /// The median of the days before, in places.
        package let usual: Double
        /// (`moves` − `usual`) / spread; see `Weather.day(_:)`.
        package let z: Double
        package var state: State { State(z: z) }

        /// How many times as far as usual everything moved: 1 on a day without a storm, at most 8.
        var factor: Double {
            state == .stormy ? min(max(moves / max(usual, 0.5), 1), 8) : 1
        }
    }

    private let moves: [Int64: Double]
    /// How days of readings find these; `nil` where they have the same days.
    let byReadings: StoreDays?

    /// - Parameter moves: `figure` by day (since 1970-01-01); days without a comparison have no key.
    package init(moves: [Int64: Double], byReadings: StoreDays? = nil) {
        self.moves = moves
        self.byReadings = byReadings
    }

    /// A day's move in one number: Tukey's trimean of the absolute moves of all apps on all lists of the day, (lower
    /// quartile + 2 × median + upper quartile) / 4, in places (“Exploratory Data Analysis”, 1977).
    ///
    /// The median alone is a whole number that is the same on most days, so that its deviation from the usual would be
    /// 0 or leap; the trimean moves in quarters of a place.
    package static func figure(lowerQuartile: Int, median: Int, upperQuartile: Int) -> Double {
        Double(lowerQuartile + 2 * median + upperQuartile) / 4
    }

    /// The day beside the `window` before it: the robust z of Iglewicz and Hoaglin, (moves − median) / spread, where
    /// spread is the median absolute deviation × 1.4826, and at least a quarter of a place and a tenth of the median.
    ///
    /// - Returns: `nil` if the day has no figure, or fewer than `minimumDays` before it do.
    func day(_ day: Int64) -> Day? {
        guard let value = moves[day] else { return nil }
        let before = (day - Self.window..<day).compactMap { moves[$0] }
        guard before.count >= Self.minimumDays, let usual = Robust.median(before),
            let deviation = Robust.deviation(before)
        else { return nil }
        let spread = max(deviation, 0.25, usual / 10)
        return Day(day: day, moves: value, usual: usual, z: (value - usual) / spread)
    }

    /// The days of `days` of which something can be said.
    func known(_ days: ClosedRange<Int64>) -> [Int64: Day] {
        var known: [Int64: Day] = [:]
        for day in moves.keys where days.contains(day) { known[day] = self.day(day) }
        return known
    }
}
