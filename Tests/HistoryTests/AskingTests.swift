import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// What came of asking over some time.
@Suite struct AskingTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let hour: Int64 = 3_600

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func record(_ text: String, _ outcome: Check.Outcome, after hours: Int64) async throws {
        try await store.record(Check(query: query(text), at: start + hours * hour, outcome: outcome))
    }

    @Test func `checks are counted by query and reason, each with its newest`() async throws {
        try await store.adopt(watchlist([(query("a"), ["com.a"]), (query("b"), ["com.a"])]), now: start)
        try await record("a", .answered(list(["com.a"])), after: 0)
        try await record("a", .failed(Failure(.timedOut, "30 s")), after: 1)
        try await record("a", .failed(Failure(.timedOut, "31 s")), after: 3)
        try await record("a", .failed(Failure(.status, "500")), after: 2)
        try await record("a", .suspect(list([]), .collapsed), after: 4)
        try await record("a", .answered(list(["com.a"])), after: 9)
        #expect(
            try reader.checks(in: start...start + 5 * hour) == [
                QueryChecks(
                    query: query("a"), good: 1,
                    troubles: [
                        .init(
                            .failed(.check(.status)), count: 1, lastAt: start + 2 * hour),
                        .init(
                            .failed(.check(.timedOut)), count: 2, lastAt: start + 3 * hour),
                        .init(.suspect(.collapsed), count: 1, lastAt: start + 4 * hour),
                    ]), QueryChecks(query: query("b"), good: 0),
            ])
        let both = try #require(try reader.checks(in: start...start + 5 * hour).first)
        #expect((both.failed, both.suspect) == (3, 1))
    }

    @Test func `queries that are no longer asked are not told of`() async throws {
        try await store.adopt(watchlist([(query("a"), ["com.a"])]), now: start)
        try await record("a", .failed(Failure(.timedOut)), after: 1)
        try await store.adopt(watchlist([(query("b"), ["com.a"])]), now: start + 2 * hour)
        #expect(try reader.checks(in: start...start + 5 * hour).map(\.query) == [query("b")])
    }

    @Test func `failures that were thinned out still count, by their days`() async throws {
        try await store.adopt(watchlist([(query("a"), ["com.a"])]), now: start)
        try await store.write { database in
            try database.execute(
                sql: "INSERT INTO failure_day (query, day, reason, failed) SELECT id, ?, 'timed-out', 7 FROM query",
                arguments: [start.day])
        }
        let found = try reader.checks(in: start + hour...start + 2 * hour)
        #expect(found.map(\.failed) == [7])
        #expect(found.first?.troubles.first?.lastAt == start)
    }

    @Test func `requests are those of the passes that ended in time`() async throws {
        for (end, requests) in [(1, 5), (10, 7), (20, 100)] as [(Int64, Int)] {
            try await store.record(
                PassResult(
                    startedAt: start + (end - 1) * hour, finishedAt: start + end * hour, due: 1, requests: requests))
        }
        #expect(try reader.requests(in: start...start + 10 * hour) == 12)
        #expect(try reader.requests(in: start + 30 * hour...start + 40 * hour) == 0)
    }

    @Test func `the questions go through each query's own checks`() async throws {
        let plans = try await store.read { database in
            try [
                HistoryReader.checksOfQueries, HistoryReader.troublesOfQueries, HistoryReader.firstChecks,
            ].map { sql in
                var values: [String: (any DatabaseValueConvertible)?] = [:]
                for name in ["from", "to", "firstDay", "lastDay", "dayLength"] where sql.contains(":" + name) {
                    values[name] = 1
                }
                return try Row.fetchAll(
                    database, sql: "EXPLAIN QUERY PLAN " + sql,
                    arguments: StatementArguments(values)
                ).map { $0["detail"] as String }
            }
        }
        for plan in plans {
            #expect(plan.contains { $0.hasPrefix("SEARCH check_log USING") }, "\(plan)")
            #expect(!plan.contains { $0.hasPrefix("SCAN check_log") }, "\(plan)")
        }
    }

    // MARK: Of passes that have not ended

    private func pass(_ number: Int64) -> PassID { PassID(of: .itunes, number: number) }

    private func answer(
        _ text: String, after seconds: Int64, _ asking: SearchAnswer.Asking, requests: Int, _ reply: SearchAnswer.Reply
    ) -> Entry {
        .answer(
            SearchAnswer(
                to: query(text), at: start + seconds, clock: start + seconds, asking: asking, requests: requests,
                reply: reply))
    }

    private var whole: SearchAnswer.Reply { .list(list((1...20).map { "com.a\($0)" })) }
    private var requests: Int { get throws { try reader.requests(in: start...start + hour) } }

    @Test func `a check that took three requests counts as three while its pass is under way, and after it`()
        async throws
    {
        try await store.adopt(watchlist(["a", "b", "c"].map { (query($0), ["com.a"]) }), now: start)
        _ = try await store.apply(.pass(.began(pass(1), at: start, due: 3)))
        _ = try await store.apply(answer("a", after: 1, .first(pass(1)), requests: 3, .failed(Failure(.timedOut))))
        #expect(try requests == 3)
        _ = try await store.apply(answer("b", after: 2, .first(pass(1)), requests: 2, whole))
        #expect(try requests == 5)
        for _ in 0..<2 {
            _ = try await store.apply(answer("c", after: 3, .first(pass(1)), requests: 1, .turnedAway))
            #expect(try requests == 6)
        }
        let result = PassResult(
            startedAt: start, finishedAt: start + 9, due: 3, succeeded: 1, failed: 1, throttled: 1, requests: 6)
        _ = try await store.apply(.pass(.ended(pass(1), at: start + 9, result)))
        #expect(try requests == 6)
    }

    @Test func `an answer that is held counts as the request that it took, before and after it is a check`()
        async throws
    {
        try await store.adopt(watchlist([(query("a"), ["com.a"])]), now: start)
        _ = try await store.apply(answer("a", after: 1, .first(pass(1)), requests: 2, .list(list(["com.b"]))))
        #expect(try requests == 2)
        _ = try await store.apply(answer("a", after: 2, .second(pass(1)), requests: 1, whole))
        #expect(try requests == 3)
        let result = PassResult(startedAt: start, finishedAt: start + 9, due: 1, succeeded: 1, requests: 3)
        _ = try await store.apply(.pass(.ended(pass(1), at: start + 9, result)))
        #expect(try requests == 3)
    }

    @Test(arguments: [true, false])
    func `a pass that was killed keeps what it counted, whether the next asks again or not`(isAskedAgain: Bool)
        async throws
    {
        try await store.adopt(watchlist([(query("a"), ["com.a"]), (query("b"), ["com.a"])]), now: start)
        _ = try await store.apply(answer("a", after: 1, .first(pass(1)), requests: 3, .list(list(["com.b"]))))
        _ = try await store.apply(answer("b", after: 2, .first(pass(1)), requests: 2, whole))
        try await store.close()
        let again = try HistoryStore(path: store.path)
        #expect(try await again.nextPass(of: .itunes) == 2)
        #expect(try requests == 5)
        _ = try await again.apply(.pass(.began(pass(2), at: start + 60, due: 2)))
        _ = try await again.apply(
            answer("a", after: 61, .second(pass(2)), requests: 1, isAskedAgain ? whole : .unasked))
        #expect(try requests == (isAskedAgain ? 6 : 5))
        _ = try await again.apply(answer("b", after: 62, .first(pass(2)), requests: 1, whole))
        let made = isAskedAgain ? 2 : 1
        #expect(try requests == 5 + made)
        let result = PassResult(startedAt: start + 60, finishedAt: start + 90, due: 2, succeeded: 2, requests: made)
        for _ in 0..<2 {
            _ = try await again.apply(.pass(.ended(pass(2), at: start + 90, result)))
            #expect(try requests == 5 + made)
        }
    }

    @Test func `a pass that the next start ends keeps what it counted, and so does one that only failed`() async throws
    {
        try await store.adopt(watchlist([(query("a"), ["com.a"]), (query("b"), ["com.a"])]), now: start)
        _ = try await store.apply(answer("a", after: 1, .first(pass(1)), requests: 3, .failed(Failure(.timedOut))))
        #expect(try await store.nextPass(of: .itunes) == 2)
        _ = try await store.apply(answer("b", after: 2, .first(pass(2)), requests: 2, .list(list(["com.b"]))))
        #expect(try requests == 5)
        _ = try await store.apply(.pass(.ended(pass(2), at: start + 90, nil)))
        #expect(try requests == 5)
        let result = PassResult(startedAt: start + 100, finishedAt: start + 190, due: 1, failed: 1, requests: 1)
        _ = try await store.apply(answer("a", after: 101, .first(pass(3)), requests: 1, .failed(Failure(.timedOut))))
        _ = try await store.apply(.pass(.ended(pass(3), at: start + 190, result)))
        #expect(try requests == 6)
        #expect(try reader.requests(in: start + 95...start + hour) == 1)
    }

    @Test func `what was asked by a clock that was ahead counts on a day that has been`() async throws {
        try await store.adopt(watchlist(["a", "b", "c"].map { (query($0), ["com.a"]) }), now: start)
        let tomorrow: Int64 = 25 * 3_600
        // The checks themselves are of their own dates; here are the further tries, of which there is nothing else.
        _ = try await store.apply(
            answer("a", after: tomorrow, .first(pass(1)), requests: 4, .failed(Failure(.timedOut))))
        #expect(try requests == 0)
        // The clock is put right within the pass.
        _ = try await store.apply(answer("b", after: 5, .first(pass(1)), requests: 3, .failed(Failure(.timedOut))))
        #expect(try requests == 3 + 3)
        // And before the next one, where the pass was cut off.
        _ = try await store.apply(answer("c", after: tomorrow, .first(pass(1)), requests: 2, .turnedAway))
        #expect(try requests == 1)
        _ = try await store.apply(.pass(.began(pass(2), at: start + 60, due: 3)))
        #expect(try requests == 3 + 3 + 2)
        _ = try await store.apply(
            answer("c", after: tomorrow, .first(pass(2)), requests: 3, .failed(Failure(.timedOut))))
        _ = try await store.apply(.pass(.ended(pass(2), at: start + 90, nil)))
        #expect(try requests == 3 + 3 + 2 + 2)
    }

    @Test func `what no rankd wrote about requests counts for nothing`() async throws {
        let texts = ["", "x", "itunes 1 1793491201 9223372036854775807 ", "itunes 0 1793491201 1 ", "itunes 1 x 1 "]
        for text in texts {
            try await store.write { try Setting.unfinishedRequests.set(text, in: $0) }
            #expect(try requests == 0, "\(text)")
        }
    }

    @Test func `of many passes that were killed all requests stay`() async throws {
        try await store.adopt(watchlist([(query("a"), ["com.a"])]), now: start)
        for number in 1...70 as ClosedRange<Int64> {
            _ = try await store.apply(
                answer("a", after: number, .first(pass(number)), requests: 3, .failed(Failure(.timedOut))))
        }
        #expect(try requests == 210)
    }
}
