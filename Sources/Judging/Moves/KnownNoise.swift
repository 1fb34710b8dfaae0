import RankKit

/// What was found out of the pair that is being judged, for whoever judges it more or less keenly.
///
/// Its noise is worked out when somebody asks for it: most days of most pairs are so quiet that nobody does.
final class KnownNoise {
    /// What is known of the evidence of a window.
    enum Evidence {
        case atMost(Double)
        /// The likeliest new place, of those to which at least so many readings are near; `nil` if there is none.
        case found(MoveDetection.Candidate?, agreeing: Int)
    }

    var weighed: [ShiftRatio.Window: Evidence] = [:]
    private let track: ReadingTrack
    private let pool: NoisePool
    private let country: Country
    private let news: Int
    private(set) var wasAsked = false
    /// `nil` where the pair was absent from most lists: then there is no place that it could leave.
    private(set) lazy var value: PairNoise? = {
        wasAsked = true
        guard let band = PositionBand(track) else { return nil }
        return pool.noise(of: NoiseCounts(track, without: max(7, news)), band: band, country: country)
    }()

    /// - Parameter news: how many of the newest readings are of the time that is asked about: they say nothing of what is
    ///   usual.
    init(_ track: ReadingTrack, _ pool: NoisePool, _ country: Country, news: Int) {
        self.track = track
        self.pool = pool
        self.country = country
        self.news = news
    }
}
