import Judging
import RankKit

extension NoiseBenchmark.Watch {
    /// How many pairs are elsewhere by the judgement than a month before.
    ///
    /// - Parameter share: of its place that each pair wins or loses within the month, day by day, as 1/3 is from 30 to 20 or
    ///   back; `nil` for pairs that only jitter, anywhere in the lists.
    func drifts(
        of share: Double?, at places: ClosedRange<Double> = 5...100, _ sensitivity: Sensitivity = .normal
    ) -> NoiseBenchmark.Tally {
        var copy = self
        // As in a watchlist in which most stays as it is: noise that all pairs have would be taken for their habit.
        let still = copy.pairs(places: 1...200)
        var isUp = false
        let drifting =
            share.map { share in
                copy.pairs(
                    slide: { usual in
                        isUp.toggle()
                        return (isUp ? -share * usual : share * usual / (1 - share)) / Double(NoiseModel.monthDays)
                    }, places: places
                ).prefix(still.count / 10)
            } ?? []
        let last = JitteringPairs.firstDay + Int64(history) + NoiseModel.monthDays - 1
        let rules = NoiseBenchmark.Rules(drifting + still, among: still, upTo: last)
        var tally = NoiseBenchmark.Tally()
        for pair in rules.pairs.prefix(share == nil ? still.count : drifting.count) {
            tally.add([rules.hasDrifted(pair, by: last, sensitivity)])
        }
        return tally
    }
}
