import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Judging

/// Whoever judges many days leaves out what cannot change the answer. These hold that it does not.
@Suite struct ManyDaysTests {
    private static let us = Store(in: Country(code: "us")!)

    /// Pairs that wobble, leap, drift and leave their list.
    private func pairs(_ count: Int, days: Int) -> [NoiseModel.Series] {
        var random = SplitMix(seed: 4)
        return (0..<count).map { pair in
            var usual = Int.random(in: 1...150, using: &random)
            let steadiness = Double.random(in: 0.4...0.95, using: &random)
            let drift = pair % 4 == 0 ? Int.random(in: 2...5, using: &random) : 0
            var readings = DailyReadings()
            for day in 0..<Int64(days) where Double.random(in: 0..<1, using: &random) > 0.04 {
                if Double.random(in: 0..<1, using: &random) < 0.03 { usual = Int.random(in: 1...210, using: &random) }
                if drift > 0, day % Int64(drift) == 0 { usual += pair % 8 == 0 ? 1 : -1 }
                usual = min(max(usual, 1), 215)
                var place = usual
                if Double.random(in: 0..<1, using: &random) > steadiness {
                    place = max(1, usual + Int.random(in: -usual / 3 - 2...usual / 3 + 2, using: &random))
                }
                let within = Int.random(in: 190...200, using: &random)
                readings.append(reading(place > within ? nil : place, on: day, within: within), on: day)
            }
            let cadence: Int64 = pair % 10 == 9 ? 7 : 1
            return NoiseModel.Series(
                store: Self.us, cadence: cadence * Timestamp.secondsPerDay, days: readings)
        }
    }

    /// The judgements of each third day, asked one by one, and as many at once.
    private func judgements(
        _ wanted: MoveDetection.Wanted, since: Int64
    ) -> [(single: MoveJudgement, together: MoveJudgement)] {
        let pairs = pairs(40, days: 160)
        let model = NoiseModel(pairs, upTo: 159)
        return pairs.flatMap { series in
            let table = ReadingTable(series.days)
            let shifts = ShiftTable(table, lengths: MoveDetection.lengths)
            return stride(from: Int64(20), through: 159, by: 3).flatMap { day in
                let sensitivities: [Sensitivity] = [.keen, .normal, .calm]
                let together = model.judgements(
                    of: series, table, shifts,
                    .init(since: day - since, day: day, sensitivities: sensitivities, wanted: wanted))
                return zip(sensitivities, together).map { sensitivity, together in
                    (model.judgement(of: series, since: day - since, at: day, sensitivity: sensitivity), together)
                }
            }
        }
    }

    @Test(arguments: [Int64(7), 30])
    func `several sensitivities at once say what each says alone`(since: Int64) {
        let all = judgements(.all, since: since)
        #expect(all.allSatisfy { $0.single == $0.together })
        #expect(all.count { $0.single.isReal } > 100)
    }

    @Test(arguments: [Int64(7), 30])
    func `who asks for what is believed alone misses none of it`(since: Int64) {
        let all = judgements(.firm, since: since)
        #expect(all.allSatisfy { $0.single.isBeyondNoise ? $0.single == $0.together : !$0.together.isBeyondNoise })
    }

    @Test func `who asks for drifts alone is told each of them, and nothing else`() {
        let all = judgements(.slow, since: 30)
        func drift(_ judgement: MoveJudgement) -> LastingMove? {
            if case .real(let move) = judgement, move.isSlow { move } else { nil }
        }
        let found = all.filter { drift($0.single) != nil }
        #expect(all.allSatisfy { drift($0.single) == drift($0.together) })
        #expect(all.allSatisfy { !$0.together.isReal || drift($0.together) != nil })
        #expect(found.count > 10)
    }

    @Test func `what may not surpass a bar does not`() {
        var (asked, surpassed) = (0, 0)
        for series in pairs(20, days: 120) {
            let table = ReadingTable(series.days)
            let ratio = ShiftRatio(ShiftTable(table, lengths: [3, 5, 7]), in: 10..<table.days.count)
            for end in stride(from: 30, to: table.days.count - 10, by: 5) {
                for window in [(3, 0), (5, 0), (7, 0), (7, 6)].map({
                    ShiftRatio.Window(end: end, length: $0.0, gap: $0.1)
                }) {
                    let steps = ratio.steps(window) ?? 0
                    for bar in [0.3, 0.9, 1.5] {
                        asked += 1
                        if ratio.maySurpass(bar, window) { surpassed += 1 }
                        #expect(steps <= bar || ratio.maySurpass(bar, window))
                        for limits in [ShiftRatio.Limits(most: 0.4), .init(storm: 2), .init(most: 0.4, storm: 2)] {
                            let steps = ratio.steps(window, limits) ?? 0
                            #expect(steps <= bar || ratio.maySurpass(bar, window, limits))
                        }
                    }
                }
            }
        }
        // Else it would save nothing.
        #expect(surpassed * 2 < asked && surpassed > 50)
    }

