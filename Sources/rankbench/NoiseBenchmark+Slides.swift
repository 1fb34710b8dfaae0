import Judging
import RankKit

extension NoiseBenchmark.Watch {
    /// How many pairs are said to slide on any day of the week after the month.
    ///
    /// - Parameter places: that each pair loses a day; `nil` for pairs that only jitter, anywhere in the lists.
    func slides(of places: Double?) -> NoiseBenchmark.Tally {
        var copy = self
        // As in a watchlist in which most stays as it is: noise that all pairs have would be taken for their habit.
        let still = copy.pairs(places: 1...200)
        let sliding = places.map { Array(copy.pairs(slide: $0, places: 5...40).prefix(still.count / 10)) } ?? []
        let first = JitteringPairs.firstDay + Int64(history) + NoiseModel.slideDays
        let rules = NoiseBenchmark.Rules(sliding + still, among: still, upTo: first + 6)
        var tally = NoiseBenchmark.Tally()
        for pair in rules.pairs.prefix(places == nil ? still.count : sliding.count) {
            let days = places == nil ? first..<first + 7 : first..<first + 1
            tally.add([days.contains { rules.isSliding(pair, on: $0) }])
        }
        return tally
    }
}
