import RankKit

/// Which moves are real, by the noise that was learnt.
extension NoiseModel {
    /// Judges how a pair moved up to `day`, by what is known on that day.
    ///
    /// - Parameters:
    ///   - since: the day to compare with: a move that began by then is not news. `nil` for the span's `recent` days
    ///     before.
    ///   - day: days since 1970-01-01; the newest reading may be up to the span's `staleness` days older.
    package func judgement(of series: Series, since: Int64? = nil, at day: Int64) -> MoveJudgement {
        let track = ReadingTrack(series, upTo: day, storms: storms[series.country] ?? [:])
        guard let newest = track.readings.last, newest.day >= day - series.span.staleness else {
            return .notJudged(.noReading)
        }
        guard track.readings.count > Self.minimumReadings else { return .notJudged(.history) }
        let since = since ?? day - series.span.recent
        if let passage = track.passage(pool: pool, country: series.country) {
            switch passage {
            case .entered(let from), .left(_, let from):
                // Older than what was asked about: judged by what came after it.
                if from > since { return passage.judgement(track) }
                return moves(track.from(from), since: since, country: series.country)
            case .flickering: return .withinNoise
            case .tooShort: return .notJudged(.history)
            }
        }
        return moves(track, since: since, country: series.country)
    }

    private func moves(_ track: ReadingTrack, since: Int64, country: Country) -> MoveJudgement {
        guard let band = PositionBand(track) else { return .withinNoise }
        let news = track.readings.count { $0.day > since }
        let habits = NoiseCounts(track, without: max(7, news))
        let noise = pool.noise(of: habits, band: band, country: country)
        return MoveDetection(track: track, noise: noise, since: since).judgement { weather[country]?.day($0)?.state }
    }

    // MARK: Slow moves

    /// Days over which slow moves are looked for.
    package static let slideDays: Int64 = 30
    /// Readings in these days, below which nothing is said of them.
    static let slideReadings = 14
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
            // Else it is news already.
            !judgement(of: series, since: day - series.span.news, at: day).isBeyondNoise
        else { return nil }
        let track = ReadingTrack(series, upTo: day, storms: [:])
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
}

extension PositionScale {
    fileprivate static func distance(_ move: LastingMove) -> Double { abs(value(move.from) - value(move.to)) }
}
