import History
import Judging
import RankKit
import Testing

@testable import Reports

/// What Today says of an app at a glance is what `distribution` says.
@Suite struct AppOverviewTests {
    @Test
    func `each app stands in as many first tens as its distribution says, on each day and against the week before`()
        async throws
    {
        let demo = try await GoldenDemo.shared.value
        let overviews = try Standings(from: demo.reader(), withTrend: true, now: demo.now).overviews
        let month = try Distribution(
            from: demo.reader(), since: demo.now - (Standings.trendDays - 1) * Timestamp.secondsPerDay, now: demo.now)
        let week = try Distribution(
            from: demo.reader(), since: demo.now - Standings.weekDays * Timestamp.secondsPerDay, now: demo.now)
        #expect(overviews.map(\.bundleID) == month.rows.map(\.app.bundleID) && overviews.count == 2)
        for (app, (month, week)) in zip(overviews, zip(month.rows, week.rows)) {
            let counts = month.tally.counts
            #expect(app.pairs == counts.last?.all && app.checked == counts.last?.checked)
            #expect(app.days.count == counts.count)
            for (day, count) in zip(app.days, counts) { #expect(day == nil || day == count.top) }
            #expect(app.gained == week.tally.compared.now.top - week.tally.compared.then.top)
        }
    }
}
