import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// What every report says where there is nothing to tell of.
@Suite struct NoSuchPairTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    /// Of every report that takes a filter, as a person reads it.
    private func texts(_ filter: PairFilter = PairFilter()) throws -> [String: String] {
        let reader = try reader
        let reports: [String: any ReportValue] = [
            "standings": StandingsReport(try Standings(from: reader, filter: filter, withTrend: true, now: noon)),
            "movers": MoversReport(try Movers(from: reader, filter: filter, now: noon)),
            "opportunities": OpportunitiesReport(try Opportunities(from: reader, filter: filter, now: noon)),
            "distribution": DistributionReport(try Distribution(from: reader, filter: filter, now: noon)),
            "visibility": VisibilityReport(try VisibilityHistory(from: reader, filter: filter, now: noon)),
            "volatility": VolatilityReport(try Volatility(from: reader, filter: filter, now: noon)),
            "digest": DigestReport(try Digest(from: reader, filter: filter, zone: .gmt, now: noon)),
        ]
        return reports.mapValues { $0.render(as: .table, style: TerminalStyle(colour: false, width: 400)) }
    }

    private func track() async throws {
        try await store.adopt(
            watchlist(
                [(query("timer"), ["com.me", "com.rival"]), (query("clock", "de"), ["com.rival"])], every: day,
                competitors: ["com.rival"]), now: noon - 20 * day)
    }

    private func reason(_ filter: PairFilter) throws -> String? {
        try NoSuchPair(filter, in: try reader)?.description
    }

    @Test func `a history without a pair says so alike in every report`() throws {
        for (name, text) in try texts() {
            #expect(text.hasPrefix(NoSuchPair.report + "\n"), "\(name): \(text)")
        }
        #expect(try NoSuchPair(PairFilter(), in: try reader) == .nothingTracked)
    }

    @Test func `where all pairs are competitors', every report of mine says that none is mine`() async throws {
        try await track()
        for asked in [query("timer"), query("clock", "de")] {
            for (daysAgo, names) in [(8, ["x", "com.rival"]), (0, ["com.rival"])] as [(Int64, [String])] {
                try await store.record(
                    Check(query: asked, at: noon - daysAgo * day - hour, outcome: .answered(list(names))))
            }
        }
        let texts = try texts(PairFilter(apps: ["com.rival"]))
        func saysSo(_ text: String) -> Bool {
            text.contains("none of these is of an app of yours") || text.contains("this is about your apps, and ")
        }
        for name in ["standings", "movers", "opportunities", "digest"] {
            let text = texts[name] ?? ""
            #expect(saysSo(text) && !text.hasPrefix("mine:"), "\(name): \(text)")
        }
        for (name, text) in try self.texts(PairFilter(queries: ["clock"])) where name != "volatility" {
            #expect(saysSo(text) && !text.hasPrefix("mine:"), "\(name): \(text)")
        }
    }

    @Test func `a name that is not there is told, with the one that may be meant`() async throws {
        try await track()
        #expect(try reason(PairFilter()) == nil)
        #expect(try reason(PairFilter(apps: ["COM.ME"], queries: ["Timer"])) == nil)
        #expect(try reason(PairFilter(apps: ["nobody"])) == "no app “nobody” is tracked; these are: com.me, com.rival")
        #expect(try reason(PairFilter(queries: ["timers"])) == "“timers” was never asked; did you mean “timer”?")
        #expect(
            try reason(PairFilter(queries: ["timer", "zzz"]))
                == "“zzz” was never asked; “rankctl watch list” shows the queries")
        #expect(try reason(PairFilter(tags: ["a", "b"])) == "no pair has the tag a or b; no pair has any tag")
        #expect(
            try reason(PairFilter(apps: ["com.me"], queries: ["clock"]))
                == "no tracked pair fits --app com.me and --query clock: loosen one of them")
        #expect(
            try reason(PairFilter(apps: ["\u{1B}[2J"]))
                == "no app “\\u{1B}[2j” is tracked; these are: com.me, com.rival")
    }

    @Test func `a query that is no longer asked is not taken for a slip of the pen`() async throws {
        try await track()
        try await store.record(Check(query: query("clock", "de"), at: noon - day, outcome: .answered(list(["x"]))))
        try await store.adopt(watchlist([(query("timer"), ["com.me"])], every: day), now: noon)
        #expect(
            try reason(PairFilter(queries: ["clock"]))
                == "“clock” is no longer asked; “rankctl report history --app APP --query clock” shows its history")
    }
}
