import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Judging

/// A step that ends a longer way, and a way that goes on after a step.
@Suite struct LongerWayTests {
    private static let us = Store(in: Country(code: "us")!)

    /// The judgement of one reading a day: so many at each place.
    private func judged(_ runs: (place: Int, days: Int)..., daysAgo: Int64 = 7) -> MoveJudgement {
        let places = runs.flatMap { Array(repeating: $0.place, count: $0.days) }
        let series = NoiseModel.Series(
            store: Self.us,
            days: DailyReadings(
                Dictionary(uniqueKeysWithValues: places.enumerated().map { (Int64($0), reading($1, on: Int64($0))) })))
        let last = Int64(places.count - 1)
        return NoiseModel([series], upTo: last).judgement(of: series, since: last - daysAgo, at: last)
    }

    private func expect(
        _ judgement: MoveJudgement, from: Int, to: Int, since: Int64, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(judgement.isReal, sourceLocation: sourceLocation)
        #expect(judgement.from?.number == from && judgement.to?.number == to, sourceLocation: sourceLocation)
        #expect(judgement.since == since, sourceLocation: sourceLocation)
    }

    @Test(arguments: [[24, 31, 44], [60, 41, 25]])
    func `a step leads from the place just before it where the pair left the old one before the week`(places: [Int]) {
        let judgement = judged((places[0], 20), (places[1], 9), (places[2], 3))
        expect(judgement, from: places[1], to: places[2], since: 29)
    }

    @Test func `two steps of one week are one move, from the day of the first`() {
        expect(judged((24, 20), (31, 3), (44, 4)), from: 24, to: 44, since: 20)
    }

    @Test func `a step that went most of the way is dated to its own day`() {
        expect(judged((24, 20), (29, 4), (80, 3)), from: 24, to: 80, since: 24)
    }

    @Test func `what hardly goes on after the pair left its old place is no new move`() {
        #expect(!judged((24, 20), (31, 9), (33, 3)).isReal)
    }

    @Test func `a month leads from where the pair was before both steps`() {
        let judgement = judged((24, 20), (31, 9), (44, 9), daysAgo: 30)
        #expect(judgement.from?.number == 24 && judgement.to?.number == 44)
    }

    // MARK: Days that are followed

    private func moved(_ from: Int, _ to: Int, since: Int64, isSlow: Bool = false) throws -> LastingMove {
        LastingMove(
            from: try #require(Position(from)), to: try #require(Position(to)), since: since, strength: 2,
            isSlow: isSlow, weather: nil)
    }

    @Test func `a second step within days of the first ends the same move`() throws {
        var moves = TrackedMoves(news: 7, slideGap: 15)
        moves.take(.real(try moved(24, 31, since: 94)), by: reading(31, on: 96), on: 96)
        moves.take(.real(try moved(31, 44, since: 99)), by: reading(44, on: 102), on: 102)
        #expect(moves.moves.map(\.from?.number) == [24] && moves.moves.map(\.to?.number) == [44])
        #expect(moves.moves.map(\.firstDay) == [94])
    }

    @Test func `the same step that is dated anew is told anew`() throws {
        var moves = TrackedMoves(news: 7, slideGap: 15)
        moves.take(.real(try moved(24, 44, since: 94)), by: reading(44, on: 96), on: 96)
        moves.take(.real(try moved(25, 43, since: 95)), by: reading(43, on: 98), on: 98)
        #expect(moves.moves.map(\.from?.number) == [25] && moves.moves.map(\.firstDay) == [95])
    }

    @Test(arguments: [(true, 32), (false, 22)])
    func `a step that goes on slowly leads to where the month leads, where that is followed`(
        isFollowed: Bool, place: Int
    ) throws {
        var moves = TrackedMoves(news: 7, slideGap: 15, followsMonth: isFollowed)
        moves.take(.real(try moved(13, 22, since: 94)), by: reading(22, on: 96), on: 96)
        let slide = try moved(13, 32, since: 110, isSlow: true)
        moves.take(month: .real(slide), by: reading(32, on: 114), on: 114)
        #expect(moves.moves.map(\.from?.number) == [13] && moves.moves.map(\.to?.number) == [place])
        #expect(moves.moves.map(\.firstDay) == [94])
    }

