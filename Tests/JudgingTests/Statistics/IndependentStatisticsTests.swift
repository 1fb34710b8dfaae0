import Foundation
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Judging

/// The same figures from numpy and scipy.
private enum Independent {
    struct Case: Encodable {
        var kind: String
        var values: [Double] = []
        var weights: [Double] = []
        var shares: [Double] = []
        var entries: [[Double?]] = []
        var treated: [[[Int?]]] = []
        var control: [[[Int?]]] = []
        var before: [Double] = []
        var today = 0.0
    }

    static let isThere = (try? python(["-c", "import numpy, scipy"], input: Data())) != nil

    static func figures(_ cases: [Case]) throws -> [[Double]] {
        let tool = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Tools/statistics.py").path
        return try JSONDecoder().decode([[Double]].self, from: python([tool], input: JSONEncoder().encode(cases)))
    }

    private static func python(_ arguments: [String], input: Data) throws -> Data {
        try ShellCommand.output(["python3"] + arguments, input: input)
    }
}

@Suite(.enabled(if: Independent.isThere, "needs python3 with numpy and scipy"))
struct IndependentStatisticsTests {
    private func isClose(_ one: Double?, _ other: Double) -> Bool {
        one.map { abs($0 - other) <= 1e-9 * max(1, abs(other)) } ?? false
    }

    @Test func `medians, deviations, quantiles and weighted medians are numpy's`() throws {
        var random = SplitMix(seed: 1)
        // Whole numbers, so that there are ties.
        let cases = (0..<200).map { index in
            let values = (0..<(2 + index % 40)).map { _ in (random.unit() * 12).rounded() }
            return Independent.Case(
                kind: "sample", values: values, weights: values.map { _ in 1 + (random.unit() * 5).rounded() },
                shares: [0, 0.1, 0.25, 0.8, 1])
        }
        for (sample, wanted) in zip(cases, try Independent.figures(cases)) {
            let own =
                [Robust.median(sample.values), Robust.deviation(sample.values)]
                + sample.shares.map { Robust.quantile(sample.values, $0) }
                + [Robust.weightedMedian(zip(sample.values, sample.weights).map { (value: $0, weight: $1) })]
            for (one, other) in zip(own, wanted) { #expect(isClose(one, other), "\(sample.values)") }
            #expect(own.count == wanted.count)
        }
    }

    @Test func `visibility is a weighted average of discounts`() throws {
        var random = SplitMix(seed: 2)
        // 0 is an absence, nothing a query without a reading; the first always has one.
        let cases = (0..<100).map { index in
            let entries: [[Double?]] = (0...index % 30).map { number in
                let place =
                    number > 0 && random.unit() < 0.2
                    ? nil : random.unit() < 0.2 ? 0 : 1 + (random.unit() * 199).rounded()
                return [1 + (random.unit() * 90).rounded(), place]
            }
            return Independent.Case(kind: "visibility", entries: entries)
        }
        for (sample, wanted) in zip(cases, try Independent.figures(cases)) {
            let own = try #require(
                Visibility(
                    sample.entries.map { entry in
                        .init(popularity: entry[0], reading: entry[1].map { reading(Int($0), on: 0) })
                    }))
            #expect(isClose(own.score, wanted[0]) && isClose(own.coverage, wanted[1]))
        }
    }

    @Test func `the difference in differences and its interval are Welch's`() throws {
        var random = SplitMix(seed: 3)
        func groups(_ count: Int) -> [[[Int?]]] {
            (0..<count).map { _ in
                (0..<2).map { _ in
                    (0..<(3 + Int(random.unit() * 9))).map { _ in
                        random.unit() < 0.1 ? nil : 1 + Int(random.unit() * 150)
                    }
                }
            }
        }
        let cases = (0..<60).map { index in
            Independent.Case(kind: "welch", treated: groups(3 + index % 7), control: groups(3 + index % 20))
        }
        for (sample, wanted) in zip(cases, try Independent.figures(cases)) {
            let observations = [(true, sample.treated), (false, sample.control)].flatMap { isTreated, pairs in
                pairs.enumerated().map { index, pair in
                    DifferenceInDifferences.Observation(
                        text: "\(isTreated) \(index)", query: "\(index)", isTreated: isTreated,
                        before: pair[0].map { reading($0, on: 0) }, after: pair[1].map { reading($0, on: 1) })
                }
            }
            let own = DifferenceInDifferences(observations)
            #expect(isClose(own.effect, wanted[0]))
            #expect(isClose(own.interval?.lowerBound, wanted[1]) && isClose(own.interval?.upperBound, wanted[2]))
        }
    }

    @Test func `the weather's z is the median's and the median absolute deviation's`() throws {
        var random = SplitMix(seed: 4)
        let cases = (0..<60).map { index in
            Independent.Case(
                kind: "weather", before: (0..<(14 + index % 46)).map { _ in (random.unit() * 24).rounded() / 4 },
                today: (random.unit() * 40).rounded() / 4)
        }
        for (sample, wanted) in zip(cases, try Independent.figures(cases)) {
            var moves = Dictionary(
                uniqueKeysWithValues: sample.before.enumerated().map { (Int64($0.offset), $0.element) })
            let today = Int64(sample.before.count)
            moves[today] = sample.today
            #expect(isClose(Weather(moves: moves).day(today)?.z, wanted[0]))
        }
    }
}
