import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// What the columns of other tools' tables mean beside each other.
@Suite struct TableColumnsTests {
    private let stage: TableStage
    private var now: Timestamp { stage.now }
    private var store: HistoryStore { stage.store }
    private var folder: TemporaryFolder { stage.folder }

    init() throws { stage = try TableStage() }

    private func options(_ within: Int?) -> ForeignTableOptions {
        ForeignTableOptions(name: "tool", within: within, country: Country(code: "us"), app: bundle("com.a"))
    }

    @discardableResult
    private func bring(_ text: String, within: Int? = 600) async throws -> ImportResult {
        try await stage.bring(text, options(within))
    }

    private func refusal(_ text: String, within: Int? = 600) async throws -> String {
        try await stage.refusal(text, options(within))
    }

    private func rows() async throws -> [String] {
        try await stage.rows("datetime(at, 'unixepoch'), query, state, position")
    }

    // MARK: Failures

    @Test(
        arguments: [
            ("status", "503 Service Unavailable (attempt 3)"), ("status", "429 Too Many Requests, retry in 60"),
            ("status", "412 → 5"), ("status", "500 of 640"), ("state", "404 - 3"), ("result", "503"), ("Result", "429"),
        ], ["", "-", ">500", "0"])
    func `a row without a place beside a status that failed is no absence`(
        told: (name: String, word: String), place: String
    ) async throws {
        let (name, word) = told
        let result = try await bring(
            "date,keyword,rank,\(name)\n2026-11-01,t,7,\n2026-11-02,t,\(place),\"\(word)\"\n")
        #expect(try await rows() == ["2026-11-01 00:00:00 t ranked 7"])
        #expect(result.notes.contains { $0.hasPrefix("1 row of checks that failed") }, "\(result.notes)")
    }

    @Test(arguments: ["503 Service Unavailable (attempt 3)", "429", "503 at 10:30"])
    func `a place beside a status that failed is left out`(word: String) async throws {
        try await bring("date,keyword,rank,status\n2026-11-01,t,7,\n2026-11-02,t,8,\"\(word)\"\n")
        #expect(try await rows() == ["2026-11-01 00:00:00 t ranked 7"])
    }

    @Test(arguments: [
        ("status", "412 → 5"), ("status", "503 3"), ("result", "503"), ("status", "450 to 12"),
        ("status", "500 of 640"), ("status", "412 → 8 up"),
    ])
    func `a place beside numbers alone stays`(name: String, word: String) async throws {
        try await bring("date,keyword,rank,\(name)\n2026-11-02,t,8,\(word)\n")
        #expect(try await rows() == ["2026-11-02 00:00:00 t ranked 8"])
    }

    // MARK: Dates

    @Test(arguments: ["Time (UTC)", "Last Updated (UTC)", "updatedAt (UTC+1)", "Date (UTC+1)"])
    func `a second column of dates with a remark is none beside a plain date`(name: String) async throws {
        try await bring("Date,keyword,rank,\(name)\n2026-11-02,t,8,2026-11-05 10:00\n")
        #expect(try await rows() == ["2026-11-02 00:00:00 t ranked 8"])
    }

    @Test func `a date with a remark is the date beside lesser names with one`() async throws {
        try await bring("Last Updated (UTC),keyword,rank,Date (UTC+1)\n2026-11-05 10:00,t,8,2026-11-02 10:00\n")
        #expect(try await rows() == ["2026-11-02 09:00:00 t ranked 8"])
    }

    @Test func `a date with a remark and a plain lesser name are two`() async throws {
        let refused = try await refusal("Updated,keyword,rank,Date (UTC+1)\n2026-11-05,t,8,2026-11-02 10:00\n")
        #expect(refused.contains("“Updated” and “Date (UTC+1)” both name the date"), "\(refused)")
    }

    @Test func `a column of other dates is no query`() async throws {
        try await bring("Date,habit,Last Updated (UTC)\n2026-11-02,8,2026-11-05 10:00\n")
        #expect(try await rows() == ["2026-11-02 00:00:00 habit ranked 8"])
    }

    // MARK: Nothing found

