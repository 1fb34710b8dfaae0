import Foundation
import RankKit

/// What all pairs together show, by band and store, towards which a pair's own figures are shrunk.
///
/// Empirical Bayes after Robbins (“An empirical Bayes approach to statistics”, 1956) and Efron and Morris (“Data
/// analysis using Stein's estimator and its generalizations”, 1975): (own count + weight × prior share) / (own number +
/// weight) for the shares, and for the spread the same mean of logarithms. The prior of a band is what is supposed of
/// it; of a band in a store the band's in all countries' stores of its source; of a pair that of its band in its store.
struct NoisePool: Sendable {
    /// How many readings of its own a pair, or a band, needs to count as much as its prior.
    private enum Weight {
        static let away = 10.0
        static let stay = 6.0
        static let spread = 10.0
    }

    private struct Key: Hashable {
        var band: PositionBand
        var source: Source
        /// `nil` for all.
        var country: Country?
    }

    private struct Sum {
        var habits = NoiseCounts()
        /// Of log distance, one for each pair, weighted by its number of excursions.
        var logarithms: [(value: Double, weight: Double)] = []

        mutating func add(_ habits: NoiseCounts) {
            add(counts: habits)
            if let distance = habits.distance {
                logarithms.append((value: log(distance), weight: Double(habits.away)))
            }
        }

        mutating func add(_ other: Sum) {
            add(counts: other.habits)
            logarithms += other.logarithms
        }

        private mutating func add(counts other: NoiseCounts) {
            habits.readings += other.readings
            habits.away += other.away
            habits.followed += other.followed
            habits.stayed += other.stayed
        }
    }

    /// Of bands in stores, until they are settled.
    private var sums: [Key: Sum] = [:]
    private var known: [Key: PairNoise] = [:]
    private var priors: [Store: NoisePriors] = [:]

    mutating func add(_ habits: NoiseCounts, band: PositionBand, store: Store) {
        sums[Key(band: band, source: store.source, country: store.country), default: Sum()].add(habits)
    }

    /// Adds the pairs of another pool that is not settled either.
    mutating func add(_ other: NoisePool) {
        for (key, sum) in other.sums { sums[key, default: Sum()].add(sum) }
    }

    /// Works out the bands once all pairs are added.
    mutating func settle() {
        for (key, sum) in sums { sums[Key(band: key.band, source: key.source), default: Sum()].add(sum) }
        defer {
            for store in Set(sums.keys.compactMap { key in key.country.map { Store(key.source, in: $0) } }) {
                priors[store] = priors(in: store)
            }
            sums = [:]
        }
        for (key, sum) in sums where key.country == nil {
            known[key] = Self.shrunk(
                sum.habits, distance: Robust.weightedMedian(sum.logarithms).map { exp($0) }, towards: key.band.usual)
        }
        for (key, sum) in sums where key.country != nil {
            let prior = known[Key(band: key.band, source: key.source)] ?? key.band.usual
            known[key] = Self.shrunk(
                sum.habits, distance: Robust.weightedMedian(sum.logarithms).map { exp($0) }, towards: prior)
        }
    }

    func priors(of store: Store) -> NoisePriors { priors[store] ?? priors(in: store) }

    private func priors(in store: Store) -> NoisePriors {
        NoisePriors(
            bands: PositionBand.allCases.map { band in
                known[Key(band: band, source: store.source, country: store.country)]
                    ?? known[Key(band: band, source: store.source)] ?? band.usual
            })
    }

    /// Half of all steps of a t distribution with three degrees of freedom are shorter than this.
    private static let medianStep = 0.764_892_328_404_345

    fileprivate static func shrunk(_ habits: NoiseCounts, distance: Double?, towards prior: PairNoise) -> PairNoise {
        func share(_ count: Int, of number: Int, _ prior: Double, _ weight: Double) -> Double {
            (Double(count) + weight * prior) / (Double(number) + weight)
        }
        let trust = Double(habits.away) / (Double(habits.away) + Weight.spread)
        let spread = distance.map { exp(trust * log($0 / medianStep) + (1 - trust) * log(prior.spread)) }
        return PairNoise(
            away: share(habits.away, of: habits.readings, prior.away, Weight.away),
            stay: share(habits.stayed, of: habits.followed, prior.stay, Weight.stay), spread: spread ?? prior.spread)
    }
}

/// Towards what the figures of a store's pairs are shrunk.
struct NoisePriors: Sendable {
    /// In the order of the bands.
    fileprivate let bands: [PairNoise]

    subscript(band: PositionBand) -> PairNoise { bands[band.rawValue] }

    func noise(of habits: NoiseCounts, band: PositionBand) -> PairNoise {
        NoisePool.shrunk(habits, distance: habits.distance, towards: self[band])
    }
}
