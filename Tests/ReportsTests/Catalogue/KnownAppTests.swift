import ArgumentParser
import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// What a person may write where a report asks for an app.
@Suite struct KnownAppTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist([(query("timer"), ["com.me"])], every: day), now: start)
        let places = [(572_688_855, "com.me"), (835_599_320, "com.rival")].map { number, name in
            SeenApp(id: AppID(number), bundleID: bundle(name))
        }
        try await store.record(
            Check(query: query("timer"), at: start, outcome: .answered(ResultList(places: places))))
    }

    private func context(asOf moment: Timestamp? = nil) throws -> ReportContext {
        let reader = try HistoryReader(path: store.path)
        return try ReportContext(moment.map { reader.asOf($0) } ?? reader, now: start + day, zone: .gmt)
    }

    @Test(arguments: [
        "com.rival", "COM.Rival", "835599320", "id835599320", "https://apps.apple.com/de/app/rival/id835599320?l=en",
        "apps.apple.com/app/id835599320",
    ])
    func `a bundle id, Apple's number and a link to its page name an app`(name: String) throws {
        #expect(try context().knownApp(name) == bundle("com.rival"))
    }

    @Test(arguments: ["572688855", "https://apps.apple.com/us/app/me/id572688855"])
    func `a report is filtered by them as well`(name: String) throws {
        let report = try StandingsRequest.parse(["--app", name]).answer(in: context())
        #expect(report.render(as: .csv).contains("com.me"))
    }

    @Test func `a number that no answer had shown by then names nobody`() throws {
        #expect(throws: ReportRefusal.noApp("835599321", near: [], isMore: false)) {
            try context().knownApp("835599321")
        }
        #expect(throws: ReportRefusal.noApp("835599320", near: [], isMore: false)) {
            try context(asOf: start - 1).knownApp("835599320")
        }
    }
}
