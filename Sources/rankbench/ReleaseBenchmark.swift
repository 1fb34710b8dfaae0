import Foundation
import RankKit

/// Whether releases that changed nothing are left alone.
struct ReleaseBenchmark {
    let bench: Workbench

    static let explanation = """
        release-false-verdicts: releases that changed nothing, in a hundred that are said to have helped or hurt: two \
        weeks before beside two weeks after, 3–12 texts of the note against 5–24 others, in one to three countries each, \
        half of them moving for good in all of these just then, of pairs half of which come back from where they were \
        thrown only by another throw, or wander.
        """

    private static let releases = 4_000
    /// The share of texts that move for good at the time of the release, and not because of it.
    private static let ownMoves = 0.5

    func run() -> [Row] {
        var wrong = 0
        var seen = 0
        var found = 0
        for release in 0..<Self.releases {
            if let verdict = Self.verdict(seed: UInt64(release), shift: 0) {
                seen += 1
                wrong += verdict == .noClearEffect ? 0 : 1
            }
            if Self.verdict(seed: UInt64(release), shift: -10) == .helped { found += 1 }
        }
        bench.say(
            "\(seen) releases that changed nothing; of as many that brought 10 places, \(100 * found / Self.releases) % are found"
        )
        return [
            Row(
                name: .releaseVerdicts, value: 100 * Double(wrong) / Double(max(seen, 1)), unit: "%", reference: nil,
                goal: .value(atMost: 5))
        ]
    }

    /// `nil` if there is too little to say anything.
    private static func verdict(seed: UInt64, shift: Double) -> DifferenceInDifferences.Verdict? {
        var random = JitteringPairs(seed: NoiseBenchmark.heldOut + 0xD1D0_0000 + seed)
        // A release has to be told from pairs that move by themselves: half of them do here.
        random.shares = [0.5, 0.3, 0.2]
        let sky = random.sky(days: 28)
        let treated = 3 + Int(random.unit() * 10)
        let control = 5 + Int(random.unit() * 20)
        let release = JitteringPairs.firstDay + 14
        var observations: [DifferenceInDifferences.Observation] = []
        for index in 0..<treated + control {
            let isTreated = index < treated
            // What happens to a text of itself, a new competitor or a season, happens in all of its countries.
            let own = random.unit() < ownMoves ? 20 * random.normal() : 0
            let countries = 1 + Int(random.unit() * 3)
            for country in 0..<countries {
                let usual = (12 + random.unit() * 138).rounded()
                let pair = random.pair(
                    JitteringPairs.countries[country], usual: usual, under: sky,
                    shift: (places: own + (isTreated ? shift : 0), day: 14))
                observations.append(
                    DifferenceInDifferences.Observation(
                        text: "\(index)", query: "\(index) \(country)", isTreated: isTreated,
                        before: pair.days.filter { $0.key < release }.map(\.value),
                        after: pair.days.filter { $0.key >= release }.map(\.value)))
            }
        }
        let verdict = DifferenceInDifferences(observations).verdict
        return verdict == .tooLittleData ? nil : verdict
    }
}
