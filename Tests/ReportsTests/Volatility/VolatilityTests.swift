import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct VolatilityTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let start = time("2026-10-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"))
    }

    @Test func `days come from what the clean-up derived, by country and as far as it got`() async throws {
        let queries = ["a", "b", "c"].map { query($0) } + [query("a", "de")]
        try await history.adopt(watchlist(queries.map { ($0, ["com.me"]) }), now: start)
        let places = (1...40).map { "x\($0)" }
        for number in 0..<20 as Range<Int64> {
            let names = number == 17 ? Array(places.reversed()) : places
            for query in queries {
                try await history.record(Check(query: query, at: start + number * day, outcome: .answered(list(names))))
            }
        }
        let reader = try HistoryReader(path: history.path)
        func volatility(_ filter: PairFilter = PairFilter(), until: Int64 = 19) throws -> Volatility {
            try Volatility(
                from: reader, filter: filter, since: start + 15 * day, until: start + until * day, now: start + 30 * day
            )
        }
        #expect(try volatility().stores.isEmpty)
        while let days = try await history.nextCountryDays(now: .startOfDay(start.day + 19), limit: 50) {
            var draft = try CountryDayDraft(days, from: reader)
            while try draft.countNext(from: reader) {}
            try await history.enter(draft)
        }
        let us = try #require(try volatility().stores.last)
        #expect(try volatility().stores.map(\.country.code) == ["de", "us"])
        #expect(us.days.map { $0.day - start.day } == [15, 16, 17, 18])
        #expect(us.days.map(\.weather?.state) == [.calm, .calm, .stormy, .stormy])
        // Moves of 1, 3, … 39, each twice in a list: the quarters end at 9, 19 and 29.
        #expect(us.days[2].figure == 19)
        #expect(try volatility().stores[0].days.allSatisfy { $0.figure == nil })
        #expect(try volatility(PairFilter(countries: [try country("de")])).stores.map(\.country.code) == ["de"])
        #expect(try volatility(PairFilter(apps: ["nobody"])).stores.isEmpty)
        // On the first second of a day nothing is known of it, though it was derived since.
        #expect(try volatility(until: 16).stores.last?.days.map { $0.day - start.day } == [15])
    }
}
