import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// What the writer does when the file under it is not what it should be.
@Suite struct HistoryTroubleTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("history.sqlite") }
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() throws { folder = try TemporaryFolder() }

    private func opened() async throws -> HistoryStore {
        let store = try HistoryStore(path: path, busySeconds: 0.05)
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        return store
    }

    private func check(after hours: Int64, _ outcome: Check.Outcome = .answered(list(["com.a"]))) -> Check {
        Check(query: timer, at: start + hours * 3_600, outcome: outcome)
    }

    private func opening() -> HistoryError? {
        do {
            _ = try HistoryStore(path: path)
            return nil
        } catch { return error }
    }

    private func count(_ table: String, at path: String) throws -> Int {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration).read { database in
            #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
            return try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
        }
    }

    private func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: folder.file(name), toPath: folder.file(other))
    }

    // MARK: The file that goes away

    @Test func `a history that is moved away is not written any more, and holds what was recorded`() async throws {
        let store = try await opened()
        try await store.record(check(after: 1))
        try move("history.sqlite", to: "elsewhere.sqlite")
        let gone = HistoryError.replaced(path: path, what: "\(path) was deleted or moved away")
        await #expect(throws: gone) { try await store.record(check(after: 2)) }
        await #expect(throws: gone) { try await store.answer() }
        #expect(try count("check_log", at: folder.file("elsewhere.sqlite")) == 1)
    }

    @Test func `a history that is replaced is not written any more, and its log does not touch the other`() async throws
    {
        let store = try await opened()
        try await store.record(check(after: 1))
        try move("history.sqlite", to: "elsewhere.sqlite")
        try Data("something else".utf8).write(to: URL(fileURLWithPath: path))
        await #expect(throws: HistoryError.replaced(path: path, what: "\(path) was replaced by another file")) {
            try await store.record(check(after: 2))
        }
        #expect(store.logBytes == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "something else")
        #expect(try count("check_log", at: folder.file("elsewhere.sqlite")) == 1)
    }

    @Test func `a write-ahead log that goes away stops the writing`() async throws {
        let store = try await opened()
        try FileManager.default.removeItem(atPath: path + "-wal")
        await #expect(throws: HistoryError.replaced(path: path, what: "\(path)-wal was deleted or moved away")) {
            try await store.record(check(after: 1))
        }
    }

    @Test func `a log whose history is gone is not taken for a new one's`() async throws {
        try await opened().close()
        try FileManager.default.removeItem(atPath: path)
        #expect(opening() == .abandoned(path: path))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a log whose history was emptied is not deleted`() async throws {
        try await opened().close()
        try Data("frames".utf8).write(to: URL(fileURLWithPath: path + "-wal"))
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(opening() == .abandoned(path: path))
        #expect(try String(contentsOfFile: path + "-wal", encoding: .utf8) == "frames")
    }

    @Test func `a history that was emptied after it had been closed is not taken for a new one`() async throws {
        try await opened().close()
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(opening() == .abandoned(path: path))
    }

    @Test func `several that make one new history at once all find it made`() async throws {
        for round in 1...100 {
            let path = folder.file("new-\(round).sqlite")
            let refusals = await withTaskGroup(of: String?.self) { group in
                for _ in 1...8 {
                    group.addTask {
                        do {
                            try DatabaseFile.prepare(path)
                            return nil
                        } catch {
                            return "\(error)"
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
            }
            #expect(refusals == [])
        }
    }

    @Test func `a link to nowhere is refused, and stays a link`() throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.file("gone/away.sqlite"))
        #expect(throws: HistoryError.self) { try DatabaseFile.prepare(path) }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == folder.file("gone/away.sqlite"))
    }

    @Test func `a second name of the file is noticed`() async throws {
        let store = try await opened()
        #expect(store.otherNames == 0)
        try FileManager.default.linkItem(atPath: path, toPath: folder.file("second.sqlite"))
        #expect(store.otherNames == 1)
    }

    // MARK: The log that is damaged

    /// A history as a killed writer leaves it, with one check in the log.
    private func killed() async throws {
        let store = try await opened()
        try await store.checkpoint()
        try await store.record(check(after: 1))
        let copies = ["", "-wal"].map { (path + $0, folder.file("copy" + $0)) }
        for (from, to) in copies { try FileManager.default.copyItem(atPath: from, toPath: to) }
        try await store.close()
        for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
        for (to, from) in copies { try FileManager.default.moveItem(atPath: from, toPath: to) }
    }

    @Test(arguments: [0, 24, 32, 40, 2_000, 9_000])
    func `a damaged log loses its own checks at most`(byte: UInt64) async throws {
        try await killed()
        let handle = try #require(FileHandle(forUpdatingAtPath: path + "-wal"))
        try handle.seek(toOffset: byte)
        try handle.write(contentsOf: Data([0xA5, 0x5A, 0xA5]))
        try handle.close()
        #expect(opening() == nil)
        #expect(try count("query", at: path) == 1)
        #expect(try count("check_log", at: path) <= 1)
    }

    @Test func `a log that is missing loses its own checks and no others`() async throws {
        try await killed()
        try FileManager.default.removeItem(atPath: path + "-wal")
        #expect(opening() == nil)
        #expect(try count("check_log", at: path) == 0)
    }

    @Test func `a log of another database does not go unnoticed`() async throws {
        try await killed()
        let other = folder.file("other.sqlite")
        let queue = try DatabaseQueue(path: other)
        try await queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE mine (a); INSERT INTO mine VALUES (1)")
        }
        try FileManager.default.removeItem(atPath: path + "-wal")
        try FileManager.default.copyItem(atPath: other + "-wal", toPath: path + "-wal")
        switch opening() {
        case .foreign?, .corrupt?: break
        case let other: Issue.record("\(String(describing: other))")
        }
    }

    @Test func `a log of another history is refused, or leaves a sound file`() async throws {
        try await killed()
        let other = folder.file("other.sqlite")
        let stranger = try HistoryStore(path: other)
        try await stranger.adopt(watchlist((0..<200).map { (query("other \($0)"), ["com.b"]) }), now: start)
        try await stranger.checkpoint()
        for number in 0..<20 {
            try await stranger.record(
                Check(query: query("other \(number)"), at: start, outcome: .answered(list((0..<100).map { "o.\($0)" })))
            )
        }
        try FileManager.default.removeItem(atPath: path + "-wal")
        try FileManager.default.copyItem(atPath: other + "-wal", toPath: path + "-wal")
        switch opening() {
        case .corrupt?, .foreign?: break
        case nil: #expect(try count("query", at: path) > 0)
        case let other?: Issue.record("\(other)")
        }
    }

    @Test func `a file that is cut in half is refused and left`() async throws {
        try await opened().close()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: path))
        guard case .corrupt? = opening() else { Issue.record("\(String(describing: opening()))"); return }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == whole.count / 2)
    }

    @Test func `damage that is met once something was written is not said to have left the file untouched`()
        async throws
    {
        let store = try await opened()
        let error = await #expect(throws: HistoryError.self) {
            try await store.read { _ = try Int8.fetchOne($0, sql: "SELECT 300") }
        }
        #expect(error == .damagedInUse(path: store.path, what: "it has a row that rankd never writes"))
        #expect(error?.description.contains("untouched") == false && error?.isFinal == true)
        try await store.close()
        let reopened = try HistoryStore(path: path)
        let first = await #expect(throws: HistoryError.self) {
            try await reopened.read { _ = try Int8.fetchOne($0, sql: "SELECT 300") }
        }
        #expect(first?.description.contains("it was left untouched") == true)
    }

    // MARK: What is done again

    @Test func `a check that may have been recorded is not recorded twice`() async throws {
        let store = try await opened()
        for outcome in [
            Check.Outcome.answered(list(["com.a", "com.b"])), .failed(Failure(.status, "503")),
            .suspect(list(["com.a"]), .badDay),
        ] {
            let check = check(after: Int64.random(in: 1...1_000_000), outcome)
            let first = try await store.record(check)
            try await store.reopen()
            #expect(try await store.record(check, unlessStored: true) == first)
        }
        #expect(try count("check_log", at: path) == 3)
    }

    @Test func `a history that is opened anew keeps its lock`() async throws {
        let store = try await opened()
        try await store.reopen()
        #expect(opening() == .heldByAnother(path: path, pid: getpid()))
        try await store.record(check(after: 1))
        #expect(try count("check_log", at: path) == 1)
    }

    @Test func `no room is told as no room, and harms nothing`() async throws {
        let store = try await opened()
        try await store.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        let many = list((0..<200).map { "com.x\($0)" })
        await #expect(throws: HistoryError.full(path: path)) {
            try await store.record(check(after: 1, .answered(many)))
        }
        #expect(try count("check_log", at: path) == 0)
        try await store.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        try await store.record(check(after: 1, .answered(many)))
        #expect(try count("check_log", at: path) == 1)
    }

    @Test func `an app of which only its name was kept is read when it is seen next`() async throws {
        let store = try await opened()
        let bare = SeenApp(id: list(["com.a"]).places[0]?.id, bundleID: bundle("com.a"))
        try await store.record(check(after: 1, .answered(ResultList(places: [bare]))))
        #expect(try count("listing", at: path) == 0)
        try await store.record(check(after: 2))
        try await store.record(check(after: 3, .answered(ResultList(places: [bare]))))
        #expect(try count("listing", at: path) == 1)
        #expect(try count("listing_change", at: path) == 0)
        #expect(try HistoryReader(path: path).standings()[0].lastGood?.position == Position(1))
    }
}
