package import RankKit

/// Weighs whether a pair's newest readings are at a new usual place.
///
/// Two kinds of evidence are added. The first is how many times its own step the pair moved (`ShiftRatio`), which needs no
/// idea of what the noise is like. The second is the generalised likelihood ratio of Willsky and Jones (“A generalized
/// likelihood ratio approach to the detection and estimation of jumps in linear systems”, 1976), that is Page's CUSUM
/// (“Continuous inspection schemes”, 1954) with the moment and the size of the jump searched for: how likely the readings
/// are around the new place and around the old one. It knows storms, absences and how steady the pair's like are, and is
/// limited, since real noise keeps to no distribution.
struct MoveDetection {
    let track: ReadingTrack
    /// What of its moves is noise; asked for only where there may be one.
    let noise: KnownNoise
    /// A move that began by this day is not news.
    let since: Int64
    let sensitivity: Sensitivity
    let ratio: ShiftRatio
    let count: Int
    /// The first reading since the day that was asked about.
    let settled: Int
    /// The first of those that the time is judged by: a younger pair is compared with its own beginning.
    let baseline: Int

    /// How many of the newest readings are tried as being at the new place.
    static let lengths = [1, 2, 3, 4, 5, 7]
    /// Of those, enough to be believed.
    static let firmLengths = lengths.filter { $0 >= NoiseModel.confirmingReadings }
    static let longest = 7
    /// Readings before the move that say where it started.
    static let before = ReadingTable.usualReadings
    /// Readings just before the move, to tell it from one that came before.
    static let justBefore = 5

    /// - Parameter shifts: of the table that `track` looks at.
    init(track: ReadingTrack, shifts: ShiftTable, noise: KnownNoise, since: Int64, sensitivity: Sensitivity) {
        self.track = track
        self.noise = noise
        self.since = since
        self.sensitivity = sensitivity
        ratio = ShiftRatio(shifts, in: track.range)
        count = track.count
        settled = track.index(after: since)
        baseline = max(settled, NoiseModel.minimumReadings)
    }

    /// A new place, and how sure it is.
    struct Candidate {
        var from: Int
        /// The usual place just before, which is another one where the pair had left `from` already.
        var edge: Int
        var to: Int
        /// Natural logarithm of the likelihood ratio.
        var odds: Double
        /// How many of the readings are nearer to it than to the old one.
        var agreeing: Int
        /// The reading before which it was found.
        var end: Int
        /// Whether it is what a longer time came to, rather than a step.
        var isNet: Bool
        /// The first reading away from `from`, of a step that only ends the way; `nil` where it went most of it.
        var departure: Int?
        /// In steps of the pair's own.
        private(set) var steps = 0.0
        /// As long as it is not weighed, the most that it can be.
        private(set) var evidence = Double.infinity
        private(set) var isWeighed = false

        mutating func weigh(steps: Double, evidence: Double) {
            (self.steps, self.evidence, isWeighed) = (steps, evidence, true)
        }

        mutating func limit(evidence: Double) { self.evidence = evidence }
    }

    /// What is wanted of a judgement; to leave something out saves most of the time.
    enum Wanted: Sendable, Hashable {
        case all
        /// What is not believed yet need not be told from wobble.
        case firm
        /// Drifts alone: all else is told as wobble.
        case slow
    }

    /// - Parameter weather: how the store was on a day.
    func judgement(_ wanted: Wanted = .all, weather: (Int64) -> Weather.State?) -> MoveJudgement {
        guard settled >= NoiseModel.minimumReadings || count - 1 >= NoiseModel.minimumReadings else {
            return noise.value == nil ? .withinNoise : .notJudged(.history)
        }
        if wanted == .slow { return slow(weather: weather).map { .real($0) } ?? .withinNoise }
        // What the whole time came to says more than its last step.
        if let found = net(end: count) ?? step(end: count, isFirm: true) ?? held(),
            let move = move(found, weather: weather)
        {
            return .real(move)
        }
        if wanted == .all, let found = step(end: count, isFirm: false), let move = move(found, weather: weather) {
            return .unconfirmed(move)
        }
        return count - 1 < NoiseModel.minimumReadings && noise.value != nil ? .notJudged(.history) : .withinNoise
    }

