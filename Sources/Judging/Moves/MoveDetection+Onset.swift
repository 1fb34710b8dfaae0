import RankKit

/// When a move began.
extension MoveDetection {
    /// The share of a move's way, on `PositionScale`, that a single step has to have gone: else it is a drift.
    private static let greatestStep = 0.7...1.5

    /// A step at its day; what came over a longer time at its greatest step, or slowly.
    func move(_ found: Candidate, weather: (Int64) -> Weather.State?) -> LastingMove? {
        guard let from = Position(found.from), let to = Position(found.to) else { return nil }
        let step = found.isNet ? greatestStep(found) : nil
        let first = step ?? onset(found)
        let day = track.day(first)
        guard day > since else { return nil }
        return LastingMove(
            from: from, to: to, since: day, strength: found.steps, evidence: found.evidence,
            isSlow: found.isNet && step == nil, weather: track.storeDays(first).compactMap(weather).max())
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
}
