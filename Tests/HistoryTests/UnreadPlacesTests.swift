import GRDB
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import History

/// Places of a list whose entry could not be read: they may be any app's.
@Suite struct UnreadPlacesTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func adopt(_ names: String...) async throws {
        try await store.adopt(watchlist([(timer, names)]), now: start)
    }

    private func record(_ list: ResultList, after hours: Int64) async throws {
        try await store.record(Check(query: timer, at: start + hours * 3_600, outcome: .answered(list)))
    }

    private func standing(_ name: String, in store: HistoryStore? = nil) throws -> PairStanding {
        try #require(
            try HistoryReader(path: (store ?? self.store).path).standings().first { $0.bundleID == bundle(name) })
    }

    /// Twenty places, of which nine have no bundle identifier.
    private var halfRead: ResultList {
        list((0..<20).map { $0 % 2 == 0 || $0 > 17 ? "com.app\($0)" : nil })
    }

    @Test func `a list with places that could not be read says nothing of an app that it does not name`() async throws {
        try await adopt("com.a", "com.app4")
        try await record(list(["com.x", "com.a", "com.app4"]), after: 0)
        try await record(halfRead, after: 6)
        let unread = try standing("com.a")
        #expect((unread.outcome, unread.checkedAt) == (.failed(.unreadPlaces), start + 21_600))
        #expect(unread.lastGood == Reading(position: Position(2), within: 3, checkedAt: start))
        let named = try standing("com.app4")
        #expect(named.outcome == .ranked(try #require(Position(5)), of: 20))
        #expect(try reader.readings(of: bundle("com.a"), on: timer).map(\.checkedAt) == [start])
        #expect(try await store.findings() == [])
    }

    @Test func `the next whole list finds it again, or absent`() async throws {
        try await adopt("com.a", "com.b")
        try await record(halfRead, after: 0)
        try await record(list(["com.x", "com.a"]), after: 6)
        #expect(try standing("com.a").lastGood?.position == Position(2))
        #expect(try standing("com.b").outcome.state == .absent)
        #expect(try await store.findings() == [])
    }

    @Test func `an entry is told by its number where that is known`() async throws {
        try await adopt("com.a", "com.b", "com.new")
        try await record(list(["com.b", "com.a", "com.c"]), after: 0)
        let known = list(["com.b", "com.a", "com.c"]).places
        let places = [known[2], nil, nil]
        let unnamed = [1: try #require(known[1]?.id), 2: AppID(1)]
        try await record(ResultList(places: places, unnamed: unnamed), after: 6)
        // Its own number, another's, and nobody knows.
        #expect(try standing("com.a").lastGood?.position == Position(2))
        #expect(try standing("com.a").outcome.state == .ranked)
        #expect(try standing("com.b").outcome.state == .absent)
        #expect(try standing("com.new").outcome == .failed(.unreadPlaces))
        #expect(try await store.findings() == [])
    }

    @Test func `an entry with a bundle identifier alone is no absence of an app that is tracked later`() async throws {
        try await adopt("com.a", "com.z")
        let nameless = SeenApp(id: nil, bundleID: bundle("com.later"))
        for hours in [6, 12] as [Int64] {
            try await record(ResultList(places: list(["com.a"]).places + [nameless]), after: hours)
        }
        try await record(list(["com.a", "com.later"]), after: 18)
        try await record(ResultList(places: list(["com.a"]).places + [nil]), after: 24)
        // Of the apps that were tracked then, the entry was known to be none.
        #expect(try reader.readings(of: bundle("com.z"), on: timer).map(\.position) == [nil, nil, nil])
        try await store.adopt(watchlist([(timer, ["com.a", "com.z", "com.later"])]), now: start + 90_000)
        try await store.fillIn()
        #expect(
            try reader.readings(of: bundle("com.later"), on: timer).map(\.position)
                == Array(repeating: Position(2), count: 3))
        let later = try standing("com.later")
        #expect(later.outcome == .failed(.unreadPlaces))
        #expect(later.lastGood == Reading(position: Position(2), within: 2, checkedAt: start + 18 * 3_600))
        #expect(later.best?.position == Position(2))
        #expect(try await store.findings() == [])
    }

    @Test func `histories show a gap, also of apps that are not tracked`() async throws {
        try await adopt("com.a")
        try await record(list(["com.a", "com.untracked"]), after: 0)
        try await record(halfRead, after: 6)
        try await record(list(["com.b"]), after: 12)
        for name in ["com.a", "com.untracked"] {
            let past = try reader.history(of: bundle(name), on: timer)
            #expect(past.checks.map(\.outcome.state) == [.ranked, .failed, .absent])
            #expect(past.checks.map(\.outcome.gap) == [nil, .failed(.unreadPlaces), nil])
            #expect(past.checks.map(\.outcome.within) == [2, nil, 1])
        }
        try await store.compact(before: start + 86_400)
        #expect(
            try reader.history(of: bundle("com.untracked"), on: timer).checks.map(\.outcome.state)
                == [.ranked, .failed, .absent])
        let rows = try await store.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT state, position, within FROM position_history WHERE bundle_id = 'com.a' ORDER BY at"
            ).map(\.text)
        }
        #expect(rows == ["'ranked' 1 2", "'failed' NULL NULL", "'absent' NULL 1"])
    }

    @Test func `what stood at an earlier moment is told with the gap`() async throws {
        try await adopt("com.a")
        try await record(list(["com.a"]), after: 0)
        try await record(halfRead, after: 6)
        try await record(list(["com.b"]), after: 12)
        let then = try #require(try reader.standings(asOf: start + 8 * 3_600).first)
        #expect((then.outcome, then.checkedAt) == (.failed(.unreadPlaces), start + 21_600))
        #expect(then.lastGood?.position == Position(1))
    }

    @Test func `an export brings the gap into another history`() async throws {
        try await adopt("com.a", "com.app4")
        try await record(list(["com.a"]), after: 0)
        try await record(halfRead, after: 6)
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        _ = try await other.importExport(try await store.export(to: folder))
        let (mine, theirs) = (try standing("com.a"), try standing("com.a", in: other))
        #expect(theirs.outcome == .failed(.unreadPlaces))
        #expect(theirs.lastGood == mine.lastGood && theirs.checkedAt == mine.checkedAt)
        #expect(try await other.findings() == [])
    }

    @Test func `the table of all positions has the gap`() async throws {
        try await adopt("com.a")
        try await record(halfRead, after: 0)
        let rows = try await positions()
        #expect(rows.map(\.outcome) == [.failed(.unreadPlaces)])
    }

    private func positions() async throws -> [PositionRow] {
        let found = Mutex<[PositionRow]>([])
        _ = try await reader.exportPositions(since: nil) { _, _ in
        } write: { row in
            found.withLock { $0.append(row) }
        }
        return found.withLock { $0 }
    }

    @Test func `nobody is new among the first places after a list that could not all be read`() async throws {
        try await adopt("com.a")
        try await record(list(["com.a", nil]), after: 0)
        try await record(list(["com.a", "com.b"]), after: 24)
        let top = try reader.topEntries(of: [timer], first: 10, since: start + 3_600, at: start + 100_000)
        #expect(top.found.isEmpty && top.unread.isEmpty)
        try await record(list(["com.a", "com.b", "com.c"]), after: 48)
        let next = try reader.topEntries(of: [timer], first: 10, since: start + 100_000, at: start + 200_000)
        #expect(next.found[timer]?.entries.map(\.app.bundleID) == [bundle("com.c")])
    }
}
