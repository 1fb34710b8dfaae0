import Alerts
import Testing

@Suite struct RetryScheduleTests {
    @Test func `seven waits grow from seconds to hours, and then it is given up`() {
        #expect(
            (1...8).map { RetrySchedule.wait(after: $0, wanted: nil, chance: 0) } == [
                5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, nil,
            ])
    }

    @Test func `a wait is up to a fifth longer, so that many do not come back together`() {
        #expect(RetrySchedule.wait(after: 2, wanted: nil, chance: 1) == 360)
        #expect(RetrySchedule.wait(after: 2, wanted: nil, chance: 0.5) == 330)
    }

    @Test(arguments: [(10, 10), (3, 5), (-5, 5), (Int64.max, 86_400)] as [(Int64, Int64)])
    func `what the other side asks for is honoured, up to a day`(wanted: Int64, wait: Int64) {
        #expect(RetrySchedule.wait(after: 1, wanted: wanted, chance: 0) == wait)
    }

    @Test func `all tries together end before a message is too old`() {
        let longest = (1...7).compactMap { RetrySchedule.wait(after: $0, wanted: nil, chance: 1) }.reduce(0, +)
        #expect(longest < 2 * 86_400)
    }
}
