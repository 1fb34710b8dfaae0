import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// How the ratings of tracked apps are kept, and what stores have said of apps.
@Suite struct RatingDayTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let hour: Int64 = 3_600
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func adopt(_ apps: [String] = ["com.a", "com.rival"]) async throws {
        try await store.adopt(
            watchlist([(timer, apps), (query("timer", "de"), apps)], competitors: ["com.rival"]), now: start)
    }

    /// A check so many hours after the start, in which every app has so many ratings.
    private func check(
        _ ratings: Int64?, after hours: Int64, in country: String = "us", suspect: Bool = false
    ) async throws {
        let details = AppDetails(name: "A", rating: ratings.map { _ in 4.5 }, ratingCount: ratings)
        let list = list(["com.a", "com.rival", "com.stranger"]) { _ in details }
        try await store.record(
            Check(
                query: query("timer", country), at: start + hours * hour,
                outcome: suspect ? .suspect(list, .collapsed) : .answered(list)))
    }

    private func days(of app: String = "com.a", from first: Int64 = 0) throws -> [String] {
        try HistoryReader(path: store.path).ratingDays(of: bundle(app), start.day + first...start.day + 90).map {
            "\($0.country) \($0.day - start.day) \($0.ratings) \($0.average ?? 0) +\(($0.at - start) / hour)h"
        }
    }

    @Test func `an app has one reading a day and storefront, the newest check's`() async throws {
        try await adopt()
        try await check(100, after: 1)
        try await check(103, after: 7)
        try await check(103, after: 13)
        try await check(110, after: 30)
        try await check(20, after: 31, in: "de")
        #expect(try days() == ["de 1 20 4.5 +31h", "us 0 103 4.5 +13h", "us 1 110 4.5 +30h"])
        #expect(try await store.findings() == [])
    }

    @Test func `an entry that has not changed is a reading of its day all the same`() async throws {
        try await adopt()
        try await check(100, after: 1)
        try await check(100, after: 25)
        #expect(try days() == ["us 0 100 4.5 +1h", "us 1 100 4.5 +25h"])
    }

    @Test func `apps of the watchlist alone have readings, competitors among them`() async throws {
        try await adopt()
        try await check(100, after: 1)
        #expect(try days(of: "com.rival").count == 1 && days(of: "com.stranger").isEmpty)
        try await adopt(["com.a"])
        try await check(101, after: 25)
        #expect(try days(of: "com.rival").count == 1 && days().count == 2)
    }

    @Test func `of the checks of a day the newest counts, in whatever order they are recorded`() async throws {
        try await adopt()
        try await check(105, after: 20)
        try await check(101, after: 3)
        #expect(try days() == ["us 0 105 4.5 +20h"])
    }

    @Test func `an entry without ratings that says something else holds for as long as it comes`() async throws {
        try await adopt(["com.a"])
        func check(_ name: String, _ fingerprint: UInt64, ratings: Int64?, after hours: Int64) async throws {
            let app = SeenApp(id: AppID(7), bundleID: bundle("com.a"), fingerprint: fingerprint) {
                AppDetails(name: name, rating: ratings.map { _ in 4.5 }, ratingCount: ratings)
            }
            try await store.record(
                Check(query: timer, at: start + hours * hour, outcome: .answered(ResultList(places: [app]))))
        }
        func name() async throws -> String? {
            try await store.read { try String.fetchOne($0, sql: "SELECT name FROM listing") }
        }
        try await check("Habits", 1, ratings: 10, after: 0)
        try await check("Habits Pro", 2, ratings: nil, after: 6)
        #expect(try await name() == "Habits Pro")
        try await check("Habits", 1, ratings: 10, after: 12)
        #expect(try await name() == "Habits")
        try await check("Habits Pro", 2, ratings: nil, after: 18)
        try await check("Habits Pro", 2, ratings: nil, after: 24)
        #expect(try await name() == "Habits Pro")
        #expect(try days() == ["us 0 10 4.5 +12h"])
    }

    @Test func `a failure and an entry without a number of ratings leave a day without a reading`() async throws {
        try await adopt()
        try await check(100, after: 1)
        try await store.record(Check(query: timer, at: start + 25 * hour, outcome: .failed(Failure(.timedOut))))
        try await check(nil, after: 49)
        try await check(-1, after: 73)
        #expect(try days() == ["us 0 100 4.5 +1h"])
    }

    @Test func `a suspect list's entries are believed`() async throws {
        try await adopt()
        try await check(100, after: 1, suspect: true)
        #expect(try days().count == 1)
    }

    @Test func `the last reading before the days that are asked for comes with them`() async throws {
        try await adopt()
        for day in [0, 1, 5, 6] as [Int64] { try await check(100 + day, after: day * 24 + 1) }
        try await check(7, after: 2, in: "de")
        #expect(
            try days(from: 4) == ["de 0 7 4.5 +2h", "us 1 101 4.5 +25h", "us 5 105 4.5 +121h", "us 6 106 4.5 +145h"])
    }

    @Test func `a reading of another day than its moment is found`() async throws {
        try await adopt()
        try await check(100, after: 1)
        try await store.write { try $0.execute(sql: "UPDATE rating_day SET day = day + 1") }
        let findings = try await store.findings()
        #expect(findings.count == 2 && findings[0].contains("com.a in us"), "\(findings)")
    }

    @Test func `a reading that is imported after a change of zone is not a second one`() async throws {
        var plan = watchlist([(timer, ["com.a"])])
        plan.timeZone = "Asia/Tokyo"
        try await store.adopt(plan, now: start)
        // On the 2nd in Tokyo.
        try await check(100, after: 20)
        let file = try await store.export(to: folder)
        plan.timeZone = nil
        try await store.adopt(plan, now: start)
        _ = try await store.importExport(file)
        #expect(try days() == ["us 1 100 4.5 +20h"])
        // By UTC it is still the 1st: what Tokyo called the 2nd gives way.
        try await check(104, after: 22)
        #expect(try days() == ["us 0 104 4.5 +22h"])
        #expect(try await store.findings() == [])
    }

    @Test func `readings go with the last pair of their app in a country`() async throws {
        try await adopt()
        try await check(100, after: 1)
        try await check(20, after: 2, in: "de")
        try await check(120, after: 49)
        let german = PruneRequest(apps: ["com.a"], countries: [try #require(Country(code: "de"))])
        try await store.prune(try await store.plan(german))
        #expect(try days() == ["us 0 100 4.5 +1h", "us 2 120 4.5 +49h"])
        try await store.prune(try await store.plan(PruneRequest(apps: ["com.a"], before: start + 48 * hour)))
        #expect(try days() == ["us 2 120 4.5 +49h"])
        try await store.prune(try await store.plan(PruneRequest(apps: ["com.a"])))
        #expect(try days().isEmpty && days(of: "com.rival").count == 3)
        #expect(try await store.findings() == [])
    }

    @Test func `the questions for ratings and for what stores said go by indexes`() async throws {
        let app: StatementArguments = ["com.a"]
        let questions: [(String, StatementArguments)] = [
            (HistoryReader.ratingDaysSQL, ["app": "com.a", "first": 1, "last": 2, "moment": 9]),
            (HistoryReader.listingsSQL, app), (HistoryReader.listingChangesSQL, app),
            (
                HistoryReader.failedDaysSQL,
                [
                    "query": 1, "from": 1, "to": 2, "firstDay": 1, "lastDay": 2, "last": 2, "shift": 0,
                    "length": 86_400, "failed": "failed",
                ]
            ),
        ]
        for (sql, arguments) in questions {
            let plan = try await store.read { database in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
                    .map { $0["detail"] as String }
            }
            let scans = plan.filter { $0.hasPrefix("SCAN") && !$0.contains("storefront") && !$0.contains("subquery") }
            #expect(scans.filter { !$0.contains("(subquery") && !$0.contains("SCAN (") } == [], "\(plan)")
        }
    }

    @Test func `what a storefront has said of an app comes in order, the first value without a moment`() async throws {
        try await adopt()
        for (number, name, price) in [(0, "A", 0.0), (3, "B", 0.0), (5, "B", 2.99)] as [(Int64, String, Double)] {
            let details = AppDetails(
                name: name, price: price, currency: "USD", screenshotURLs: ["https://x", "https://y"])
            try await store.record(
                Check(query: timer, at: start + number * 86_400, outcome: .answered(list(["com.a"]) { _ in details })))
        }
        let reader = try HistoryReader(path: store.path)
        let pasts = try reader.listingPasts(of: bundle("com.A"))
        #expect(pasts.count == 1 && pasts[0].country.code == "us" && pasts[0].language == nil)
        #expect(
            pasts[0].values == [
                .name: [.init(text: "A"), .init(since: start + 3 * 86_400, text: "B")],
                .price: [.init(text: "0.0"), .init(since: start + 5 * 86_400, text: "2.99")],
                .currency: [.init(text: "USD")], .icon: [.init()], .screenshots: [.init(text: "https://x\nhttps://y")],
            ])
        #expect(try reader.firstSight(of: bundle("com.a")) == start)
        #expect(try reader.firstSight(of: bundle("com.never")) == nil)
    }

    @Test func `failed and suspect checks are counted by day, thinned ones too`() async throws {
        try await adopt()
        for number in 0..<4 as Range<Int64> { try await check(100, after: number) }
        try await store.record(Check(query: timer, at: start + 5 * hour, outcome: .failed(Failure(.timedOut))))
        try await check(100, after: 6, suspect: true)
        try await store.record(Check(query: timer, at: start + 49 * hour, outcome: .failed(Failure(.timedOut))))
        func counted(_ span: ClosedRange<Timestamp>) throws -> [FailedDay] {
            try HistoryReader(path: store.path).failedDays(of: [timer, query("timer", "de")], in: span)
        }
        let all = [
            FailedDay(day: start.day, checks: 6, failed: 1, suspect: 1, countries: [timer.country]),
            FailedDay(day: start.day + 2, checks: 1, failed: 1, suspect: 0, countries: [timer.country]),
        ]
        #expect(try counted(start...start + 90 * hour) == all)
        #expect(try counted(start...start + 5 * hour - 1) == [])
        try await store.write { database in
            try database.execute(
                sql: """
                    DELETE FROM check_log WHERE outcome = 'failed' AND at = :at;
                    INSERT INTO failure_day (query, day, reason, failed) VALUES (1, :day, 'timed-out', 1)
                    """, arguments: ["at": (start + 49 * hour).secondsSinceEpoch, "day": start.day + 2])
        }
        #expect(try counted(start...start + 90 * hour) == all)
    }
}
