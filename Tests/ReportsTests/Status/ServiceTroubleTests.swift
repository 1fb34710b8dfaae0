import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// What of the status is worth a message.
@Suite struct ServiceTroubleTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")
    private let day: Int64 = 86_400

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// A history of one good check at the start, of a query that is asked once a day.
    private func watched() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])], every: day), now: start)
        try await store.record(Check(query: timer, at: start, outcome: .answered(list(["com.a"]))))
    }

    private func pause(after seconds: Int64) async throws {
        let health = EndpointHealth(
            pause: .throttled, pausedAt: start + seconds, pauseLength: 600, pausesInARow: 1)
        try await store.keep(health, of: .search(at: "https://itunes.apple.com"))
    }

    private func reasons(after seconds: Int64) throws -> [String] {
        try ServiceTrouble(from: HistoryReader(path: store.path), now: start + seconds)?.reasons.map(\.text) ?? []
    }

    // MARK: Pauses

    private let paused = "Apple asked for fewer requests"

    @Test func `a pause of minutes is none, however old the newest check is`() async throws {
        try await watched()
        try await pause(after: day + 60)
        #expect(try reasons(after: day + 900) == [])
    }

    @Test func `a pause counts from when the first query fell due`() async throws {
        try await watched()
        try await pause(after: day + 60)
        #expect(try !reasons(after: day + 3_600).contains(paused))
        #expect(try reasons(after: day + 3_601).contains(paused))
    }

    @Test func `a pause in which nothing is due keeps nobody from anything`() async throws {
        try await watched()
        try await pause(after: 60)
        #expect(try reasons(after: day - 60) == [])
    }

    @Test func `a pause counts from when a check that failed was to be repeated`() async throws {
        try await watched()
        try await store.record(
            Check(query: timer, at: start + day + 60, outcome: .failed(Failure(.timedOut))))
        try await pause(after: day + 100)
        #expect(try !reasons(after: day + 360 + 3_600).contains(paused))
        #expect(try reasons(after: day + 360 + 3_601).contains(paused))
    }

    // MARK: Damage

    @Test func `damage that a clean-up finds is told until one finds no more`() async throws {
        try await watched()
        func cleanUp(_ damaged: Int, after seconds: Int64) async throws -> [String] {
            var outcome = CleanUp()
            outcome.listsDamaged = damaged
            try await store.finishHousekeeping(outcome, at: start + seconds)
            return try reasons(after: seconds)
        }
        #expect(try await cleanUp(0, after: 60) == [])
        #expect(
            try await cleanUp(2, after: 120) == ["2 lists in the history turned out to be damaged: see rankctl verify"])
        #expect(try await cleanUp(2, after: 180) == [])
        #expect(
            try await cleanUp(3, after: 240) == ["1 list in the history turned out to be damaged: see rankctl verify"])
        #expect(try await cleanUp(0, after: 300) == [])
    }

    @Test func `damage that a backup finds is told until one finds no more`() async throws {
        var plan = watchlist([(timer, ["com.a"])], every: day)
        plan.service.backup = BackupSettings()
        try await store.adopt(plan, now: start)
        func backUp(_ damaged: Int, after seconds: Int64) async throws -> Set<ServiceTrouble.Matter> {
            try await store.noteBackup(at: start + seconds, damaged: damaged)
            return try ServiceTrouble(from: HistoryReader(path: store.path), now: start + seconds)?.matters ?? []
        }
        #expect(try await backUp(0, after: 60) == [])
        #expect(try await backUp(1, after: 120) == [.damage])
        #expect(try await backUp(1, after: 180) == [])
        #expect(try await backUp(2, after: 240) == [.damage])
    }
}
