import Testing

@testable import Judging

@Suite struct StormFactorsTests {
    @Test func `a day without a storm moved as far as usual`() {
        let storms = StormFactors([10: 2, 13: 3])
        #expect([9, 10, 11, 12, 13, 14].map { storms[$0] } == [1, 2, 1, 1, 3, 1])
        #expect(storms[.max] == 1 && storms[-1_000_000] == 1 && !storms.isEmpty)
    }

    @Test func `of no storms every day is calm`() {
        #expect(StormFactors().isEmpty && StormFactors()[20_000] == 1)
    }
}
