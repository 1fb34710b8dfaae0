import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct HistoryFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("history.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func opening(_ path: String) -> HistoryError? {
        do {
            _ = try HistoryStore(path: path)
            return nil
        } catch { return error }
    }

    private func reading(_ path: String) -> HistoryError? {
        do {
            _ = try HistoryReader(path: path)
            return nil
        } catch { return error }
    }

    @Test func `a missing folder is made for the owner and the group alone`() throws {
        let deep = folder.file("a/b/history.sqlite")
        #expect(opening(deep) == nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("a/b"))
        #expect(attributes[.posixPermissions] as? Int == 0o750)
    }

    @Test func `a reader says which service makes a missing history`() {
        #expect(reading(path) == .missing(path: path))
        #expect(HistoryError.missing(path: path).description.contains("start rankd, run rankd --once"))
    }

    @Test func `text in place of a history is left as it is`() throws {
        let text = String(repeating: "not a database\n", count: 400)
        let file = try folder.write(text, to: "history.sqlite")
        guard case .foreign? = opening(file) else { Issue.record("opened"); return }
        guard case .foreign? = reading(file) else { Issue.record("read"); return }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }

    @Test func `another program's database is left as it is`() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "CREATE TABLE mine (a)") }
        try queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(opening(path) == .foreign(path: path, what: "another program's database"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func `a newer history is refused by writer and reader`() async throws {
        let store = try HistoryStore(path: path)
        try await store.write { try $0.execute(sql: "PRAGMA user_version = 99") }
        try await store.close()
        let error = HistoryError.newer(path: path, version: 99, understood: Schema.version)
        #expect(reading(path) == error)
        #expect(opening(path) == error)
    }

    @Test(arguments: ["folder", "fifo"]) func `what is no file is refused at once`(kind: String) throws {
        if kind == "folder" {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        } else {
            #expect(mkfifo(path, 0o600) == 0)
        }
        #expect(opening(path) == .foreign(path: path, what: "not a regular file"))
        #expect(reading(path) == .foreign(path: path, what: "not a regular file"))
    }

    @Test func `a history whose WAL files are gone is read as it was left`() async throws {
        let store = try HistoryStore(path: path)
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: time("2026-11-01T00:00:00Z"))
        try await store.checkpoint()
        try await store.close()
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
        let reader = try HistoryReader(path: path)
        #expect(try reader.standings().count == 1)
    }

    @Test func `opening twice migrates once`() async throws {
        let store = try HistoryStore(path: path)
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: time("2026-11-01T00:00:00Z"))
        try await store.close()
        let again = try HistoryStore(path: path)
        #expect(try HistoryReader(path: path).standings().count == 1)
        try await again.close()
    }

    @Test func `a damaged history is told and left`() async throws {
        let store = try HistoryStore(path: path)
        try await store.checkpoint()
        try await store.close()
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seek(toOffset: 100)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 4_000))
        try handle.close()
        guard case .corrupt? = opening(path) else {
            Issue.record("\(String(describing: opening(path)))")
            return
        }
    }
}
