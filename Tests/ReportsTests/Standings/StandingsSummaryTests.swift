import Judging
import JudgingStage
import RankKit
import Testing

@testable import Reports

@Suite struct StandingsSummaryTests {
    @Test func `mine are counted, each by its change and its newest check`() throws {
        let summary = try showcase().summary
        var expected = Standings.Summary()
        expected.pairs = 7
        expected.up = 2
        expected.down = 1
        expected.left = 1
        expected.unchanged = 1
        expected.uncompared = 1
        expected.failed = 1
        expected.suspect = 1
        expected.pending = 1
        #expect(summary == expected)
        #expect(summary.compared == 5)
    }

    @Test func `nothing tracked counts nothing`() {
        #expect(Standings(generatedAt: noon, rows: []).summary == Standings.Summary())
    }

    @Test func `who came and went within the week neither entered nor left, as movers say`() throws {
        let place = try #require(Position(49))
        var gone = try row(position: nil)
        gone.judgement = .left(from: place, since: noon.day - 3)
        gone.newsFrom = reading(nil)
        var back = try row(position: 49)
        back.judgement = .entered(at: place, since: noon.day - 3)
        back.newsFrom = reading(48)
        var left = gone
        left.newsFrom = reading(49)
        let news = Standings(generatedAt: noon, rows: [gone, back, left]).summary.news
        #expect((news.left, news.entered, news.cameAndWent, news.returned) == (1, 0, 1, 1))
    }

    @Test func `a pair that entered is not up`() throws {
        var row = try row()
        row.change1d = .entered
        let summary = Standings(generatedAt: noon, rows: [row]).summary
        #expect(summary.entered == 1 && summary.up == 0)
    }
}
