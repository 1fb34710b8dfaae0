import Foundation
import GRDB
import Judging
import RankKit
import TestSupport
import Testing

@testable import History

/// Newcomers among lists of which some cannot be read.
@Suite struct DamagedNewcomerTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let first = time("2026-10-01T00:00:00Z").day
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    @Test(arguments: ["America/Sao_Paulo", "Asia/Tokyo", "UTC"])
    func `who was there in lists that cannot be read is no newcomer, whatever the zone`(_ name: String) async throws {
        let zone = ZoneDays(try #require(TimeZone(identifier: name)))
        try await store.adopt(watchlist([(timer, ["com.me"])]), now: .startOfDay(first))
        // One was there until the eighth day and comes back, one comes for the first time.
        for day in 0..<16 as Range<Int64> {
            for hour in [4, 10, 15] as [Int64] {
                var names = (1...30).map { "com.old\($0)" }
                if day < 8 || day >= 12 { names.insert("com.back", at: 1) }
                if day >= 12 { names.insert("com.new", at: 2) }
                let at = Timestamp.startOfDay(first + day) + hour * 3_600
                try await store.record(Check(query: timer, at: at, outcome: .answered(list(names))))
            }
        }
        for query in try await store.queriesToCompact(before: .startOfDay(first + 8)) {
            var mark: HistoryStore.CompactionMark?
            repeat {
                mark = try await store.compact(query: query, after: mark, before: .startOfDay(first + 8), limit: 20)
                    .next
            } while mark != nil
        }
        let reader = try HistoryReader(path: store.path).counting(zone)
        func found() throws -> [String] {
            try SettledNewcomer.all(
                on: timer, tops: [3], days: first...first + 15, until: .startOfDay(first + 16), from: reader
            ).map { "#\($0.position.number) \(zone.day(of: $0.at) - first)" }
        }
        #expect(try found() == ["#3 14"])
        let pages = try await store.read { try Int64.fetchAll($0, sql: "SELECT id FROM result_page") }
        #expect(!pages.isEmpty)
        try await store.write { try $0.execute(sql: "UPDATE result_page SET bytes = x'0101'") }
        #expect(try found() == ["#3 14"])
        // Without the first places, which are kept beside pages, nobody knows who was there.
        try await store.write { try $0.execute(sql: "DELETE FROM page_top") }
        #expect(try found() == [])
    }
}
