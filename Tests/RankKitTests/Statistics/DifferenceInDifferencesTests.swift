import RankKit
import TestSupport
import Testing

@Suite struct DifferenceInDifferencesTests {
    private func observation(
        _ text: String, in country: String = "us", treated: Bool, _ before: [Int?], _ after: [Int?]
    ) -> DifferenceInDifferences.Observation {
        .init(
            text: text, query: "\(text) \(country)", isTreated: treated,
            before: before.enumerated().map { reading($0.element, on: Int64($0.offset)) },
            after: after.enumerated().map { reading($0.element, on: Int64(100 + $0.offset)) })
    }

    /// From (position + 5) = 32 to 16 is 1 on the scale.
    private func halved(
        _ text: String, in country: String = "us", treated: Bool = true
    ) -> DifferenceInDifferences.Observation {
        observation(text, in: country, treated: treated, [27, 27, 27], [11, 11, 11])
    }

    private func still(
        _ text: String, in country: String = "us", treated: Bool = false
    ) -> DifferenceInDifferences.Observation {
        observation(text, in: country, treated: treated, [27, 27, 27], [27, 26, 27])
    }

    @Test func `a rise that the others did not share helped`() throws {
        let result = DifferenceInDifferences(["a", "b", "c"].map { halved($0) } + ["d", "e", "f"].map { still($0) })
        #expect(result.verdict == .helped)
        #expect(try #require(result.effect) == 1)
        #expect(result.treated.texts == 3 && result.control.pairs == 3)
        // Four degrees of freedom, and the least scatter: 2.77645 × √(2 × 0.05² / 3).
        let interval = try #require(result.interval)
        #expect(abs(interval.upperBound - (1 + 2.776_445_105 * (2 * 0.0025 / 3).squareRoot())) < 1e-8)
        #expect(DifferenceInDifferences.position(27, after: 1) == 11)
    }

    @Test func `a rise that all shared is no effect, and a fall against it hurt`() {
        let all = ["a", "b", "c"].map { halved($0) } + ["d", "e", "f"].map { halved($0, treated: false) }
        #expect(DifferenceInDifferences(all).verdict == .noClearEffect)
        let lagging =
            ["a", "b", "c"].map { still($0, treated: true) } + ["d", "e", "f"].map { halved($0, treated: false) }
        #expect(DifferenceInDifferences(lagging).verdict == .hurt)
    }

    @Test func `nothing is said of fewer than three texts in either group`() {
        let few = DifferenceInDifferences(["a", "b"].map { halved($0) } + ["d", "e", "f"].map { still($0) })
        #expect(few.verdict == .tooLittleData && few.effect == nil && few.interval == nil)
        #expect(few.treated.change == 1)
        // Two apps on a text are one text.
        let twins = DifferenceInDifferences(["a", "a", "b"].map { halved($0) } + ["d", "e", "f"].map { still($0) })
        #expect(twins.verdict == .tooLittleData && twins.treated.pairs == 3 && twins.treated.texts == 2)
        #expect(DifferenceInDifferences([]).verdict == .tooLittleData)
    }

    @Test func `a text in three countries is one observation, however alike they moved`() throws {
        let countries = ["us", "gb", "de"]
        let one = DifferenceInDifferences(
            countries.map { halved("a", in: $0) } + ["d", "e", "f"].map { still($0) })
        #expect(one.verdict == .tooLittleData)
        #expect((one.treated.pairs, one.treated.queries, one.treated.texts) == (3, 3, 1))
        // As many texts in three countries are as good as in one, not better.
        let texts = (["a", "b", "c"], ["d", "e", "f"])
        let single = DifferenceInDifferences(texts.0.map { halved($0) } + texts.1.map { still($0) })
        let threefold = DifferenceInDifferences(
            countries.flatMap { country in
                texts.0.map { halved($0, in: country) } + texts.1.map { still($0, in: country) }
            })
        #expect(threefold.interval == single.interval)
        #expect((threefold.treated.queries, threefold.treated.texts) == (9, 3))
    }

    @Test func `absent throughout, and too few readings, do not count`() {
        let result = DifferenceInDifferences([
            observation("a", treated: true, [nil, nil, nil], [nil, nil, nil]),
            observation("b", treated: true, [5, 5], [5, 5, 5]),
            observation("c", treated: true, [nil, nil, nil], [27, 27, 27]),
        ])
        #expect(result.treated.pairs == 1)
        // From the floor at 201 to 27.
        #expect(result.treated.change.map { abs($0 - 2.686_500_527) < 1e-8 } == true)
    }
}
