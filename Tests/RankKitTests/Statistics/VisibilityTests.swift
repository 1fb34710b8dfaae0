import RankKit
import TestSupport
import Testing

@Suite struct VisibilityTests {
    private func entry(_ popularity: Double?, _ position: Int?) -> Visibility.Entry {
        .init(popularity: popularity, reading: reading(position, on: 0))
    }

    @Test func `first everywhere is 100, and nowhere is 0`() throws {
        #expect(Visibility([entry(nil, 1), entry(nil, 1)])?.score == 100)
        #expect(Visibility([entry(nil, nil)])?.score == 0)
        #expect(Visibility([]) == nil)
    }

    @Test func `a place is worth one over the logarithm of its number and one`() throws {
        // Third is worth 1/2, seventh 1/3, absent nothing.
        let visibility = try #require(Visibility([entry(nil, 3), entry(nil, 7), entry(nil, nil)]))
        #expect(abs(visibility.score - 100 * (0.5 + 1.0 / 3) / 3) < 1e-12)
        #expect(!visibility.isWeighted)
    }

    @Test func `popularity weighs where every query has one, and none where one has not`() throws {
        let weighted = try #require(Visibility([entry(60, 1), entry(20, nil)]))
        #expect(weighted.isWeighted && weighted.score == 75)
        let plain = try #require(Visibility([entry(60, 1), entry(nil, nil)]))
        #expect(!plain.isWeighted && plain.score == 50)
    }

    @Test func `a query without a reading counts for coverage alone`() throws {
        let visibility = try #require(
            Visibility([entry(30, 1), .init(popularity: 10, reading: nil)]))
        #expect(visibility.score == 100 && visibility.coverage == 0.75)
        #expect(visibility.counted == 1 && visibility.queries == 2)
        #expect(Visibility([.init(popularity: 10, reading: nil)]) == nil)
    }
}
