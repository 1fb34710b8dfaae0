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
        that are read once a week. slide-false-alarms and slide-detected: the same of slow slides over a month, of a \
        place a day from 5–40.
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
        var slides = (alarms: Tally(), detected: Tally())
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
            slides.alarms.add(Watch(seed: UInt64(2_000 + round), slidesIn: true).slides(of: nil))
            slides.detected.add(Watch(seed: UInt64(3_000 + round), slidesIn: true).slides(of: 1))
            var others = Facts()
            weeklyAlarms.add(Watch(seed: Self.heldOut + UInt64(round), every: Self.week).falseAlarms(&others).0)
        }
        bench.say(facts.text)
        bench.say(
            """
            \(alarms.count) pair-weeks in \(Int(seconds * 1_000)) ms; detected of 8 places \
            \(detected[0].text), of 3 in the top 10 \(detected[1].text)
            """)
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
            row(.slideAlarms, slides.alarms.model, .value(atMost: 1)),
            row(.slides, slides.detected.model, .valueAtLeast(90)),
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

    /// A watchlist of invented pairs.
    struct Watch {
        private var random: JitteringPairs
        /// Days from one reading to the next.
        private let interval: Int64
        let history: Int
        let days: Int
        private var skies: [JitteringPairs.Sky] = []

        /// - Parameter slidesIn: whether there is a month more after the history.
        init(seed: UInt64, every interval: Int64 = 1, slidesIn: Bool = false) {
            random = JitteringPairs(seed: seed)
            self.interval = interval
            history =
                interval == 1 && !slidesIn
                ? NoiseBenchmark.history : Int(JudgedSpan(cadence: interval * Timestamp.secondsPerDay).memory)
            let days = history + (slidesIn ? Int(NoiseModel.slideDays) + 7 : 14 * Int(interval))
            self.days = days
            skies = JitteringPairs.countries.map { _ in random.sky(days: days) }
        }

        /// - Parameter slide: places that each of them loses on every day since the history.
        mutating func pairs(
            _ shift: (places: (Double) -> Double, day: Int)? = nil, slide: Double = 0, places: ClosedRange<Double>
        ) -> [JitteringPairs.Pair] {
            (0..<NoiseBenchmark.pairs).map { index in
                let country = index % skies.count
                let usual = (places.lowerBound + (places.upperBound - places.lowerBound) * random.unit()).rounded()
                return random.pair(
                    JitteringPairs.countries[country], usual: usual, under: skies[country],
                    shift: shift.map { ($0.places(usual), $0.day) }, slide: (slide, history))
            }
        }

        mutating func falseAlarmsOf(places: ClosedRange<Double> = 1...200, facts: inout Facts) -> (Tally, Double) {
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
                    tally.add(rules.called(pair, days: Array(first..<first + 7 * interval)))
                }
            }
            return (tally, began.duration(to: clock.now) / .seconds(1))
        }

        func falseAlarms(_ facts: inout Facts) -> (Tally, Double) {
            var copy = self
            return copy.falseAlarmsOf(facts: &facts)
        }

        func detections(isTop: Bool) -> Tally {
            var copy = self
            return copy.detectionsOf(isTop ? 1...10 : 21...40, isTop ? 3 : 8)
        }

        mutating func detectionsOf(_ places: ClosedRange<Double>, _ size: Double) -> Tally {
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
                tally.add(rules.called(pair, days: Array(checks)))
            }
            return tally
        }
    }
}
