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
    let noise: PairNoise
    /// A move that began by this day is not news.
    let since: Int64
    let sensitivity: Sensitivity
    private let count: Int
    /// The first reading since the day that was asked about.
    private let settled: Int
    /// The first of those that the time is judged by: a younger pair is compared with its own beginning.
    private let baseline: Int
    private lazy var ratio = ShiftRatio(track)

    /// Readings before the move that say where it started.
    private static let before = 14
    /// Readings just before the move, to tell it from one that came before.
    private static let justBefore = 5
    /// How many of the newest readings are tried as being at the new place.
    private static let lengths = [1, 2, 3, 4, 5, 7]
    private static let longest = 7
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

    init(track: ReadingTrack, noise: PairNoise, since: Int64, sensitivity: Sensitivity) {
        self.track = track
        self.noise = noise
        self.since = since
        self.sensitivity = sensitivity
        count = track.readings.count
        settled = track.readings.firstIndex { $0.day > since } ?? count
        baseline = max(settled, NoiseModel.minimumReadings)
    }

    /// A new place, and how sure it is.
    private struct Candidate {
        var from: Int
        /// The usual place just before, which is another one where it had left `from` already.
        var edge: Int
        var to: Int
        /// Natural logarithm of the likelihood ratio.
        var odds: Double
        var length: Int
        /// The reading before which it was found.
        var end: Int
        /// Whether it is what a longer time came to, rather than a step.
        var isNet: Bool
        /// In steps of the pair's own.
        var steps = 0.0
        var evidence = 0.0
    }

    /// - Parameter weather: how the store was on a day.
    mutating func judgement(weather: (Int64) -> Weather.State?) -> MoveJudgement {
        guard settled >= NoiseModel.minimumReadings || count - 1 >= NoiseModel.minimumReadings else {
            return .notJudged(.history)
        }
        // What the whole time came to says more than its last step.
        if let found = net(end: count) ?? step(end: count, isFirm: true) ?? held(),
            let move = move(found, weather: weather)
        {
            return .real(move)
        }
        if let found = step(end: count, isFirm: false), let move = move(found, weather: weather) {
            return .unconfirmed(move)
        }
        return count - 1 < NoiseModel.minimumReadings ? .notJudged(.history) : .withinNoise
    }

    // MARK: What is a move

    /// The surest new place of the readings before `end` that began since `settled`.
    ///
    /// - Parameter isFirm: whether there are to be enough readings at it to be believed, or fewer.
    private mutating func step(end: Int, isFirm: Bool) -> Candidate? {
        var best: Candidate?
        for length in Self.lengths
        where (length >= NoiseModel.confirmingReadings) == isFirm && end - length >= settled {
            guard let found = weighed(end: end, length: length, gap: 0),
                found.evidence > best?.evidence ?? sensitivity.threshold, leadsOn(found)
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
    private mutating func net(end: Int) -> Candidate? {
        guard end - baseline > Self.longest,
            let found = weighed(end: end, length: Self.longest, gap: end - Self.longest - baseline),
            found.evidence > sensitivity.threshold
        else { return nil }
        return found
    }

    /// What was told since `settled` and has not turned back: at no moment since have three readings been nearer to the
    /// place before.
    private mutating func held() -> Candidate? {
        guard count - baseline > NoiseModel.confirmingReadings, let old = usualBefore, let place = newest(count),
            Self.isWorthAWord(from: old, to: place, tolerance: 0.5)
        else { return nil }
        for end in stride(from: count - 1, through: baseline + NoiseModel.confirmingReadings, by: -1) {
            guard let found = net(end: end) ?? step(end: end, isFirm: true) else { continue }
            let holds = (end...count).allSatisfy { moment in
                newest(moment).map { Self.isNearer($0, to: found.to, than: found.from) } ?? false
            }
            guard holds else { return nil }
            // It is told where it stands now.
            var held = found
            held.to = track.usualPlace(max(end, count - Self.longest)..<count) ?? found.to
            return Self.isNearer(held.to, to: found.to, than: found.from) ? held : found
        }
        return nil
    }

    /// The usual place of the last readings before `end`.
    private func newest(_ end: Int) -> Int? {
        track.usualPlace(max(0, end - NoiseModel.confirmingReadings)..<end)
    }

    /// The likeliest new place of the `length` readings before `end`, beside the usual one of those up to `gap` readings
    /// before them, with its evidence; `nil` if there is too little, or nothing that would be worth a word.
    private mutating func weighed(end: Int, length: Int, gap: Int) -> Candidate? {
        guard var found = candidate(end: end, length: length, gap: gap),
            let steps = ratio.steps(
                end: end, length: length, gap: gap,
                most: abs(PositionScale.table(found.to) - PositionScale.table(found.from)))
        else { return nil }
        let doubt =
            Self.base + Self.perPlace * log(max(1, noise.places(around: min(found.from, found.to))))
        let odds = min(max(found.odds - doubt, -Self.oddsLimit), Self.oddsLimit) / Self.oddsPerStep
        found.steps = steps
        found.evidence =
            steps + odds - Self.perReading * Double(gap > 0 ? 1 : max(0, length - NoiseModel.confirmingReadings))
        return found
    }

    private func candidate(end: Int, length: Int, gap: Int) -> Candidate? {
        let start = end - length
        let old = max(0, start - gap - Self.before)..<max(0, start - gap)
        guard old.count >= NoiseModel.minimumReadings, let from = track.usualPlace(old),
            let newest = track.readings[end - 1].place, Self.isWorthAWord(from: from, to: newest, tolerance: 0.5)
        else { return nil }
        let edge = gap > 0 ? from : track.usualPlace(max(0, start - Self.justBefore)..<start) ?? from
        var stays: Double?
        var best: Candidate?
        var tried: Set<Int> = []
        for to in track.readings[start..<end].compactMap(\.place) where tried.insert(to).inserted {
            guard gap > 0 ? Self.isFar(from: from, to: to) : Self.isWorthAWord(from: from, to: to),
                Self.isNearer(newest, to: to, than: from)
            else { continue }
            let nearer = track.readings[start..<end].count { point in
                point.place.map { Self.isNearer($0, to: to, than: from) && Self.isNearer($0, to: to, than: edge) }
                    ?? false
            }
            guard nearer >= min(length, sensitivity.agreeing) else { continue }
            let home =
                stays ?? likelihood(start..<end, around: from, after: start > 0 ? track.readings[start - 1] : nil)
            stays = home
            let odds = likelihood(start..<end, around: to, after: nil) - home
            if odds > best?.odds ?? -.infinity {
                best = Candidate(from: from, edge: edge, to: to, odds: odds, length: length, end: end, isNet: gap > 0)
            }
        }
        return best
    }

    /// Natural logarithm of how likely the readings are around a usual place.
    private func likelihood(_ range: Range<Int>, around usual: Int, after previous: ReadingTrack.Point?) -> Double {
        var sum = 0.0
        var previous = previous
        for point in track.readings[range] {
            sum += log(noise.chance(of: point, usual: usual, after: previous))
            previous = point
        }
        return sum
    }

    // MARK: When it began

    /// A step at its day; what came over a longer time at its greatest step, or slowly.
    private func move(_ found: Candidate, weather: (Int64) -> Weather.State?) -> LastingMove? {
        guard let from = Position(found.from), let to = Position(found.to) else { return nil }
        let step = found.isNet ? greatestStep(found) : nil
        let day = track.readings[step ?? onset(found)].day
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
            let first = (greatest.first...last).first(where: { isThere(track.readings[$0].place) })
        else { return nil }
        let holds = (first...last).allSatisfy { isThere(newest($0 + NoiseModel.confirmingReadings)) }
        return holds ? first : nil
    }

    /// The first reading of the run at the new place that leads up to where it was found, with single exceptions.
    private func onset(_ found: Candidate) -> Int {
        var first = found.end - 1
        var misses = 0
        for index in stride(from: first, through: 0, by: -1) {
            if let place = track.readings[index].place, Self.isNearer(place, to: found.to, than: found.edge) {
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

    /// What is worth a word of a longer time, in which a place at the top is won or lost for good: one place up to #4, four
    /// at #30.
    private static func isFar(from: Int, to: Int) -> Bool {
        abs(PositionScale.table(to) - PositionScale.table(from)) >= 0.15
    }

    /// Two places at the top, up to five farther down, and at least 0.1 on `PositionScale`: less is not called a move
    /// however sure it is.
    static func isWorthAWord(from: Int, to: Int, tolerance: Double = 1) -> Bool {
        let places = Double(min(5, 2 + min(from, to) / 12)) * tolerance
        return Double(abs(to - from)) >= places
            && abs(PositionScale.table(to) - PositionScale.table(from)) >= 0.1 * tolerance
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
