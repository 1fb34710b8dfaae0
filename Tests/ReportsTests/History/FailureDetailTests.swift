import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// A check that failed says with which status.
@Suite struct FailureDetailTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let timer = query("timer")
    private let words = "the App Store answered with an error status (status 503)"

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func reader() throws -> HistoryReader { try HistoryReader(path: store.path) }

    private func fill() async throws {
        try await store.adopt(watchlist([(timer, ["com.me"])]), now: noon - day)
        try await store.record(Check(query: timer, at: noon - 8 * hour, outcome: .answered(list(["com.me"]))))
        try await store.record(
            Check(query: timer, at: noon - 2 * hour, outcome: .failed(Failure(.status, "status 503"))))
    }

    private func text(_ report: some ReportValue) -> String {
        report.render(as: .table, style: TerminalStyle(colour: false, width: 160))
    }

    @Test func `in the history of a pair`() async throws {
        try await fill()
        let report = PairHistoryReport(
            try PairHistory(of: bundle("com.me"), on: timer, in: .always, from: reader(), now: noon))
        #expect(text(report).contains("failed: \(words)"))
        let json = report.render(as: .json)
        try expectConforms(json, to: "history")
        #expect(json.contains(#""reason":"status","detail":"status 503"}"#))
    }

    @Test func `where the newest check failed, now and as of then`() async throws {
        try await fill()
        for until in [nil, noon - hour] {
            let standings = try Standings(from: reader(), withTrend: false, until: until, now: noon)
            let report = StandingsReport(standings, options: .init(all: true))
            #expect(text(report).contains(words), "\(text(report))")
            let json = report.render(as: .json)
            try expectConforms(json, to: "standings")
            #expect(json.contains(#""detail":"status 503""#))
        }
        let before = try Standings(from: reader(), withTrend: false, until: noon - 5 * hour, now: noon)
        #expect(before.rows.map(\.detail) == [nil])
    }

    @Test func `where the last good list is shown instead`() async throws {
        try await fill()
        #expect(
            text(ResultsReport(try Results(on: timer, at: noon, from: reader(), now: noon))).contains(
                "failed: \(words); this is the last good list before it"))
    }
}
