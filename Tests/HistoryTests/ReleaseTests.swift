import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct ReleaseTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let day: Int64 = 86_400

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func adopt(_ notes: [Note] = [], zone: String? = "UTC") async throws {
        var plan = watchlist([
            (query("timer"), ["com.a", "com.b"]), (query("timer", "de"), ["com.a"]),
        ])
        plan.notes = notes
        plan.timeZone = zone
        try await store.adopt(plan, now: start)
    }

    /// The store shows `version` of com.a on a day.
    private func show(
        _ version: String?, dated date: Timestamp? = nil, on number: Int64, in country: String = "us"
    ) async throws {
        let details = AppDetails(name: "A", version: version, versionReleasedAt: date)
        try await store.record(
            Check(
                query: query("timer", country), at: start + number * day,
                outcome: .answered(list(["com.a"]) { _ in details })))
    }

    private func releases(of name: String? = "com.a") throws -> [AppRelease] {
        try HistoryReader(path: store.path).releases(of: name.map(bundle), machineZone: .gmt)
    }

    @Test func `a history of nothing has no releases`() async throws {
        #expect(try releases(of: nil).isEmpty)
        try await adopt()
        #expect(try releases(of: nil).isEmpty)
        #expect(try HistoryReader(path: store.path).notes().isEmpty)
    }

    @Test func `a version is released when a check first shows it`() async throws {
        try await adopt()
        try await show("1.0", on: 0)
        try await show("1.1", on: 3)
        try await show("1.2", on: 5)
        #expect(
            try releases() == [
                AppRelease(
                    bundleID: bundle("com.a"), version: "1.1", at: start + 3 * day, source: .sighting,
                    seenAt: start + 3 * day),
                AppRelease(
                    bundleID: bundle("com.a"), version: "1.2", at: start + 5 * day, source: .sighting,
                    seenAt: start + 5 * day),
            ], "nobody knows when the one was released that was there from the start")
    }

    @Test func `Apple's date goes before the first sight, also for a version that was there from the start`()
        async throws
    {
        try await adopt()
        try await show("1.0", dated: start - 40 * day, on: 0)
        try await show("1.1", dated: start + 2 * day, on: 3)
        #expect(try releases().map(\.version) == ["1.0", "1.1"])
        #expect(try releases().map(\.at) == [start - 40 * day, start + 2 * day])
        #expect(try releases().map(\.seenAt) == [nil, start + 3 * day])
    }

    @Test func `a date that lies after the first sight, or that the version before had, is not believed`() async throws
    {
        try await adopt()
        try await show("1.0", dated: start - 40 * day, on: 0)
        try await show("1.1", dated: start - 40 * day, on: 3)
        try await show("1.2", dated: start + 9 * day, on: 5)
        #expect(try releases().map(\.at) == [start - 40 * day, start + 3 * day, start + 5 * day])
        #expect(try releases().map(\.releasedAt) == [start - 40 * day, nil, nil])
    }

    @Test func `the storefront that showed a version first decides, and one that goes back and forth says nothing new`()
        async throws
    {
        try await adopt()
        try await show("1.0", on: 0)
        try await show("1.0", on: 0, in: "de")
        try await show("1.1", on: 2, in: "de")
        try await show("1.1", on: 3)
        try await show("1.0", on: 4)
        try await show("1.1", on: 5)
        #expect(try releases().filter { $0.version == "1.1" }.map(\.at) == [start + 2 * day])
    }

    @Test func `a version that gave way once is told again only once it has stayed`() async throws {
        try await adopt()
        try await show("1.0", on: 0)
        try await show("1.1", on: 10)
        // What is new is told at once.
        #expect(try releases().map(\.version) == ["1.1"])
        for number in 11...20 as ClosedRange<Int64> { try await show("1.0", on: number) }
        #expect(try releases().isEmpty)
        try await show("1.1", on: 30)
        #expect(try releases().isEmpty)
        try await show("1.0", on: 31)
        #expect(try releases().isEmpty)
        #expect(try HistoryReader(path: store.path).passingVersions().map(\.seen) == [start + 10 * day])
        try await show("1.1", on: 40)
        try await show("1.1", on: 41)
        #expect(try releases().isEmpty)
        try await show("1.1", on: 42)
        #expect(try releases().map(\.seenAt) == [start + 40 * day])
        #expect(try releases().map(\.confirmedAt) == [start + 42 * day])
    }

    @Test func `a version that had to stay is told from the check on that shows it`() async throws {
        try await adopt()
        for (number, version) in [(0, "1.0"), (10, "1.1"), (11, "1.0"), (40, "1.1"), (41, "1.1"), (43, "1.1")]
            as [(Int64, String)]
        {
            try await show(version, on: number)
        }
        #expect(try releases().map(\.confirmedAt) == [start + 43 * day])
        // Nobody knew it before that check, though two days were over.
        let before = try HistoryReader(path: store.path).asOf(start + 43 * day - 60)
        #expect(try before.releases(machineZone: .gmt).isEmpty)
    }

    @Test func `a version that had to stay and was followed by another one is told before that`() async throws {
        try await adopt()
        for (number, version) in [(0, "1.0"), (10, "1.1"), (11, "1.0"), (40, "1.1"), (41, "1.2")] as [(Int64, String)] {
            try await show(version, on: number)
        }
        #expect(try releases().map(\.version) == ["1.1", "1.2"])
        #expect(try releases().map { $0.confirmedAt ?? $0.at } == [start + 41 * day, start + 41 * day])
    }

    @Test func `an old version that comes back is no release, however long it stays`() async throws {
        try await adopt()
        try await show("1.0", dated: start - 40 * day, on: 0)
        try await show("2.0", dated: start + day, on: 2)
        try await show("1.0", dated: start - 40 * day, on: 5)
        try await show("2.0", dated: start + day, on: 9)
        #expect(try releases().map(\.version) == ["1.0", "2.0"])
        #expect(try releases().map(\.seenAt) == [nil, start + 2 * day])
    }

    @Test func `a history that begins with the new version does not release the old one`() async throws {
        try await adopt()
        try await show("2.0", dated: start - day, on: 0)
        try await show("1.0", dated: start - 40 * day, on: 5)
        try await show("2.0", dated: start - day, on: 9)
        #expect(try releases().map(\.version) == ["2.0"])
    }

    @Test func `a version with white space around it, or of white space alone, is no other`() async throws {
        try await adopt()
        for (number, version) in [(0, "1.0"), (1, "1.0 "), (2, " "), (3, ""), (4, "1.0")] as [(Int64, String)] {
            try await show(version, on: number)
        }
        #expect(try releases().isEmpty)
    }

    @Test func `a version that an answer left out is none`() async throws {
        try await adopt()
        try await show("1.0", on: 0)
        try await show(nil, on: 1)
        try await show("1.1", on: 2)
        #expect(try releases().map(\.version) == ["1.1"])
    }

    @Test func `a note's day is the watchlist's, and goes before what the store has shown`() async throws {
        try await adopt(
            [
                Note(
                    on: "2026-11-04", bundleID: bundle("com.A"), version: "v1.1 ", text: "subtitle", added: ["a", "b"],
                    removed: ["c"])
            ], zone: "Europe/Berlin")
        try await show("1.0", on: 0)
        try await show("1.1", on: 5)
        #expect(
            try releases() == [
                AppRelease(
                    bundleID: bundle("com.a"), version: "v1.1 ", at: time("2026-11-03T23:00:00Z"), source: .note,
                    seenAt: start + 5 * day, text: "subtitle", added: ["a", "b"], removed: ["c"])
            ])
    }

    @Test func `notes of the same version are one on the same day, and two on different ones`() async throws {
        let app = bundle("com.a")
        try await adopt([
            Note(on: "2026-11-04", bundleID: app, version: "2.0", text: "new name", added: ["a"]),
            Note(on: "2026-11-04", bundleID: app, version: "2.0", text: "new subtitle", added: ["a", "b"]),
            Note(on: "2026-11-08", bundleID: app, version: "2.0", text: "new pictures"),
            Note(on: "2026-11-06", bundleID: app, text: "new price"),
            Note(on: "2026-11-05", text: "holiday"),
        ])
        let releases = try releases()
        #expect(releases.map(\.text) == ["new name; new subtitle", "new price", "new pictures"])
        #expect(releases[0].added == ["a", "b"])
        #expect(releases[1].version == nil)
        #expect(try HistoryReader(path: store.path).notes().count == 5)
    }

    @Test func `all apps of the watchlist are asked for at once, others by name`() async throws {
        try await adopt()
        for (number, version) in [(0, "1"), (2, "2")] as [(Int64, String)] {
            try await store.record(
                Check(
                    query: query("timer"), at: start + number * day,
                    outcome: .answered(
                        list(["com.a", "com.b", "com.stranger"]) { AppDetails(name: $0, version: version) })))
        }
        #expect(try releases(of: nil).map(\.bundleID.text) == ["com.a", "com.b"])
        #expect(try releases(of: "com.stranger").map(\.version) == ["2"])
    }

    @Test func `versions are compared without case, spaces and a leading v`() {
        #expect(AppRelease.fold(version: " V2.4 ") == "2.4")
        #expect(AppRelease.fold(version: "vista") == "vista")
        #expect(AppRelease.fold(version: "2.4 Beta") == "2.4 beta")
    }

    @Test func `the question for versions goes from the few apps to their listings, not the other way`() async throws {
        for sql in [HistoryReader.listedVersions, HistoryReader.versionChanges] {
            let plan = try await store.read { database in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: ["app": String?.none])
                    .map { $0["detail"] as String }
            }
            #expect(plan.contains { $0.hasPrefix("SEARCH listing USING") || $0.hasPrefix("SEARCH change USING") })
            #expect(!plan.contains { $0.hasPrefix("SCAN app") }, "\(plan)")
        }
    }
}
