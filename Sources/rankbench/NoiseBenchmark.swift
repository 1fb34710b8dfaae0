import Foundation
import Judging
import RankKit

/// Whether moves that are called real are real, and whether real ones are called.
struct NoiseBenchmark {
    let bench: Workbench

    static let explanation = """
        noise-false-alarms: pair-weeks in a hundred, of pairs that only jitter, on any day of which the move against \
        seven days before is called real. shift-detected: lasting shifts, of 8 places from 21–40 and of 3 inside the \
        top 10, in a hundred that are called on one of the three checks after them; the lesser of the two. Each beside \
        a rule of five places and one of three median absolute deviations. The rows called weekly are the same of pairs \
        that are read once a week; those called calm and keen, of these sensitivities. drift-false-alarms: months in a \
        hundred, of pairs that only jitter, in which a move is called. drift-detected: drifts of a third of the place \
        over a month, up or down from 5–100, in a hundred that are called at its end.
        """

    private static let pairs = 1_000
    private static let history = 70
    private static let rounds = 60
    /// The judgement's thresholds were set on seeds from 0 on: what is measured here, nobody has looked at then.
    static let heldOut: UInt64 = 0x5EED_0000
    /// Where 8 places drown in what pairs do by themselves, deeper and deeper.
    private static let deeper: [ClosedRange<Double>] = [41...60, 61...100, 101...200]
    private static let week: Int64 = 7

