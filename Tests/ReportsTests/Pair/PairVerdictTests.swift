import Judging
import JudgingStage
import RankKit
import Testing

@testable import Reports

/// The sentence that a pair's page begins with.
@Suite struct PairVerdictTests {
    private func sentence(
        _ judgement: MoveJudgement?, month: MoveJudgement? = nil, firstVerdict: String? = nil
    ) throws -> String {
        var pair = try row()
        (pair.judgement, pair.monthMove) = (judgement, month)
        return pair.verdict(today: noon.day, firstVerdict: firstVerdict).text
    }

    private func move(
        _ from: Int, _ to: Int, isSlow: Bool = false, weather: Weather.State? = .calm
    ) throws -> LastingMove {
        LastingMove(
            from: try #require(Position(from)), to: try #require(Position(to)), since: noon.day - 2, strength: 3,
            isSlow: isSlow, weather: weather)
    }

    private var day: String { DayNames.short(noon.day - 2, today: noon.day) }

    @Test func `a confirmed move is told from place to place, with its first day`() throws {
        #expect(try sentence(.real(move(24, 44))) == "Fell from #24 to #44. It has stood there since \(day).")
        #expect(try sentence(.real(move(44, 24))) == "Rose from #44 to #24. It has stood there since \(day).")
    }

    @Test func `a move on a shuffled day says so`() throws {
        #expect(try sentence(.real(move(24, 44, weather: .stormy))).hasSuffix("The store shuffled on that day."))
    }

    @Test func `a drift has no day of its own`() throws {
        let drift = try MoveJudgement.real(move(13, 52, isSlow: true))
        #expect(
            try sentence(.withinNoise, month: drift) == "Fell slowly from #13 to #52 over 30 days, in many small steps."
        )
    }

    @Test func `a drift that its week shows is not said to have taken a month`() throws {
        #expect(try sentence(.real(move(13, 52, isSlow: true))) == "Fell slowly from #13 to #52, in many small steps.")
    }

    @Test func `what is likely now is told beside a move of the month`() throws {
        let text = try sentence(.unconfirmed(move(20, 31)), month: .real(move(10, 20)))
        #expect(text.hasPrefix("Fell from #10 to #20 on \(day). Since then it likely fell from #20 to #31."))
        #expect(!text.contains("has stood there"))
    }

    @Test func `what is only likely is not told as confirmed`() throws {
        let text = try sentence(.unconfirmed(move(21, 13)))
        #expect(text == "Likely rose from #21 to #13 on \(day). The next checks will confirm it or not.")
    }

    @Test func `an entry and an exit are told with the usual place`() throws {
        let place = try #require(Position(30))
        #expect(
            try sentence(.withinNoise, month: .entered(at: place, since: noon.day - 2))
                == "Entered the list on \(day), and usually stands at #30.")
        #expect(
            try sentence(.left(from: place, since: noon.day - 2))
                == "Left the list on \(day), where it usually stood at #30.")
    }

    @Test func `a pair that is back where it was before is not told as gone`() throws {
        var pair = try row()
        pair.judgement = .left(from: try #require(Position(30)), since: noon.day - 2)
        (pair.newsFrom, pair.lastGood) = (reading(nil), reading(nil))
        #expect(pair.isBack)
        #expect(pair.verdict(today: noon.day, firstVerdict: nil).text == "Came into the list, and is out of it again.")
    }

    @Test(arguments: MoveJudgement.Shortage.allCases)
    func `where nothing can be judged, nothing is called steady`(_ shortage: MoveJudgement.Shortage) throws {
        #expect(try sentence(.notJudged(shortage)).hasPrefix("No verdict"))
        #expect(try sentence(nil).hasPrefix("No verdict"))
        #expect(try sentence(.withinNoise) == "No move: its place changed no more than it usually does.")
    }

    @Test func `a young pair says when the first verdict comes`() throws {
        let text = try sentence(.notJudged(.history), firstVerdict: "first verdict about 12 Dec")
        #expect(text == "No verdict yet: the first verdict about 12 Dec.")
    }

    @Test func `a failed newest check is told with the last good place, and is no place itself`() throws {
        let failed = row(try row(position: 12), became: .failed(.check(.timedOut)))
        let text = failed.newestCheck(until: noon).text
        #expect(text.hasPrefix("The newest check, of ") && text.contains(", failed: "))
        #expect(text.contains("The last good one, of ") && text.hasSuffix("said #12."))
    }
}
