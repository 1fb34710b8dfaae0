import RankKit
import TestSupport
import Testing

@Suite struct BudgetRemediesTests {
    private func plan(_ groups: [(count: Int, every: Int64)], perMinute: Int = 15) -> Watchlist {
        var queries: [WatchedQuery] = []
        for (line, group) in groups.enumerated() {
            for number in 0..<group.count {
                queries.append(
                    WatchedQuery(
                        query: query("\(line) \(number)"), cadences: [.every(seconds: group.every)],
                        pairs: [WatchedPair(bundleID: bundle("com.a"))], declaredAt: "watch[\(line)]"))
            }
        }
        return Watchlist(queries: queries, service: ServiceSettings(requestsPerMinute: perMinute))
    }

    @Test func `what fits needs none`() {
        #expect(BudgetRemedies(plan([(100, 3_600)])) == nil)
        #expect(BudgetRemedies(plan([])) == nil)
    }

    @Test func `the interval is the shortest round one at which everything fits`() throws {
        let remedies = try #require(BudgetRemedies(plan([(100, 300), (10, 86_400)])))
        #expect(remedies.every == 600)
        #expect(WatchlistSummary(plan([(100, 600), (10, 86_400)])).fitsBudget)
        #expect(!WatchlistSummary(plan([(100, 300), (10, 86_400)])).fitsBudget)
    }

    @Test func `with either remedy everything fits, over a day and from slot to slot`() throws {
        let groups = [(100, Int64(86_400)), (2, Int64(60))]
        let remedies = try #require(BudgetRemedies(plan(groups, perMinute: 1)))
        let every = try #require(remedies.every)
        #expect(BudgetRemedies(plan(groups.map { ($0.0, max($0.1, every)) }, perMinute: 1)) == nil)
        #expect(remedies.requestsPerMinute == nil)
        let slower = [(40, Int64(86_400)), (2, Int64(300))]
        let pace = try #require(BudgetRemedies(plan(slower, perMinute: 1))?.requestsPerMinute)
        #expect(BudgetRemedies(plan(slower, perMinute: pace)) == nil)
    }

    @Test func `a pace is named only where Apple bears it`() {
        #expect(BudgetRemedies(plan([(100, 300)]))?.requestsPerMinute == 20)
        #expect(BudgetRemedies(plan([(101, 300)]))?.requestsPerMinute == nil)
    }

    @Test func `a pass that is only too long at its shortest cadence needs a longer one`() {
        // 400 searches take 26 minutes 40 seconds; one of them is wanted every 20.
        let remedies = BudgetRemedies(plan([(399, 86_400), (1, 1_200)]))
        #expect(remedies?.every == 1_800)
        #expect(remedies?.requestsPerMinute == 20)
    }

    @Test func `nothing helps where even four weeks are too short`() {
        let remedies = BudgetRemedies(plan([(2_000, 3_600)], perMinute: 1))
        #expect(remedies?.every == 172_800 && remedies?.requestsPerMinute == nil)
        #expect(BudgetRemedies(plan([(40_000, 86_400)], perMinute: 1))?.every == 2_419_200)
        #expect(BudgetRemedies(plan([(41_000, 86_400)], perMinute: 1))?.every == nil)
    }

    @Test func `the lines that ask most come first, three of them`() {
        let remedies = BudgetRemedies(plan([(5, 60), (50, 60), (1, 86_400), (20, 60)]))
        #expect(remedies?.busiest.map(\.path) == ["watch[1]", "watch[3]", "watch[0]"])
        #expect(remedies?.busiest.first?.queries == 50 && remedies?.busiest.first?.requestsPerDay == 72_000)
    }
}
