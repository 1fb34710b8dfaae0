import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// A file that is refused stays as it is, and so do the log and the log's index beside it.
@Suite struct UntouchedFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("history.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    /// What may stand where a history should.
    enum Wrong: String, CaseIterable, CustomTestStringConvertible {
        case headZeroed = "its head is zeroed"
        case firstPageZeroed = "its first page is zeroed"
        case cutInHalf = "it is cut in half"
        case cutWithinAPage = "its last bytes are missing"
        case text = "it is a text"
        case emptied = "it is empty"
        case otherApplication = "it has another program's number"
        case otherDatabase = "it is another program's database"
        case otherDatabaseInLogMode = "it is another program's database in write-ahead mode"
        case newer = "it is of a newer version"
        case noVersion = "it names no version"
        case negativeVersion = "it names a version below 0"
        case oddPageSize = "it names a page size that there is not"
        case pageOverwritten = "a page of it is overwritten"
        case copy = "it is a backup with a page overwritten"

        var testDescription: String { rawValue }

        /// Whether a reader is sure to notice it.
        var isSeenByReaders: Bool { self != .pageOverwritten && self != .copy }
    }

    /// What lies beside it.
    enum Beside: String, CaseIterable { case nothing, log, logAndIndex, emptyLog }

    /// A history as a killed writer leaves it: some of it in the file, one check in the log.
    private func killed(_ name: String = "history.sqlite") async throws -> [String: Data] {
        let path = folder.file(name)
        let store = try HistoryStore(path: path, busySeconds: 0.05)
        let start = time("2026-11-01T00:00:00Z")
        try await store.adopt(watchlist((0..<60).map { (query("timer \($0)"), ["com.a"]) }), now: start)
        try await store.record(Check(query: query("timer 1"), at: start, outcome: .answered(list(["com.a"]))))
        try await store.checkpoint()
        try await store.record(Check(query: query("timer 2"), at: start, outcome: .answered(list(["com.a"]))))
        let files = bytes(name)
        try await store.close()
        for suffix in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        return files
    }

    private func bytes(_ name: String = "history.sqlite") -> [String: Data] {
        var files: [String: Data] = [:]
        for suffix in ["", "-wal", "-shm"] {
            files[suffix] = FileManager.default.contents(atPath: folder.file(name) + suffix)
        }
        return files
    }

    private func otherDatabase(inLogMode: Bool) throws -> Data {
        let queue = try DatabaseQueue(path: folder.file("other.sqlite"))
        try queue.writeWithoutTransaction {
            if inLogMode { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try $0.execute(sql: "CREATE TABLE mine (a); INSERT INTO mine VALUES (1)")
        }
        try queue.close()
        return try #require(FileManager.default.contents(atPath: folder.file("other.sqlite")))
    }

    private func replace(_ range: Range<Int>, of data: Data, by byte: UInt8) -> Data {
        var data = data
        data.replaceSubrange(range, with: Data(repeating: byte, count: range.count))
        return data
    }

    private func file(_ wrong: Wrong, from good: Data) throws -> Data {
        func word(_ offset: Int, _ bytes: [UInt8]) -> Data {
            var data = good
            data.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            return data
        }
        return switch wrong {
        case .headZeroed: replace(0..<100, of: good, by: 0)
        case .firstPageZeroed: replace(0..<4_096, of: good, by: 0)
        case .cutInHalf: good.prefix(good.count / 2)
        case .cutWithinAPage: good.prefix(good.count - 5_000)
        case .text: Data(String(repeating: "no database\n", count: 38).utf8)
        case .emptied: Data()
        case .otherApplication: word(68, Array("nobo".utf8))
        case .otherDatabase: try otherDatabase(inLogMode: false)
        case .otherDatabaseInLogMode: try otherDatabase(inLogMode: true)
        case .newer: word(60, [0, 0, 1, 0])
        case .noVersion: word(60, [0, 0, 0, 0])
        case .negativeVersion: word(60, [0xFF, 0, 0, 0])
        case .oddPageSize: word(16, [3, 0])
        case .pageOverwritten: replace(8_192..<16_384, of: good, by: 0xA5)
        case .copy: replace(8_192..<16_384, of: word(18, [1, 1]), by: 0xA5)
        }
    }

    private func put(_ wrong: Wrong, _ beside: Beside) async throws {
        let good = try await killed()
        try file(wrong, from: try #require(good[""])).write(to: URL(fileURLWithPath: path))
        switch beside {
        case .nothing: break
        case .emptyLog: try Data().write(to: URL(fileURLWithPath: path + "-wal"))
        case .log, .logAndIndex:
            try #require(good["-wal"]).write(to: URL(fileURLWithPath: path + "-wal"))
            if beside == .logAndIndex { try #require(good["-shm"]).write(to: URL(fileURLWithPath: path + "-shm")) }
        }
    }

    private func opening() -> HistoryError? {
        do {
            _ = try HistoryStore(path: path)
            return nil
        } catch { return error }
    }

    private func reading() -> HistoryError? {
        do {
            _ = try HistoryReader(path: path).version()
            return nil
        } catch { return error }
    }

    /// An empty file with nothing beside it is where a new history goes, and no writer refuses it; a page that is
    /// overwritten is not looked for after a writer that ended well.
    private static let accepted: Set<[String]> = [
        [Wrong.emptied.rawValue, Beside.nothing.rawValue], [Wrong.pageOverwritten.rawValue, Beside.nothing.rawValue],
        [Wrong.pageOverwritten.rawValue, Beside.emptyLog.rawValue],
    ]

    @Test(arguments: Wrong.allCases, Beside.allCases)
    func `a writer that refuses a file changes neither it nor its log`(_ wrong: Wrong, _ beside: Beside) async throws {
        guard !Self.accepted.contains([wrong.rawValue, beside.rawValue]) else { return }
        try await put(wrong, beside)
        let before = bytes()
        let error = opening()
        #expect(error?.isFinal == true, "\(String(describing: error))")
        #expect(bytes() == before, "\(String(describing: error))")
    }

    @Test(arguments: Wrong.allCases.filter(\.isSeenByReaders), Beside.allCases)
    func `a reader that refuses a file changes neither it nor its log`(_ wrong: Wrong, _ beside: Beside) async throws {
        try await put(wrong, beside)
        let before = bytes()
        let error = reading()
        #expect(error != nil)
        let after = bytes()
        #expect(after[""] == before[""])
        #expect(after["-wal"] == before["-wal"], "\(String(describing: error))")
    }

    @Test func `a file that was cut off is told by its size, however large it is`() async throws {
        let store = try HistoryStore(path: path, busySeconds: 0.05)
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: time("2026-11-01T00:00:00Z"))
        try await store.write {
            try $0.execute(sql: "INSERT INTO setting (name, value) VALUES ('large', zeroblob(2000000))")
        }
        try await store.checkpoint()
        try await store.record(
            Check(query: query("timer"), at: time("2026-11-01T00:00:00Z"), outcome: .answered(list(["com.a"]))))
        let good = bytes()
        try await store.close()
        func put(missing count: Int) throws {
            for (suffix, data) in good {
                try data.dropLast(suffix.isEmpty ? count : 0).write(to: URL(fileURLWithPath: path + suffix))
            }
        }
        // Of the structure nothing is looked at.
        try put(missing: 0)
        #expect(try DatabaseFile.examine(path, most: 0))
        try put(missing: 1_000_000)
        let before = bytes()
        let error = #expect(throws: HistoryError.self) { try DatabaseFile.examine(path, most: 0) }
        #expect(error?.description.contains("cut off") == true, "\(String(describing: error))")
        #expect(bytes() == before)
    }

    @Test func `a backup that was put beside the log of the history before it is refused`() async throws {
        let good = try await killed()
        for (suffix, data) in good { try data.write(to: URL(fileURLWithPath: path + suffix)) }
        try await HistoryReader(path: path).backUp(to: folder.file("backup.sqlite"))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: folder.file("backup.sqlite"), toPath: path)
        let before = bytes()
        for error in [opening(), reading()] {
            guard case .strangeLog? = error else { Issue.record("\(String(describing: error))"); continue }
        }
        #expect(bytes() == before)
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
        #expect(opening() == nil)
    }

    @Test func `a log with pages of another size is refused`() async throws {
        let good = try await killed()
        let other = folder.file("other.sqlite")
        let queue = try DatabaseQueue(path: other)
        let log = try await queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; CREATE TABLE mine (a)")
            return FileManager.default.contents(atPath: other + "-wal")
        }
        try #require(good[""]).write(to: URL(fileURLWithPath: path))
        try #require(log).write(to: URL(fileURLWithPath: path + "-wal"))
        let before = bytes()
        for error in [opening(), reading()] {
            guard case .strangeLog? = error else { Issue.record("\(String(describing: error))"); continue }
        }
        #expect(bytes() == before)
    }

    /// A journal that a program left which was killed while it wrote another file.
    private func otherJournal(pageSize: Int) async throws -> Data {
        let other = folder.file("journalled.sqlite")
        let queue = try DatabaseQueue(path: other)
        return try await queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA page_size = \(pageSize); PRAGMA cache_size = 2; CREATE TABLE mine (a);
                    WITH RECURSIVE n (a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n LIMIT 500)
                    INSERT INTO mine SELECT hex(randomblob(200)) FROM n;
                    BEGIN; UPDATE mine SET a = hex(randomblob(200));
                    """)
            defer { try? database.execute(sql: "ROLLBACK") }
            return try #require(FileManager.default.contents(atPath: other + "-journal"))
        }
    }

    @Test(arguments: [4096, 1024]) func `another file's journal is refused, beside a sound history and a cut one`(
        _ pageSize: Int
    ) async throws {
        let journal = try await otherJournal(pageSize: pageSize)
        let good = try #require(try await killed()[""])
        for file in [good, good.prefix(good.count / 2)] {
            try Data(file).write(to: URL(fileURLWithPath: path))
            try journal.write(to: URL(fileURLWithPath: path + "-journal"))
            for error in [opening(), reading()] { #expect(error == .strangeJournal(path: path)) }
            #expect(FileManager.default.contents(atPath: path) == Data(file))
            #expect(FileManager.default.contents(atPath: path + "-journal") == journal)
            for suffix in ["-wal", "-shm"] { #expect(!FileManager.default.fileExists(atPath: path + suffix)) }
        }
        // What is no journal at all hides nothing.
        let (cut, text) = (Data(good.prefix(good.count / 2)), Data("notes".utf8))
        try cut.write(to: URL(fileURLWithPath: path))
        try text.write(to: URL(fileURLWithPath: path + "-journal"))
        for error in [opening(), reading()] {
            guard case .corrupt? = error else { Issue.record("\(String(describing: error))"); continue }
        }
        #expect(FileManager.default.contents(atPath: path) == cut)
        #expect(FileManager.default.contents(atPath: path + "-journal") == text)
        try good.write(to: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path + "-journal")
        #expect(opening() == nil)
    }

    @Test func `the journal of a backup that was just getting its log is played back`() async throws {
        let store = try HistoryStore(path: path)
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: time("2026-11-01T00:00:00Z"))
        try await store.close()
        let backup = folder.file("backup.sqlite")
        try await HistoryReader(path: path).backUp(to: backup)
        let file = try #require(FileManager.default.contents(atPath: backup))
        try FileManager.default.removeItem(atPath: path)
        func big(_ number: Int) -> Data { Data(withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) }) }
        let page = file.prefix(4096)
        let checksum = stride(from: 4096 - 200, to: 0, by: -200).reduce(0) { $0 + Int(page[$1]) }
        var journal = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
        journal += big(1) + big(0) + big(file.count / 4096) + big(512) + big(4096)
        journal += Data(count: 512 - journal.count) + big(1) + page + big(checksum)
        // Killed at once, while the page was being written, and after it.
        for length in [512, 516, journal.count] {
            var file = file
            if length == journal.count { (file[18], file[19]) = (2, 2) }
            try file.write(to: URL(fileURLWithPath: path))
            try journal.prefix(length).write(to: URL(fileURLWithPath: path + "-journal"))
            let again = try HistoryStore(path: path)
            #expect(try await again.findings() == [], "\(length)")
            #expect(!FileManager.default.fileExists(atPath: path + "-journal"), "\(length)")
            try await again.close()
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
    }

    @Test func `a journal is another file's if its first page differs anywhere behind the head`() async throws {
        let good = try #require(try await killed()[""])
        func big(_ number: Int) -> Data { Data(withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) }) }
        for place in [100, 105, 2_000, 4_095] {
            var page = Data(good.prefix(4096))
            page[place] ^= 1
            let checksum = stride(from: 4096 - 200, to: 0, by: -200).reduce(0) { $0 + Int(page[$1]) }
            var journal = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
            journal += big(1) + big(0) + good[28..<32] + big(512) + big(4096)
            journal += Data(count: 512 - journal.count) + big(1) + page + big(checksum)
            try good.write(to: URL(fileURLWithPath: path))
            try journal.write(to: URL(fileURLWithPath: path + "-journal"))
            for error in [opening(), reading()] { #expect(error == .strangeJournal(path: path), "\(place)") }
            #expect(FileManager.default.contents(atPath: path) == good)
            #expect(FileManager.default.contents(atPath: path + "-journal") == journal)
        }
    }

    @Test func `a newer version that is in the log alone is refused and left`() async throws {
        let good = try await killed()
        for (suffix, data) in good where suffix != "-shm" { try data.write(to: URL(fileURLWithPath: path + suffix)) }
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
        let newer = bytes()
        try queue.close()
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        for (suffix, data) in newer where suffix != "-shm" { try data.write(to: URL(fileURLWithPath: path + suffix)) }
        let before = bytes()
        #expect(opening() == .newer(path: path, version: 99, understood: Schema.version))
        #expect(bytes() == before)
    }

    @Test func `a file that is emptied while a reader has it open keeps its log`() async throws {
        let good = try await killed()
        for (suffix, data) in good where suffix != "-shm" { try data.write(to: URL(fileURLWithPath: path + suffix)) }
        let reader = try HistoryReader(path: path)
        _ = try reader.version()
        #expect(truncate(path, 0) == 0)
        // Further questions at once take further connections.
        _ = try? reader.snapshot().version()
        _ = try? reader.snapshot().standings()
        #expect(FileManager.default.contents(atPath: path + "-wal") == good["-wal"])
    }

    @Test func `what a killed writer left is taken up whole`() async throws {
        let good = try await killed()
        for (suffix, data) in good { try data.write(to: URL(fileURLWithPath: path + suffix)) }
        let store = try HistoryStore(path: path)
        try await store.close()
        #expect(DatabaseFile.size(of: path + "-wal") == 0)
        #expect(try await store.findings() == [])
        let checks = try HistoryReader(path: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM check_log") }
        #expect(checks == 2)
    }
}
