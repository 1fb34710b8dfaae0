import AppStore
import History
import RankKit
import Synchronization
import TestSupport
import Testing
import Tracking

@Suite struct TrackingPassTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let store = FakeStore()
    private let clock = InstantClock()
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func pass(parallelism: Int = 4) -> TrackingPass<InstantClock> {
        TrackingPass(
            lane: store.store.searches(perMinute: 15, clock: clock, now: { [start] in start }), history: history,
            parallelism: parallelism)
    }

    private func adopt(_ pairs: [(Query, [String])]) async throws -> [ScheduledQuery] {
        let plan = watchlist(pairs)
        try await history.adopt(plan, now: start)
        return plan.scheduledQueries
    }

    private func standings() throws -> [PairStanding] { try HistoryReader(path: history.path).standings() }

    @Test func `one search serves every app tracked on its query`() async throws {
        let due = try await adopt([(query("timer"), ["com.a", "com.b", "com.c"])])
        store.announce(query("timer"), .answered(list(["com.c", "com.a"])))
        let pass = pass()
        let result = try await pass.run(due)
        #expect(store.asked == [query("timer")])
        #expect(result.succeeded == 1)
        #expect(try standings().map(\.lastGood?.position?.number) == [2, nil, 1])
    }

    @Test func `never more searches are in flight than the parallelism allows`() async throws {
        let queries = (0..<20).map { query("q\($0)") }
        let due = try await adopt(queries.map { ($0, ["com.a"]) })
        for query in queries { store.announce(query, .answered(list([]))) }
        let pass = pass(parallelism: 3)
        _ = try await pass.run(due)
        #expect(store.asked.count == 20)
        #expect(store.mostInFlight <= 3)
    }

    @Test func `a throttled query has no check and stays due`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"]), (query("clock"), ["com.a"])])
        store.announce(query("timer"), .answered(list(["com.a"])))
        store.announce(query("clock"), .throttled(status: 403))
        let pass = pass(parallelism: 1)
        let result = try await pass.run(due)
        #expect((result.succeeded, result.failed, result.throttled) == (1, 0, 1))
        let attempts = try await history.attempts(asOf: start)
        #expect(Schedule.due(due, attempts: attempts, now: start).map(\.query) == [query("clock")])
        #expect(try standings().map(\.outcome.state) == [.ranked, .pending])
    }

    @Test func `the throttle ends the pass, and the rest stays due`() async throws {
        let queries = (0..<10).map { query("q\($0)") }
        let due = try await adopt(queries.map { ($0, ["com.a"]) })
        for query in queries { store.announce(query, .throttled(status: 429)) }
        let pass = pass(parallelism: 2)
        let result = try await pass.run(due)
        #expect(result.throttled == store.asked.count)
        #expect((1...2).contains(store.asked.count))
        #expect(try await history.lastRequest() == start)
    }

    @Test func `a failure is recorded as one and costs no other query`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"]), (query("clock"), ["com.a"])])
        store.announce(query("timer"), .failed(Failure(.timedOut)))
        store.announce(query("clock"), .answered(list(["com.a"])))
        let pass = pass(parallelism: 1)
        let result = try await pass.run(due)
        #expect((result.succeeded, result.failed) == (1, 1))
        #expect(try standings().map(\.outcome.state) == [.failed, .ranked])
    }

    @Test func `what may pass is tried three times in the pass`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"])])
        store.announce(
            query("timer"), .failed(Failure(.connectionLost)), .failed(Failure(.status, "503", isTransient: true)),
            .answered(list(["com.a"])))
        let pass = pass()
        let result = try await pass.run(due)
        #expect((result.succeeded, result.failed) == (1, 0))
        #expect(store.asked.count == 3)
    }

    @Test func `what fails three times is one failed check`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"])])
        store.announce(query("timer"), .failed(Failure(.timedOut)))
        let pass = pass()
        let result = try await pass.run(due)
        #expect((result.succeeded, result.failed) == (0, 1))
        #expect(store.asked.count == 3)
    }

    @Test func `a question that Apple refuses is not repeated`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"])])
        store.announce(query("timer"), .failed(Failure(.rejected, "Invalid value(s) for key(s): [country]")))
        let pass = pass()
        _ = try await pass.run(due)
        #expect(store.asked.count == 1)
    }

    @Test func `a machine that is offline fails five queries and leaves the rest due`() async throws {
        let queries = (0..<100).map { query("q\($0)") }
        let due = try await adopt(queries.map { ($0, ["com.a"]) })
        for query in queries { store.announce(query, .failed(Failure(.nameNotFound))) }
        let pass = pass(parallelism: 1)
        let result = try await pass.run(due)
        #expect(result.asked == 5)
        #expect(store.asked.count == 5)
        #expect(try HistoryReader(path: history.path).health(of: .search(at: "fake")).pause == .offline)
    }

    @Test func `an event is told after its check can be read`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"])])
        store.announce(query("timer"), .answered(list(["com.a"])))
        let reader = try HistoryReader(path: history.path)
        let pass = pass()
        var seen: [Timestamp?] = []
        _ = try await pass.run(
            due,
            progress: { _ in
                do { seen.append(try reader.standings()[0].checkedAt) } catch { Issue.record(error) }
            })
        #expect(seen == [start])
    }

    @Test func `cancelling cuts off what is in flight without a trace`() async throws {
        let queries = (0..<10).map { query("q\($0)") }
        let due = try await adopt(queries.map { ($0, ["com.a"]) })
        for query in queries { store.announce(query, .answered(list(["com.a"]))) }
        store.hold()
        let pass = pass(parallelism: 3)
        let running = Task { try await pass.run(due) }
        await store.requests(3)
        running.cancel()
        let result = try await running.value
        #expect(result.asked == 0)
        #expect(store.asked.count == 3)
        #expect(try standings().allSatisfy { $0.outcome == .pending })
    }

    @Test func `a pass that is told to stop brings what is in flight to its end`() async throws {
        let queries = (0..<10).map { query("q\($0)") }
        let due = try await adopt(queries.map { ($0, ["com.a"]) })
        for query in queries { store.announce(query, .answered(list(["com.a"]))) }
        let pass = pass(parallelism: 2)
        let asked = Mutex(0)
        let result = try await pass.run(
            due,
            goesOn: {
                asked.withLock { count in
                    count += 1
                    return count <= 2
                }
            })
        #expect(result.succeeded == 2)
    }

    @Test func `how a pass went is kept for the status`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"])])
        store.announce(query("timer"), .failed(Failure(.status, "503")))
        let pass = pass()
        let result = try await pass.run(due)
        let record = try HistoryReader(path: history.path).serviceRecord(now: start)
        #expect(record.lastPass == result)
        #expect(record.failing.map(\.reason) == [.status])
    }

    // MARK: Believing

    /// Adopts `count` queries, each with three good lists of 100 places behind it, a day apart, the last of which is so
    /// many days old.
    private func settled(_ count: Int, daysAgo last: Int64 = 1) async throws -> [ScheduledQuery] {
        let queries = (0..<count).map { query("q\($0)") }
        let due = try await adopt(queries.map { ($0, ["com.a"]) })
        for query in queries {
            for day in last...last + 2 {
                try await history.record(
                    Check(query: query, at: start - day * 86_400, outcome: .answered(long)))
            }
        }
        return due
    }

    private var long: ResultList { list((0..<99).map { "com.x\($0)" } + ["com.a"]) }

    @Test func `a list that collapses is asked again, and the second answer counts`() async throws {
        let due = try await settled(1)
        store.announce(due[0].query, .answered(list(["com.b"])), .answered(long))
        let pass = pass()
        let result = try await pass.run(due)
        #expect(store.asked.count == 2)
        #expect((result.succeeded, result.suspect) == (1, 0))
        #expect(try standings()[0].lastGood == Reading(position: Position(100), within: 100, checkedAt: start))
    }

    @Test func `a list that stays collapsed is suspect and moves no position`() async throws {
        let due = try await settled(1)
        store.announce(due[0].query, .answered(list([])))
        let pass = pass()
        let result = try await pass.run(due)
        #expect((result.succeeded, result.suspect, result.isBadDay) == (0, 1, false))
        let standing = try standings()[0]
        #expect(standing.outcome == .suspect(.collapsed))
        #expect(standing.lastGood?.position == Position(100))
        #expect(Schedule.due(due, attempts: try await history.attempts(asOf: start), now: start).isEmpty)
    }

    @Test(arguments: [true, false])
    func `an answer that collapsed is kept where the pass ends before it can be asked again`(isThrottled: Bool)
        async throws
    {
        let due = try await settled(1)
        store.announce(due[0].query, .answered(list([])), .throttled(status: 403))
        let pass = pass()
        let asked = Mutex(0)
        let result = try await pass.run(
            due,
            goesOn: {
                asked.withLock { count in
                    count += 1
                    return isThrottled || count == 1
                }
            })
        #expect(store.asked.count == (isThrottled ? 2 : 1))
        #expect((result.suspect, result.asked) == (1, 1))
        let standing = try standings()[0]
        #expect(standing.outcome == .suspect(.collapsed))
    }

    @Test(arguments: [Failure(.notJSON), Failure(.timedOut)])
    func `an answer that collapsed is kept where asking again fails`(failure: Failure) async throws {
        let due = try await settled(1)
        store.announce(due[0].query, .answered(list(["com.b", "com.c"])), .failed(failure))
        let result = try await pass().run(due)
        #expect(store.asked.count == (failure.isTransient ? 4 : 2))
        #expect((result.suspect, result.failed, result.asked) == (1, 0, 1))
        let standing = try standings()[0]
        #expect(standing.outcome == .suspect(.collapsed))
        #expect(standing.lastGood?.position == Position(100))
        #expect(Schedule.due(due, attempts: try await history.attempts(asOf: start), now: start).isEmpty)
        var kept: [Int] = []
        try HistoryReader(path: history.path).lists(on: due[0].query, in: start...start) {
            kept.append($0.places.count)
            return true
        }
        #expect(kept == [2])
    }

    @Test func `half of ten collapsing is a bad day, which nothing is believed of`() async throws {
        let due = try await settled(10)
        for (index, scheduled) in due.enumerated() {
            store.announce(scheduled.query, .answered(index < 5 ? list([]) : long))
        }
        let pass = pass()
        let result = try await pass.run(due)
        #expect((result.succeeded, result.suspect, result.isBadDay) == (5, 5, true))
        #expect(try standings().count { $0.outcome == .suspect(.badDay) } == 5)
        let belief = try await history.belief(about: due[0].query, at: start)
        #expect(belief.suspects.map(\.onBadDay) == [true])
    }

    @Test func `a collapse that lasts is believed, and is the new measure`() async throws {
        let due = try await settled(1, daysAgo: 3)
        let short = list(["com.a", "com.b"])
        for hours in [-49, -25] as [Int64] {
            try await history.record(
                Check(query: due[0].query, at: start + hours * 3_600, outcome: .suspect(short, .collapsed)))
        }
        store.announce(due[0].query, .answered(short))
        let pass = pass()
        let result = try await pass.run(due)
        #expect((result.succeeded, result.suspect) == (1, 0))
        #expect(try standings()[0].lastGood == Reading(position: Position(1), within: 2, checkedAt: start))
        #expect(try await history.belief(about: due[0].query, at: start) == Belief(goodLengths: [2]))
    }
}
