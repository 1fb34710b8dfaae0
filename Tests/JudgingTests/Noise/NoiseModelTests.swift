import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Judging

@Suite struct NoiseModelTests {
    private static let us = Country(code: "us")!

    /// One reading a day from day 0; 0 is an absence, a negative number no reading.
    private func series(_ places: [Int], within: Int = 200) -> NoiseModel.Series {
        let days = places.enumerated().filter { $0.element >= 0 }.map { index, place in
            (Int64(index), reading(place == 0 ? nil : place, on: Int64(index), within: within))
        }
        return NoiseModel.Series(country: Self.us, days: DailyReadings(Dictionary(uniqueKeysWithValues: days)))
    }

    private func judged(
        _ places: [Int], since: Int64? = nil, at day: Int64? = nil, within: Int = 200, weather: Weather? = nil
    ) -> MoveJudgement {
        let series = series(places, within: within)
        let last = Int64(places.count - 1)
        return NoiseModel([series], weather: weather.map { [Self.us: $0] } ?? [:], upTo: last)
            .judgement(of: series, since: since, at: day ?? last)
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
        #expect(move.strength > 2)
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

    private func slide(_ places: [Int]) -> LastingMove? {
        let series = series(places)
        let last = Int64(places.count - 1)
        return NoiseModel([series], upTo: last).slide(of: series, at: last)
    }

    @Test func `a place a day is a slide over the month, and no move of a week`() throws {
        let down = Array(repeating: 20, count: 40) + (1...30).map { 20 + $0 }
        #expect(judged(down, since: Int64(down.count - 8)) == .withinNoise)
        let found = try #require(slide(down))
        #expect((found.from.number, found.to.number, found.direction) == (20, 47, .down))
        #expect(slide(Array(repeating: 60, count: 40) + (1...30).map { 60 - $0 })?.direction == .up)
        // Over for a week, it is none any more.
        #expect(slide(down + Array(repeating: 50, count: 14)) == nil)
    }

    @Test func `a step is no slide, whether it is news or old, and neither is noise`() {
        for days in [3, 8, 12, 20, 28] {
            #expect(slide(jitter + jitter + Array(repeating: 16, count: days)) == nil, "\(days)")
        }
        #expect(slide(jitter + jitter) == nil)
        #expect(slide(Array(repeating: 0, count: 60)) == nil)
        #expect(slide([]) == nil)
    }

    @Test func `of too few readings of a month nothing is said`() {
        let slide = (0..<30).map { 20 + $0 }
        let thin = Array(repeating: 20, count: 40) + slide.enumerated().map { $0.offset % 3 == 0 ? $0.element : -1 }
        #expect(self.slide(thin) == nil)
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

    @Test func `an absence from a list too short to show the usual place says nothing`() {
        let series = NoiseModel.Series(
            country: Self.us,
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
        let series = NoiseModel.Series(country: Self.us, readings: days.shuffled())
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
            (3_600, 1, 7, 14, 90, 14), (86_400, 1, 7, 14, 90, 14), (2 * 86_400, 2, 8, 14, 90, 14),
            (90_000, 2, 8, 14, 90, 14), (4 * 86_400, 4, 16, 16, 96, 14), (28 * 86_400, 28, 112, 112, 672, 56),
        ] as [(Int64, Int64, Int64, Int64, Int64, Int64)])
    func `a week or four cadences are news, and the rest grows alike`(
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
            country: Country(code: "us")!, cadence: interval * 86_400, days: DailyReadings(days))
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