    func run() -> [Row] {
        var alarms = Tally()
        var detected = [Tally(), Tally()]
        var weeklyAlarms = Tally()
        var weeklyDetected = [Tally(), Tally()]
        var drifts = (alarms: Tally(), detected: Tally())
        var others: [Sensitivity: Others] = [:]
        var facts = Facts()
        var seconds = 0.0
        for round in 0..<Self.rounds {
            let (jitter, time) = Watch(seed: Self.heldOut + UInt64(round)).falseAlarms(&facts)
            alarms.add(jitter)
            seconds += time
            for (index, isTop) in [false, true].enumerated() {
                let seed = Self.heldOut + UInt64(1_000 + round)
                detected[index].add(Watch(seed: seed).detections(isTop: isTop))
                weeklyDetected[index].add(Watch(seed: seed, every: Self.week).detections(isTop: isTop))
            }
            drifts.alarms.add(Watch(seed: Self.heldOut + UInt64(2_000 + round), driftsIn: true).drifts(of: nil))
            drifts.detected.add(Watch(seed: Self.heldOut + UInt64(3_000 + round), driftsIn: true).drifts(of: 1 / 3))
            var ignored = Facts()
            weeklyAlarms.add(Watch(seed: Self.heldOut + UInt64(round), every: Self.week).falseAlarms(&ignored).0)
            for sensitivity in [Sensitivity.calm, .keen] {
                others[sensitivity, default: Others()].add(sensitivity, round: UInt64(round))
            }
        }
        bench.say(facts.text)
        bench.say(
            """
            \(alarms.count) pair-weeks in \(Int(seconds * 1_000)) ms; detected of 8 places \
            \(detected[0].text), of 3 in the top 10 \(detected[1].text)
            """)
        for (sensitivity, other) in others.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            bench.say("\(sensitivity): \(other.text)")
        }
        let drowned = Self.deeper.map { places in
            var watch = Watch(seed: Self.heldOut + 2_000)
            return "\(Int(places.lowerBound))–\(Int(places.upperBound)): \(Int(watch.detectionsOf(places, 8).model))"
        }
        bench.say("8 places deeper down are called in a hundred at places \(drowned.joined(separator: ", "))")
        func row(_ name: RowName, _ value: Double, _ goal: Row.Goal?) -> Row {
            Row(name: name, value: value, unit: "%", reference: nil, goal: goal)
        }
        func lesser(_ share: (Tally) -> Double) -> Double { detected.map(share).min() ?? 0 }
        let weekly = weeklyDetected.map(\.model).min() ?? 0
        return [
            row(.falseAlarms, alarms.model, .value(atMost: 1)),
            row(.falseAlarmsFive, alarms.five, nil),
            row(.falseAlarmsDeviations, alarms.deviations, nil),
            row(.falseAlarmsWeekly, weeklyAlarms.model, .value(atMost: 1)),
            row(.detected, lesser(\.model), .valueAtLeast(90)),
            row(.detectedFive, lesser(\.five), nil),
            row(.detectedDeviations, lesser(\.deviations), nil),
            row(.detectedWeekly, weekly, .valueAtLeast(85)),
            row(.driftAlarms, drifts.alarms.model, .value(atMost: 2)),
            row(.drifts, drifts.detected.model, .valueAtLeast(90)),
            row(.calmAlarms, others[.calm]?.alarms.model ?? 0, .value(atMost: 0.5)),
            row(.keenAlarms, others[.keen]?.alarms.model ?? 0, .value(atMost: 4)),
        ]
    }

    /// How many were called, by three rules.
    struct Tally {
        var count = 0
        private var called = [0, 0, 0]

        mutating func add(_ verdict: [Bool]) {
            count += 1
            for (index, isCalled) in verdict.enumerated() where isCalled { called[index] += 1 }
        }

        mutating func add(_ other: Tally) {
            count += other.count
            for index in called.indices { called[index] += other.called[index] }
        }

        /// In percent.
        var model: Double { share(0) }
        var five: Double { share(1) }
        var deviations: Double { share(2) }

        private func share(_ index: Int) -> Double { 100 * Double(called[index]) / Double(max(count, 1)) }

        var text: String { "\(model), \(five), \(deviations) % of \(count)" }
    }

    /// What another sensitivity comes to.
    struct Others {
        var alarms = Tally()
        private var detected = [Tally(), Tally()]
        private var drifts = (alarms: Tally(), detected: Tally())

        mutating func add(_ sensitivity: Sensitivity, round: UInt64) {
            let seed = NoiseBenchmark.heldOut + round
            var ignored = Facts()
            alarms.add(Watch(seed: seed).falseAlarms(&ignored, sensitivity).0)
            for (index, isTop) in [false, true].enumerated() {
                detected[index].add(Watch(seed: seed + 1_000).detections(isTop: isTop, sensitivity))
            }
            drifts.alarms.add(Watch(seed: seed + 2_000, driftsIn: true).drifts(of: nil, sensitivity))
            drifts.detected.add(Watch(seed: seed + 3_000, driftsIn: true).drifts(of: 1 / 3, sensitivity))
        }

        var text: String {
            "\(alarms.model) % false alarms, \(detected[0].model) and \(detected[1].model) % of shifts, "
                + "\(drifts.alarms.model) % of months, \(drifts.detected.model) % of drifts"
        }
    }

    /// A watchlist of invented pairs.
    struct Watch {
        private var random: JitteringPairs
        /// Days from one reading to the next.
        private let interval: Int64
        let history: Int
        let days: Int
        private var skies: [JitteringPairs.Sky] = []

        /// - Parameter driftsIn: whether there is a month more after the history.
        init(seed: UInt64, every interval: Int64 = 1, driftsIn: Bool = false) {
            random = JitteringPairs(seed: seed)
            self.interval = interval
            history =
                interval == 1 && !driftsIn
                ? NoiseBenchmark.history : Int(JudgedSpan(cadence: interval * Timestamp.secondsPerDay).memory)
            let days = history + (driftsIn ? Int(NoiseModel.monthDays) : 14 * Int(interval))
            self.days = days
            skies = JitteringPairs.countries.map { _ in random.sky(days: days) }
        }

        /// - Parameter slide: places that one of them loses on every day since the history, by its usual place.
        mutating func pairs(
            _ shift: (places: (Double) -> Double, day: Int)? = nil, slide: (Double) -> Double = { _ in 0 },
            places: ClosedRange<Double>
        ) -> [JitteringPairs.Pair] {
            (0..<NoiseBenchmark.pairs).map { index in
                let country = index % skies.count
                let usual = (places.lowerBound + (places.upperBound - places.lowerBound) * random.unit()).rounded()
                return random.pair(
                    JitteringPairs.countries[country], usual: usual, under: skies[country],
                    shift: shift.map { ($0.places(usual), $0.day) }, slide: (slide(usual), history))
            }
        }

        mutating func falseAlarmsOf(
            places: ClosedRange<Double> = 1...200, facts: inout Facts, sensitivity: Sensitivity = .normal
        ) -> (Tally, Double) {
            let pairs = pairs(places: places)
            facts.add(pairs)
            let clock = ContinuousClock()
            let began = clock.now
            let last = JitteringPairs.firstDay + Int64(days) - 1
            let rules = Rules(pairs, among: pairs, every: interval, upTo: last)
            var tally = Tally()
            for pair in rules.pairs {
                for week in 0..<2 as Range<Int64> {
                    let first = JitteringPairs.firstDay + Int64(history) + 7 * interval * week
                    tally.add(
                        rules.called(pair, days: Array(first..<first + 7 * interval), sensitivity: sensitivity))
                }
            }
            return (tally, began.duration(to: clock.now) / .seconds(1))
        }

        func falseAlarms(_ facts: inout Facts, _ sensitivity: Sensitivity = .normal) -> (Tally, Double) {
            var copy = self
            return copy.falseAlarmsOf(facts: &facts, sensitivity: sensitivity)
        }

        func detections(isTop: Bool, _ sensitivity: Sensitivity = .normal) -> Tally {
            var copy = self
            return copy.detectionsOf(isTop ? 1...10 : 21...40, isTop ? 3 : 8, sensitivity)
        }

        mutating func detectionsOf(
            _ places: ClosedRange<Double>, _ size: Double, _ sensitivity: Sensitivity = .normal
        ) -> Tally {
            let day = history
            var isUp = false
            let moved = pairs(
                (
                    places: { usual in
                        isUp.toggle()
                        let signed = isUp ? -size : size
                        return places.contains(usual + signed) ? signed : -signed
                    }, day: day
                ), places: places)
            let first = JitteringPairs.firstDay + Int64(day)
            let rules = Rules(moved, among: pairs(places: 1...200), every: interval, upTo: first + 7 * interval - 1)
            var tally = Tally()
            for pair in rules.pairs {
                let checks = pair.days.keys.filter { $0 >= first }.sorted().prefix(3)
                tally.add(rules.called(pair, days: Array(checks), sensitivity: sensitivity))
            }
            return tally
        }
    }
}
