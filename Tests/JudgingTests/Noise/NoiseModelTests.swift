import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Judging

@Suite struct NoiseModelTests {
    private static let us = Store(in: Country(code: "us")!)

    /// One reading a day from day 0; 0 is an absence, a negative number no reading.
    private func series(_ places: [Int], within: Int = 200) -> NoiseModel.Series {
        let days = places.enumerated().filter { $0.element >= 0 }.map { index, place in
            (Int64(index), reading(place == 0 ? nil : place, on: Int64(index), within: within))
        }
        return NoiseModel.Series(store: Self.us, days: DailyReadings(Dictionary(uniqueKeysWithValues: days)))
    }

    private func judged(
        _ places: [Int], since: Int64? = nil, at day: Int64? = nil, within: Int = 200, weather: Weather? = nil
    ) -> MoveJudgement {
        let series = series(places, within: within)
        let last = Int64(places.count - 1)
        return NoiseModel([series], weather: weather.map { [Self.us: $0] } ?? [:], upTo: last)
            .judgement(of: series, since: since, at: day ?? last)
    }

    @Test func `pairs of one source say nothing of what is noise in another`() {
        let restless = (0..<60).map { $0 % 2 == 0 ? 30 : 50 }
        func series(_ places: [Int], _ source: Source) -> NoiseModel.Series {
            NoiseModel.Series(
                store: Store(source, in: Self.us.country),
                days: DailyReadings(
                    Dictionary(
                        uniqueKeysWithValues: places.enumerated().map { (Int64($0), reading($1, on: Int64($0))) })))
        }
        let calm = series(Array(repeating: 30, count: 60), .web)
        let alone = NoiseModel([calm], upTo: 59)
        let beside = NoiseModel([calm] + (0..<20).map { _ in series(restless, .itunes) }, upTo: 59)
        func away(_ model: NoiseModel, _ source: Source) -> Double {
            model.pool.priors(of: Store(source, in: Self.us.country))[.topThirty].away
        }
        #expect(away(beside, .web) == away(alone, .web))
        #expect(away(beside, .itunes) > away(beside, .web))
        // A country without pairs of its own is judged by those of its source elsewhere.
        let other = Store(.web, in: Country(code: "de")!)
        #expect(
            PositionBand.allCases.allSatisfy {
                beside.pool.priors(of: other)[$0].away == alone.pool.priors(of: other)[$0].away
            })
    }

    private let steady = Array(repeating: 30, count: 30)
    private let jitter = [30, 30, 34, 30, 27, 30, 30, 30, 41, 30, 31, 30, 30, 26, 30, 30, 30, 33, 30, 30, 30, 29, 30]

    @Test func `too short a history is not judged`() {
        #expect(judged([]) == .notJudged(.noReading))
        #expect(judged([5]) == .notJudged(.history))
        #expect(judged([0]) == .notJudged(.history))
        #expect(judged([30, 30, 30, 30, 30, 30, 4]) == .notJudged(.history))
    }

    @Test func `a pair that never moves, and one that was always absent, are within noise`() {
        #expect(judged(steady) == .withinNoise)
        #expect(judged(Array(repeating: 0, count: 30)) == .withinNoise)
        #expect(judged(jitter) == .withinNoise)
    }

    @Test func `a lasting shift is called at the third check, with where from, where to and since when`() throws {
        guard case .real(let move) = judged(jitter + [22, 22, 22]) else {
            Issue.record("not called")
            return
        }
        #expect(move.from.number == 30 && move.to.number == 22)
        #expect(move.direction == .up && move.places == 8)
        #expect(move.since == Int64(jitter.count))
        #expect(move.strength > 1 && move.evidence > Sensitivity.normal.threshold && !move.isSlow)
        #expect(move.weather == nil)
    }

    @Test func `three places are a move in the top 10`() {
        #expect(judged(Array(repeating: 5, count: 20) + [6, 5, 5, 8, 8, 8]).isReal)
        #expect(!judged(Array(repeating: 35, count: 20) + [36, 35, 35, 38, 38, 38]).isReal)
    }

    @Test func `one check, or two, prove no move`() {
        #expect(!judged(jitter + [8]).isReal)
        #expect(!judged(jitter + [8, 8]).isReal)
        if case .unconfirmed(let move) = judged(jitter + [8, 8]) {
            #expect(move.to.number == 8)
        } else {
            Issue.record("not even suspected")
        }
    }

    @Test func `a spike that is over is nothing`() {
        #expect(judged(jitter + [90, 30, 30]) == .withinNoise)
        #expect(judged(jitter + [90, 92, 30]) == .withinNoise)
    }

    @Test func `what a wild pair does every week is its own noise`() {
        let wild = (0..<70).map { $0 / 4 % 2 == 0 ? 30 : 44 }
        #expect(judged(wild) == .withinNoise)
    }

    @Test func `a move that began by then is no news`() {
        let places = jitter + [22, 22, 22, 22, 22, 22, 22, 22, 22, 22]
        #expect(judged(places, since: Int64(jitter.count) - 1).isReal)
        #expect(judged(places, since: Int64(jitter.count) + 4) == .withinNoise)
    }

    @Test func `a slow climb is a move over the month, whatever lay between`() {
        let climb = Array(repeating: 60, count: 30) + (1...30).map { 60 - $0 }
        #expect(judged(climb, since: 29).isReal)
    }

    private func month(_ places: [Int], _ sensitivity: Sensitivity = .normal) -> LastingMove? {
        let series = series(places)
        let last = Int64(places.count - 1)
        let month = NoiseModel([series], upTo: last).monthMove(of: series, at: last, sensitivity: sensitivity)
        if case .real(let move)? = month { return move }
        return nil
    }

    /// `places` a tenth of which are thrown off by some, as they are in any list.
    private func wobbling(_ places: [Int]) -> [Int] {
        places.enumerated().map {
            $0.offset % 9 == 4 ? $0.element + 6 : $0.offset % 7 == 2 ? $0.element - 1 : $0.element
        }
    }

    @Test func `a drift of a third in a month is told of the month, and as slow`() throws {
        let up = wobbling(Array(repeating: 30, count: 60) + (1...30).map { 30 - $0 / 3 })
        let found = try #require(month(up))
        #expect(found.direction == .up && found.isSlow)
        #expect(found.from.number == 30 && found.to.number <= 22)
        let down = try #require(month(wobbling(Array(repeating: 20, count: 60) + (1...30).map { 20 + $0 / 3 })))
        #expect(down.direction == .down && down.isSlow)
    }

    @Test func `a place at the top that drifted away over a month is told`() throws {
        let found = try #require(month(Array(repeating: 2, count: 60) + (1...30).map { $0 < 15 ? 2 : 3 }))
        #expect(found.from.number == 2 && found.to.number == 3)
    }

    @Test(arguments: [8, 12, 20, 28]) func `a step of the month is told at its day, and as no drift`(_ days: Int) throws
    {
        let before = wobbling(Array(repeating: 30, count: 60))
        let found = try #require(month(before + wobbling(Array(repeating: 16, count: days))))
        #expect(!found.isSlow && found.direction == .up)
        #expect(abs(found.since - Int64(before.count)) <= 2)
    }

    @Test func `what is news of the week, and what only wobbled, is no move of the month`() {
        let before = wobbling(Array(repeating: 30, count: 60))
        #expect(month(before + wobbling(Array(repeating: 16, count: 4))) == nil)
        #expect(month(before) == nil)
        #expect(month(Array(repeating: 0, count: 60)) == nil)
        #expect(month([]) == nil)
    }

    @Test func `a drift that is over is told for as long as the month sees where it began`() throws {
        let down = Array(repeating: 20, count: 40) + (1...20).map { 20 + $0 }
        #expect(try #require(month(down + Array(repeating: 40, count: 8))).direction == .down)
        #expect(month(down + Array(repeating: 40, count: 40)) == nil)
    }

    @Test func `of too few readings of a month it is told that it moved, and not how slowly`() throws {
        let drift = (0..<30).map { 20 + $0 }
        let thin = Array(repeating: 20, count: 40) + drift.enumerated().map { $0.offset % 5 == 0 ? $0.element : -1 }
        #expect(try #require(month(thin)).isSlow == false)
    }

    @Test func `a quarter is judged by what was usual before it`() {
        let places = wobbling(Array(repeating: 40, count: 40)) + wobbling(Array(repeating: 20, count: 80))
        let last = Int64(places.count - 1)
        #expect(judged(places, since: last - 90).isReal)
        #expect(judged(places, since: last - 30) == .withinNoise)
    }

    @Test func `what was named stays named until it turns back`() throws {
        let before = [30, 31, 30, 29, 34, 30, 30, 27, 30, 31, 30, 30, 36, 30, 30, 29, 30, 30, 31, 30]
        let named = before + [22, 22, 22]
        #expect(judged(named).isReal)
        // Two of the newest are in between, so that the step alone would not be seen any more.
        for more in [[25], [25, 24], [25, 24, 26], [24, 25, 22, 25]] {
            #expect(judged(named + more, since: Int64(before.count) - 1).isReal, "\(more)")
        }
        #expect(!judged(named + [30, 30, 31], since: Int64(before.count) - 1).isReal)
    }

    @Test func `what was named and turned back is not named anew by a half-way place`() {
        let before = wobbling(Array(repeating: 40, count: 60))
        let outAndBack = before + Array(repeating: 20, count: 8) + Array(repeating: 40, count: 10)
        #expect(judged(before + Array(repeating: 20, count: 8), since: Int64(before.count) - 1).isReal)
        #expect(!judged(outAndBack + [29, 28], since: Int64(before.count) - 1).isReal)
    }

    @Test func `back where the month began is no move of the month`() {
        let places =
            wobbling(Array(repeating: 15, count: 70)) + Array(repeating: 40, count: 15) + Array(repeating: 15, count: 5)
        let last = Int64(places.count - 1)
        #expect(judged(places, since: last - 30) == .withinNoise)
        // Of the week it is one.
        #expect(judged(places, since: last - 7).isReal)
    }

    @Test func `a drift is no step on the day of an excursion that came before it`() {
        let dip = Array(repeating: 20, count: 7) + Array(repeating: 40, count: 9)
        let drift = [38, 37, 36, 34, 33, 32, 31, 30, 29, 28, 28, 28, 28]
        let places = wobbling(Array(repeating: 40, count: 60)) + dip + drift
        guard case .real(let found) = judged(places, since: Int64(places.count) - 31) else {
            Issue.record("not called")
            return
        }
        #expect(found.isSlow && found.direction == .up)
    }

    @Test func `what calm calls, normal calls too, and what normal calls, keen`() {
        var random = SplitMix(seed: 11)
        var named: [Sensitivity: Int] = [:]
        for _ in 0..<400 {
            let size = Int(random.unit() * 14)
            let places = (0..<40).map { day in
                (day < 36 ? 40 : 40 - size) + (random.unit() < 0.3 ? Int(random.unit() * 9) - 4 : 0)
            }
            let series = series(places)
            let model = NoiseModel([series], upTo: 39)
            let real = Sensitivity.allCases.filter {
                model.judgement(of: series, since: 32, at: 39, sensitivity: $0).isReal
            }
            #expect(real == Sensitivity.allCases.suffix(real.count), "\(places)")
            for sensitivity in real { named[sensitivity, default: 0] += 1 }
        }
        #expect(named[.calm, default: 0] < named[.normal, default: 0])
        #expect(named[.normal, default: 0] < named[.keen, default: 0])
    }

    @Test func `the past is judged by what was known then`() {
        let places = jitter + [22, 22, 22, 22]
        #expect(!judged(places, at: Int64(jitter.count) - 1).isReal)
        #expect(judged(places, at: Int64(jitter.count) + 2).isReal)
    }

    @Test func `entered and left are told apart from moves, once a second check agrees`() {
        let absent = Array(repeating: 0, count: 20)
        #expect(judged(absent + [40]) == .withinNoise)
        #expect(judged(absent + [40, 44, 42]) == .entered(at: Position(42)!, since: 20))
        #expect(judged(jitter + [0]) == .withinNoise)
        #expect(judged(jitter + [0, 0]) == .left(from: Position(30)!, since: Int64(jitter.count)))
    }

    @Test func `an entry into the last quarter of the list needs a third check`() {
        let absent = Array(repeating: 0, count: 20)
        #expect(judged(absent + [151, 153]) == .withinNoise)
        #expect(judged(absent + [151, 0, 153]) == .withinNoise)
        #expect(judged(absent + [151, 153, 152]) == .entered(at: Position(152)!, since: 20))
        #expect(judged(absent + [149, 150]) == .entered(at: Position(149)!, since: 20))
    }

    @Test func `a list that merely grew brings nobody in`() {
        func judged(listsBefore within: Int) -> MoveJudgement {
            let series = NoiseModel.Series(
                store: Self.us,
                readings: (0..<30).map { reading(nil, on: $0, within: within) } + (30..<34).map { reading(188, on: $0) }
            )
            return NoiseModel([series], upTo: 33).judgement(of: series, at: 33)
        }
        #expect(judged(listsBefore: 180) == .notJudged(.history))
        #expect(judged(listsBefore: 200) == .entered(at: Position(188)!, since: 30))
    }

    @Test func `an absence from a list too short to show the usual place says nothing`() {
        let series = NoiseModel.Series(
            store: Self.us,
            readings: (0..<30).map { reading(120, on: $0) } + [
                reading(nil, on: 30, within: 43), reading(nil, on: 31, within: 43),
            ])
        #expect(NoiseModel([series], upTo: 31).judgement(of: series, at: 31) == .withinNoise)
    }

    @Test func `coming and going at the end of the list is noise`() {
        let edge = (0..<40).map { [195, 0, 0, 198, 190][$0 % 5] }
        #expect(judged(edge) == .withinNoise)
    }

    @Test func `missing days leave the rest as it is`() {
        #expect(judged(steady + [-1, 22, -1, -1, 22, -1, 22]).isReal)
        #expect(judged(steady + Array(repeating: -1, count: 14)) == .withinNoise)
        let late = series(steady)
        #expect(NoiseModel([late], upTo: 60).judgement(of: late, at: 60) == .notJudged(.noReading))
    }

    @Test func `a stormy day is hardly evidence, and is named where a move began on it`() {
        var moves = Dictionary(uniqueKeysWithValues: (0..<60 as Range<Int64>).map { ($0, 1.0) })
        let day = Int64(jitter.count)
        moves[day] = 6
        if case .real(let move) = judged(jitter + [22, 22, 22], weather: Weather(moves: moves)) {
            #expect(move.weather == .stormy)
        } else {
            Issue.record("not called after two calm days")
        }
        moves[day + 1] = 6
        moves[day + 2] = 6
        #expect(!judged(jitter + [22, 22, 22], weather: Weather(moves: moves)).isReal)
    }

    @Test(arguments: [3, 5, 8, 12, 20, 27]) func `a lasting shift stays called for as long as it is asked about`(
        _ days: Int
    ) {
        let places = jitter + Array(repeating: 22, count: days)
        #expect(judged(places, since: Int64(jitter.count) - 1).isReal)
    }

    @Test func `of several checks a day the last counts`() {
        let days = (0..<24 as Range<Int64>).flatMap { day in
            [
                reading(90, on: day),
                Reading(position: Position(day < 21 ? 30 : 20), within: 200, checkedAt: .startOfDay(day) + 7_200),
            ]
        }
        let series = NoiseModel.Series(store: Self.us, readings: days.shuffled())
        #expect(series.days.count == 24)
        #expect(NoiseModel([series], upTo: 23).judgement(of: series, at: 23).isReal)
    }

    @Test func `a quiet pair among wild ones is believed later than among quiet ones`() {
        var random = SplitMix(seed: 5)
        func pair(_ share: Double, _ reach: Int) -> NoiseModel.Series {
            series(
                (0..<60).map { _ in random.unit() < share ? 30 + Int(random.unit() * Double(2 * reach)) - reach : 30 })
        }
        let young = series(Array(repeating: 30, count: 8) + [24, 24, 24])
        let among = { (others: [NoiseModel.Series]) in NoiseModel(others, upTo: 59).judgement(of: young, at: 10).isReal
        }
        #expect(among((0..<40).map { _ in pair(0.05, 2) }))
        #expect(!among((0..<40).map { _ in pair(0.9, 20) }))
    }
}

