import Judging
import RankKit

/// What each sensitivity finds and what it costs, on charts that a store really showed, beside a plain rule.
struct SensitivityBenchmark {
    let bench: Workbench

    static let explanation = """
        real-shift-detected, real-shift-detected-top: lasting shifts put into real charts, of 8 places at 21–40 and of 3 \
        inside the top 10, in a hundred that keen calls within three days, beside a plain rule at an equal number of \
        flagged pair-weeks; real-flagged: those. Of two countries that nobody looked at while choosing thresholds.
        """

    /// The thresholds were chosen on the first and are measured on the second.
    private static let chosenOn = ["us", "de", "br"]
    static let heldOut = ["gb", "jp"]
    /// Thresholds of the plain rule that the curve shows.
    private static let plainThresholds = [0.75, 1, 1.25, 1.5, 2, 2.5]

    /// Scores by pair-week and by shift, of one rule on some countries.
    private struct Scores {
        var weeks: [Double] = []
        var deep: [Double] = []
        var top: [Double] = []

        init(_ rule: ChartPairs.Rule, _ charts: [ChartPairs]) {
            for (index, pairs) in charts.enumerated() {
                let seed = UInt64(index)
                weeks += pairs.weeks(rule)
                deep += pairs.shifts(rule, of: 8, in: 21...40, seed: seed)
                top += pairs.shifts(rule, of: 3, in: 1...10, seed: seed)
            }
        }

        /// In percent, above `threshold`.
        func shares(_ threshold: Double) -> (flagged: Double, deep: Double, top: Double) {
            func share(_ scores: [Double]) -> Double {
                100 * Double(scores.count { $0 > threshold }) / Double(max(scores.count, 1))
            }
            return (share(weeks), share(deep), share(top))
        }

        /// The threshold at which so many pair-weeks in a hundred are flagged.
        func threshold(flagging share: Double) -> Double {
            let sorted = weeks.sorted(by: >)
            let count = Int((share / 100 * Double(sorted.count)).rounded())
            return count < sorted.count ? sorted[count] : 0
        }
    }

    func run() throws -> [Row] {
        guard let series = try Chart.series(for: .realShifts, bench) else { return [] }
        let byCountry = Dictionary(grouping: series, by: \.country.code)
        var rows: [Row] = []
        for (countries, isHeldOut) in [(Self.chosenOn, false), (Self.heldOut, true)] {
            let charts = countries.compactMap { code in
                byCountry[code].flatMap { charts in charts.first.map { ChartPairs($0.country, charts) } }
            }
            let plain = Scores(.plain, charts)
            bench.say(
                "\(countries.joined(separator: ", ")): \(plain.weeks.count) pair-weeks, \(plain.deep.count) shifts of 8 "
                    + "places, \(plain.top.count) of 3: flagged, found")
            for threshold in Self.plainThresholds {
                bench.say("  plain above \(threshold): \(Self.text(plain.shares(threshold)))")
            }
            for sensitivity in Sensitivity.allCases {
                let shares = Scores(.judgement(sensitivity), charts).shares(0.5)
                let equal = plain.shares(plain.threshold(flagging: shares.flagged))
                bench.say("  \(sensitivity): \(Self.text(shares)); plain at as many: \(Self.text(equal))")
                guard isHeldOut, sensitivity == .keen else { continue }
                rows = [
                    Row(name: .realFlagged, value: shares.flagged, unit: "%", reference: equal.flagged, goal: nil),
                    Row(
                        name: .realShifts, value: shares.deep, unit: "%", reference: equal.deep,
                        goal: .ratioAtLeast(1)),
                    Row(
                        name: .realTopShifts, value: shares.top, unit: "%", reference: equal.top,
                        goal: .ratioAtLeast(1)),
                ]
            }
        }
        return rows
    }

    private static func text(_ shares: (flagged: Double, deep: Double, top: Double)) -> String {
        [shares.flagged, shares.deep, shares.top].map { String(($0 * 10).rounded() / 10) }.joined(separator: " · ")
    }
}
