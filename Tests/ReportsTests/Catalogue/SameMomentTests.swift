import ArgumentParser
import Foundation
import History
import JudgingStage
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import Reports

/// What is asked as of a moment sees nothing that came after it.
@Suite struct SameMomentTests {
    /// The reports that can be asked as of a moment, in every way that tells one part of the history from another.
    private static func questions(at moment: String) throws -> [(any ReportRequest.Type, [String])] {
        let me = ["--app", "me"]
        let questions: [String: [[String]]] = [
            "standings": [["--competitors", "--all"], ["--since", "20d"], ["--app", "com.far"]],
            "movers": [["--all", "--figures"], ["--since", "20d"]],
            "history": [
                me, ["--app", "com.other40", "--query", "timer"], ["--app", "com.other3", "--query", "timer"],
            ],
            "grid": [me, ["--app", "com.late"], ["--app", "com.other3"], ["--app", "com.other40"]],
            "results": [
                ["--query", "timer", "--country", "us", "--compare", "7d"], ["--query", "timer", "--country", "de"],
            ],
            "competitors": [me, ["--app", "com.mine", "--limit", "30"]],
            "compare": [me + ["--since", "7d"]],
            "opportunities": [[], ["--sensitivity", "keen"]],
            "distribution": [["--competitors"]],
            "visibility": [[], ["--app", "com.far"]],
            "volatility": [[]],
            "release": [["me"], ["me", "1.3"], ["--app", "me", "1.3"], ["com.other3"], ["com.rival"]],
            "timeline": [me + ["--competitors"], ["--app", "com.other3"], ["--app", "com.far"]],
            "digest": [[], ["--since", "7d"]],
        ]
        let reports = ReportCatalogue.reports.filter { $0.options.contains { $0.name == "until" } }
        return try reports.flatMap { report in
            let known = try #require(questions[report.about.name], "\(report.about.name) is not asked here")
            return known.map { (report, $0 + ["--until", moment]) }
        }
    }

    /// Its JSON, its text, and whatever is remarked; or why it refuses.
    private func answer<Request: ReportRequest>(
        _ request: Request.Type, _ arguments: [String], from store: HistoryStore, now: Timestamp
    ) throws -> String {
        let remarks = Mutex("")
        let context = try ReportContext(
            HistoryReader(path: store.path), now: now, zone: .gmt, database: "history.sqlite"
        ) { remark in remarks.withLock { $0 += remark + "\n" } }
        return try context.zoned { () throws(any Error) in
            do {
                let value = try request.parse(arguments).answer(in: context)
                let text = [
                    value.render(as: .json), value.render(as: .table, style: TerminalStyle(colour: false, width: 300)),
                    remarks.withLock(\.self),
                ].joined(separator: "\n")
                // How the service is now is told as that.
                return text.replacing(/"service":\{"status".*/, with: "").replacing(/status now: .*/, with: "")
            } catch let refusal as ReportRefusal {
                return "refused: \(refusal)"
            }
        }
    }

    @Test(arguments: 1...3) func `every report of a moment is the one of a history that ends there`(
        seed: UInt64
    ) async throws {
        // The last second of a day, and one within a day.
        let history = try await GrowingHistory(seed: seed, hour: seed == 1 ? 23 : nil)
        for (request, arguments) in try Self.questions(at: "\(history.moment)") {
            let whole = try answer(request, arguments, from: history.whole, now: history.now)
            let ended = try answer(request, arguments, from: history.ended, now: history.now)
            let lines = Self.pieces(whole).subtracting(Self.pieces(ended))
            let others = Self.pieces(ended).subtracting(Self.pieces(whole))
            #expect(
                whole == ended,
                "\(request.about.name) \(arguments): \(lines.sorted().prefix(4)) and not \(others.sorted().prefix(4))")
            #expect(
                request != StandingsRequest.self || whole.contains(arguments.contains("com.far") ? "com.far" : "com.me")
            )
        }
    }

    @Test func `a report of a moment says once how the watchlist differs from that of then`() async throws {
        let history = try await GrowingHistory(seed: 5)
        for report in ["standings", "movers", "visibility"] {
            let request = try #require(ReportCatalogue.report(named: report))
            let text = try answer(request, ["--at", "\(history.moment)"], from: history.whole, now: history.now)
            let words = "the pairs are those of today's watchlist: 17 were added and 6 were removed since that time"
            #expect(text.ranges(of: words).count == 1, "\(report): \(text.suffix(300))")
            #expect(try !answer(request, [], from: history.whole, now: history.now).contains("today's watchlist"))
        }
    }

    @Test func `a report of a moment says that lists were found too short only later`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist([(query("timer"), ["com.me"])], every: hour), now: noon - 3 * day)
        let long = (1...30).map { "com.app\($0)" }
        for number in Int64(0)...5 {
            let places = number < 2 ? [] : long
            try await store.record(
                Check(query: query("timer"), at: noon - day + number * hour, outcome: .answered(list(places))))
        }
        let words = "2 early lists count as suspect: later lists showed that they were too short"
        for (ago, isSaid) in [(22 * hour, true), (hour, false)] {
            let text = try answer(StandingsRequest.self, ["--at", "\(noon - ago)"], from: store, now: noon)
            #expect(text.contains(words) == isSaid, "\(text)")
        }
    }

    @Test func `the ratings of a moment are those of the last day that was over, and of tracked apps alone`()
        async throws
    {
        let history = try await GrowingHistory(seed: 6, hour: 14)
        let text = try answer(
            StandingsRequest.self, ["--app", "me", "--query", "timer", "--country", "us", "--at", "\(history.moment)"],
            from: history.whole, now: history.now)
        let reader = try HistoryReader(path: history.whole.path)
        let days = try reader.ratingDays(of: bundle("com.me"), history.moment.day - 1...history.moment.day - 1)
        let then = try #require(days.last { $0.country.code == "us" })
        #expect(then.day == history.moment.day - 1)
        #expect(text.contains("\"ownRatings\":\(then.ratings)") && text.contains("\"medianRatings\":null"), "\(text)")
    }

    private static func pieces(_ text: String) -> Set<String> {
        Set(text.split(separator: "\n").map { String($0.prefix(900)) })
    }
}
