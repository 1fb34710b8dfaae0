import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Judging

@Suite struct StoreWeatherTests: CountryDays {
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

    @Test(arguments: UInt64(1)...20)
    func `what is said of a day is the same however far back somebody looks, and whatever comes later`(seed: UInt64)
        throws
    {
        var random = SplitMix(seed: seed)
        var (facts, ago, step): ([CountryDay], Int64, Int64) = ([], 400, 1)
        while ago >= 0 {
            // Another cadence now and then, and days with fewer checks.
            if random.unit() < 0.02 { step = Int64.random(in: 1...5, using: &random) }
            var day = try self.facts(
                daysAgo: ago, moved: random.unit() < 0.05 ? (4, 8, 16) : (0, Int.random(in: 1...3, using: &random), 4))
            if random.unit() < 0.1 { day.good /= 3 }
            facts.append(day)
            ago -= step
        }
        let us = Store(in: try country("us"))
        func days(_ shown: ClosedRange<Int64>, readUpTo last: Int64) -> [StoreWeather.Day] {
            let read = shown.lowerBound - StoreWeather.reach...last
            return StoreWeather(us, facts.filter { read.contains($0.day) }, [:], shown: shown).days
        }
        let whole = days(today - 400...today, readUpTo: today)
        #expect(whole.contains { $0.figure == nil })
        for _ in 0..<20 {
            let first = today - Int64.random(in: 0...400, using: &random)
            let last = Int64.random(in: first...today, using: &random)
            #expect(days(first...last, readUpTo: last) == whole.filter { (first...last).contains($0.day) })
        }
    }
}