    @Test func `shifts over a gap are counted and ranked as if each were worked out by itself`() {
        for series in pairs(6, days: 120) {
            let table = ReadingTable(series.days)
            let shifts = ShiftTable(table, lengths: [7])
            for gap in [1, 3, 23, 60, 300] {
                for first in [0, 11] {
                    let window = ShiftRatio.Window(end: table.days.count, length: 7, gap: gap)
                    let moments = min(first + 7 + gap + 5, table.days.count)..<table.days.count
                    let each = moments.map { abs(shifts.shift($0, window, since: first)) }.sorted()
                    for limit in [0, 0.1, 0.3, 9] {
                        let count = shifts.count(below: limit, moments, window, since: first)
                        #expect(count == each.count { $0 < limit })
                    }
                    let quantile = shifts.quantile(0.8, moments, window, since: first)
                    #expect(quantile == Robust.quantile(sorted: each, 0.8))
                }
            }
        }
    }

    @Test func `what began before the time that is asked about is judged as if it were asked what hid it`() {
        let series = pairs(40, days: 160)
        let model = NoiseModel(series, upTo: 159)
        var old = 0
        for series in series {
            let terms = model.terms(of: series.store)
            let table = ReadingTable(series.days)
            for day in stride(from: Int64(20), through: 159, by: 3) {
                let track = ReadingTrack(table, after: day - 90, upTo: day, storms: terms.storms)
                let since = day - 7
                switch (
                    track.passage(priors: terms.priors, since: since), track.passage(priors: terms.priors, since: .min)
                ) {
                case (.entered(let one)?, .entered(let other)?), (.left(_, let one)?, .left(_, let other)?):
                    #expect(one == other)
                case (.entered(let one)?, .uncovered(let other)?):
                    #expect(one == other && one <= since)
                    old += 1
                case (.flickering?, .left(_, let from)?):
                    // Of absences alone nothing is said.
                    #expect(from <= since && track.from(from).usualPlace(0..<track.from(from).count) == nil)
                    old += 1
                case (.flickering?, .flickering?), (.tooShort?, .tooShort?), (nil, nil), (.uncovered?, .uncovered?):
                    break
                case (let one, let other):
                    Issue.record("\(String(describing: one)) is not \(String(describing: other))")
                }
            }
        }
        #expect(old > 10)
    }

    @Test func `terms that two pairs share by turns say of each what its own terms say`() {
        let pairs = Array(pairs(12, days: 160).filter { $0.span.interval == 1 }.prefix(2))
        let model = NoiseModel(pairs, upTo: 159)
        let shared = model.terms(of: Self.us)
        let tables = pairs.map { ReadingTable($0.days) }
        for day in stride(from: Int64(20), through: 159, by: 3) {
            for (pair, table) in zip(pairs, tables) {
                let shifts = ShiftTable(table, lengths: MoveDetection.lengths)
                let question = NoiseModel.Question(since: day - 30, day: day, sensitivities: [.keen, .normal, .calm])
                let said = [shared, model.terms(of: Self.us)].map {
                    model.judgements(of: pair.span, table, shifts, question, $0)
                }
                #expect(said[0] == said[1])
            }
        }
    }

    @Test func `a window is weighed the same in whatever order it is asked about`() {
        let series = pairs(20, days: 160)
        let model = NoiseModel(series, upTo: 159)
        var random = SplitMix(seed: 12)
        var found = 0
        for series in series {
            let priors = model.terms(of: series.store).priors
            let table = ReadingTable(series.days)
            let shifts = ShiftTable(table, lengths: MoveDetection.lengths)
            for day in stride(from: Int64(60), through: 159, by: 9) {
                let track = ReadingTrack(table, after: day - 90, upTo: day, storms: StormFactors())
                let news = track.count - track.index(after: day - 30)
                func detection(_ noise: KnownNoise, _ sensitivity: Sensitivity) -> MoveDetection {
                    MoveDetection(
                        track: track, shifts: shifts, noise: noise, since: day - 30, sensitivity: sensitivity)
                }
                let noise = KnownNoise(track, priors, news: news)
                for _ in 0..<40 {
                    let sensitivity = Sensitivity.allCases.randomElement(using: &random) ?? .normal
                    let length = [3, 4, 5, 7].randomElement(using: &random) ?? 3
                    let window = ShiftRatio.Window(
                        end: track.count - Int.random(in: 0...1, using: &random), length: length, gap: 0)
                    let bar = Double.random(in: 0.5...3, using: &random)
                    let asked = detection(noise, sensitivity).weighed(window, above: bar)
                    let alone = detection(KnownNoise(track, priors, news: news), sensitivity)
                        .weighed(window, above: bar)
                    #expect(asked?.evidence == alone?.evidence && asked?.to == alone?.to)
                    if asked != nil { found += 1 }
                }
            }
        }
        #expect(found > 100)
    }

