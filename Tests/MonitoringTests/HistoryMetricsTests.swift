import History
import RankKit
import TestSupport
import Testing

@testable import Monitoring

@Suite struct HistoryMetricsTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func lines(now: Timestamp, isNarrowed: Bool = false) throws -> [Substring] {
        try HistoryMetrics.text(of: HistoryReader(path: store.path), now: now, isNarrowed: isNarrowed)
            .split(separator: "\n")
    }

    private func labels(_ app: String, _ query: String = "timer") -> String {
        "{app=\"\(app)\",bundle_id=\"\(app)\",query=\"\(query)\",country=\"us\",platform=\"iphone\",source=\"itunes\","
            + "language=\"\"}"
    }

    @Test func `an absent app is not ranked and has no position`() async throws {
        try await store.adopt(
            watchlist([(timer, ["com.a", "com.b", "com.rival"])], competitors: ["com.rival"]), now: start)
        try await store.record(Check(query: timer, at: start, outcome: .answered(list(["com.rival", "com.a"]))))
        let lines = try lines(now: start + 60)
        #expect(lines.contains("rankd_position\(labels("com.a")) 2"))
        #expect(lines.contains("rankd_ranked\(labels("com.a")) 1"))
        #expect(lines.contains("rankd_ranked\(labels("com.b")) 0"))
        #expect(lines.filter { $0.hasPrefix("rankd_position{") }.count == 1)
        #expect(!lines.contains { $0.contains("com.rival") })
        #expect(lines.contains("rankd_pairs 2"))
    }

    @Test func `a failed check leaves the position and its time as they were`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        try await store.record(Check(query: timer, at: start, outcome: .answered(list(["com.a"]))))
        try await store.record(Check(query: timer, at: start + 7_200, outcome: .failed(Failure(.timedOut))))
        let lines = try lines(now: start + 7_260)
        #expect(lines.contains("rankd_position\(labels("com.a")) 1"))
        #expect(lines.contains("rankd_position_timestamp_seconds\(labels("com.a")) \(start.secondsSinceEpoch)"))
        #expect(lines.contains("rankd_good_check_age_seconds{country=\"us\"} 7260"))
        #expect(lines.contains("rankd_recent_checks{outcome=\"good\",reason=\"none\"} 1"))
        #expect(lines.contains("rankd_recent_checks{outcome=\"failed\",reason=\"timed-out\"} 1"))
        #expect(lines.contains("rankd_recent_checks{outcome=\"failed\",reason=\"cannot-connect\"} 0"))
    }

    @Test func `a pair that was never checked well is neither ranked nor absent, and its country is missed`()
        async throws
    {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        try await store.record(Check(query: timer, at: start, outcome: .failed(Failure(.timedOut))))
        let lines = try lines(now: start + 600)
        #expect(!lines.contains { $0.hasPrefix("rankd_ranked") })
        #expect(lines.contains("rankd_good_check_age_seconds{country=\"us\"} 600"))
        #expect(lines.contains("rankd_shortest_cadence_seconds{country=\"us\"} 21600"))
    }

    @Test func `whoever may see some apps alone learns nothing of the service`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        try await store.record(Check(query: timer, at: start, outcome: .answered(list(["com.a"]))))
        let names = Set(
            try lines(now: start, isNarrowed: true).filter { !$0.hasPrefix("#") }
                .map { String($0.prefix { $0 != "{" && $0 != " " }) })
        #expect(
            names == [
                "rankd_build_info", "rankd_history_readable", "rankd_pairs", "rankd_pairs_left_out", "rankd_ranked",
                "rankd_position", "rankd_position_timestamp_seconds",
            ])
    }

    @Test func `of a long watchlist the first pairs have figures, and the rest is counted`() async throws {
        let queries = (1...2_050).map { query("query \($0)") }
        try await store.adopt(watchlist(queries.map { ($0, ["com.a"]) }), now: start)
        for query in [queries[1_999], queries[2_000]] {
            try await store.record(Check(query: query, at: start, outcome: .answered(list(["com.a"]))))
        }
        let lines = try lines(now: start)
        #expect(lines.contains("rankd_pairs 2050"))
        #expect(lines.contains("rankd_pairs_left_out 50"))
        #expect(lines.contains("rankd_ranked\(labels("com.a", "query 2000")) 1"))
        #expect(!lines.contains { $0.contains("query 2001") })
    }

    @Test func `a pause, the backups and the last pass are told`() async throws {
        var plan = watchlist([(timer, ["com.a"])])
        plan.service.backup = BackupSettings(every: 86_400)
        try await store.adopt(plan, now: start)
        var health = EndpointHealth()
        health.note(.throttled(retryAfter: 600), at: start)
        try await store.keep(health, of: .search(at: "https://example.com"))
        // Requests are those of the checks, and those of the pass that left none.
        try await store.record(Check(query: timer, at: start, outcome: .answered(list(["com.a"]))))
        try await store.record(
            PassResult(
                startedAt: start, finishedAt: start + 42, due: 9, succeeded: 5, failed: 1, throttled: 3, requests: 7))
        try await store.noteBackup(at: start)
        let lines = try lines(now: start + 100)
        #expect(lines.contains("rankd_endpoint_paused{endpoint=\"search\",kind=\"throttled\"} 1"))
        #expect(lines.contains("rankd_endpoint_paused{endpoint=\"search\",kind=\"offline\"} 0"))
        #expect(lines.contains("rankd_endpoint_paused{endpoint=\"search\",kind=\"failing\"} 0"))
        #expect(
            lines.contains(
                "rankd_endpoint_paused_until_timestamp_seconds{endpoint=\"search\"} \((start + 600).secondsSinceEpoch)")
        )
        #expect(lines.contains("rankd_last_pass_duration_seconds 42"))
        #expect(lines.contains("rankd_last_pass_queries{outcome=\"throttled\"} 3"))
        #expect(lines.contains("rankd_recent_requests 2"))
        #expect(lines.contains("rankd_backup_age_seconds 100"))
        #expect(lines.contains("rankd_service_running 1"))
    }
}
