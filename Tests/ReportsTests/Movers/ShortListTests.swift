import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// A pair whose newest list is too short to show the place that it had before: of it nothing is known.
@Suite struct ShortListTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore

    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist([(query("timer"), ["com.me"])], every: day), now: noon - 50 * day)
        for ago in (0..<40).reversed() as ReversedCollection<Range<Int64>> {
            var names = (1...(ago < 2 ? 60 : 80)).map { "com.x\($0)" }
            if ago >= 2 { names[69] = "com.me" }
            try await store.record(
                Check(query: query("timer"), at: noon - ago * day - 60, outcome: .answered(list(names))))
        }
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    @Test func `movers calls it neither noise nor a move`() throws {
        let movers = try Movers(from: reader, now: noon)
        #expect(movers.rows.map(\.judgement) == [.notJudged(.shortList)])
        #expect((movers.wobbles, movers.summary.uncompared) == (0, 1))
        let text = MoversReport(movers).render(as: .table, style: TerminalStyle(colour: false, width: 100))
        #expect(text.contains("1 not comparable: a list was too short") && !text.contains("wobble"), "\(text)")
    }

    @Test func `the digest says how many cannot be compared`() throws {
        let context = try ReportContext(reader, now: noon, zone: .gmt)
        let report = try DigestRequest.request([]).answer(in: context)
        let text = report.render(as: .table, style: TerminalStyle(colour: false, width: 200))
        #expect(text.contains("; 1 not comparable: a list was too short · 1 pair"), "\(text)")
    }

    @Test func `the standings do not call it steady`() throws {
        let standings = try Standings(from: reader, withTrend: false, now: noon)
        #expect((standings.summary.news.steady, standings.summary.news.uncompared) == (0, 1))
    }

    @Test func `the distribution counts it as no change`() throws {
        let tally = try Distribution(from: reader, now: noon).mine
        #expect(tally.now[.absent] == 1 && tally.then[.to100] == 1)
        #expect((tally.compared.now.all, tally.compared.then.all) == (0, 0))
    }
}
