import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// Damage that was there before this version noted any.
@Suite struct KnownDamageTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        var plan = watchlist([(query("timer"), ["com.a"])])
        plan.service.backup = BackupSettings()
        try await store.adopt(plan, now: start)
    }

    /// Leaves the file as an earlier version did.
    private func leave(_ sql: String) throws {
        try DatabaseQueue(path: store.path).write { try $0.execute(sql: sql) }
    }

    private func backUp(_ damaged: Int, after seconds: Int64) async throws -> Int? {
        try await store.noteBackup(at: start + seconds, damaged: damaged)
        return try await store.backups()?.newlyDamaged
    }

    private func cleanUp(_ damaged: Int, after seconds: Int64) async throws -> Int {
        var outcome = CleanUp()
        outcome.listsDamaged = damaged
        try await store.finishHousekeeping(outcome, at: start + seconds)
        return try await store.read { try Setting.newDamage.integer(in: $0).map { Int($0) } ?? 0 }
    }

    @Test func `what the first backup or clean-up of all finds is new`() async throws {
        #expect(try await backUp(2, after: 60) == 2)
        #expect(try await cleanUp(2, after: 60) == 2)
    }

    @Test func `lists that were damaged in an earlier version's backups are not new, and others are`() async throws {
        _ = try await backUp(0, after: 60)
        try leave("DELETE FROM setting WHERE name = 'last_backup_damage'")
        #expect(try await backUp(2, after: 120) == 0)
        #expect(try await backUp(3, after: 180) == 1)
    }

    @Test func `lists that are damaged after a sound backup are new`() async throws {
        #expect(try await backUp(0, after: 60) == 0)
        #expect(try await backUp(1, after: 120) == 1)
    }

    @Test(arguments: ["DELETE FROM setting", "UPDATE setting SET value = '{}'"])
    func `lists are not new because an earlier version noted its clean-up otherwise`(change: String) async throws {
        _ = try await cleanUp(2, after: 60)
        try leave("\(change) WHERE name = 'last_housekeeping'")
        #expect(try await cleanUp(2, after: 120) == 0)
        #expect(try await cleanUp(3, after: 180) == 1)
    }
}
