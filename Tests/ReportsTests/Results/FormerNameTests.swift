import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// An app that came under another bundle identifier: at a moment before, it is the same app.
@Suite struct FormerNameTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist([(timer, ["com.old"])], every: day), now: start)
        for days in [0, 1, 5, 6, 7, 8, 9] as [Int64] {
            let app = SeenApp(id: AppID(777), bundleID: bundle(days < 5 ? "com.old" : "com.new"), fingerprint: 7) {
                AppDetails(name: "Mine", version: "1.0", rating: 4, ratingCount: 10)
            }
            try await store.record(
                Check(
                    query: timer, at: start + days * day,
                    outcome: .answered(ResultList(places: list(["com.x", "com.y"]).places + [app]))))
        }
        try await store.adopt(watchlist([(timer, ["com.new"])], every: day), now: start + 9 * day + 60)
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }
    private var now: Timestamp { start + 10 * day }

    @Test(arguments: ["com.old", "com.new"], [1, 9] as [Int64]) func `results find it by each of its names`(
        _ name: String, _ days: Int64
    ) throws {
        let context = try ReportContext(reader, now: now, zone: .gmt)
        let at = start + days * day + 60
        let request = try ResultsRequest.request([
            .init("query", "timer"), .init("at", at.description), .init("app", name),
        ])
        let report = try #require(try request.answer(in: context) as? ResultsReport)
        #expect(report.results.rows.map(\.position) == [Position(3)])
    }

    @Test func `it is one's own before it had the name of the watchlist`() throws {
        let then = try Results(on: timer, at: start + day, from: reader.asOf(start + day), now: now)
        #expect(then.rows.map { $0.app?.mark } == [nil, nil, .mine])
        #expect(then.rows[2].app?.bundleID == bundle("com.old"))
        let since = try Results(on: timer, at: now, from: reader, now: now)
        #expect(since.rows.map { $0.app?.mark } == [nil, nil, .mine])
    }

    @Test func `its listing, releases and ratings are known by each of its names`() async throws {
        let then = try reader.asOf(start + day)
        for name in ["com.old", "com.new"] {
            #expect(try then.listingPasts(of: bundle(name)).count == 1, "\(name)")
            #expect(try then.firstSight(of: bundle(name)) == start, "\(name)")
            #expect(try then.ratingCounts(of: [bundle(name)])(bundle(name), on: timer) == 10, "\(name)")
        }
    }

    @Test func `its numbers are known by a name that it got later, and of no app that came later`() async throws {
        let then = try reader.asOf(start + day)
        #expect(try then.numbers(of: bundle("com.new")) == then.numbers(of: bundle("com.old")))
        #expect(try !then.numbers(of: bundle("com.new")).isEmpty)
        try await store.record(Check(query: timer, at: now, outcome: .answered(list(["com.later"]))))
        #expect(try reader.asOf(start + day).numbers(of: bundle("com.later")).isEmpty)
    }
}
