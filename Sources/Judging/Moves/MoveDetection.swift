import Foundation
import RankKit

/// Compares how likely a pair's newest readings are around a new usual place and around the old one.
///
/// The statistic is the generalised likelihood ratio of Willsky and Jones (“A generalized likelihood ratio approach to
/// the detection and estimation of jumps in linear systems”, 1976), that is Page's CUSUM (“Continuous inspection
/// schemes”, 1954) with the moment and the size of the jump searched for.
struct MoveDetection {
    let track: ReadingTrack
    let noise: PairNoise
    /// A move that began by this day is not news.
    let since: Int64

    /// Readings before the move that say where it started.
    private static let before = 14
    /// How many of the newest readings are tried as being at the new place.
    private static let lengths = [1, 2, 3, 4, 5, 7]
    /// Natural logarithm of the odds from which three readings at the top are believed.
    private static let base = 4.5
    /// More readings give chance more openings, and so do more places within the noise.
    private static let perReading = 0.5
    private static let perPlace = 1.75
    /// How many times its own past's excitement a pair has to surpass.
    private static let caution = 2.0
    /// Newest readings of which the past is free.
    private static let present = 8

    struct Candidate {
        var from: Int
        var to: Int
        /// Natural logarithm of the likelihood ratio.
        var score: Double
        var length: Int
    }

    func judgement(weather: (Int64) -> Weather.State?) -> MoveJudgement {
        let count = track.readings.count
        // Where the newest readings are compared with those up to `since`, whatever lay between.
        let settled = track.readings.firstIndex { $0.day > since } ?? count
        guard settled >= NoiseModel.minimumReadings || count - 1 >= NoiseModel.minimumReadings else {
            return .notJudged(.history)
        }
        var best: (candidate: Candidate, excess: Double)?
        var gap = 0
        func consider(_ length: Int, gap tried: Int) {
            guard let candidate = candidate(end: count, length: length, gap: tried) else { return }
            let excess = candidate.score - threshold(candidate)
            if excess > best?.excess ?? -.infinity, excess > 0 { best = (candidate, excess); gap = tried }
        }
        for length in Self.lengths where count - length >= settled { consider(length, gap: 0) }
        let newest = min(Self.lengths.last ?? 0, count - settled)
        if newest >= NoiseModel.confirmingReadings, count - settled > newest {
            consider(newest, gap: count - newest - settled)
        }
        guard let (candidate, excess) = best else {
            return count - 1 < NoiseModel.minimumReadings ? .notJudged(.history) : .withinNoise
        }
        guard let from = Position(candidate.from), let to = Position(candidate.to) else { return .withinNoise }
        let first = onset(candidate)
        let day = track.readings[first].day
        guard day > since else { return .withinNoise }
        // Only what looks like a move has to be held against the pair's own past.
        guard excess > Self.caution * excitement(candidate, gap: gap, before: first) else { return .withinNoise }
        let move = LastingMove(
            from: from, to: to, since: day, strength: distance(candidate) / noise.spread, weather: weather(day))
        return candidate.length >= NoiseModel.confirmingReadings ? .real(move) : .unconfirmed(move)
    }

    /// The likeliest new place of the `length` readings that end before `end`, beside the usual one of those up to `gap`
    /// readings before them; `nil` if there is too little, or nothing that would be worth a word.
    func candidate(end: Int, length: Int, gap: Int) -> Candidate? {
        let start = end - length
        let old = max(0, start - gap - Self.before)..<max(0, start - gap)
        guard old.count >= NoiseModel.minimumReadings, let from = track.usualPlace(old),
            let newest = track.readings[end - 1].place, Self.isWorthAWord(from: from, to: newest, tolerance: 0.5)
        else { return nil }
        var stays = 0.0
        var previous: ReadingTrack.Point? = start > 0 ? track.readings[start - 1] : nil
        for point in track.readings[start..<end] {
            stays += log(noise.chance(of: point, usual: from, after: previous))
            previous = point
        }
        var best: Candidate?
        var tried: Set<Int> = []
        for to in track.readings[start..<end].compactMap(\.place) where tried.insert(to).inserted {
            guard Self.isWorthAWord(from: from, to: to), Self.isNearer(newest, to: to, than: from) else { continue }
            let nearer = track.readings[start..<end].count { point in
                point.place.map { Self.isNearer($0, to: to, than: from) } ?? false
            }
            guard nearer >= min(length, 2) else { continue }
            var moved = 0.0
            previous = nil
            for point in track.readings[start..<end] {
                moved += log(noise.chance(of: point, usual: to, after: previous))
                previous = point
            }
            if moved - stays > best?.score ?? -.infinity {
                best = Candidate(from: from, to: to, score: moved - stays, length: length)
            }
        }
        return best
    }

    /// What the score has to surpass: the noisier the place, the more new places chance could have offered.
    private func threshold(_ candidate: Candidate) -> Double {
        Self.base + Self.perReading * Double(max(0, candidate.length - NoiseModel.confirmingReadings))
            + Self.perPlace * log(max(1, noise.places(around: min(candidate.from, candidate.to))))
    }

    /// How high the score went in the pair's own past: the fourth quintile of what it would have been at earlier moments,
    /// so that up to a fifth of them may have been real moves; shrunk towards 0.5 by the weight of four moments.
    private func excitement(_ candidate: Candidate, gap: Int, before onset: Int) -> Double {
        let newest = min(onset, track.readings.count - Self.present)
        let oldest = NoiseModel.minimumReadings + candidate.length + gap
        var scores: [Double] = []
        if newest > oldest {
            for end in stride(from: newest, to: oldest, by: -max(1, (newest - oldest) / 20)) {
                let lengths = gap > 0 ? [candidate.length] : Self.lengths.filter { $0 >= NoiseModel.confirmingReadings }
                scores.append(
                    lengths.compactMap { self.candidate(end: end, length: $0, gap: gap)?.score }.max().map {
                        max($0, 0)
                    }
                        ?? 0)
            }
        }
        let own = Robust.quantile(scores, 0.8) ?? 0
        return (Double(scores.count) * own + 4 * 0.5) / (Double(scores.count) + 4)
    }

    /// The first reading of the run at the new place that leads up to the newest, with single exceptions.
    private func onset(_ candidate: Candidate) -> Int {
        var first = track.readings.count - 1
        var misses = 0
        for index in stride(from: first, through: 0, by: -1) {
            if let place = track.readings[index].place, Self.isNearer(place, to: candidate.to, than: candidate.from) {
                first = index
                misses = 0
            } else {
                misses += 1
                if misses > 1 { break }
            }
        }
        return first
    }

    private func distance(_ candidate: Candidate) -> Double {
        abs(PositionScale.table(candidate.to) - PositionScale.table(candidate.from))
    }

    private static func isNearer(_ place: Int, to new: Int, than old: Int) -> Bool {
        let value = PositionScale.table(place)
        return abs(value - PositionScale.table(new)) < abs(value - PositionScale.table(old))
    }

    /// Two places at the top, up to five farther down, and at least 0.1 on `PositionScale`: less is not called a move
    /// however sure it is.
    private static func isWorthAWord(from: Int, to: Int, tolerance: Double = 1) -> Bool {
        let places = Double(min(5, 2 + min(from, to) / 12)) * tolerance
        return Double(abs(to - from)) >= places
            && abs(PositionScale.table(to) - PositionScale.table(from)) >= 0.1 * tolerance
    }
}
