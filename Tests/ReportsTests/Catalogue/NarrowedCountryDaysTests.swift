import History
import JudgingStage
import RankKit
import TestSupport
import Testing

/// How a country's store was, for whoever sees some tags alone.
@Suite struct NarrowedCountryDaysTests {
    @Test func `the days of a part are the same whatever days are asked for together`() async throws {
        let clients = try await TwoClients()
        let reader = try HistoryReader(path: clients.store.path).narrowed(to: [TwoClients.ownTag])
        let last = noon.day - 1
        var random = SplitMix(seed: 9)
        for _ in 0..<60 {
            let first = noon.day - Int64.random(in: 0...140, using: &random)
            let days = first...(first + Int64.random(in: 0...90, using: &random))
            let wanted = [nil, query("timer").store, query("timer", "de").store].randomElement(using: &random)!
            let expected = try reader.countryDays(days, of: wanted).filter { $0.day <= last }
            #expect(try reader.derivedCountryDays(days, of: wanted) == expected, "\(days)")
        }
    }

    @Test func `what was counted once is not counted again until the history has changed`() async throws {
        let clients = try await TwoClients()
        let whole = try HistoryReader(path: clients.store.path)
        let memory = CountryDayMemory()
        func days(_ memory: CountryDayMemory) throws -> [CountryDay] {
            try whole.narrowed(to: [TwoClients.ownTag], remembering: memory)
                .derivedCountryDays(noon.day - 30...noon.day - 1)
        }
        let before = try days(memory)
        try await clients.store.record(
            Check(query: query("timer"), at: noon - 10 * day, outcome: .failed(Failure(.timedOut))))
        // The one that is kept is of the moment before; a new one counts what was added.
        #expect(try days(memory) == before)
        #expect(try days(CountryDayMemory()) != before)
    }
}
