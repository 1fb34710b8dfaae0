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
        store.announce(query("timer"), .answered(whole(["com.c", "com.a"])))
        let pass = pass()
        let result = try await pass.run(due)
        #expect(store.asked == [query("timer")])
        #expect(result.succeeded == 1)
        #expect(try standings().map(\.lastGood?.position?.number) == [2, nil, 1])
    }

    @Test func `never more searches are in flight than the parallelism allows`() async throws {
        let queries = (0..<20).map { query("q\($0)") }
        let due = try await adopt(queries.map { ($0, ["com.a"]) })
        for query in queries { store.announce(query, .answered(whole([]))) }
        let pass = pass(parallelism: 3)
        _ = try await pass.run(due)
        #expect(store.asked.count == 20)
        #expect(store.mostInFlight <= 3)
    }

    @Test func `a throttled query has no check and stays due`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"]), (query("clock"), ["com.a"])])
        store.announce(query("timer"), .answered(whole(["com.a"])))
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
        store.announce(query("clock"), .answered(whole(["com.a"])))
        let pass = pass(parallelism: 1)
        let result = try await pass.run(due)
        #expect((result.succeeded, result.failed) == (1, 1))
        #expect(try standings().map(\.outcome.state) == [.failed, .ranked])
    }

    @Test func `what may pass is tried three times in the pass`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"])])
        store.announce(
            query("timer"), .failed(Failure(.connectionLost)), .failed(Failure(.status, "503", isTransient: true)),
            .answered(whole(["com.a"])))
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

    @Test func `further tries are counted as requests while the pass is under way`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"]), (query("clock"), ["com.a"])])
        store.announce(query("timer"), .failed(Failure(.timedOut)))
        store.announce(query("clock"), .failed(Failure(.timedOut)), .answered(whole(["com.a"])))
        let pass = pass(parallelism: 1)
        let reader = try HistoryReader(path: history.path)
        let span = Timestamp(secondsSinceEpoch: 0)...Timestamp.storable.upperBound
        var counted: [Int] = []
        _ = try await pass.run(
            due,
            progress: { event in
                guard case .recorded = event else { return }
                do { counted.append(try reader.requests(in: span)) } catch { Issue.record(error) }
            })
        #expect(counted == [3, 5])
        #expect(try reader.requests(in: span) == 5)
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

    @Test func `a store that answers nothing but errors is left alone after some, and the rest stays due`() async throws
    {
        let queries = (0..<100).map { query("q\($0)") }
        let due = try await adopt(queries.map { ($0, ["com.a"]) })
        for query in queries { store.announce(query, .failed(Failure(.status, "status 503", isTransient: true))) }
        let pass = pass(parallelism: 1)
        let result = try await pass.run(due)
        // Each with all its tries.
        let asked = EndpointHealth.errorLimit / 3
        #expect((result.asked, result.failed, store.asked.count) == (asked, asked, EndpointHealth.errorLimit))
        #expect(try HistoryReader(path: history.path).health(of: .search(at: "fake")).pause == .failing)
    }

    @Test func `what a pass met that was cut off before its first answer is known all the same`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"])])
        let (requests, asked) = AsyncStream.makeStream(of: Void.self)
        let isSecond = Mutex(false)
        let troubled = AppStore(
            search: { _ in
                asked.yield()
                guard
                    isSecond.withLock({ isSecond in
                        defer { isSecond = true }
                        return isSecond
                    })
                else { return .failed(Failure(.status, "status 503", isTransient: true)) }
                try await ContinuousClock().sleep(until: .now + .seconds(1 << 40))
                return .failed(Failure(.status))
            }, lookup: { _ in .failed(Failure(.status)) })
        let pass = TrackingPass(
            lane: troubled.searches(perMinute: 15, clock: clock, now: { [start] in start }), history: history,
            parallelism: 1)
        let running = Task { try await pass.run(due) }
        var tries = 0
        for await _ in requests {
            tries += 1
            if tries == 2 { break }
        }
        running.cancel()
        _ = try await running.value
        #expect(try HistoryReader(path: history.path).health(of: .search(at: "fake")).errorsInARow > 0)
        #expect(try standings()[0].checkedAt == nil)
    }

    @Test func `an event is told after its check can be read`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"])])
        store.announce(query("timer"), .answered(whole(["com.a"])))
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
        for query in queries { store.announce(query, .answered(whole(["com.a"]))) }
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
        for query in queries { store.announce(query, .answered(whole(["com.a"]))) }
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
        #expect(record.usualLane?.lastPass == result)
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
        store.announce(due[0].query, .answered(whole(["com.b"])), .answered(long))
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
        #expect(try await history.belief(about: due[0].query, at: start) == Belief(goodLengths: [2], answers: 3))
    }

    // MARK: First lists

    @Test(arguments: [0, 3, 9])
    func `a first list that is empty or short is asked again, and is suspect and no absence`(length: Int) async throws {
        let due = try await adopt([(query("timer"), ["com.a"])])
        store.announce(due[0].query, .answered(list((0..<length).map { "com.x\($0)" })))
        let result = try await pass().run(due)
        #expect(store.asked.count == 2)
        #expect((result.succeeded, result.suspect, result.isBadDay) == (0, 1, false))
        let standing = try standings()[0]
        #expect(standing.outcome == .suspect(.early))
        #expect(standing.lastGood == nil)
        #expect(Schedule.due(due, attempts: try await history.attempts(asOf: start), now: start).isEmpty)
    }

    @Test func `of a first list that was empty the second answer counts`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"])])
        store.announce(due[0].query, .answered(list([])), .answered(whole(["com.a"])))
        #expect(try await pass().run(due).succeeded == 1)
        #expect(try standings().map(\.outcome.state) == [.ranked])
    }

    /// A pass over new queries with ten places and others without any.
    private func run(whole wholes: [Query], empty: [Query]) async throws -> PassResult {
        let due = try await adopt((wholes + empty).map { ($0, ["com.a"]) })
        for query in wholes { store.announce(query, .answered(whole(["com.a"]))) }
        for query in empty { store.announce(query, .answered(list([]))) }
        return try await pass().run(due)
    }

    @Test func `an empty first list is an absence at once beside ten that came whole`() async throws {
        let result = try await run(whole: (0..<10).map { query("q\($0)") }, empty: [query("timer")])
        #expect((result.succeeded, result.suspect, result.isBadDay) == (11, 0, false))
        #expect(store.asked.count == 12)
        #expect(try standings().last?.lastGood == Reading(position: nil, within: 0, checkedAt: start))
        #expect(try await history.belief(about: query("timer"), at: start).verdict(length: 0, at: start) == .accepted)
    }

    @Test func `nine lists of the country and one of another support nothing`() async throws {
        let wholes = (0..<9).map { query("q\($0)") } + [query("q", "de")]
        let result = try await run(whole: wholes, empty: [query("timer")])
        #expect((result.succeeded, result.suspect) == (10, 1))
    }

    @Test func `twenty of thirty new queries without a result are a bad day, and no absences`() async throws {
        let result = try await run(
            whole: (0..<10).map { query("q\($0)") }, empty: (0..<20).map { query("e\($0)") })
        #expect((result.succeeded, result.suspect, result.isBadDay) == (10, 20, true))
        #expect(try standings().count { $0.outcome == .suspect(.badDay) } == 20)
    }

    @Test func `twenty queries that find nothing for days are believed when they are not new any more`() async throws {
        let wholes = (0..<10).map { query("q\($0)") }
        let empty = (0..<20).map { query("e\($0)") }
        let due = try await adopt((wholes + empty).map { ($0, ["com.a"]) })
        for query in wholes { store.announce(query, .answered(whole(["com.a"]))) }
        for query in empty { store.announce(query, .answered(list([]))) }
        var results: [PassResult] = []
        for day in 0..<4 as Range<Int64> {
            let moment = start + day * 86_400
            let pass = TrackingPass(
                lane: store.store.searches(perMinute: 15, clock: clock, now: { moment }), history: history,
                parallelism: 4)
            results.append(try await pass.run(due))
        }
        #expect(results.map(\.isBadDay) == [true, true, true, false])
        #expect(results.map(\.suspect) == [20, 20, 20, 0])
    }

    @Test func `a query that finds nothing for 24 hours is believed, and asked once from then on`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"])])
        store.announce(due[0].query, .answered(list([])))
        var states: [Outcome.State] = []
        for hours in [0, 6, 12, 18, 24, 30] as [Int64] {
            let moment = start + hours * 3_600
            let pass = TrackingPass(
                lane: store.store.searches(perMinute: 15, clock: clock, now: { moment }), history: history,
                parallelism: 1)
            _ = try await pass.run(due)
            states.append(try standings()[0].outcome.state)
        }
        #expect(states == [.suspect, .suspect, .suspect, .suspect, .absent, .absent])
        #expect(store.asked.count == 4 * 2 + 2)
    }

    @Test func `absences of an older rankd that nothing supports count as the suspects that they are`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"])])
        for hours in [-12, -6] as [Int64] {
            try await history.record(
                Check(query: due[0].query, at: start + hours * 3_600, outcome: .answered(list([]))))
        }
        store.announce(due[0].query, .answered(list([])))
        #expect(try await pass().run(due).suspect == 1)
        #expect(
            try await history.belief(about: due[0].query, at: start).verdict(length: 0, at: start + 43_200) == .believed
        )
    }
}
