import Foundation
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
    private let ratio: ShiftRatio
    private let count: Int
    /// The first reading since the day that was asked about.
    private let settled: Int
    /// The first of those that the time is judged by: a younger pair is compared with its own beginning.
    private let baseline: Int

    /// Readings before the move that say where it started.
    private static let before = ReadingTable.usualReadings
    /// Readings just before the move, to tell it from one that came before.
    private static let justBefore = 5
    /// How many of the newest readings are tried as being at the new place.
    static let lengths = [1, 2, 3, 4, 5, 7]
    /// Of those, enough to be believed.
    static let firmLengths = lengths.filter { $0 >= NoiseModel.confirmingReadings }
    static let longest = 7
    /// Natural logarithm of the odds from which three readings at the top are as likely a move as not.
    private static let base = 4.5
    /// More places within the noise give chance more openings.
    private static let perPlace = 1.75
    /// Within which the odds count, and by what they are divided: at most half a step of the pair's own, either way.
    private static let oddsLimit = 6.0
    private static let oddsPerStep = 12.0
    /// More readings give chance more openings; a comparison over what lay between counts as one more.
    private static let perReading = 0.25
    /// The share of a move's way, on `PositionScale`, that a single step has to have gone: else it is a drift.
    private static let greatestStep = 0.7...1.5

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
        fileprivate var from: Int
        /// The usual place just before, which is another one where it had left `from` already.
        fileprivate var edge: Int
        fileprivate var to: Int
        /// Natural logarithm of the likelihood ratio.
        fileprivate var odds: Double
        /// How many of the readings are nearer to it than to the old one.
        fileprivate var agreeing: Int
        /// The reading before which it was found.
        fileprivate var end: Int
        /// Whether it is what a longer time came to, rather than a step.
        fileprivate var isNet: Bool
        /// In steps of the pair's own.
        fileprivate var steps = 0.0
        fileprivate var evidence = 0.0
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

    // MARK: What is a move

    /// The surest new place of the readings before `end` that began since `settled`.
    ///
    /// - Parameter isFirm: whether there are to be enough readings at it to be believed, or fewer.
    private func step(end: Int, isFirm: Bool) -> Candidate? {
        var best: Candidate?
        for length in Self.lengths
        where (length >= NoiseModel.confirmingReadings) == isFirm && end - length >= settled {
            let window = ShiftRatio.Window(end: end, length: length, gap: 0)
            guard let found = weighed(window, above: best?.evidence ?? sensitivity.threshold), leadsOn(found) else {
                continue
            }
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
    private func newest(_ end: Int) -> Int? {
        track.usualPlace(max(0, end - NoiseModel.confirmingReadings)..<end)
    }

    /// The likeliest new place of the window's readings, beside the usual one of those before its gap, with its evidence.
    ///
    /// - Returns: `nil` if the evidence is not above `bar`, or there is too little, or nothing that would be worth a word.
    private func weighed(_ window: ShiftRatio.Window, above bar: Double) -> Candidate? {
        let agreeing = min(window.length, sensitivity.agreeing)
        let known = noise.evidence(of: window)
        if known.agreeing <= agreeing {
            if let found = noise.candidate(known) {
                // The best of more is the best of fewer if it is among them.
                if found.agreeing >= agreeing { return found.evidence > bar ? found : nil }
            } else if known.most <= bar {
                return nil
            }
        }
        // First what costs little: nearly all that is asked about is wobble.
        guard let from = usualPlace(before: window), let newest = track.place(window.end - 1) else {
            noise.noteMost(-.infinity, of: window, agreeing: agreeing)
            return nil
        }
        let (home, value) = (PositionScale.table(from), track.value(window.end - 1))
        guard Self.isWorthAWord(from: (from, home), to: (newest, value), tolerance: 0.5),
            mayAgree(window, home: home, newest: value)
        else {
            noise.noteMost(-.infinity, of: window, agreeing: agreeing)
            return nil
        }
        let doubtful =
            Self.perReading * Double(window.gap > 0 ? 1 : max(0, window.length - NoiseModel.confirmingReadings))
        guard ratio.maySurpass(bar + doubtful - Self.oddsLimit / Self.oddsPerStep, window) else {
            noise.noteMost(bar, of: window, agreeing: agreeing)
            return nil
        }
        guard let found = found(window, from: from, newest: newest, agreeing: agreeing, doubtful: doubtful) else {
            noise.noteMost(-.infinity, of: window, agreeing: agreeing)
            return nil
        }
        noise.note(found, of: window, agreeing: agreeing)
        return found.evidence > bar ? found : nil
    }

    /// - Parameter doubtful: what chance takes from the evidence.
    private func found(
        _ window: ShiftRatio.Window, from: Int, newest: Int, agreeing: Int, doubtful: Double
    ) -> Candidate? {
        guard let noise = noise.value,
            var found = candidate(window, from: from, newest: newest, agreeing: agreeing, noise),
            let steps = ratio.steps(
                window, most: abs(PositionScale.table(found.to) - PositionScale.table(found.from)),
                storm: track.knowsStorms
                    ? Robust.median((window.end - window.length..<window.end).map(track.storm)) ?? 1 : 1)
        else { return nil }
        let doubt =
            Self.base + Self.perPlace * log(max(1, noise.places(around: min(found.from, found.to))))
        let odds = min(max(found.odds - doubt, -Self.oddsLimit), Self.oddsLimit) / Self.oddsPerStep
        found.steps = steps
        found.evidence = steps + odds - doubtful
        return found
    }

    /// Where the pair was usually before the window; `nil` if there are too few readings.
    private func usualPlace(before window: ShiftRatio.Window) -> Int? {
        let end = window.end - window.length - window.gap
        guard end >= NoiseModel.minimumReadings else { return nil }
        return track.usualPlace(max(0, end - Self.before)..<end)
    }

    /// Whether enough of the window's readings lie on the newest one's side of `from` for any place to have them nearer to
    /// it: that is at least half of what is worth a word away.
    private func mayAgree(_ window: ShiftRatio.Window, home: Double, newest: Double) -> Bool {
        let side: Double = newest > home ? 1 : -1
        let least = (window.gap > 0 ? Self.far : Self.least) / 2 - 1e-9
        var agreeing = 0
        for index in window.end - window.length..<window.end {
            // Not a number is not above it.
            guard (track.value(index) - home) * side > least else { continue }
            agreeing += 1
        }
        return agreeing >= min(window.length, sensitivity.agreeing)
    }

    private func candidate(
        _ window: ShiftRatio.Window, from: Int, newest: Int, agreeing: Int, _ noise: PairNoise
    ) -> Candidate? {
        let start = window.end - window.length
        let readings = start..<window.end
        let isNet = window.gap > 0
        let edge = isNet ? from : track.usualPlace(max(0, start - Self.justBefore)..<start) ?? from
        let values = (
            from: PositionScale.table(from), edge: PositionScale.table(edge), newest: track.value(window.end - 1)
        )
        var stays: Double?
        var best: Candidate?
        for index in readings {
            guard let to = track.place(index), !(start..<index).contains(where: { track.place($0) == to }) else {
                continue
            }
            let value = track.value(index)
            guard isNet ? abs(value - values.from) >= Self.far : Self.isWorthAWord(from: from, to: to),
                abs(values.newest - value) < abs(values.newest - values.from)
            else { continue }
            // Not a number is not nearer.
            let nearer = readings.count { index in
                let place = track.value(index)
                let way = abs(place - value)
                return way < abs(place - values.from) && way < abs(place - values.edge)
            }
            guard nearer >= agreeing else { continue }
            let home =
                stays
                ?? likelihood(
                    readings, around: from, values.from, after: start > 0 ? track[start - 1] : nil, noise)
            stays = home
            let odds = likelihood(readings, around: to, value, after: nil, noise) - home
            if odds > best?.odds ?? -.infinity {
                best = Candidate(
                    from: from, edge: edge, to: to, odds: odds, agreeing: nearer, end: window.end, isNet: isNet)
            }
        }
        return best
    }

    /// Natural logarithm of how likely the readings are around a usual place.
    ///
    /// - Parameter home: the usual place on `PositionScale`.
    private func likelihood(
        _ range: Range<Int>, around usual: Int, _ home: Double, after previous: ReadingTrack.Point?,
        _ noise: PairNoise
    ) -> Double {
        // As many as there are at most have no product that would be too small.
        var product = 1.0
        var previous = previous
        for index in range {
            let point = track[index]
            product *= noise.chance(of: point, usual: usual, home: home, after: previous)
            previous = point
        }
        return log(product)
    }

    // MARK: When it began

    /// A step at its day; what came over a longer time at its greatest step, or slowly.
    private func move(_ found: Candidate, weather: (Int64) -> Weather.State?) -> LastingMove? {
        guard let from = Position(found.from), let to = Position(found.to) else { return nil }
        let step = found.isNet ? greatestStep(found) : nil
        let day = track.day(step ?? onset(found))
        guard day > since else { return nil }
        return LastingMove(
            from: from, to: to, since: day, strength: found.steps, evidence: found.evidence,
            isSlow: found.isNet && step == nil, weather: weather(day))
    }

    /// The first reading after the greatest step since `baseline`, if it went most of the way, and no farther than that,
    /// and was not undone.
    private func greatestStep(_ net: Candidate) -> Int? {
        let way = PositionScale.table(net.to) - PositionScale.table(net.from)
        let last = count - NoiseModel.confirmingReadings
        var greatest: (first: Int, share: Double)?
        for first in stride(from: baseline, through: last, by: 1) {
            guard let before = track.usualPlace(max(0, first - Self.justBefore)..<first),
                let after = track.usualPlace(first..<min(first + Self.justBefore, count))
            else { continue }
            let share = (PositionScale.table(after) - PositionScale.table(before)) / way
            if share > greatest?.share ?? Self.greatestStep.lowerBound { greatest = (first, share) }
        }
        func isThere(_ place: Int?) -> Bool {
            place.map { Self.isNearer($0, to: net.to, than: net.from) } ?? false
        }
        // The medians see the step before it is there.
        guard let greatest, Self.greatestStep.contains(greatest.share),
            let first = (greatest.first...last).first(where: { isThere(track.place($0)) })
        else { return nil }
        let holds = (first...last).allSatisfy { isThere(newest($0 + NoiseModel.confirmingReadings)) }
        return holds ? first : nil
    }

    /// The first reading of the run at the new place that leads up to where it was found, with single exceptions.
    private func onset(_ found: Candidate) -> Int {
        var first = found.end - 1
        var misses = 0
        for index in stride(from: first, through: 0, by: -1) {
            if let place = track.place(index), Self.isNearer(place, to: found.to, than: found.edge) {
                first = index
                misses = 0
            } else {
                misses += 1
                if misses > 1 { break }
            }
        }
        return first
    }

    static func isNearer(_ place: Int, to new: Int, than old: Int) -> Bool {
        let value = PositionScale.table(place)
        return abs(value - PositionScale.table(new)) < abs(value - PositionScale.table(old))
    }

    /// What is worth a word at least, on `PositionScale`: of a step, and of a longer time, in which a place at the top is
    /// won or lost for good: one place up to #4, four at #30.
    private static let least = 0.1
    private static let far = 0.15

    /// Two places at the top, up to five farther down, and at least 0.1 on `PositionScale`: less is not called a move
    /// however sure it is.
    static func isWorthAWord(from: Int, to: Int, tolerance: Double = 1) -> Bool {
        isWorthAWord(
            from: (from, PositionScale.table(from)), to: (to, PositionScale.table(to)), tolerance: tolerance)
    }

    private static func isWorthAWord(
        from: (place: Int, value: Double), to: (place: Int, value: Double), tolerance: Double
    ) -> Bool {
        let places = Double(min(5, 2 + min(from.place, to.place) / 12)) * tolerance
        return Double(abs(to.place - from.place)) >= places && abs(to.value - from.value) >= least * tolerance
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
