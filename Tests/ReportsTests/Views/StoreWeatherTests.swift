import History
import RankKit
import Reports
import TestSupport
import Testing

@Suite struct StoreWeatherTests {
    private let today = noon.day

    /// A day on which the lists of `queries` queries moved by so many places.
    private func facts(
        _ code: String = "us", daysAgo: Int64, moved quartiles: (Int, Int, Int)?, queries: Int = 5, failed: Int = 0,
        suspect: Int = 0
    ) throws -> CountryDay {
        var day = CountryDay(country: try country(code), day: today - daysAgo)
        (day.queries, day.good, day.failed, day.suspect) = (queries, 4 * queries, failed, suspect)
        if let quartiles {
            day.moves.compared = queries
            day.moves.apps = 100 * queries
            day.moves.spread = .init(
                lowerQuartile: quartiles.0, median: quartiles.1, upperQuartile: quartiles.2, ninthDecile: 20)
        }
        return day
    }

    private func store(
        _ facts: [CountryDay], in code: String = "us", troubles: [StoreTrouble] = [], shownDays: Int64 = 10
    ) throws -> StoreWeather {
        StoreWeather(
            try country(code), facts, Dictionary(uniqueKeysWithValues: troubles.map { ($0.day, $0) }),
            shown: today - shownDays...today)
    }

    /// `count` calm days that end so many days ago.
    private func calm(_ code: String = "us", _ count: Int64 = 30, until last: Int64 = 1) throws -> [CountryDay] {
        try (last..<last + count).map { try facts(code, daysAgo: $0, moved: (0, 2, 4)) }
    }

    private func trouble(daysAgo: Int64, queries: Int, badDay: Bool = false) throws -> StoreTrouble {
        StoreTrouble(country: try country("us"), day: today - daysAgo, queries: queries, hasBadDay: badDay)
    }

    @Test func `a day on which everything moved is stormy, the calm ones before it are not`() throws {
        let weather = try store(try calm() + [facts(daysAgo: 0, moved: (4, 8, 16))])
        #expect(weather.days.count == 11)
        let last = try #require(weather.days.last)
        #expect((last.figure, last.weather?.usual, last.weather?.state) == (9, 2, .stormy))
        #expect(weather.days.dropLast().allSatisfy { $0.weather?.state == .calm })
    }

    @Test func `nothing is said of a day with too few queries, or with too few days before it`() throws {
        let few = try store(try calm() + [facts(daysAgo: 0, moved: (4, 8, 16), queries: 2)])
        #expect(few.days.last?.figure == nil)
        #expect(few.days.last?.weather == nil)
        let young = try store(try calm("us", 13) + [facts(daysAgo: 0, moved: (4, 8, 16))])
        #expect(young.days.last?.figure == 9)
        #expect(young.days.last?.weather == nil)
    }

    @Test func `lists that are compared over more days than usual are not taken for a storm`() throws {
        let shuffled = try facts(daysAgo: 0, moved: (4, 8, 16))
        #expect(try store(try calm(until: 3) + [shuffled]).days.last?.figure == nil)
        var thin = try calm()
        thin[0].good = 10
        #expect(try store(thin + [shuffled]).days.last?.figure == nil)
        thin[0].good = 11
        #expect(try store(thin + [shuffled]).days.last?.weather?.state == .stormy)
        // Every other day is as usual as every day, where it is the rule.
        let sparse = try (1...28).map { try facts(daysAgo: 2 * $0, moved: (0, 2, 4)) }
        #expect(try store(sparse + [shuffled]).days.last?.weather?.state == .stormy)
    }

    @Test func `failures mark a day where they are wide, not where one query fails all day`() throws {
        func kind(_ facts: CountryDay, _ trouble: StoreTrouble) throws -> StoreWeather.Trouble? {
            try store([facts], troubles: [trouble]).days.first?.trouble
        }
        let wide = try facts(daysAgo: 0, moved: nil, failed: 30)
        #expect(try kind(wide, trouble(daysAgo: 0, queries: 3)) == .failures)
        #expect(try kind(wide, trouble(daysAgo: 0, queries: 1)) == nil)
        #expect(try kind(facts(daysAgo: 0, moved: nil, failed: 10), trouble(daysAgo: 0, queries: 5)) == nil)
        #expect(try kind(facts(daysAgo: 0, moved: nil, queries: 3, failed: 30), trouble(daysAgo: 0, queries: 3)) == nil)
        let collapsed = try trouble(daysAgo: 0, queries: 5, badDay: true)
        #expect(try kind(facts(daysAgo: 0, moved: nil, suspect: 5), collapsed) == .badDay)
        #expect(try kind(facts(daysAgo: 0, moved: nil), trouble(daysAgo: 1, queries: 5, badDay: true)) == nil)
    }

    // MARK: Remarks

    private func remarks(_ stores: [StoreWeather], days: Int64 = 10) -> [String] {
        stores.remarks(on: today - days...today, today: today).map(\.text)
    }

    private func stormy(_ code: String, daysAgo: Set<Int64>) throws -> StoreWeather {
        let days = try (0...10).map { ago in
            try facts(code, daysAgo: ago, moved: daysAgo.contains(ago) ? (4, 8, 16) : (0, 2, 4))
        }
        return try store(try calm(code, 30, until: 11) + days, in: code)
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

    // MARK: From a history

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
        while let days = try await history.nextCountryDays(today: start.day + 19, limit: 50) {
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
        #expect(try volatility(until: 16).stores.last?.days.count == 2)
    }
}
