import RankKit
import Testing

@Suite struct RobustTests {
    @Test func `the median is the middle one, or the mean of the two in the middle`() {
        #expect(Robust.median([]) == nil)
        #expect(Robust.median([7]) == 7)
        #expect(Robust.median([9, 1]) == 5)
        #expect(Robust.median([5, 1, 4, 4, 100]) == 4)
    }

    @Test func `quantiles lie linearly between their neighbours`() {
        #expect(Robust.quantile([], 0.5) == nil)
        #expect(Robust.quantile([3], 0.9) == 3)
        #expect(Robust.quantile([4, 1, 3, 2], 0.25) == 1.75)
        #expect(Robust.quantile([4, 1, 3, 2], 0) == 1)
        #expect(Robust.quantile([4, 1, 3, 2], 1) == 4)
        #expect(Robust.quantile([4, 1, 3, 2], 1.5) == 4)
    }

    @Test func `the deviation is that of a normal distribution, 0 where most values are equal, and unknown of one`() {
        #expect(Robust.deviation([1]) == nil)
        #expect(Robust.deviation([2, 2, 2, 50]) == 0)
        #expect(Robust.deviation([1, 2, 3, 4, 5]) == 1.482_602_218_505_602)
    }

    @Test func `weights draw the median towards what weighs more`() {
        #expect(Robust.weightedMedian([]) == nil)
        #expect(Robust.weightedMedian([(value: 1, weight: 0)]) == nil)
        #expect(Robust.weightedMedian([(value: 1, weight: 1), (value: 2, weight: 1), (value: 9, weight: 5)]) == 9)
        #expect(Robust.weightedMedian([(value: 4, weight: 2), (value: 1, weight: 2)]) == 2.5)
    }
}
