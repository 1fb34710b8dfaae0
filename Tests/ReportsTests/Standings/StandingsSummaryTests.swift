import JudgingStage
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

    @Test func `a pair that entered is not up`() throws {
        var row = try row()
        row.change1d = .entered
        let summary = Standings(generatedAt: noon, rows: [row]).summary
        #expect(summary.entered == 1 && summary.up == 0)
    }
}
