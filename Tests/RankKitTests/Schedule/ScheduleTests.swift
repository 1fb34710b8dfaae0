import RankKit
import Testing

@Suite struct ScheduleTests {
    private let noon = Timestamp(iso8601: "2026-11-20T12:00:00Z")!

    private func scheduled(_ text: String, _ cadences: Cadence...) -> ScheduledQuery {
        ScheduledQuery(query: Query(text: text, country: Country(code: "us")!), cadences: cadences)
    }

    private func due(_ queries: [ScheduledQuery], _ attempts: [Query: Attempts], at now: Timestamp) -> [String] {
        Schedule.due(queries, attempts: attempts, now: now).map(\.query.text)
    }

    @Test func `a new query is due at once`() {
        #expect(due([scheduled("a", .every(seconds: 86_400))], [:], at: noon + 17) == ["a"])
    }

    @Test func `a good check in the slot satisfies it until the slot ends`() {
        let query = scheduled("a", .every(seconds: 3_600))
        let attempts = Attempts(lastGood: noon)
        #expect(Schedule.nextDue(query, attempts: attempts, now: noon + 1) == noon + 3_600)
        #expect(due([query], [query.query: attempts], at: noon + 3_599).isEmpty)
        #expect(due([query], [query.query: attempts], at: noon + 3_600) == ["a"])
    }

    @Test func `a check belongs to the slot in which it began`() {
        let query = scheduled("a", .every(seconds: 3_600))
        #expect(due([query], [query.query: Attempts(lastGood: noon - 1)], at: noon) == ["a"])
    }

    @Test func `after downtime a query is due once, not once per missed slot`() {
        let query = scheduled("a", .every(seconds: 3_600))
        let later = noon + 10 * 86_400
        #expect(due([query], [query.query: Attempts(lastGood: noon)], at: later) == ["a"])
        #expect(due([query], [query.query: Attempts(lastGood: later)], at: later + 1).isEmpty)
    }

    @Test func `queries without any good check come first, then the longest without one, then by order`() {
        let queries = ["a", "b", "c", "d"].map { scheduled($0, .every(seconds: 3_600)) }
        let attempts = [
            queries[0].query: Attempts(lastGood: noon - 7_200), queries[1].query: Attempts(lastGood: noon - 90_000),
        ]
        #expect(due(queries, attempts, at: noon) == ["c", "d", "b", "a"])
    }

    @Test(
        arguments: [(1, 300), (2, 600), (3, 1_200), (4, 2_400), (5, 3_600), (50, 3_600), (Int.max, 3_600)]
            as [(Int, Int64)])
    func `retries double from five minutes to an hour`(failures: Int, seconds: Int64) {
        #expect(Schedule.retryDelay(afterFailures: failures, cadence: 86_400) == seconds)
    }

    @Test func `a retry never waits longer than the cadence`() {
        #expect(Schedule.retryDelay(afterFailures: 9, cadence: 900) == 900)
        #expect(Schedule.retryDelay(afterFailures: 1, cadence: 60) == 60)
    }

    @Test func `a failed check delays the next try and does not satisfy the slot`() {
        let query = scheduled("a", .every(seconds: 86_400))
        let attempts = Attempts(lastGood: noon - 86_400, lastFailed: noon, failuresInARow: 2)
        #expect(Schedule.nextDue(query, attempts: attempts, now: noon + 1) == noon + 600)
        #expect(Schedule.nextDue(query, attempts: attempts, now: noon + 601) == noon + 601)
    }

    @Test func `a failure in the future is a clock that was set back and delays nothing`() {
        let query = scheduled("a", .every(seconds: 86_400))
        let attempts = Attempts(lastFailed: noon + 99_999, failuresInARow: 1)
        #expect(Schedule.nextDue(query, attempts: attempts, now: noon) == noon)
    }

    @Test func `an answer clears the failures, a failure keeps the last answer`() {
        let failed = Attempts(lastGood: noon).adding(good: false, at: noon + 5)
        #expect(failed == Attempts(lastGood: noon, lastFailed: noon + 5, failuresInARow: 1))
        let again = failed.adding(good: false, at: noon + 9)
        #expect(again.failuresInARow == 2)
        #expect(again.adding(good: true, at: noon + 20) == Attempts(lastGood: noon + 20))
    }

    @Test func `a query at several cadences is due at the union of their slots`() {
        let query = scheduled("a", .every(seconds: 7_200), .every(seconds: 10_800))
        var now = Timestamp.startOfDay(20_777)
        var hours: [Int64] = []
        for _ in 0..<5 {
            hours.append((now.secondsSinceEpoch % 86_400) / 3_600)
            now = Schedule.nextDue(query, attempts: Attempts(lastGood: now), now: now + 1)
        }
        #expect(hours == [0, 2, 3, 4, 6])
    }

    @Test func `the loop wakes for the earliest query and sleeps for ever without any`() {
        let queries = [scheduled("a", .every(seconds: 3_600)), scheduled("b", .every(seconds: 900))]
        let attempts = Dictionary(uniqueKeysWithValues: queries.map { ($0.query, Attempts(lastGood: noon)) })
        #expect(Schedule.nextWake(queries, attempts: attempts, now: noon + 1) == noon + 900)
        #expect(Schedule.nextWake([], attempts: [:], now: noon) == nil)
    }
}
