package import RankKit

/// Which moves are real, by the noise that was learnt.
extension NoiseModel {
    /// Judges how a pair moved up to `day`, by what is known on that day.
    ///
    /// - Parameters:
    ///   - since: the day to compare with: a move that began by then is not news. `nil` for the span's `recent` days
    ///     before.
    ///   - day: days since 1970-01-01; the newest reading may be up to the span's `staleness` days older.
    ///   - sensitivity: how keenly.
    package func judgement(
        of series: Series, since: Int64? = nil, at day: Int64, sensitivity: Sensitivity = .normal
    ) -> MoveJudgement {
        let since = since ?? day - series.span.recent
        let track = ReadingTrack(
            series, since: Self.oldest(since: since, at: day), upTo: day, storms: storms[series.country] ?? [:])
        guard let newest = track.readings.last, newest.day >= day - series.span.staleness else {
            return .notJudged(.noReading)
        }
        guard track.readings.count > Self.minimumReadings else { return .notJudged(.history) }
        if let passage = track.passage(pool: pool, country: series.country) {
            switch passage {
            case .entered(let from), .left(_, let from):
                // Older than what was asked about: judged by what came after it.
                if from > since { return passage.judgement(track) }
                return moves(
                    track.from(from), since: since, country: series.country, sensitivity: sensitivity)
            case .flickering: return .withinNoise
            case .tooShort: return .notJudged(.history)
            }
        }
        return moves(track, since: since, country: series.country, sensitivity: sensitivity)
    }

    private func moves(
        _ track: ReadingTrack, since: Int64, country: Country, sensitivity: Sensitivity
    ) -> MoveJudgement {
        guard let band = PositionBand(track) else { return .withinNoise }
        let news = track.readings.count { $0.day > since }
        let habits = NoiseCounts(track, without: max(7, news))
        let noise = pool.noise(of: habits, band: band, country: country)
        var detection = MoveDetection(track: track, noise: noise, since: since, sensitivity: sensitivity)
        return detection.judgement { weather[country]?.day($0)?.state }
    }

    /// The oldest day that is looked at where a pair is asked every day: far enough back for what was usual before
    /// `since`.
    static func oldest(since: Int64?, at day: Int64) -> Int64 {
        min(day - memory, since.map { $0 - usualDays } ?? .max)
    }

    // MARK: The month

    /// Days of a month, over which moves are looked for that no week tells of.
    package static let monthDays: Int64 = 30

    /// The pair's move over `monthDays`, at one step or slowly, where nothing is to be said of its week.
    package func slide(
        of series: Series, at day: Int64, sensitivity: Sensitivity = .normal
    ) -> LastingMove? {
        guard
            case .real(let move) = judgement(
                of: series, since: day - Self.monthDays, at: day, sensitivity: sensitivity),
            // Else it is news already.
            !judgement(of: series, since: day - series.span.news, at: day, sensitivity: sensitivity).isBeyondNoise
        else { return nil }
        return move
    }
}
