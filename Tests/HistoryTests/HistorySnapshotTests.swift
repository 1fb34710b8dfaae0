import Foundation
import GRDB
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import History

@Suite struct HistorySnapshotTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"), busySeconds: 0)
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await record(["com.a"], after: 0)
    }

    private func record(_ names: [String], after hours: Int64) async throws {
        try await store.record(
            Check(query: query("timer"), at: start + hours * 3_600, outcome: .answered(list(names))))
    }

    private func position(_ reader: HistoryReader) throws -> Int? {
        try reader.standings().first?.lastGood?.position?.number
    }

    @Test func `a snapshot answers of one moment, whatever is recorded between two questions`() async throws {
        let reader = try HistoryReader(path: store.path)
        let snapshot = try reader.snapshot()
        #expect(try position(snapshot) == 1)
        try await record(["x", "com.a"], after: 6)
        #expect(try position(snapshot) == 1)
        #expect(try snapshot.readings(of: bundle("com.a"), on: query("timer")).count == 1)
        #expect(try snapshot.list(on: query("timer"), at: start + 86_400)?.places.count == 1)
        #expect(try position(reader) == 2)
        #expect(try reader.readings(of: bundle("com.a"), on: query("timer")).count == 2)
    }

    @Test func `a snapshot is of the moment it was taken, not of its first question`() async throws {
        let snapshot = try HistoryReader(path: store.path).snapshot()
        try await record(["x", "com.a"], after: 6)
        #expect(try position(snapshot) == 1)
        #expect(try position(snapshot.snapshot()) == 1)
    }

    @Test func `snapshots of several moments are read side by side`() async throws {
        let reader = try HistoryReader(path: store.path)
        let first = try reader.snapshot()
        try await record(["x", "com.a"], after: 6)
        let second = try reader.snapshot()
        try await record(["x", "y", "com.a"], after: 12)
        let places = try first.read { database in
            let newest = "SELECT position FROM standing"
            return [
                try Int.fetchOne(database, sql: newest), try position(second), try position(reader),
                try Int.fetchOne(database, sql: newest),
            ]
        }
        #expect(places == [1, 2, 3, 1])
    }

    @Test func `the reader answers several questions at once`() throws {
        let reader = try HistoryReader(path: store.path)
        let inside = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        let met = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            do {
                try reader.read { database in
                    _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM check_log")
                    inside[index].signal()
                    // Comes at once, unless one has to wait for the other's answer.
                    if inside[1 - index].wait(timeout: .now() + 20) == .success { met.withLock { $0 += 1 } }
                }
            } catch {
                Issue.record(error)
            }
        }
        #expect(met.withLock { $0 } == 2)
    }

    @Test func `the log begins anew once a snapshot is let go of`() async throws {
        func isLogBusy() async throws -> Bool? {
            try await store.writeWithoutTransaction {
                try Bool.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
        let reader = try HistoryReader(path: store.path)
        var snapshot: HistoryReader? = try reader.snapshot()
        try await record(["x", "com.a"], after: 6)
        #expect(try await isLogBusy() == true)
        #expect(try snapshot.map(position) == 1)
        snapshot = nil
        #expect(try await isLogBusy() == false)
        #expect(try position(reader) == 2)
    }

    @Test(arguments: [false, true]) func `every connection that reads is guarded`(isSnapshot: Bool) throws {
        let reader = try HistoryReader(path: store.path)
        try (isSnapshot ? reader.snapshot() : reader).read { database in
            for (setting, value) in [
                ("query_only", 1), ("trusted_schema", 0), ("cell_size_check", 1), ("mmap_size", 0),
                ("cache_size", -8_000),
            ] {
                let found = try Int.fetchOne(database, sql: "PRAGMA \(setting)") ?? 0
                #expect(found == value, "\(setting)")
            }
            #expect(throws: DatabaseError.self) { try database.execute(sql: "DELETE FROM position") }
        }
    }

    @Test func `a history whose WAL files are gone has snapshots too`() async throws {
        try await store.checkpoint()
        try await store.close()
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: store.path + suffix) }
        let reader = try HistoryReader(path: store.path)
        #expect(try position(reader.snapshot()) == 1)
    }
}
