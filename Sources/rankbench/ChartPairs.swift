import Judging
import RankKit

/// The apps of one country's charts as pairs that are read once a day, and shifts put into them by hand.
struct ChartPairs {
    /// The good reading of each day, absences included, of each app that was in most charts.
    let pairs: [[Int64: Reading]]
    /// In order.
    let days: [Int64]
    let country: Country
    private let model: NoiseModel

    /// Apps in fewer charts say little about where they usually stand.
    private static let leastDays = 60
    /// Readings before the first day that is judged.
    static let history = 77

    init(_ country: Country, _ charts: [Chart]) {
        self.country = country
        let days = charts.map(\.at.day).sorted()
        var byApp: [Int64: [Int64: Reading]] = [:]
        for chart in charts {
            for (index, app) in chart.apps.enumerated() {
                byApp[app, default: [:]][chart.at.day] = Reading(
                    position: Position(index + 1), within: chart.apps.count, checkedAt: chart.at)
            }
        }
        pairs = byApp.filter { $0.value.count >= Self.leastDays }.sorted { $0.key < $1.key }.map { app in
            var readings = app.value
            for chart in charts where readings[chart.at.day] == nil {
                readings[chart.at.day] = Reading(position: nil, within: chart.apps.count, checkedAt: chart.at)
            }
            return readings
        }
        self.days = days
        model = NoiseModel(
            pairs.map { NoiseModel.Series(store: Store(in: country), days: DailyReadings($0)) },
            weather: [Store(in: country): Self.weather(byApp.values.map(\.self), days)], upTo: days.last ?? 0)
    }

    private static func weather(_ apps: [[Int64: Reading]], _ days: [Int64]) -> Weather {
        var moves: [Int64: [Int]] = [:]
        for day in days {
            moves[day] = apps.compactMap { readings in
                guard let now = readings[day]?.position, let then = readings[day - 1]?.position else { return nil }
                return abs(now.number - then.number)
            }
        }
        return Weather(ofMoves: moves)
    }

    // MARK: Rules

    /// A rule gives each day a score; it calls a move where that is above its threshold.
    enum Rule: Hashable {
        case judgement(Sensitivity)
        /// How far the median of the last three readings is from that of the three before, beside the pair's own past.
        case plain
    }

    /// - Parameter isUp: the only way that counts; `nil` for either.
    func score(_ rule: Rule, _ pair: [Int64: Reading], at index: Int, isUp: Bool? = nil) -> Double {
        let day = days[index]
        switch rule {
        case .judgement(let sensitivity):
            let series = NoiseModel.Series(store: Store(in: country), days: DailyReadings(pair))
            let judgement = model.judgement(of: series, since: day - 7, at: day, sensitivity: sensitivity)
            guard case .real(let move) = judgement else { return 0 }
            return isUp.map { $0 == (move.direction == .up) } ?? true ? 1 : 0
        case .plain:
            let shift = shift(pair, index)
            if let isUp, isUp != (shift < 0) { return 0 }
            let past = (max(5, index - 90)..<index - 2).map { abs(self.shift(pair, $0)) }
            return abs(shift) / ((Robust.quantile(past, 0.9) ?? 0) + 0.05)
        }
    }

    private func shift(_ pair: [Int64: Reading], _ index: Int) -> Double {
        func median(_ range: ClosedRange<Int>) -> Double {
            let values = range.compactMap { pair[days[$0]] }.map { reading in
                PositionScale.value(reading.position.map { Double($0.number) } ?? Double(reading.within + 1))
            }
            return Robust.median(values) ?? 0
        }
        return median(index - 2...index) - median(index - 5...index - 3)
    }

    // MARK: What is asked of them

    /// The highest score of each week of each pair that was in the charts within a fortnight.
    func weeks(_ rule: Rule) -> [Double] {
        pairs.flatMap { pair in
            stride(from: Self.history, to: days.count, by: 7).filter { last in
                (last - 13...last).contains { pair[days[$0]]?.position != nil }
            }.map { last in (last - 6...last).map { score(rule, pair, at: $0) }.max() ?? 0 }
        }
    }

    /// The highest score on the three days from a shift on, the right way, of each that can be put in.
    ///
    /// - Parameters:
    ///   - places: where the pair usually stands, before and after.
    ///   - size: of the shift, in places.
    func shifts(_ rule: Rule, of size: Int, in places: ClosedRange<Double>, seed: UInt64) -> [Double] {
        var random = Seeded(seed: seed)
        var scores: [Double] = []
        for pair in pairs {
            for first in stride(from: Self.history, to: days.count - 3, by: 11) {
                let before = (first - 14..<first).compactMap { pair[days[$0]]?.position.map { Double($0.number) } }
                guard before.count >= 12, let usual = Robust.median(before), places.contains(usual) else { continue }
                var isUp = random.unit() < 0.5
                func new() -> Double { usual + Double(isUp ? -size : size) }
                if !places.contains(new()) { isUp.toggle() }
                guard places.contains(new()) else { continue }
                let moved = shifted(pair, by: isUp ? -size : size, from: first)
                scores.append((first..<first + 3).map { score(rule, moved, at: $0, isUp: isUp) }.max() ?? 0)
            }
        }
        return scores
    }

    private func shifted(_ pair: [Int64: Reading], by size: Int, from first: Int) -> [Int64: Reading] {
        var moved = pair
        for day in days[first..<min(first + 14, days.count)] {
            guard let reading = pair[day], let place = reading.position?.number else { continue }
            let new = max(1, place + size)
            moved[day] = Reading(
                position: new > reading.within ? nil : Position(new), within: reading.within,
                checkedAt: reading.checkedAt)
        }
        return moved
    }
}
