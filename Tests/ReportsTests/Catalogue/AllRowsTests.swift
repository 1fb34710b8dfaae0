import ArgumentParser
import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// How many rows a table has on a screen, and in a file or a pipe.
@Suite struct AllRowsTests {
    private func table<Request: ReportRequest>(
        _ report: Request.Type, _ arguments: [String], showsAllRows: Bool, _ store: HistoryStore
    ) throws -> String {
        let context = try ReportContext(
            try HistoryReader(path: store.path), now: noon, zone: .gmt, showsAllRows: showsAllRows)
        return try report.parse(arguments).answer(in: context).render(as: .table)
    }

    @Test func `standings end with a screen on a terminal, and never elsewhere`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        let queries = (100..<160).map { query("term\($0)") }
        try await store.adopt(watchlist(queries.map { ($0, ["com.me"]) }), now: noon - day)
        let screen = try table(StandingsRequest.self, [], showsAllRows: false, store)
        #expect(!screen.contains("term159") && screen.contains("more: --all"), "\(screen)")
        let file = try table(StandingsRequest.self, [], showsAllRows: true, store)
        #expect(queries.allSatisfy { file.contains($0.text) } && !file.contains("--all"), "\(file)")
        let page = try table(StandingsRequest.self, ["--limit", "5"], showsAllRows: true, store)
        #expect(!page.contains("term105") && page.contains("term104"), "\(page)")
    }

    @Test func `apps end with the first fifty on a terminal, and never elsewhere`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist([(query("timer"), ["com.me"])]), now: noon - day)
        let apps = (100..<160).map { "com.app\($0)" }
        try await store.record(Check(query: query("timer"), at: noon - 60, outcome: .answered(list(apps))))
        #expect(try table(AppsRequest.self, [], showsAllRows: false, store).contains("10 more"))
        let file = try table(AppsRequest.self, [], showsAllRows: true, store)
        #expect(apps.allSatisfy { file.contains($0) } && !file.contains("more"), "\(file)")
        #expect(try table(AppsRequest.self, ["--limit", "50"], showsAllRows: true, store).contains("10 more"))
    }

    @Test(arguments: [60, 80, 120]) func `a bundle id is whole or not there`(width: Int) async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist([(query("timer"), ["com.me"])]), now: noon - day)
        let long = "com.farideriksen.valedailyroutinetracker.withalongerending"
        try await store.record(
            Check(query: query("timer"), at: noon - 60, outcome: .answered(list(["com.me", long]))))
        let context = try ReportContext(try HistoryReader(path: store.path), now: noon, zone: .gmt)
        for report: any ReportValue in [
            try AppsRequest.parse([]).answer(in: context),
            try ResultsRequest.parse(["--query", "timer"]).answer(in: context),
        ] {
            let text = report.render(as: .table, style: TerminalStyle(colour: false, width: width))
            let column = text.split(separator: "\n").first { $0.contains("bundle id") }
            #expect(column == nil || column?.contains("no room") == true || text.contains(long), "\(text)")
        }
    }
}