    @Test func `a drift that goes on after a step turned back is one of its own`() throws {
        var moves = TrackedMoves(news: 7, slideGap: 15, followsMonth: true)
        let readings: [Int] = [7, 14, 14, 14, 8, 8, 8]
        let series = readings.enumerated().map { reading($1, on: Int64(90 + $0)) }
        let days = DailyReadings(
            Dictionary(uniqueKeysWithValues: series.enumerated().map { (Int64(90 + $0), $1) }))
        moves.take(.real(try moved(7, 14, since: 91)), by: series[3], on: 93)
        moves.noticeReturn(in: ReadingTable(days), at: 6, of: days.elements)
        #expect(moves.moves.map(\.turnedBack?.to?.number) == [8])
        moves.take(month: .real(try moved(5, 12, since: 100, isSlow: true)), by: reading(12, on: 112), on: 112)
        #expect(moves.moves.map(\.isSlide) == [false, true])
        #expect(moves.moves.last?.from?.number == 5 && moves.moves.last?.to?.number == 12)
    }

    @Test func `a step that is found from half-way later still leads from where the way began`() throws {
        var moves = TrackedMoves(news: 7, slideGap: 15)
        for (from, to, since, day) in [(24, 29, 20, 23), (24, 80, 24, 26), (29, 80, 24, 27)]
            as [(Int, Int, Int64, Int64)]
        {
            moves.take(.real(try moved(from, to, since: since)), by: reading(to, on: day), on: day)
        }
        #expect(moves.moves.map(\.from?.number) == [24] && moves.moves.map(\.to?.number) == [80])
    }

    @Test func `of two moves the one is dated anew whose day is nearer`() throws {
        var moves = TrackedMoves(news: 7, slideGap: 15)
        for (from, to, since) in [(24, 31, 94), (31, 44, 102), (24, 31, 97)] as [(Int, Int, Int64)] {
            moves.take(.real(try moved(from, to, since: since)), by: reading(to, on: since + 2), on: since + 2)
        }
        #expect(moves.moves.map(\.from?.number) == [24, 31] && moves.moves.map(\.to?.number) == [31, 44])
    }

    @Test func `a drift to where a move turned back to is none`() throws {
        var moves = TrackedMoves(news: 7, slideGap: 15, followsMonth: true)
        let places = [13, 32, 32, 32, 20, 20, 20].enumerated().map { (Int64(90 + $0), reading($1, on: Int64(90 + $0))) }
        let days = DailyReadings(Dictionary(uniqueKeysWithValues: places))
        moves.take(.real(try moved(13, 32, since: 91)), by: places[3].1, on: 93)
        moves.noticeReturn(in: ReadingTable(days), at: 6, of: days.elements)
        moves.take(month: .real(try moved(13, 20, since: 100, isSlow: true)), by: reading(20, on: 100), on: 100)
        #expect(moves.moves.count == 1)
    }

    @Test func `a move that went the other way since is not led on`() throws {
        var moves = TrackedMoves(news: 7, slideGap: 15, followsMonth: true)
        moves.take(.real(try moved(13, 40, since: 80)), by: reading(40, on: 82), on: 82)
        moves.take(.real(try moved(40, 25, since: 92)), by: reading(25, on: 94), on: 94)
        moves.take(month: .real(try moved(13, 25, since: 100, isSlow: true)), by: reading(25, on: 100), on: 100)
        #expect(moves.moves.map(\.to?.number) == [40, 25])
    }

    @Test func `a move ends where the next one that way begins`() throws {
        func confirmed(_ from: Int, _ to: Int, since: Int64, by day: Int64) throws -> ConfirmedMove {
            var moves = TrackedMoves(news: 7, slideGap: 15)
            moves.take(.real(try moved(from, to, since: since)), by: reading(to, on: day), on: day)
            return try #require(moves.moves.first)
        }
        let next = try confirmed(32, 56, since: 93, by: 96)
        let ended = try confirmed(14, 38, since: 83, by: 96).ending(before: next)
        #expect(ended.to?.number == 32 && ended.judgedOn == 92 && ended.from?.number == 14)
        // Its place is of a day before the next one.
        let earlier = try confirmed(14, 29, since: 83, by: 90)
        #expect(earlier.ending(before: next) == earlier)
    }

    @Test func `a move is dated to where the pair stayed, not to a spike before it`() {
        expect(judged((24, 20), (44, 1), (24, 2), (44, 4)), from: 24, to: 44, since: 23)
        expect(judged((24, 20), (44, 2), (24, 1), (44, 3)), from: 24, to: 44, since: 20)
        expect(judged((24, 20), (44, 1), (24, 1), (44, 4)), from: 24, to: 44, since: 22)
    }
}