    @Test func `the usual place is the lower median, an absence below all places`() {
        var random = SplitMix(seed: 9)
        let places = (0..<80).map { _ in Int.random(in: 1...230, using: &random) }
        var readings = DailyReadings()
        for (day, place) in places.enumerated() {
            readings.append(reading(place > 200 ? nil : place, on: Int64(day)), on: Int64(day))
        }
        let table = ReadingTable(readings)
        for length in 1...60 {
            for first in 0...(80 - length) {
                let middle = places[first..<first + length].map { $0 > 200 ? Int.max : $0 }.sorted()[(length - 1) / 2]
                #expect(table.usualPlace(first..<first + length) == (middle == .max ? nil : middle))
            }
        }
    }

    @Test func `a slice that is kept in order has the ranks of one that is sorted, and of a few values beside it`() {
        var random = SplitMix(seed: 3)
        let all = (0..<300).map { _ in Double(Int.random(in: 0...40, using: &random)) }
        var slice = SortedSlice()
        for _ in 0..<400 {
            let first = Int.random(in: 0..<220, using: &random)
            let range = first..<first + Int.random(in: 0...80, using: &random)
            slice.move(to: range, of: all)
            var others = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                Double.random(in: 0...40, using: &random)
            }.sorted()
            let sorted = (all[range] + others).sorted()
            for rank in [0, sorted.count / 2, sorted.count * 4 / 5, sorted.count - 1].filter(sorted.indices.contains) {
                let found = others.withUnsafeMutableBufferPointer { slice.neighbours(rank, with: $0) }
                #expect(found.0 == sorted[rank])
                #expect(found.1 == (rank + 1 < sorted.count ? sorted[rank + 1] : nil))
            }
            #expect(others.withUnsafeMutableBufferPointer { slice.median(with: $0) } == Robust.median(sorted))
        }
    }

    @Test func `what a pair's noise is counted from is the same whether most of it is known or none`() {
        for series in pairs(40, days: 160) {
            let (known, unknown) = (ReadingTable(series.days), ReadingTable(series.days, usualOf: []))
            var excursions = SortedSlice()
            for day in stride(from: Int64(20), through: 159, by: 7) {
                let counts = [known, unknown].map {
                    NoiseCounts(
                        ReadingTrack($0, after: day - 90, upTo: day, storms: StormFactors()), excursions: &excursions)
                }
                #expect(counts[0].readings == counts[1].readings && counts[0].away == counts[1].away)
                #expect(counts[0].followed == counts[1].followed && counts[0].stayed == counts[1].stayed)
                #expect(counts[0].distance == counts[1].distance)
            }
        }
    }

    @Test func `the noise of each of many days is what it was when that day was the newest`() {
        let pairs = pairs(30, days: 160)
        var random = SplitMix(seed: 5)
        let figures = Dictionary(
            uniqueKeysWithValues: (0..<Int64(160)).map { ($0, random.unit() < 0.05 ? 12 : 1 + random.unit()) })
        let daily = NoiseModel.daily(pairs, weather: [Self.us: Weather(moves: figures)], on: 60...159, processors: 3)
        var stormy = 0
        for (index, day) in (Int64(60)...159).enumerated() where day % 3 == 0 {
            let known = Weather(moves: figures.filter { $0.key < day })
            let alone = NoiseModel(pairs, weather: [Self.us: known], upTo: day)
            let (one, other) = (daily[index].terms(of: Self.us), alone.terms(of: Self.us))
            for band in PositionBand.allCases {
                let (now, then) = (one.priors[band], other.priors[band])
                #expect((now.away, now.stay, now.spread) == (then.away, then.stay, then.spread))
            }
            for past in day - 90...day {
                #expect(one.storms[past] == other.storms[past] && one.state(on: past) == other.state(on: past))
                if one.storms[past] > 1 { stormy += 1 }
            }
        }
        #expect(stormy > 10)
    }
}
