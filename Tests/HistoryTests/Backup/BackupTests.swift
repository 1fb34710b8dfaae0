import Foundation
import GRDB
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import History

@Suite struct BackupTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private var copy: String { folder.file("copy.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func record(_ checks: Range<Int64>) async throws {
        for hour in checks {
            try await store.record(
                Check(
                    query: query("timer"), at: start + hour * 3_600,
                    outcome: .answered(list((0..<200).map { "com.app\(hour)-\($0)" } + ["com.a"]))))
        }
    }

    private func adopt() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
    }

    private func files() throws -> Set<String> {
        try Set(FileManager.default.contentsOfDirectory(atPath: folder.path))
    }

    private func backUp(
        to path: String? = nil, replaces: Bool = false,
        progress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
    ) async throws {
        try await HistoryReader(path: store.path).backUp(to: path ?? copy, replaces: replaces, progress: progress)
    }

    @Test func `a copy opens by itself and says the same`() async throws {
        try await adopt()
        try await record(0..<3)
        try await backUp()
        #expect(try !files().contains("copy.sqlite-wal"))
        let reader = try HistoryReader(path: copy)
        let (left, right) = (try reader.standings(), try HistoryReader(path: store.path).standings())
        #expect(left.map(\.lastGood) == right.map(\.lastGood) && left.count == 1)
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        let mode = try await DatabaseQueue(path: copy).read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
        #expect(mode == "delete")
    }

    @Test func `a copy knows of no service that runs, and the history still does`() async throws {
        try await adopt()
        try await store.noteServiceStart(at: start)
        try await backUp()
        #expect(try HistoryReader(path: copy).serviceRecord(now: start).service.since == nil)
        #expect(try HistoryReader(path: store.path).serviceRecord(now: start).service.since == start)
    }

    @Test func `a copy put back is a history to go on with`() async throws {
        try await adopt()
        try await record(0..<2)
        try await backUp()
        let again = try HistoryStore(path: copy)
        try await again.record(
            Check(query: query("timer"), at: start + 9_000, outcome: .answered(list(["com.a"]))))
        let mode = try await again.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
        #expect(mode == "wal")
        try await again.close()
    }

    @Test func `what is recorded while it copies does not make it begin anew`() async throws {
        try await adopt()
        try await record(0..<60)
        let steps = Mutex(0)
        let queue = try await store.blocking { _, queue in queue }
        try await backUp { progress in
            guard case .copying = progress else { return }
            let step = steps.withLock { steps in
                steps += 1
                return steps
            }
            do {
                try queue.write { database in
                    try database.execute(
                        sql: "INSERT INTO check_log (query, at, outcome, within) VALUES (1, ?, 'good', 0)",
                        arguments: [9_000_000_000 + step])
                }
            } catch {
                Issue.record(error)
            }
        }
        let pages = try await store.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        #expect(steps.withLock { $0 } > 1 && steps.withLock { $0 } <= pages / 256 + 2)
        let kept = try HistoryReader(path: copy).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM check_log") }
        #expect(kept == 60, "the copy is of one moment")
    }

    @Test func `the reader neither writes the history nor merges its log`() async throws {
        try await adopt()
        try await record(0..<2)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: store.path + suffix, toPath: folder.file("orphan.sqlite") + suffix)
        }
        let orphan = folder.file("orphan.sqlite")
        let before = try Data(contentsOf: URL(fileURLWithPath: orphan))
        let log = try Data(contentsOf: URL(fileURLWithPath: orphan + "-wal"))
        do {
            let reader = try HistoryReader(path: orphan)
            try await reader.backUp(to: copy)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: orphan)) == before)
        #expect(try Data(contentsOf: URL(fileURLWithPath: orphan + "-wal")) == log)
    }

    @Test func `a file that is there stays, unless it is to be replaced`() async throws {
        try await adopt()
        _ = try folder.write("mine", to: "copy.sqlite")
        await #expect(throws: FileRefusal.exists(path: copy)) { try await backUp() }
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == "mine")
        try await backUp(replaces: true)
        #expect(try HistoryReader(path: copy).standings().count == 1)
    }

    @Test func `the history itself is never replaced, by whatever name`() async throws {
        try await adopt()
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
        for path in [store.path, link] {
            await #expect(throws: FileRefusal.isTheHistory(path: path)) { try await backUp(to: path, replaces: true) }
        }
    }

    @Test func `a missing folder, or a folder in the file's place, is refused`() async throws {
        let missing = folder.file("no/copy.sqlite")
        await #expect(throws: FileRefusal.noFolder(path: folder.file("no"))) { try await backUp(to: missing) }
        await #expect(throws: FileRefusal.notAFile(path: folder.path)) { try await backUp(to: folder.path) }
    }

    @Test func `a backup that is broken off leaves nothing`() async throws {
        try await adopt()
        try await record(0..<60)
        let before = try files()
        let begun = AsyncStream<Void>.makeStream()
        let brokenOff = DispatchSemaphore(value: 0)
        let task = Task {
            // The copying has a thread of its own, which waits here until it has been broken off.
            try await backUp { progress in
                guard case .copying = progress else { return }
                begun.continuation.yield()
                brokenOff.wait()
                brokenOff.signal()
            }
        }
        for await _ in begun.stream { break }
        task.cancel()
        brokenOff.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try files() == before)
    }

    @Test func `a damaged history is not copied as if it were sound`() async throws {
        try await adopt()
        try await store.write { database in
            try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
            try database.execute(sql: "INSERT INTO check_log (query, at, outcome, within) VALUES (1, 1, 'good', 0)")
        }
        try await store.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF; INSERT INTO result_list VALUES (99, x'01');")
        }
        let before = try files()
        await #expect(throws: UnsoundCopy.self) { try await backUp() }
        #expect(try files() == before)
    }

    @Test func `what a killed process left of the same file goes, what a living one makes stays`() async throws {
        try await adopt()
        _ = try folder.write("", to: ".copy.sqlite.999999999.partial")
        _ = try folder.write("", to: ".copy.sqlite.1.partial")
        try await backUp()
        #expect(try !files().contains(".copy.sqlite.999999999.partial"))
        #expect(try files().contains(".copy.sqlite.1.partial"))
    }

    @Test func `what killed processes left of earlier backups goes, too`() async throws {
        try await adopt()
        let left = [
            ".history-20261101T000000Z.sqlite.999999999.partial", ".history-2026-11-21-033000.sqlite.999999999.partial",
            ".history-20261101T000000Z.sqlite.\(getpid()).partial",
        ]
        let others = [".mine.sqlite.999999999.partial", ".history-20261101T000000Z.sqlite.1.partial"]
        try FileManager.default.createDirectory(atPath: folder.file("backups"), withIntermediateDirectories: true)
        for name in left + others { _ = try folder.write("", to: "backups/" + name) }
        let (name, _) = try await store.backUp(into: nil, keeping: 2, pause: .zero, now: start)
        #expect(
            try Set(FileManager.default.contentsOfDirectory(atPath: folder.file("backups"))) == Set(others + [name]))
    }

    @Test func `the service keeps the newest of its own files and touches no others`() async throws {
        try await adopt()
        let backups = folder.file("backups")
        for day in 0..<4 as Range<Int64> {
            if day == 2 {
                for name in [
                    "history-2026-11-21-033000.sqlite", "other-20200101T000000Z.sqlite", "history-2020.sqlite",
                ] {
                    try Data().write(to: URL(fileURLWithPath: backups + "/" + name))
                }
            }
            let (name, _) = try await store.backUp(into: nil, keeping: 2, pause: .zero, now: start + day * 86_400)
            #expect(name == "history-2026110\(day + 1)T000000Z.sqlite")
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: backups).sorted() == [
                "history-2020.sqlite", "history-2026-11-21-033000.sqlite", "history-20261103T000000Z.sqlite",
                "history-20261104T000000Z.sqlite", "other-20200101T000000Z.sqlite",
            ])
        let attributes = try FileManager.default.attributesOfItem(atPath: backups)
        #expect(attributes[.posixPermissions] as? Int == 0o750)
    }

    @Test func `a backup is due when the last is old enough, and an hour after one that failed`() async throws {
        var plan = watchlist([(query("timer"), ["com.a"])])
        plan.service.backup = BackupSettings(every: 7_200)
        try await store.adopt(plan, now: start)
        #expect(try await store.backups()?.isDue(at: start) == true)
        try await store.noteBackupFailure("full", at: start)
        #expect(try await store.backups()?.isDue(at: start + 3_599) == false)
        #expect(try await store.backups()?.isDue(at: start + 3_600) == true)
        try await store.noteBackup(at: start + 3_600)
        let record = try #require(try await store.backups())
        #expect(record.failure == nil && !record.isDue(at: start + 10_000) && record.isDue(at: start + 10_800))
        #expect(!record.isLate(at: start + 18_000) && record.isLate(at: start + 18_001))
        plan.service.backup = nil
        try await store.adopt(plan, now: start + 20_000)
        #expect(try await store.backups() == nil)
    }
}