/// Queries that are asked seldom.
@Suite struct JudgedSpanTests {
    @Test(
        arguments: [
            (3_600, 1, 7, 14, 90, 14), (86_400, 1, 7, 14, 90, 14), (2 * 86_400, 2, 7, 14, 90, 14),
            (90_000, 2, 7, 14, 90, 14), (180_000, 3, 12, 14, 90, 14), (4 * 86_400, 4, 16, 16, 96, 14),
            (28 * 86_400, 28, 112, 112, 672, 56),
        ] as [(Int64, Int64, Int64, Int64, Int64, Int64)])
    func `a week is news, or four cadences beyond every other day, and the rest grows alike`(
        cadence: Int64, interval: Int64, news: Int64, recent: Int64, memory: Int64, staleness: Int64
    ) {
        let span = JudgedSpan(cadence: cadence)
        #expect((span.interval, span.news, span.recent) == (interval, news, recent))
        #expect((span.memory, span.staleness) == (memory, staleness))
    }

    @Test(arguments: [4, 7, 14, 28] as [Int64])
    func `a lasting shift is called at the third check however seldom the query is asked`(interval: Int64) {
        let places = Array(repeating: [30, 30, 33, 30, 29], count: 4).flatMap(\.self) + [18, 18, 18]
        let days = Dictionary(
            uniqueKeysWithValues: places.enumerated().map { index, place in
                (Int64(index) * interval, reading(place, on: Int64(index) * interval))
            })
        let series = NoiseModel.Series(
            store: Store(in: Country(code: "us")!), cadence: interval * 86_400, days: DailyReadings(days))
        let model = NoiseModel([series], upTo: 23 * interval)
        func isReal(_ check: Int64, on laterDays: Int64 = 0, window: Int64? = nil) -> Bool {
            let day = check * interval + laterDays
            return model.judgement(of: series, since: day - (window ?? series.span.news), at: day).isReal
        }
        #expect(!isReal(21))
        #expect(isReal(22))
        // Told of until four cadences are over, on the days between as well.
        #expect(isReal(22, on: interval))
        #expect(!isReal(22, window: 7))
    }
}
