import Foundation
import GRDB
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import History

/// How the clean-up writes beside those who record.
@Suite struct TidyingTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func durability() async throws -> Int? {
        try await store.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    }

    /// Writes some 40 kB.
    private func tidyUp(_ number: Int) async throws {
        try await store.tidy { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting VALUES (?, randomblob(40000))", arguments: ["ballast\(number)"])
        }
    }

    private var databaseBytes: Int64 { DatabaseFile.size(of: store.path) ?? 0 }

    @Test func `what is recorded after a step of the clean-up is synced again`() async throws {
        let during = Mutex<Int?>(nil)
        try await store.tidy { database in
            let level = try Int.fetchOne(database, sql: "PRAGMA synchronous")
            during.withLock { $0 = level }
        }
        #expect(during.withLock(\.self) == 1)
        #expect(try await durability() == 2)
    }

    @Test func `a step that fails changes nothing, and what follows is synced again`() async throws {
        struct Broken: Error {}
        await #expect(throws: (any Error).self) {
            try await store.tidy { database in
                try database.execute(sql: "INSERT INTO setting VALUES ('half', 'x')")
                throw Broken()
            }
        }
        #expect(
            try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM setting WHERE name = 'half'") } == 0)
        #expect(try await durability() == 2)
    }

    @Test func `a long clean-up does not let the log grow`() async throws {
        for number in 0..<500 { try await tidyUp(number) }
        #expect(databaseBytes > 12 << 20)
        #expect(store.logBytes < 8 << 20)
    }

    @Test func `moving the log leaves all of it in the database`() async throws {
        for number in 0..<20 { try await tidyUp(number) }
        #expect(databaseBytes < 400_000)
        try await store.moveLog()
        let copy = folder.file("copy.sqlite")
        try FileManager.default.copyItem(atPath: store.path, toPath: copy)
        let kept = try await DatabaseQueue(path: copy).read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM setting WHERE name LIKE 'ballast%'")
        }
        #expect(kept == 20)
    }

    @Test func `moving the log waits for nobody who reads, and keeps what they see`() async throws {
        try await tidyUp(0)
        var configuration = Configuration()
        configuration.readonly = true
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: store.path, configuration: configuration)
        let count = "SELECT count(*) FROM setting"
        try await reader.writeWithoutTransaction { try $0.execute(sql: "BEGIN") }
        let before = try await reader.unsafeRead { try Int.fetchOne($0, sql: count) }
        try await tidyUp(1)
        try await store.moveLog()
        #expect(try await reader.unsafeRead { try Int.fetchOne($0, sql: count) } == before)
        #expect(try await store.read { try Int.fetchOne($0, sql: count) } == before.map { $0 + 1 })
        try await reader.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }

    @Test func `the log is never moved into a file that has taken the history's place`() async throws {
        try await tidyUp(0)
        try FileManager.default.moveItem(atPath: store.path, toPath: folder.file("elsewhere.sqlite"))
        let other = Data(repeating: 7, count: 4_096)
        try other.write(to: URL(fileURLWithPath: store.path))
        await #expect(throws: HistoryError.self) { try await store.moveLog() }
        #expect(FileManager.default.contents(atPath: store.path) == other)
    }
}