    /// The drift that `judgement` would tell.
    private func slow(weather: (Int64) -> Weather.State?) -> LastingMove? {
        func drift(_ found: Candidate) -> LastingMove? {
            move(found, weather: weather).flatMap { $0.isSlow ? $0 : nil }
        }
        if let found = net(end: count) { return drift(found) }
        guard isElsewhere,
            let end = heldEnds.first(where: { net(end: $0) != nil }),
            // A step that was found later is told instead.
            step(end: count, isFirm: true) == nil,
            !heldEnds.contains(where: { $0 > end && step(end: $0, isFirm: true) != nil })
        else { return nil }
        return net(end: end).flatMap(held).flatMap(drift)
    }

    // MARK: Where one may be

    /// The surest new place of the readings before `end` that began since `settled`.
    ///
    /// - Parameter isFirm: whether there are to be enough readings at it to be believed, or fewer.
    private func step(end: Int, isFirm: Bool) -> Candidate? {
        var best: Candidate?
        for length in Self.lengths
        where (length >= NoiseModel.confirmingReadings) == isFirm && end - length >= settled {
            let window = ShiftRatio.Window(end: end, length: length, gap: 0)
            guard let found = weighed(window, above: best?.evidence ?? sensitivity.threshold).flatMap(sized),
                leadsOn(found)
            else { continue }
            best = found
        }
        return best
    }

    /// Whether a step leads away from where the pair was before the time that was asked about: what came back from an
    /// excursion within it has not moved.
    private func leadsOn(_ step: Candidate) -> Bool {
        guard count - baseline > Self.longest, let old = usualBefore else { return true }
        return (step.to < step.from) == (step.to < old) && Self.isWorthAWord(from: old, to: step.to, tolerance: 0.5)
    }

    /// The usual place before the time that was asked about.
    private var usualBefore: Int? { track.usualPlace(max(0, baseline - Self.before)..<baseline) }

    /// The newest readings before `end` beside those up to `baseline`, whatever lay between.
    private func net(end: Int) -> Candidate? {
        guard end - baseline > Self.longest else { return nil }
        let window = ShiftRatio.Window(end: end, length: Self.longest, gap: end - Self.longest - baseline)
        return weighed(window, above: sensitivity.threshold)
    }

    /// What was told since `settled` and has not turned back: at no moment since have three readings been nearer to the
    /// place before.
    private func held() -> Candidate? {
        guard isElsewhere else { return nil }
        for end in heldEnds {
            if let found = net(end: end) ?? step(end: end, isFirm: true) { return held(found) }
        }
        return nil
    }

    /// Whether the newest readings are elsewhere than those before `settled`.
    private var isElsewhere: Bool {
        guard count - baseline > NoiseModel.confirmingReadings, let old = usualBefore, let place = newest(count) else {
            return false
        }
        return Self.isWorthAWord(from: old, to: place, tolerance: 0.5)
    }

    /// The moments since `settled` at which something may have been told, the newest first.
    private var heldEnds: some Sequence<Int> {
        stride(from: count - 1, through: baseline + NoiseModel.confirmingReadings, by: -1)
    }

    private func held(_ found: Candidate) -> Candidate? {
        let holds = (found.end...count).allSatisfy { moment in
            newest(moment).map { Self.isNearer($0, to: found.to, than: found.from) } ?? false
        }
        guard holds else { return nil }
        // It is told where it stands now.
        var held = found
        held.to = track.usualPlace(max(found.end, count - Self.longest)..<count) ?? found.to
        return Self.isNearer(held.to, to: found.to, than: found.from) ? held : found
    }

    /// The usual place of the last readings before `end`.
    func newest(_ end: Int) -> Int? {
        track.usualPlace(max(0, end - NoiseModel.confirmingReadings)..<end)
    }
}

extension Sensitivity {
    /// What the evidence of a move has to surpass, in steps of the pair's own; chosen on the series and seeds that
    /// `docs/statistics.md` names, and measured on others.
    package var threshold: Double {
        switch self {
        case .calm: 2
        case .normal: 1.4
        case .keen: 1
        }
    }

    /// Readings at the new place, or nearer to it than to the old one, without which no move is believed.
    var agreeing: Int { self == .keen ? 2 : NoiseModel.confirmingReadings }
}
