import RankKit

/// What was found out of the pair that is being judged, for whoever judges it more or less keenly.
///
/// Its noise is worked out when somebody asks for it: most days of most pairs are so quiet that nobody does.
final class KnownNoise {
    /// What is known of the evidence of a window.
    struct Evidence {
        /// It is at most that, unless there is a candidate.
        var most = Double.infinity
        private var number: Int32 = -1
        /// Windows that were not asked about have none.
        private(set) var agreeing = Int32.max

        /// The number of the likeliest new place, of those to which at least `agreeing` readings are near; `nil` if there
        /// is none.
        var candidate: Int? { number < 0 ? nil : Int(number) }

        init() {}

        init(most: Double, agreeing: Int) { (self.most, self.agreeing) = (most, Int32(agreeing)) }

        init(candidate: Int, agreeing: Int) { (number, self.agreeing) = (Int32(candidate), Int32(agreeing)) }
    }

    @exclusivity(unchecked) private var priors: NoisePriors
    // Nothing that reads or changes these calls anything that does, so no two accesses overlap.
    @exclusivity(unchecked) private var track: ReadingTrack
    @exclusivity(unchecked) private var news: Int
    /// By the readings after the window, and its length.
    @exclusivity(unchecked) private var evidence: [Evidence] = []
    /// By their numbers.
    @exclusivity(unchecked) private(set) var candidates: [MoveDetection.Candidate] = []
    @exclusivity(unchecked) private var known: PairNoise??
    /// How far the excursions in `track`'s table went that were asked about last.
    @exclusivity(unchecked) private var excursions = SortedSlice()

    /// - Parameter news: how many of the newest readings are of the time that is asked about: they say nothing of what is
    ///   usual.
    init(_ track: ReadingTrack, _ priors: NoisePriors, news: Int) {
        self.priors = priors
        self.track = track
        self.news = news
        forget()
    }

    /// The same of another time, of which nothing is known yet.
    func begin(_ track: ReadingTrack, _ priors: NoisePriors, news: Int) {
        self.priors = priors
        if track.table !== self.track.table { excursions = SortedSlice() }
        self.track = track
        self.news = news
        known = nil
        candidates.removeAll(keepingCapacity: true)
        forget()
    }

    private func forget() {
        // No window that is asked about ends before the time that is asked about.
        let count = (news + 1) * Self.slots
        for slot in 0..<min(count, evidence.count) { evidence[slot] = Evidence() }
        while evidence.count < count { evidence.append(Evidence()) }
    }

    var wasAsked: Bool { known != nil }

    /// `nil` where the pair was absent from most lists: then there is no place that it could leave.
    var value: PairNoise? {
        if let known { return known }
        let value = PositionBand(track).map { band in
            priors.noise(of: NoiseCounts(track, without: max(7, news), excursions: &excursions), band: band)
        }
        known = .some(value)
        return value
    }

    // MARK: Windows

    /// Windows of one end: one with a gap, and one of each length without.
    private static let slots = MoveDetection.longest + 1

    private func slot(_ window: ShiftRatio.Window) -> Int {
        (track.count - window.end) * Self.slots + (window.gap > 0 ? 0 : window.length)
    }

    func evidence(of window: ShiftRatio.Window) -> Evidence { evidence[slot(window)] }

    func noteMost(_ most: Double, of window: ShiftRatio.Window, agreeing: Int) {
        evidence[slot(window)] = Evidence(most: most, agreeing: agreeing)
    }

    /// - Returns: its number.
    func note(_ candidate: MoveDetection.Candidate, of window: ShiftRatio.Window, agreeing: Int) -> Int {
        evidence[slot(window)] = Evidence(candidate: candidates.count, agreeing: agreeing)
        candidates.append(candidate)
        return candidates.count - 1
    }

    /// - Parameter most: what the candidate's evidence is at most.
    func note(_ candidate: Int, most: Double) { candidates[candidate].limit(evidence: most) }

    func weigh(_ candidate: Int, steps: Double, evidence: Double) -> MoveDetection.Candidate {
        candidates[candidate].weigh(steps: steps, evidence: evidence)
        return candidates[candidate]
    }
}
