import Foundation
import History
import Logging
import RankKit
import TestSupport
import Testing

@testable import Tracking

@Suite struct BackupsTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func backups(
        _ settings: BackupSettings?, turn: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> BackgroundJob {
        var plan = watchlist([(query("timer"), ["com.a"])])
        plan.service.backup = settings
        try await history.adopt(plan, now: start)
        let backups = Backups(history: history, plan: CurrentPlan(plan), pause: .zero, turn: turn)
        return .backup(backups, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func begunDuringPass() async throws -> (BackgroundJob, PassActivity) {
        let activity = PassActivity()
        await activity.begin()
        let backups = try await backups(BackupSettings()) { try await activity.ended() }
        try await backups.startIfDue(now: start)
        return (backups, activity)
    }

    private func run(_ backups: BackgroundJob, at moment: Timestamp) async throws {
        try await backups.startIfDue(now: moment)
        await backups.ended()
    }

    private func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func `a backup is made when it is due, and not before`() async throws {
        let settings = BackupSettings(every: 86_400)
        let backups = try await backups(settings)
        for hours in [0, 1, 23, 25, 26] as [Int64] {
            try await run(backups, at: start + hours * 3_600)
        }
        #expect(
            try files(folder.file("backups")) == [
                "history-20261101T000000Z.sqlite", "history-20261102T010000Z.sqlite",
            ])
    }

    @Test func `without settings there is none`() async throws {
        let backups = try await backups(nil)
        try await run(backups, at: start)
        #expect(try !files(folder.path).contains("backups"))
    }

    @Test func `with --once a failure is noted and said, and no reason to end in vain`() async throws {
        _ = try folder.write("a file", to: "taken")
        let backups = try await backups(BackupSettings(directory: folder.file("taken")))
        await backups.run(now: start)
        #expect(try await history.backups()?.failedAt == start)
        #expect(await backups.ruin == nil)
    }

    @Test func `a failure is noted, and tried again once an hour has gone by`() async throws {
        let settings = BackupSettings(directory: folder.file("taken"))
        _ = try folder.write("a file", to: "taken")
        let backups = try await backups(settings)
        try await run(backups, at: start)
        #expect(try await history.backups()?.failedAt == start)
        try FileManager.default.removeItem(atPath: folder.file("taken"))
        try await run(backups, at: start + 1_800)
        #expect(try await history.backups()?.failedAt == start)
        try await run(backups, at: start + 4_200)
        #expect(try await history.backups()?.lastAt == start + 4_200)
        #expect(try await history.backups()?.failedAt == nil)
        #expect(try files(folder.file("taken")) == ["history-20261101T011000Z.sqlite"])
    }

    @Test func `a backup waits until the pass that is under way has ended`() async throws {
        let (backups, activity) = try await begunDuringPass()
        for _ in 0..<100 { await Task.yield() }
        #expect(try await history.backups()?.lastAt == nil)
        await activity.end()
        await backups.ended()
        #expect(try await history.backups()?.lastAt == start)
    }

    @Test func `stopping while a backup waits leaves none`() async throws {
        let (backups, _) = try await begunDuringPass()
        await backups.stop()
        #expect(try !files(folder.path).contains("backups"))
        #expect(try await history.backups()?.failedAt == nil)
    }

    @Test func `a backup waits until the clean-up has ended`() async throws {
        let backups = try await backups(BackupSettings())
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let cleanUp = BackgroundJob("clean-up", log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) { _ in
            for await _ in gate {}
        }
        await cleanUp.start(now: start)
        try await backups.startIfDue(now: start, after: cleanUp)
        for _ in 0..<100 { await Task.yield() }
        #expect(try await history.backups()?.lastAt == nil)
        opening.finish()
        await backups.ended()
        #expect(try await history.backups()?.lastAt == start)
    }

    @Test func `stopping waits for the one that runs`() async throws {
        let settings = BackupSettings()
        let backups = try await backups(settings)
        try await backups.startIfDue(now: start)
        await backups.stop()
        let left = try files(folder.path).contains("backups") ? try files(folder.file("backups")) : []
        #expect(left.allSatisfy { !$0.hasPrefix(".") })
        try await history.close()
    }
}
