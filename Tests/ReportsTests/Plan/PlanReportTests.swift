import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct PlanReportTests {
    private let stored = StoredPlan(
        adoptedAt: noon - 30 * day, requestsPerMinute: 15,
        queries: [
            .init(
                query: query("habit tracker"), cadences: [.every(seconds: 21_600)], lastCheckedAt: noon - hour,
                pairs: [.init(bundleID: bundle("com.me")), .init(bundleID: bundle("com.gone"))]),
            .init(
                query: query("journal", "gb"), cadences: [.every(seconds: 86_400)], lastCheckedAt: noon - day,
                pairs: [.init(bundleID: bundle("com.me"))]),
            .init(
                query: query("mood"), cadences: [.every(seconds: 86_400)], isActive: false,
                lastCheckedAt: noon - 48 * day, pairs: [.init(bundleID: bundle("com.me"), isActive: false)]),
        ])

    private func plan(_ queries: [(Query, [String])], every: Int64 = 3_600, perMinute: Int = 15) -> Watchlist {
        var plan = watchlist(queries, every: every)
        plan.service.requestsPerMinute = perMinute
        for index in plan.queries.indices { plan.queries[index].declaredAt = "watch[\(index / 500)]" }
        return plan
    }

    private func table(_ plan: Watchlist, over stored: StoredPlan?, width: Int = 100, all: Bool = false) -> String {
        PlanReport(PlanChange(adopting: plan, over: stored, now: noon), showsAll: all)
            .render(as: .table, style: TerminalStyle(colour: false, width: width))
    }

    private var ordinary: Watchlist {
        plan([
            (query("habit tracker"), ["com.me", "com.new"]), (query("journal", "gb", language: "en_gb"), ["com.me"]),
            (query("mood"), ["com.me"]), (query("streaks"), ["com.me"]),
        ])
    }

    @Test func `dates are those of the zone of the watchlist that is looked at, and it is named once`() {
        var stored = stored
        stored.queries[1].lastCheckedAt = time("2026-11-19T23:30:00Z")
        var berlin = ordinary
        berlin.timeZone = "Europe/Berlin"
        let text = table(berlin, over: stored)
        #expect(
            text.contains("- journal · gb · iPhone: retired, its history stays, last checked 2026-11-20\n"), "\(text)")
        #expect(text.ranges(of: "Europe/Berlin").count == 1 && text.contains("dates      days of Europe/Berlin\n"))
        let utc = table(ordinary, over: stored)
        #expect(utc.contains("last checked 2026-11-19\n") && !utc.contains("days of"), "\(utc)")
        let page = PlanReport(PlanChange(adopting: berlin, over: stored, now: noon)).render(as: .markdown)
        #expect(page.contains("last checked 2026-11-20"), "\(page)")
    }

    @Test func `before there is a history, it is said that there is none, and not that nothing continues`() throws {
        #expect(table(ordinary, over: nil).contains("histories  no history yet · 4 new\n"))
        let countries = try PlanChange(asking: ordinary, in: [country("fr")], over: nil, now: noon)
        let text = PlanReport(countries).render(as: .table, style: TerminalStyle(colour: false, width: 100))
        #expect(text.contains("histories  no history yet · 4 new\n"), "\(text)")
        // What was imported before the first watchlist is one.
        var imported = stored
        imported.adoptedAt = nil
        #expect(!table(ordinary, over: imported).contains("no history yet"))
    }

    @Test func `a change is shown as a difference, and what it comes to`() {
        #expect(
            table(ordinary, over: stored) == """
                - journal · gb · iPhone: retired, its history stays, last checked 2026-11-19
                + journal · gb · iPhone · en_gb · 1h · 1 app: starts anew because `language` changed (was none)
                + mood · us · iPhone · 1h · 1 app: its history continues, last checked 2026-10-03
                + streaks · us · iPhone · 1h · 1 app: new

                - habit tracker · us · iPhone · com.gone: retired, its history stays
                + habit tracker · us · iPhone · com.new: starts anew

                ~ habit tracker · us · iPhone: 6h → 1h

                queries    1 kept, 3 added, 1 retired
                pairs      1 kept, 4 added, 2 retired
                histories  1 continues · 1 comes back and continues · 1 starts anew because `language` changed · 1
                           new
                cadence    1 query asked at other times
                requests   5 → 96 of the 21,600 a day that the pace allows
                full pass  8 s → 16 s at 15 requests a minute
                fits       yes

                """)
    }

    @Test func `nothing to change is said`() {
        let same = plan([(query("mood"), ["com.me"])], every: 86_400)
        let stored = StoredPlan(
            adoptedAt: noon, requestsPerMinute: 15,
            queries: [
                .init(
                    query: query("mood"), cadences: [.every(seconds: 86_400)],
                    pairs: [.init(bundleID: bundle("com.me"))])
            ])
        #expect(table(same, over: stored).hasPrefix("no change: rankd already asks exactly this\n\nqueries    1 kept"))
    }

    @Test func `before the first plan everything is new, and that is said`() {
        let text = table(plan([(query("mood"), ["com.me"])]), over: nil)
        #expect(
            text.hasPrefix(
                "rankd has not used a watchlist yet, so everything is new\n\n+ mood · us · iPhone · 1h · 1 app: new\n"))
        #expect(text.contains("requests   24 of the 21,600 a day that the pace allows\n"))
    }

    @Test func `long lists are folded with a count`() {
        let many = plan((1...50).map { (query("query \($0)"), ["com.me"]) }, every: 86_400)
        let text = table(many, over: nil)
        #expect(text.contains("… 30 more queries: show them with --all\n"))
        #expect(lines(text).count { $0.hasPrefix("+ ") } == 20)
        #expect(lines(table(many, over: nil, all: true)).count { $0.hasPrefix("+ ") } == 50)
    }

    @Test func `what does not fit is said, with the settings that would make it fit`() {
        let greedy = plan((1...1_000).map { (query("query \($0)"), ["com.me"]) }, every: 3_600)
        let text = table(greedy, over: nil)
        #expect(
            text.contains(
                """
                fits       no: 1.1 times what the pace allows; slots would be missed
                would fit  `every` of 2h or longer for all queries, or `requestsPerMinute` of 17
                asks most  watch[0] (500 queries, 12,000 a day), watch[1] (500 queries, 12,000 a day)

                """), "\(text)")
        let late = plan((1...100).map { (query("query \($0)"), ["com.me"]) }, every: 300, perMinute: 2)
        #expect(table(late, over: nil).contains("fits       no: 10.0 times"))
    }

    @Test func `no line is wider than the terminal or ends in a space`() {
        for width in 20...140 {
            for line in lines(table(ordinary, over: stored, width: width)) {
                #expect(TerminalText.width(line) <= width && !line.hasSuffix(" "), "\(width): \(line)")
            }
        }
    }

    @Test func `json has every list whole and every key`() throws {
        let text = PlanReport(PlanChange(adopting: ordinary, over: stored, now: noon)).render(as: .json)
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect(object?["version"] as? Int == 1 && object?["generatedAt"] as? String == "2026-11-20T12:00:00Z")
        let plan = try #require(object?["plan"] as? [String: Any])
        #expect(
            Set(plan.keys) == [
                "adoptedAt", "searches", "pairs", "histories", "requestsPerDay", "passSeconds", "requestsPerMinute",
                "sensitivity", "fitsBudget", "fitsCadence", "remedies", "added", "retired", "cadences", "pairsAdded",
                "pairsRetired", "pairsRenamed", "countries",
            ])
        #expect(plan["searches"] as? [String: Int] == ["added": 3, "retired": 1, "kept": 1])
        let added = try #require(plan["added"] as? [[String: Any]])
        #expect(added.map { $0["history"] as? String } == ["anew", "continues", "anew"])
        #expect(added.map { $0["because"] as? String } == ["language", nil, nil])
        #expect(added[1]["lastCheckedAt"] as? String == "2026-10-03T12:00:00Z")
        #expect((plan["requestsPerDay"] as? [String: Double])?["before"] == 5)
        #expect(plan["sensitivity"] as? [String: String] == ["before": "normal", "after": "normal"])
        #expect(plan["remedies"] is NSNull)
        #expect((plan["pairsRetired"] as? [[String: Any]])?.count == 2)
    }
}
