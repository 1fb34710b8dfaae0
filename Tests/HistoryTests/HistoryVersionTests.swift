import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct HistoryVersionTests {
    private let folder: TemporaryFolder
    private let start = time("2026-11-01T00:00:00Z")

    init() throws { folder = try TemporaryFolder() }

    private func opened() async throws -> (HistoryStore, HistoryReader) {
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        return (store, try HistoryReader(path: store.path))
    }

    private func check(_ seconds: Int64) -> Check {
        Check(query: query("timer"), at: start + seconds, outcome: .answered(list(["com.a"])))
    }

    @Test func `every commit that changes something is another version`() async throws {
        let (store, reader) = try await opened()
        var versions: Set<HistoryVersion> = [try reader.version()]
        try await store.record(check(1))
        #expect(versions.insert(try reader.version()).inserted)
        try await store.noteRequest(at: start + 2)
        #expect(versions.insert(try reader.version()).inserted)
        try await store.adopt(watchlist([(query("clock"), ["com.a"])]), now: start + 3)
        #expect(versions.insert(try reader.version()).inserted)
        try await store.tidy { try $0.execute(sql: "UPDATE query SET popularity = 1") }
        #expect(versions.insert(try reader.version()).inserted)
        try await store.close()
    }

    @Test func `work of many transactions counts each as it is committed`() async throws {
        let (store, reader) = try await opened()
        let versions = try await store.blocking { _, queue in
            var versions: [HistoryVersion] = [try reader.version()]
            for popularity in 1...2 {
                try queue.write { try $0.execute(sql: "UPDATE query SET popularity = ?", arguments: [popularity]) }
                versions.append(try reader.version())
            }
            return versions
        }
        #expect(Set(versions).count == 3)
        #expect(try reader.version() == versions.last)
        try await store.close()
    }

    @Test func `a transaction that changes nothing is the same version`() async throws {
        let (store, reader) = try await opened()
        let before = try reader.version()
        try await store.endPass()
        _ = try await store.write { try Int.fetchOne($0, sql: "SELECT count(*) FROM query") }
        #expect(try reader.version() == before)
        try await store.close()
    }

    @Test func `another program counts under another name, so that a restored file is not taken for what it was`()
        async throws
    {
        let (store, reader) = try await opened()
        let before = try reader.version()
        try await store.close()
        let again = try HistoryStore(path: folder.file("history.sqlite"))
        try await again.noteRequest(at: start + 9)
        #expect(try reader.version().generation != before.generation)
        #expect(!before.text.isEmpty && before.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 })
        try await again.close()
    }

    @Test func `a pass counts its checks, and ends`() async throws {
        let (store, reader) = try await opened()
        #expect(try reader.passesUnderWay(now: start).isEmpty)
        try await store.begin(passAt: start, due: 3)
        try await store.record(check(4))
        let progress = try #require(try reader.passesUnderWay(now: start + 5).first)
        #expect(progress == PassProgress(startedAt: start, updatedAt: start + 4, due: 3, done: 1))
        #expect(progress.secondsLeft == 8)
        try await store.record(PassResult(startedAt: start, finishedAt: start + 9, due: 3, requests: 1))
        #expect(try reader.passesUnderWay(now: start + 9).isEmpty)
        try await store.close()
    }

    @Test func `a pass that was cut off is forgotten after a while, and by the next start`() async throws {
        let (store, reader) = try await opened()
        try await store.begin(passAt: start, due: 3)
        #expect(!(try reader.passesUnderWay(now: start + 600).isEmpty))
        #expect(try reader.passesUnderWay(now: start + 601).isEmpty)
        #expect(try reader.passesUnderWay(now: start - 601).isEmpty)
        try await store.noteServiceStart(at: start + 10)
        #expect(try reader.passesUnderWay(now: start + 10).isEmpty)
        try await store.close()
    }
}
