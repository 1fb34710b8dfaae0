import RankKit
import TestSupport
import Testing

@testable import History

/// Two chains of values brought into one, against the plain definition.
@Suite struct ListingChainTests {
    private struct Plain {
        let chain: ListingChain
        let times: [Int64]
        let firstSeen: Int64

        /// What was known of it last.
        func text(at moment: Int64) -> String? {
            chain.later.last { $0.since <= moment && $0.text != nil }?.text ?? chain.first
        }

        var sights: [(Int64, String?)] {
            var all = Set(times).union(chain.later.map(\.since))
            let firstChange = chain.later.first?.since ?? .max
            if !all.contains(where: { $0 < firstChange }), firstSeen < firstChange { all.insert(firstSeen) }
            return all.map { ($0, text(at: $0)) }
        }

        static func merged(_ one: Plain, _ other: Plain) -> [(Int64?, String?)] {
            var found: [(Int64?, String?)] = one.chain.first == other.chain.first ? [(nil, one.chain.first)] : []
            let sights = Dictionary(grouping: one.sights + other.sights, by: \.0)
            for (moment, told) in sights.sorted(by: { $0.key < $1.key }) {
                let text = told.compactMap(\.1).max()
                if let last = found.last {
                    if let text, text != last.1 { found.append((moment, text)) }
                } else {
                    found.append((nil, text))
                }
            }
            return found.isEmpty ? [(nil, one.chain.first)] : found
        }
    }

    private func plain(_ dice: inout SplitMix) -> Plain {
        func text() -> String? { ["", "1", "2", "3"].randomElement(using: &dice) }
        let moments = Set(
            (0..<Int.random(in: 0...12, using: &dice)).map { _ in Int64.random(in: 0...60, using: &dice) })
        let chain = ListingChain(moments.sorted().map { ($0, text()) }, now: text())
        let times = (0..<Int.random(in: 0...9, using: &dice)).map { _ in Int64.random(in: -9...70, using: &dice) }
        return Plain(chain: chain, times: times, firstSeen: Bool.random(using: &dice) ? .max : -20)
    }

    @Test(arguments: UInt64(1)...300)
    func `chains come to what the plain definition says`(_ seed: UInt64) {
        var dice = SplitMix(seed: seed)
        let (one, other) = (plain(&dice), plain(&dice))
        let merged = ListingChain.merged(
            one.chain, other.chain, times: (one.times, other.times), firstSeen: (one.firstSeen, other.firstSeen))
        let expected = Plain.merged(one, other)
        #expect(merged.first == expected[0].1)
        #expect(merged.later == expected.dropFirst().map { .init(since: $0.0 ?? .min, text: $0.1) })
        let differences = one.chain.differences(from: other.chain)
        for moment in Int64(-30)...80 {
            #expect(
                differences.contains { $0.contains(moment) } == (one.text(at: moment) != other.text(at: moment)),
                "\(moment)")
        }
        #expect(zip(differences, differences.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound })
    }

    /// A listing that flips a hundred thousand times took hours.
    @Test(.timeLimit(.minutes(30)))
    func `a chain is walked once however long it is`() {
        func chain(_ offset: Int64) -> ListingChain {
            ListingChain((0..<100_000 as Range<Int64>).map { ($0 * 4 + offset, "\($0 % 2)") }, now: "0")
        }
        let (one, other) = (chain(0), chain(2))
        #expect(one.differences(from: other).count > 99_000)
        let merged = ListingChain.merged(one, other, times: ([], []), firstSeen: (0, 0))
        #expect(merged.later.count > 99_000)
    }
}
