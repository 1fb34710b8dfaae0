import RankKit
import TestSupport
import Testing

@testable import Judging
@testable import Reports

/// Which moves of a pair a timeline tells, and on which days.
@Suite struct JoinedMovesTests {
    private func move(
        _ from: Int, _ to: Int, on day: Int64, isSlide: Bool = false
    ) throws -> ConfirmedMove {
        let move = LastingMove(
            from: try #require(Position(from)), to: try #require(Position(to)), since: day, strength: 2,
            isSlow: isSlide, weather: nil)
        return ConfirmedMove(
            MoveDirection(move.direction), .real(move), began: day, isSlide: isSlide, by: reading(to, on: day + 2),
            on: day + 2)
    }

    private func told(_ moves: [ConfirmedMove], on days: ClosedRange<Int64>) -> [String] {
        moves.joined(on: days, within: 7).map { move, first in
            "\(first) \(move.from?.number ?? 0) → \(move.to?.number ?? 0)"
        }
    }

    @Test func `a move that goes on from the same place is told once, by its first day`() throws {
        let moves = [try move(30, 20, on: 100), try move(30, 15, on: 102)]
        #expect(told(moves, on: 90...120) == ["100 30 → 15"])
    }

    @Test func `of a move that began before the days, what went on in them is told`() throws {
        let moves = [try move(30, 20, on: 100), try move(30, 15, on: 102)]
        #expect(told(moves, on: 101...120).contains("102 30 → 15"))
    }

    @Test func `what turned in between or came weeks later is told apart`() throws {
        let turned = [try move(12, 7, on: 100), try move(7, 12, on: 102), try move(12, 6, on: 104)]
        #expect(told(turned, on: 90...120) == ["100 12 → 7", "102 7 → 12", "104 12 → 6"])
        let later = [try move(12, 7, on: 100), try move(12, 6, on: 110)]
        #expect(told(later, on: 90...120) == ["100 12 → 7", "110 12 → 6"])
    }

    @Test func `a drift gives way to the move of a week, unless that lies before the days`() throws {
        let moves = [try move(17, 27, on: 96), try move(14, 29, on: 100, isSlide: true)]
        #expect(told(moves, on: 90...120) == ["96 17 → 27"])
        #expect(told(moves, on: 98...120).contains("100 14 → 29"))
    }
}
