import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct StoreRemarkTests: CountryDays {
    private func remarks(_ stores: [StoreWeather], days: Int64 = 10) -> [String] {
        stores.remarks(on: today - days...today, today: today).map(\.text)
    }

    private func stormy(_ code: String, of source: Source = .usual, daysAgo: Set<Int64>) throws -> StoreWeather {
        let days = try (0...10).map { ago in
            try facts(code, daysAgo: ago, moved: daysAgo.contains(ago) ? (4, 8, 16) : (0, 2, 4))
        }
        return try store(try calm(code, 30, until: 11) + days, of: source, in: code)
    }

    @Test func `stores that shuffled on the same days are named together`() throws {
        let stores = [
            try stormy("de", daysAgo: [4]), try stormy("fr", daysAgo: []), try stormy("gb", daysAgo: [0, 4]),
            try stormy("us", daysAgo: [4]),
        ]
        #expect(
            remarks(stores) == [
                "the DE and US stores shuffled on 16 Nov", "the GB store shuffled on 16 and 20 Nov",
            ])
        #expect(remarks(stores, days: 3) == ["the GB store shuffled on 20 Nov"])
        #expect(remarks([try stormy("fr", daysAgo: [])]).isEmpty)
    }

    @Test func `what another source shows is told apart, and names it`() throws {
        let stores = [
            try stormy("de", daysAgo: [4]), try stormy("us", daysAgo: [4]), try stormy("us", of: .web, daysAgo: [4]),
        ]
        #expect(
            remarks(stores) == [
                "the DE and US stores shuffled on 16 Nov", "the US store on the web shuffled on 16 Nov",
            ])
    }

    @Test func `whose day a store's is is told where the report's days are others`() throws {
        var stores = [try stormy("us", daysAgo: [4])]
        let zone = ZoneDays(try #require(TimeZone(identifier: "Europe/Berlin")))
        let words = { ReportZone.$days.withValue(zone) { remarks(stores) } }
        #expect(words() == ["the US store shuffled on 16 Nov (UTC)"])
        #expect(remarks(stores) == ["the US store shuffled on 16 Nov"])
        stores[0].zone = zone
        #expect(words() == ["the US store shuffled on 16 Nov"])
    }

    @Test func `more than three days are counted`() throws {
        #expect(
            remarks([try stormy("us", daysAgo: [1, 3, 5, 7])]) == ["the US store shuffled on 4 days, last on 19 Nov"])
    }

    @Test func `bad days and failures name their countries where not all had them`() throws {
        let bad = try store(
            [
                facts(daysAgo: 6, moved: nil, failed: 40), facts(daysAgo: 5, moved: nil, suspect: 9),
            ], troubles: [trouble(daysAgo: 6, queries: 5), trouble(daysAgo: 5, queries: 5, badDay: true)])
        #expect(remarks([bad]) == ["Apple had a bad day on 15 Nov", "most checks failed on 14 Nov"])
        #expect(
            remarks([try stormy("de", daysAgo: []), bad]) == [
                "Apple had a bad day in the US store on 15 Nov", "most checks in the US store failed on 14 Nov",
            ])
    }

    @Test func `days of other months and years are written with theirs`() {
        let days = ["2025-12-31", "2026-01-01"].map { time("\($0)T00:00:00Z").day }
        #expect(days.map { DayNames.short($0, today: today) } == ["31 Dec 2025", "1 Jan"])
    }
}
