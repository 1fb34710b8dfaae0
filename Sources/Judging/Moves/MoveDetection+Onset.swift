import RankKit

/// When a move began.
extension MoveDetection {
    /// The share of a move's way, on `PositionScale`, that a single step has to have gone: else it is a drift.
    private static let greatestStep = 0.7...1.5

    /// How many times what is worth a word the rest of a way has to be, of which the beginning is no news.
    private static let leastRest = 1.5

    /// A step at its day; what came over a longer time at its greatest step, or slowly.
    func move(_ found: Candidate, weather: (Int64) -> Weather.State?) -> LastingMove? {
        guard let from = Position(found.from), let to = Position(found.to) else { return nil }
        let step = found.isNet ? greatestStep(found) : nil
        let first = step ?? onset(found)
        let day = track.day(found.departure ?? first)
        guard day > since else { return nil }
        return LastingMove(
            from: from, to: to, since: day, strength: found.steps, evidence: found.evidence,
            isSlow: found.isNet && step == nil, weather: track.storeDays(first).compactMap(weather).max())
    }

    /// A step that ends a longer way, as it is told: what the pair had gone before the time that is asked about is no part
    /// of it; what it has gone since is, from the day on which it left the old place, unless the step went most of the way.
    ///
    /// - Returns: `nil` if the rest of the way is not worth a word.
    func sized(_ step: Candidate) -> Candidate? {
        let first = onset(step)
        guard let before = track.usualPlace(max(0, first - Self.justBefore)..<first) else { return step }
        guard Self.isBetween(before, step.from, step.to), Self.isWorthAWord(from: step.from, to: before) else {
            return step
        }
        let way = PositionScale.table(step.to) - PositionScale.table(step.from)
        let share = (PositionScale.table(step.to) - PositionScale.table(before)) / way
        var sized = step
        let departure = beginning(of: before, than: step.from, before: step.end)
        if track.day(departure) <= since {
            guard Self.isWorthAWord(from: before, to: step.to, tolerance: Self.leastRest) else { return nil }
            sized.from = before
        } else if share < Self.greatestStep.lowerBound {
            sized.departure = departure
        }
        return sized
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

    /// The first reading of the run at the new place that leads up to where it was found.
    private func onset(_ found: Candidate) -> Int { beginning(of: found.to, than: found.edge, before: found.end) }

    /// The first reading of the run before `end` that is nearer to `place` than to `old`. A single exception does not end
    /// it where two readings before that are of the run.
    private func beginning(of place: Int, than old: Int, before end: Int) -> Int {
        func isThere(_ index: Int) -> Bool {
            track.place(index).map { Self.isNearer($0, to: place, than: old) } ?? false
        }
        var first = end - 1
        while first > 0 {
            if isThere(first - 1) {
                first -= 1
            } else if first > 2, isThere(first - 2), isThere(first - 3) {
                first -= 2
            } else {
                break
            }
        }
        return first
    }
}
