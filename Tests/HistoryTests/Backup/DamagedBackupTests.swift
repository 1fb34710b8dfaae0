import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// Backups of a history with lists that cannot be read.
@Suite struct DamagedBackupTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private var copy: String { folder.file("copy.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func adopt() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
    }

    private func record(_ checks: Range<Int64>) async throws {
        for hour in checks {
            try await store.record(
                Check(query: query("timer"), at: start + hour * 3_600, outcome: .answered(list(["com.x", "com.a"]))))
        }
    }

    /// Damages the bytes of the page of the first lists, or of the list of the last check.
    private func damage(_ sql: String) async throws {
        try await record(0..<3)
        try await store.compact(before: start + 7_200)
        try await store.write { database in
            try database.execute(sql: sql)
            try #require(database.changesCount == 1)
        }
    }

    private static let damages = [
        "UPDATE result_page SET bytes = CAST(substr(bytes, 1, length(bytes) - 1) AS BLOB)",
        "UPDATE result_page SET bytes = CAST(x'09' || substr(bytes, 2) AS BLOB)", "UPDATE result_page SET bytes = x''",
        "UPDATE result_list SET places = x'0180'",
    ]

    @Test(arguments: damages) func `damaged lists are copied as they are, and told`(_ sql: String) async throws {
        try await adopt()
        try await damage(sql)
        let made = try await HistoryReader(path: store.path).backUp(to: copy)
        let place = sql.contains("result_list") ? "the list of check 3" : "page 1 of query 1"
        #expect(made.damaged == [Finding(part: .lists, place: place, problem: "the stored bytes cannot be read")])
        #expect(try HistoryReader(path: copy).readings(of: bundle("com.a"), on: query("timer")).count == 3)
    }

    @Test func `a sound history has no damaged lists in its copy`() async throws {
        try await adopt()
        try await record(0..<3)
        try await store.compact(before: start + 7_200)
        #expect(try await HistoryReader(path: store.path).backUp(to: copy).damaged == [])
    }

    @Test func `a copy with damaged lists replaces no file, which may be the last that has them`() async throws {
        try await adopt()
        try await record(0..<1)
        try await HistoryReader(path: store.path).backUp(to: copy)
        let before = try Data(contentsOf: URL(fileURLWithPath: copy))
        try await store.write { try $0.execute(sql: "UPDATE result_list SET places = x'0180'") }
        await #expect(throws: DamagedCopy.self) {
            try await HistoryReader(path: store.path).backUp(to: copy, replaces: true)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == before)
    }

    @Test func `the service never deletes its newest backup without damaged lists`() async throws {
        try await adopt()
        try await record(0..<1)
        func backUp(_ day: Int64) async throws -> Int {
            try await store.backUp(into: nil, keeping: 2, pause: .zero, now: start + day * 86_400).damaged.count
        }
        func days() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.file("backups")).sorted()
                .map { String($0.dropFirst("history-202611".count).prefix(2)) }
        }
        for day in 0..<3 as Range<Int64> { #expect(try await backUp(day) == 0) }
        #expect(try days() == ["02", "03"])
        try await store.write { try $0.execute(sql: "UPDATE result_list SET places = x'0180'") }
        for day in 3..<7 as Range<Int64> { #expect(try await backUp(day) == 1) }
        #expect(try days() == ["03", "06", "07"])
        try await store.write { try $0.execute(sql: "DELETE FROM setting WHERE name = 'last_sound_backup'") }
        #expect(try await backUp(7) == 1)
        #expect(try days() == ["03", "07", "08"])
        try await store.write { try $0.execute(sql: "DELETE FROM result_list") }
        #expect(try await backUp(8) == 0)
        #expect(try days() == ["08", "09"])
    }
}
