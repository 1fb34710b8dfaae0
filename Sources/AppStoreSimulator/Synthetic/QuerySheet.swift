import RankKit

/// What is settled about one query in one country: who contends for its places, and how the places move.
///
/// Measured over real keywords, 45 % of the positions differ from one day to the next, by 4 places in the median,
/// while nothing moves for hours. So a query stands still until a step, of which there are about two in three days,
/// and each step draws new noise for all contenders: little at the top, more further down, with a few long jumps.
struct QuerySheet: Sendable {
    struct Contender: Sendable {
        /// Its number in the store.
        let app: Int
        /// Where it stands without noise, from 1.
        let place: Double
        let hash: UInt64
        /// Where a planted app stands instead; with the factor by which the country differs.
        let planted: (place: PlantedPlace, factor: Double)?
    }

    let hash: UInt64
    /// Invented apps in the order of their relevance, and planted ones.
    let contenders: [Contender]
    /// Places in the list, 0–200.
    let count: Int
    /// On most queries the iPad's list is the iPhone's.
    let hasOwnIPadOrder: Bool

    /// Seconds in which at most one step falls.
    private static let slot: Int64 = 6 * 3_600
    private static let stepProbability = 0.16
    /// Slots over which the slow part of the noise runs from one value to the next: ten days.
    private static let drift: Int64 = 40

    /// The contenders' numbers in the store, best first.
    func order(at moment: Timestamp, onIPad: Bool) -> [Int] {
        let slot = (moment.secondsSinceEpoch + Int64(hash % UInt64(Self.slot))).flooredDivision(by: Self.slot)
        let step = lastStep(before: slot)
        let scored = contenders.map { contender -> (score: Double, app: Int) in
            let place = contender.planted.map { $0.place.place(at: moment) * $0.factor } ?? contender.place
            var score = place + noise(contender.hash, place: place, step: step)
            if onIPad, hasOwnIPadOrder {
                let draw = SeededHash.mix(contender.hash, 77 as Int64).unit
                if draw < 0.2 { score += (draw - 0.1) * 30 * min(1, place / 10) }
            }
            return (score, contender.app)
        }
        let wobble = (40..<200).contains(count) ? Int(SeededHash.mix(hash, step) % 5) - 2 : 0
        return scored.sorted { ($0.score, $0.app) < ($1.score, $1.app) }.prefix(count + wobble).map(\.app)
    }

    /// The newest slot up to this one in which the order was drawn anew.
    private func lastStep(before slot: Int64) -> Int64 {
        let earliest = slot - 64
        var candidate = slot
        while candidate > earliest, SeededHash.mix(hash, candidate).unit >= Self.stepProbability { candidate -= 1 }
        return candidate > earliest ? candidate : slot.flooredDivision(by: 64) * 64
    }

    /// Places by which a contender is off, from a step until the next.
    private func noise(_ contender: UInt64, place: Double, step: Int64) -> Double {
        let spread = min(0.35 + place * 0.09, 4.0)
        let block = step.flooredDivision(by: Self.drift)
        let share = Double(step - block * Self.drift) / Double(Self.drift)
        let from = SeededHash.mix(contender, 100_000 + block).unit
        let to = SeededHash.mix(contender, 100_001 + block).unit
        let slow = (from + (to - from) * share - 0.5) * 4
        var generator = SeededGenerator(seed: SeededHash.mix(contender, step))
        // Three uniform draws add up to nearly a normal one, of standard deviation 1 once doubled.
        let quick = (generator.unit() + generator.unit() + generator.unit() - 1.5) * 2
        let isJump = place > 10 && generator.unit() < 0.02
        return spread * (slow + quick * (isJump ? 4 : 1))
    }
}
