import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// The JSON of reports of a real history is what `docs/json` says.
@Suite struct ReportSchemaTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")
    private let now = time("2026-11-03T00:01:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    /// Two queries and a competitor; good, absent, failed and suspect checks; an unreadable place.
    private func fill() async throws {
        let other = query("clock", "ca", .ipad, language: "fr_ca")
        var plan = watchlist(
            [(timer, ["com.me", "com.rival"]), (other, ["com.me"]), (query("new"), ["com.me"])],
            competitors: ["com.rival"])
        plan.apps[0].alias = "me"
        plan.apps[0].competitors = [bundle("com.rival")]
        plan.queries[0].pairs[0].tags = ["core"]
        try await store.adopt(plan, now: start)
        let lists: [(Int64, [String?])] = [
            (0, ["com.x", "com.me", nil, "com.rival", "com.gone"]), (86_400, ["com.rival", "com.x", nil, "com.me"]),
            (172_800, ["com.rival", "com.x"]),
        ]
        for (after, names) in lists {
            let answer = list(names) {
                AppDetails(name: "App \($0)", developer: "\u{1B}Maker", rating: 4.5, ratingCount: 12)
            }
            try await store.record(Check(query: timer, at: start + after, outcome: .answered(answer)))
        }
        try await store.record(Check(query: other, at: start, outcome: .answered(list(["com.a"]))))
        try await store.record(Check(query: other, at: start + 60, outcome: .suspect(list([]), .collapsed)))
        try await store.record(Check(query: timer, at: start + 172_830, outcome: .failed(Failure(.timedOut, "?"))))
    }

    @Test func `standings, movers and opportunities`() async throws {
        for _ in 0..<2 {
            for withTrend in [true, false] {
                let standings = try Standings(
                    from: reader, withTrend: withTrend, since: withTrend ? nil : start, now: now)
                try expectConforms(StandingsReport(standings).render(as: .json), to: "standings")
            }
            try expectConforms(
                MoversReport(try Movers(from: reader, since: start + 86_400, now: now)).render(as: .json), to: "movers")
            try expectConforms(
                OpportunitiesReport(try Opportunities(from: reader, now: now)).render(as: .json), to: "opportunities")
            // Then the same of what is no longer empty.
            try await fill()
        }
    }

    @Test func `history`() async throws {
        try await fill()
        for app in ["com.me", "com.x", "com.never"] {
            let history = try PairHistory(of: bundle(app), on: timer, in: .always, from: reader, now: now)
            try expectConforms(PairHistoryReport(history).render(as: .json), to: "history")
        }
    }

    @Test func `results`() async throws {
        try await fill()
        for earlier in [nil, start] {
            let results = try Results(on: timer, at: now, comparedWith: earlier, from: reader, now: now)
            try expectConforms(ResultsReport(results).render(as: .json), to: "results")
        }
    }

    @Test func `competitors and compare`() async throws {
        try await fill()
        let queries = [timer, query("clock", "ca", .ipad, language: "fr_ca")]
        let rivals = try Rivals(
            of: bundle("com.me"), on: queries, since: start, candidates: 5, from: reader, now: now)
        #expect(rivals.rows.contains { !$0.overtook.isEmpty })
        try expectConforms(RivalsReport(rivals).render(as: .json), to: "competitors")
        let comparison = try Comparison(bundle("com.me"), on: queries, from: reader, now: now)
        try expectConforms(ComparisonReport(comparison).render(as: .json), to: "compare")
    }

    @Test func `status and apps`() async throws {
        for _ in 0..<2 {
            try expectConforms(StatusReport(try Status(from: reader, now: now)).render(as: .json), to: "status")
            let apps = try AppDirectory(matching: nil, limit: 3, from: reader, now: now)
            try expectConforms(AppDirectoryReport(apps).render(as: .json), to: "apps")
            try await fill()
        }
    }

    @Test func `status with everything that it can say`() throws {
        var status = Status(
            generatedAt: noon, level: .degraded, daemon: .running(pid: 4242),
            database: .init(path: "/h.sqlite", bytes: 12, walBytes: 0, schemaVersion: 5, trouble: .noRoom),
            historySince: noon - day, newestCheckAt: noon,
            lastPass: .init(startedAt: noon - 60, finishedAt: noon, asked: 3, succeeded: 1, failed: 1, throttled: 1),
            underWay: PassProgress(startedAt: noon - 5, updatedAt: noon, due: 3, done: 1),
            nextDueAt: noon, queryCount: 4, overdueCount: 1,
            overdue: [.init(query: query("timer", "us", .mac), dueSince: noon - 60)],
            failures: [.init(reason: .timedOut, queryCount: 2, lastMessage: "no byte", lastAt: noon)],
            housekeptAt: noon, requests: .init(lastHour: 3, lastDay: 4, perMinute: 15))
        status.endpoints = [.init(name: "search", state: .coolingDown, until: noon + 60)]
        status.unknownApps = [
            UnknownApp(
                bundleID: bundle("com.slip"), country: try country("us"), since: noon - day, lastAskedAt: noon,
                answers: 2)
        ]
        try expectConforms(StatusReport(status).render(as: .json), to: "status")
    }

    @Test func `plan`() throws {
        let stored = StoredPlan(
            adoptedAt: noon - day, requestsPerMinute: 15,
            queries: [
                .init(
                    query: query("habit tracker"), cadences: [.every(seconds: 21_600)], lastCheckedAt: noon - hour,
                    pairs: [.init(bundleID: bundle("com.me")), .init(bundleID: bundle("com.gone"))]),
                .init(
                    query: query("journal", "gb"), cadences: [.every(seconds: 86_400)], lastCheckedAt: noon - day,
                    pairs: [.init(bundleID: bundle("com.me"))]),
            ])
        let crowded = watchlist(
            (0..<200).map { (query("query \($0)"), ["com.me"]) } + [
                (query("habit tracker"), ["com.me", "com.new"]),
                (query("journal", "gb", language: "en_gb"), ["com.me"]),
            ], every: 300)
        for plan in [crowded, watchlist([(timer, ["com.me"])])] {
            for stored in [stored, nil] {
                let change = PlanChange(adopting: plan, over: stored, now: noon)
                try expectConforms(PlanReport(change).render(as: .json), to: "plan")
            }
        }
    }

    @Test func `search`() throws {
        let places: [SeenApp?] = [
            SeenApp(id: AppID(7), bundleID: bundle("com.me"), fingerprint: 0) {
                AppDetails(name: "\u{1B}Habits", developer: "Me", rating: 4.534, ratingCount: 12)
            },
            nil, SeenApp(id: nil, bundleID: bundle("bare")),
        ]
        let report = SearchReport(
            query: timer, generatedAt: noon, results: ResultList(places: places), marks: [bundle("com.me"): .mine])
        try expectConforms(report.render(as: .json), to: "search")
    }

    @Test func `every documented shape is one of a known version`() throws {
        let package = URL(filePath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(package)/docs/json")
            .filter { $0.hasSuffix(".schema.json") }
        #expect(names.count >= 11)
        for name in names {
            let text = try String(contentsOfFile: "\(package)/docs/json/\(name)", encoding: .utf8)
            let schema = try ParsedJSON(text)
            #expect(schema["$schema"] == .string("https://json-schema.org/draft/2020-12/schema"), "\(name)")
            #expect(schema["properties"]?["version"]?["const"] == .number(Double(JSONWriter.version)), "\(name)")
        }
    }
}
