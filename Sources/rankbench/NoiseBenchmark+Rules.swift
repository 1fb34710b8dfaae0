import Foundation
import Judging
import RankKit

extension NoiseBenchmark {
    /// The judgement beside two rules that others use.
    struct Rules {
        typealias Judged = (series: NoiseModel.Series, days: [Int64: Reading])

        let pairs: [Judged]
        private let model: NoiseModel

        /// - Parameters:
        ///   - others: whose moves make the weather, as those of all apps on the lists would.
        ///   - interval: how many days there are from one reading to the next.
        init(
            _ pairs: [JitteringPairs.Pair], among others: [JitteringPairs.Pair], every interval: Int64 = 1,
            upTo day: Int64
        ) {
            self.pairs = pairs.enumerated().map { turn, pair in
                let days = pair.days.filter { ($0.key + Int64(turn)) % interval == 0 }
                let cadence = interval * Timestamp.secondsPerDay
                let series = NoiseModel.Series(
                    store: Store(in: pair.country), cadence: cadence, days: DailyReadings(days))
                return (series, days)
            }
            model = NoiseModel(self.pairs.map(\.series), weather: Self.weather(others), upTo: day)
        }

        private static func weather(_ pairs: [JitteringPairs.Pair]) -> [Store: Weather] {
            Dictionary(grouping: pairs) { Store(in: $0.country) }.mapValues { pairs in
                var moves: [Int64: [Int]] = [:]
                for pair in pairs {
                    for (day, reading) in pair.days {
                        guard let now = reading.position, let then = pair.days[day - 1]?.position else { continue }
                        moves[day, default: []].append(abs(now.number - then.number))
                    }
                }
                return Weather(ofMoves: moves)
            }
        }

        /// Whether the pair is elsewhere than a month before, at one step or slowly, or out of the list.
        func hasDrifted(_ pair: Judged, by day: Int64, _ sensitivity: Sensitivity) -> Bool {
            model.judgement(
                of: pair.series, since: day - NoiseModel.monthDays, at: day, sensitivity: sensitivity
            ).isBeyondNoise
        }

        /// Whether a real move is called on any of `days`, against as long before as makes news, seven days with a reading
        /// on each: by the judgement, by a rule of five places, and by one of three median absolute deviations from the median of the sixty days before.
        func called(_ pair: Judged, days: [Int64], sensitivity: Sensitivity = .normal) -> [Bool] {
            [
                days.contains { day in
                    model.judgement(
                        of: pair.series, since: day - pair.series.span.news, at: day, sensitivity: sensitivity
                    ).isReal
                },
                days.contains { day in
                    guard let now = pair.days[day]?.position, let then = pair.days[day - 7]?.position else {
                        return false
                    }
                    return abs(now.number - then.number) >= 5
                },
                days.contains { day in
                    guard let now = pair.days[day]?.position else { return false }
                    let before = (day - 60..<day).compactMap { (pair.days[$0]?.position?.number).map(Double.init) }
                    guard let usual = Robust.median(before), let deviation = Robust.deviation(before) else {
                        return false
                    }
                    return abs(Double(now.number) - usual) > 3 * deviation
                },
            ]
        }
    }

    /// What the invented pairs are like, to be held against what is known of real ones.
    struct Facts {
        private var pairs = 0
        private var steps = 0
        /// Places, where they changed.
        private var moves: [Int] = []
        private var absent = 0
        private var readings = 0

        mutating func add(_ added: [JitteringPairs.Pair]) {
            for pair in added {
                pairs += 1
                for (day, reading) in pair.days {
                    readings += 1
                    guard let now = reading.position else {
                        absent += 1
                        continue
                    }
                    guard let then = pair.days[day - 1]?.position else { continue }
                    steps += 1
                    if now != then { moves.append(abs(now.number - then.number)) }
                }
            }
        }

        var text: String {
            let sorted = moves.sorted()
            func at(_ share: Double) -> Int { sorted.isEmpty ? 0 : sorted[Int(Double(sorted.count - 1) * share)] }
            let changed = Int((100 * Double(moves.count) / Double(max(steps, 1))).rounded())
            return """
                \(pairs) invented pairs: \(changed) % of positions differ from the day before, by \(at(0.5)) places in \
                the median, \(at(0.95)) in 5 of 100, \(at(1 - 1.0 / 150)) in 1 of 150
                """
        }
    }
}

extension Weather {
    /// - Parameter moves: of all apps on the lists of each day, in places.
    init(ofMoves moves: [Int64: [Int]]) {
        self.init(
            moves: moves.filter { !$0.value.isEmpty }.mapValues { moves in
                let sorted = moves.sorted()
                func at(_ share: Double) -> Int { sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)] }
                return Weather.figure(lowerQuartile: at(0.25), median: at(0.5), upperQuartile: at(0.75))
            })
    }
}
