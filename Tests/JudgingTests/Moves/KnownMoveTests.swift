import RankKit
import TestSupport
import Testing

@testable import Judging

/// Moves that were told by the days of another zone.
@Suite struct KnownMoveTests {
    /// The days up to 99 at #40, then #12 for a day, and back.
    private let readings = DailyReadings(
        Dictionary(
            uniqueKeysWithValues: (80...103).map { day in (Int64(day), reading(day == 100 ? 12 : 40, on: Int64(day))) })
    )

    /// Told on day 99, after its reading.
    private func tracked(_ otherDays: ZoneDays?) -> TrackedMoves {
        var moves = TrackedMoves(news: 7, slideGap: 15)
        moves.take(
            [
                KnownMove(
                    way: .up, from: Position(40), to: Position(12), began: 98, at: .startOfDay(99) + 7_200,
                    otherDays: otherDays)
            ], .utc)
        return moves
    }

    private func turnedBackOn(_ otherDays: ZoneDays?) -> Int64? {
        var moves = tracked(otherDays)
        let table = ReadingTable(readings)
        for index in readings.elements.indices where readings.elements[index].day > 98 {
            moves.noticeReturn(in: table, at: index, of: readings.elements)
        }
        return moves.moves.first?.turnedBack?.on
    }

    @Test func `a move that was told by other days turns back by readings made since alone`() {
        #expect(turnedBackOn(nil) == 100)
        #expect(turnedBackOn(.utc) == 102)
    }

    @Test func `it is the same move a day further apart, and has its day by the days that are judged`() throws {
        let (from, to) = (try #require(Position(40)), try #require(Position(12)))
        func judged(since: Int64, _ otherDays: ZoneDays?) -> [ConfirmedMove] {
            var moves = tracked(otherDays)
            let move = LastingMove(from: from, to: to, since: since, strength: 2, weather: nil)
            moves.take(.real(move), by: reading(12, on: 107), on: 107)
            return moves.moves
        }
        #expect(judged(since: 106, .utc).count == 1 && judged(since: 106, nil).count == 2)
        #expect(judged(since: 107, .utc).count == 2)
        let moved = judged(since: 99, .utc)
        #expect(moved.map(\.began) == [98] && moved.map(\.since) == [99])
        #expect(judged(since: 99, nil).map(\.since) == [98])
        #expect(judged(since: 101, .utc).map(\.since) == [98])
    }
}