    @Test(arguments: ["results", "total", "Apps in Ranking", "checked", "depth"], ["-", ">100", "0", "unranked"])
    func `no absence comes from an answer of 0 results`(name: String, place: String) async throws {
        for none in ["0", "0.0", "0 results"] where name != "depth" || none == "0" {
            let result = try await bring(
                "date,keyword,rank,\(name)\n2026-11-01,t,7,50\n2026-11-02,t,\(place),\(none)\n", within: 200)
            #expect(try await rows() == ["2026-11-01 00:00:00 t ranked 7"], "\(none)")
            #expect(result.notes == ["1 row not found among 0 results, left out: nobody looked"])
        }
    }

    // MARK: rankd's own

    @Test(arguments: [
        (
            "query,country,bundleId,checkedAt,state,position\nt,us,com.a,2026-11-01T08:00:00Z,absent,\n",
            "is a report of rankctl without its column “platform”, so that it cannot be read back; write it with "
                + "--columns all"
        ),
        (
            "checkedAt,state,position\n2026-11-01T08:00:00Z,absent,\n",
            "is a report of rankctl without its columns “query”, “country”, “platform”, “bundleId”, so that it cannot be "
                + "read back; write it with --columns all"
        ),
        (
            "query,bundleId,checkedAt,position\nt,com.a,2026-11-01T08:00:00Z,7\n",
            "is a report of rankctl that does not say how each check ended, so that it cannot be read back; import the "
                + "history itself: rankctl export --output history.ndjson"
        ),
    ])
    func `a report of rankd's own that lacks columns is refused with what it lacks`(
        text: String, words: String
    ) async throws {
        let columns = ["query", "country", "platform", "bundleId", "checkedAt", "state", "position", "within"]
        var options = ForeignTableOptions(name: "tool", within: 100, country: Country(code: "us"))
        options.reports = ["standings", "history"].map {
            OwnReport(command: "rankctl report \($0)", columns: columns, shortColumns: columns)
        }
        let file = try folder.write(text, to: "ranks.csv")
        let refused = await #expect(throws: ImportRefusal.self) {
            try await store.importTable(file, options: options, now: now)
        }
        #expect(refused?.description == "\(file), line 1: \(words)")
    }

    // MARK: Wide tables

    private static let doubts = [
        ("status", "state of each check"), ("result", "state of each check"), ("popularity", "popularity"),
        ("results", "number of results"), ("depth", "number of results that the tool looked at"),
    ]

    @Test(arguments: doubts)
    func `a column of numbers that can be a query or something else is refused`(
        name: String, noun: String
    ) async throws {
        let refused = try await refusal("date,habit,\(name)\n2026-11-01,5,12\n2026-11-02,6,>100\n")
        #expect(
            refused.hasPrefix(
                "table, line 1: “\(name)” can be a query, or the \(noun); if it is a query, add it to the watchlist, or "
                    + "write a row for each date and query: date,keyword,rank; if not, leave the column out"),
            "\(refused)")
    }

    @Test(arguments: doubts.map(\.0))
    func `it is a query if the watchlist has one of that name, and that is told`(name: String) async throws {
        try await store.adopt(watchlist([(query(name), ["com.a"])]), now: now)
        let result = try await bring("date,habit,\(name)\n2026-11-01,5,12\n2026-11-02,6,429\n")
        #expect(
            try await Set(rows()) == [
                "2026-11-01 00:00:00 habit ranked 5", "2026-11-01 00:00:00 \(name) ranked 12",
                "2026-11-02 00:00:00 habit ranked 6", "2026-11-02 00:00:00 \(name) ranked 429",
            ])
        #expect(result.notes.contains("“\(name)” is read as a query"), "\(result.notes)")
    }

    @Test(arguments: [
        ("popularity", "41.5", "popularity"), ("results", "640", "number of results"),
        ("depth", "200", "number of results that the tool looked at"), ("status", "ok", "state of each check"),
    ])
    func `what cannot be a query is read as what its name says, and that is told`(
        name: String, cell: String, noun: String
    ) async throws {
        let result = try await bring("date,habit,\(name)\n2026-11-01,5,\(cell)\n", within: 200)
        #expect(try await rows() == ["2026-11-01 00:00:00 habit ranked 5"])
        #expect(result.notes.contains("“\(name)” is read as the \(noun), and not as a query"), "\(result.notes)")
    }

    @Test func `a state beside a column for each query leaves the rows of failed checks out`() async throws {
        try await bring("date,habit,status\n2026-11-01,5,ok\n2026-11-02,-,failed\n2026-11-03,-,ok\n")
        #expect(
            try await rows() == ["2026-11-01 00:00:00 habit ranked 5", "2026-11-03 00:00:00 habit absent NULL"])
    }
}
