import Foundation
import RankKit

/// How sure a new place is.
extension MoveDetection {
    /// Natural logarithm of the odds from which three readings at the top are as likely a move as not.
    private static let base = 4.5
    /// More places within the noise give chance more openings.
    private static let perPlace = 1.75
    /// Within which the odds count, and by what they are divided: at most half a step of the pair's own, either way.
    private static let oddsLimit = 6.0
    private static let oddsPerStep = 12.0
    /// More readings give chance more openings; a comparison over what lay between counts as one more.
    private static let perReading = 0.25

    /// The likeliest new place of the window's readings, beside the usual one of those before its gap, with its evidence.
    ///
    /// - Returns: `nil` if the evidence is not above `bar`, or there is too little, or nothing that would be worth a word.
    func weighed(_ window: ShiftRatio.Window, above bar: Double) -> Candidate? {
        let agreeing = min(window.length, sensitivity.agreeing)
        let known = noise.evidence(of: window)
        if known.agreeing <= agreeing {
            if let number = known.candidate {
                // The best of more is the best of fewer if it is among them.
                if noise.candidates[number].agreeing >= agreeing { return candidate(number, of: window, above: bar) }
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
        guard ratio.maySurpass(bar + doubt(window) - Self.oddsLimit / Self.oddsPerStep, window) else {
            noise.noteMost(bar, of: window, agreeing: agreeing)
            return nil
        }
        guard let pair = noise.value,
            let found = candidate(window, from: from, newest: newest, agreeing: agreeing, pair)
        else {
            noise.noteMost(-.infinity, of: window, agreeing: agreeing)
            return nil
        }
        return candidate(noise.note(found, of: window, agreeing: agreeing), of: window, above: bar)
    }

    /// The candidate with that number, if its evidence is above `bar`; it is worked out only where it may be.
    private func candidate(_ number: Int, of window: ShiftRatio.Window, above bar: Double) -> Candidate? {
        let found = noise.candidates[number]
        guard !found.isWeighed else { return found.evidence > bar ? found : nil }
        guard found.evidence > bar, let pair = noise.value else { return nil }
        let openings = Self.base + Self.perPlace * log(max(1, pair.places(around: min(found.from, found.to))))
        let odds = min(max(found.odds - openings, -Self.oddsLimit), Self.oddsLimit) / Self.oddsPerStep
        let doubtful = doubt(window)
        let limits = ShiftRatio.Limits(
            most: abs(PositionScale.table(found.to) - PositionScale.table(found.from)), storm: storm(over: window))
        guard ratio.maySurpass(bar + doubtful - odds, window, limits), let steps = ratio.steps(window, limits) else {
            noise.note(number, most: bar)
            return nil
        }
        let weighed = noise.weigh(number, steps: steps, evidence: steps + odds - doubtful)
        return weighed.evidence > bar ? weighed : nil
    }

    /// What chance takes from the evidence, in steps.
    private func doubt(_ window: ShiftRatio.Window) -> Double {
        Self.perReading * Double(window.gap > 0 ? 1 : max(0, window.length - NoiseModel.confirmingReadings))
    }

    /// How many times as far as usual everything moved on most days of the window's readings.
    private func storm(over window: ShiftRatio.Window) -> Double {
        let readings = window.end - window.length..<window.end
        guard track.knowsStorms, readings.contains(where: { track.storm($0) != 1 }) else { return 1 }
        return Robust.median(readings.map(track.storm)) ?? 1
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

    // MARK: What is worth a word

    static func isNearer(_ place: Int, to new: Int, than old: Int) -> Bool {
        let value = PositionScale.table(place)
        return abs(value - PositionScale.table(new)) < abs(value - PositionScale.table(old))
    }

    /// Whether a place lies between two others, either way round, and is neither of them.
    static func isBetween(_ place: Int, _ one: Int, _ other: Int) -> Bool {
        (one < place && place < other) || (other < place && place < one)
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
