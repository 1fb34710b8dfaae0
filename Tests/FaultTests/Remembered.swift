import Foundation
import History
import ProgramStage
import RankKit
import TestSupport
import Testing

/// Histories that are there before a fault comes, and what reports say after it.
extension Stage {
    static let mine = "com.example.app3"
    static let nowhere = "com.example.nowhere"

    /// Leaves a history and its watchlist: on each of the last `days` days each of `terms` had a good check, in which
    /// `mine` was third of ten and `nowhere` absent. All are due.
    func remember(_ terms: [String], days: Int64 = 1, parallelism: Int = 4) async throws {
        let apps = [Self.mine, Self.nowhere]
        try watch(ProgramStage.watchlist(terms, apps, every: "6h", parallelism: parallelism))
        let history = try HistoryStore(path: database)
        let now = Timestamp(Date())
        try await history.adopt(
            TestSupport.watchlist(terms.map { (query($0), apps) }), now: now - (days + 1) * Timestamp.secondsPerDay)
        for day in 0..<days {
            for term in terms {
                let answer = list((1...10).map { "com.example.app\($0)" })
                let at = now - (days - day) * Timestamp.secondsPerDay
                try await history.record(Check(query: query(term), at: at, outcome: .answered(answer)))
            }
        }
        try await history.close()
    }

    /// The rows of the report on the tracked apps, by app.
    func report() async throws -> [String: [StandingsDocument.Row]] {
        let report = try await rankctl(["report", "--format", "json", "--database", database])
        return Dictionary(grouping: try StandingsDocument(report.output).standings, by: \.bundleId)
    }

    /// How many positions the history holds.
    var positions: Int { get throws { try RecordedHistory(database).number("SELECT count(*) FROM position") } }
}

extension StandingsDocument.Row {
    /// Whether the row still says what `remember` left, as what is known from before.
    var standsAsRemembered: Bool {
        lastGood?.within == 10 && lastGood?.position == (bundleId == Stage.mine ? 3 : nil)
    }
}

extension Stage {
    /// What every test of a fault ends with: records each flaw as an issue.
    func isSound(_ moment: String = "", sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for flaw in try await flaws() {
            Issue.record(
                Comment(rawValue: moment.isEmpty ? flaw : "\(moment): \(flaw)"), sourceLocation: sourceLocation)
        }
    }
}
