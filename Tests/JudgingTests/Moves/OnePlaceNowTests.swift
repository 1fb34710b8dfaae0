import RankKit
import TestSupport
import Testing

@testable import Judging

/// Where a longer time leads, beside the week that ends it.
@Suite struct OnePlaceNowTests {
    private func place(_ number: Int) throws -> Position { try #require(Position(number)) }

    private func moved(_ from: Int, _ to: Int, since: Int64 = 10, isSlow: Bool = false) throws -> MoveJudgement {
        .real(
            LastingMove(
                from: try place(from), to: try place(to), since: since, strength: 2, evidence: 3, isSlow: isSlow,
                weather: nil))
    }

    @Test func `a month leads to where its last week leads, from where it was before it`() throws {
        let month = try moved(9, 31, isSlow: true)
        #expect(try month.ending(with: moved(24, 44, since: 27)) == moved(9, 44, isSlow: true))
        // What came back a part of the way.
        #expect(try month.ending(with: moved(31, 20, since: 27)) == moved(9, 20, isSlow: true))
    }

    @Test(arguments: [5, 9, 10]) func `what turned back in the week is the week's move`(place: Int) throws {
        let week = try moved(31, place, since: 27)
        #expect(try moved(9, 31).ending(with: week) == week)
    }

    @Test func `what was likely over the month and is confirmed in the week is confirmed`() throws {
        guard case .real(let move) = try moved(9, 31) else { return }
        let week = try moved(12, 40, since: 27)
        #expect(MoveJudgement.unconfirmed(move).ending(with: week) == week)
    }

    @Test func `who entered within the month entered at its usual place now`() throws {
        let entered = MoveJudgement.entered(at: try place(60), since: 8)
        #expect(try entered.ending(with: moved(60, 14, since: 27)) == .entered(at: place(14), since: 8))
    }

    @Test func `who left in the week has left`() throws {
        let left = MoveJudgement.left(from: try place(46), since: 26)
        #expect(try moved(9, 31).ending(with: left) == left)
        #expect(MoveJudgement.entered(at: try place(60), since: 8).ending(with: left) == left)
    }

    @Test func `a quiet week changes nothing`() throws {
        let month = try moved(9, 31)
        for week in [MoveJudgement.withinNoise, .notJudged(.history)] { #expect(month.ending(with: week) == month) }
    }

    // MARK: Days that are followed

    private func followed(_ isFollowed: Bool, _ months: [(Int64, LastingMove)]) -> [ConfirmedMove] {
        var moves = TrackedMoves(news: 7, slideGap: 15, followsMonth: isFollowed)
        for (day, move) in months { moves.take(month: .real(move), by: reading(move.to.number, on: day), on: day) }
        return moves.moves
    }

    @Test func `a step that the month alone shows is taken up where the month is followed, by its own day`() throws {
        let step = LastingMove(from: try place(12), to: try place(7), since: 94, strength: 2, weather: nil)
        #expect(followed(false, [(100, step)]).isEmpty)
        #expect(followed(true, [(100, step)]).map(\.firstDay) == [94])
    }

    @Test func `of two steps that only the month shows neither takes the other's place`() throws {
        let steps: [(Int64, LastingMove)] = try [(100, 30, 25, 94), (125, 25, 18, 119)].map { day, from, to, since in
            (day, LastingMove(from: try place(from), to: try place(to), since: since, strength: 2, weather: nil))
        }
        let moves = followed(true, steps)
        #expect(moves.map(\.to?.number) == [25, 18] && moves.map(\.firstDay) == [94, 119])
    }

    @Test func `a step that the month showed first is the same when a week tells it`() throws {
        let step = LastingMove(from: try place(12), to: try place(7), since: 94, strength: 2, weather: nil)
        var moves = TrackedMoves(news: 7, slideGap: 15, followsMonth: true)
        moves.take(month: .real(step), by: reading(7, on: 100), on: 100)
        moves.take(try moved(11, 7, since: 95), by: reading(7, on: 101), on: 101)
        #expect(moves.moves.count == 1)
    }

    @Test func `a drift that is followed leads from where it began to where it stood last`() throws {
        func drift(to place: Int) throws -> LastingMove {
            LastingMove(
                from: try self.place(place - 2), to: try self.place(place), since: 94, strength: 2, isSlow: true,
                weather: nil)
        }
        let days: [(Int64, LastingMove)] = [(100, try drift(to: 6)), (103, try drift(to: 9))]
        for (isFollowed, place, day) in [(true, 9, 103), (false, 6, 100)] as [(Bool, Int, Int64)] {
            let moves = followed(isFollowed, days)
            #expect(moves.map(\.from?.number) == [4] && moves.map(\.to?.number) == [place])
            #expect(moves.map(\.judgedOn) == [day] && moves.map(\.seenOn) == [103] && moves.map(\.firstDay) == [100])
        }
    }
}
