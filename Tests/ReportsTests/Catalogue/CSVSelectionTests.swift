import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Judging
@testable import Reports

/// Which columns of a report's CSV are written.
@Suite struct CSVSelectionTests {
    private func report(_ queries: Query...) throws -> WatchlistReport {
        let watched = queries.map {
            WatchedQuery(
                query: $0, cadences: [.every(seconds: 3_600)],
                pairs: [WatchedPair(bundleID: bundle("com.a"), tags: ["core"])])
        }
        return try WatchlistReport(
            Watchlist(apps: [WatchedApp(bundleID: bundle("com.a"))], queries: watched), filter: PairFilter(),
            generatedAt: noon)
    }

    private func header(_ report: WatchlistReport, _ columns: CSVSelection) throws -> String? {
        try report.csv(columns).split(separator: "\r\n").first.map(String.init)
    }

    @Test func `people see a few columns, and programs ask for all`() throws {
        let report = try report(query("timer"))
        #expect(try header(report, .short) == "query,country,platform,bundleId,alias,mine,cadence,tags")
        #expect(try header(report, .all) == "query,country,platform,source,language,bundleId,alias,mine,cadence,tags")
        #expect(try report.csv(.all) == report.render(as: .csv))
    }

    @Test func `columns are named in any order and case`() throws {
        let columns = try #require(CSVSelection("Tags, query"))
        #expect(try report(query("timer")).csv(columns) == "tags,query\r\ncore,timer\r\n")
    }

    @Test func `a language that tells two lines apart is shown to people too`() throws {
        let plain = query("timer")
        let spanish = Query(text: plain.text, country: plain.country, language: "es_mx")
        let header = try header(report(plain, spanish), .short)
        #expect(header == "query,country,platform,language,bundleId,alias,mine,cadence,tags")
    }

    @Test func `a column that is not there is refused with those that are`() throws {
        let refusal = #expect(throws: ReportRefusal.self) { try report(query("timer")).csv(.named(["querry"])) }
        #expect(refusal?.isUsage == true)
        #expect(refusal?.description.hasPrefix("no column is called “querry”; the columns are query, country,") == true)
    }

    @Test(arguments: [
        ("a/b.csv", ReportFormat.csv), ("x.JSON", .json), ("x.md", .markdown), ("x.html", .html), ("x.txt", .table),
    ])
    func `a file's name says its format`(name: String, format: ReportFormat) {
        #expect(ReportFormat(fileName: name) == format)
    }

    @Test(arguments: ["report", "a.b/report", "report.", "x.pdf"])
    func `a name that says nothing says nothing`(name: String) { #expect(ReportFormat(fileName: name) == nil) }
}
