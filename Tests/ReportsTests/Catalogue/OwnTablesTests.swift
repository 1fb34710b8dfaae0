import Foundation
import History
import RankKit
import TestSupport
import Testing

@testable import Reports

/// What `rankctl import` says to the CSVs that rankctl itself writes.
@Suite struct OwnTablesTests {
    private let folder: TemporaryFolder
    private let now = time("2026-11-21T00:00:00Z")

    init() throws { folder = try TemporaryFolder() }

    /// Those that have a place in each row, and a state or a column for each day: they are read back.
    private static let readBack: Set<String> = ["standings", "history", "grid"]

    private static let answers = ReportCatalogue.answers.map { AnswerDescription($0) }

    /// What a table is refused with, whatever is said beside it that would help another tool's.
    private func refusal(_ columns: [String]) async throws -> String? {
        let cells = ["country": "us", "platform": "iphone", "day": "2026-11-20", "bundleId": "com.a"]
        let row = columns.map { cells[$0] ?? "1" }
        let text = columns.joined(separator: ",") + "\r\n" + row.joined(separator: ",") + "\r\n"
        var options = ForeignTableOptions(
            name: "own", within: 200, country: Country(code: "us"), app: bundle("com.a"), date: now)
        options.reports = ReportCatalogue.ownTables
        do {
            try await HistoryStore.checkTable(try folder.write(text, to: "own.csv"), options: options, now: now)
            return nil
        } catch let refusal as ImportRefusal { return "\(refusal)" }
    }

    @Test func `the CSV of every report is known, and refused with the command that exports`() async throws {
        for answer in Self.answers where !Self.readBack.contains(answer.name) {
            for columns in [answer.shortColumns, answer.columns, answer.shortColumns + telling(answer)] {
                let refused = try await refusal(columns)
                #expect(
                    refused?.hasSuffix("; import the history itself: rankctl export --output history.ndjson") == true,
                    "\(answer.name) \(columns): \(refused ?? "taken")")
            }
        }
    }

    @Test(arguments: [
        ["day", "first", "to3"], ["day", "bundleId", "to10", "absent"], ["at", "count"], ["day", "score"],
    ])
    func `named columns of a report do not become queries`(columns: [String]) async throws {
        #expect(try await refusal(columns)?.contains("rankctl export --output history.ndjson") == true)
    }

    /// The columns that come beside the short ones where lines differ in them alone.
    private func telling(_ answer: AnswerDescription) -> [String] {
        ["source", "language"].filter { answer.columns.contains($0) && !answer.shortColumns.contains($0) }
    }

    @Test func `what can be read back is not refused as a report`() async throws {
        let known = Self.answers.filter { Self.readBack.contains($0.name) }
        #expect(known.count == Self.readBack.count)
        for answer in known {
            for columns in [answer.shortColumns, answer.columns] {
                let refused = try await refusal(columns + (answer.name == "grid" ? ["2026-11-19"] : []))
                #expect(refused?.contains("rankctl export") != true, "\(answer.name): \(refused ?? "")")
            }
        }
    }

    @Test func `named columns with the time of a check and no state are a report`() async throws {
        for columns in [
            ["query", "country", "bundleId", "checkedAt", "position"], ["query", "checkedAt", "position"],
        ] {
            #expect(try await refusal(columns)?.contains("rankctl export") == true, "\(columns)")
        }
    }

    @Test(arguments: ["platform", "country", "query", "bundleId"])
    func `a report with a state that lacks a column is refused with its name`(column: String) async throws {
        let columns = ["query", "country", "platform", "bundleId", "checkedAt", "state", "position"]
        #expect(
            try await refusal(columns.filter { $0 != column })?.hasSuffix(
                "is a report of rankctl without its column “\(column)”, so that it cannot be read back; write it with "
                    + "--columns all") == true)
    }

    @Test func `a table that only shares names with a report is another tool's`() async throws {
        for columns in [
            ["query", "country", "platform", "bundleId", "position"], ["query", "country", "position", "change"],
            ["query", "position", "within", "source"], ["day", "habit tracker", "first"], ["day", "mood"],
        ] {
            #expect(try await refusal(columns) == nil, "\(columns)")
        }
        for answer in Self.answers where answer.columns.contains("position") && !Self.readBack.contains(answer.name) {
            let refused = try await refusal(answer.shortColumns + ["my own column"])
            #expect(refused?.contains("is the CSV of") != true, "\(answer.name)")
        }
    }
}
