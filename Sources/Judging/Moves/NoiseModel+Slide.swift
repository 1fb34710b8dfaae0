import RankKit

extension NoiseModel {
    /// Days over which slow moves are looked for.
    package static let slideDays: Int64 = 30
    /// Readings in these days, below which nothing is said of them.
    package static let slideReadings = 14
    /// The share of a slide's way, on `PositionScale`, that no single move may have gone: else it was that move.
    private static let greatestStep = 0.7
    /// Days from the first of a move within which the judgement of a week would have called it.
    private static let callingDays: ClosedRange<Int64> = 2...6

    /// A slow move up or down: one that no judgement of a week has called, or only a part of it, because each step of it is
    /// within the pair's noise, and that is one over `slideDays` and goes on.
    ///
    /// The same test as for other moves, asked about the month: the newest week beside the readings up to the day before
    /// that month. `since` of what is returned is about its middle.
    package func slide(of series: Series, at day: Int64) -> LastingMove? {
        guard case .real(let move) = judgement(of: series, since: day - Self.slideDays, at: day),
            !isCalled(series, on: day)
        else { return nil }
        let track = Track(series, upTo: day, storms: [:])
        let count = track.readings.count
        guard track.readings.count(where: { $0.day > day - Self.slideDays }) >= Self.slideReadings,
            let newest = track.usualPlace(count - 7..<count), let before = track.usualPlace(count - 14..<count - 7),
            move.direction == .up ? newest < before : newest > before
        else { return nil }
        let distance = PositionScale.distance(move)
        let isStep = Self.callingDays.contains { later in
            guard move.since + later <= day,
                case .real(let step) = judgement(
                    of: series, since: move.since + later - series.span.news, at: move.since + later)
            else { return false }
            return PositionScale.distance(step) >= Self.greatestStep * distance
        }
        return isStep ? nil : move
    }

    /// Whether the pair's newest move is news already.
    private func isCalled(_ series: Series, on day: Int64) -> Bool {
        switch judgement(of: series, since: day - series.span.news, at: day) {
        case .real, .entered, .left: true
        case .unconfirmed, .withinNoise, .notJudged: false
        }
    }
}

extension PositionScale {
    fileprivate static func distance(_ move: LastingMove) -> Double { abs(value(move.from) - value(move.to)) }
}
