import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// The first places at the end of each day, wherever they are kept.
@Suite struct PageTopsTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-08-01T00:00:00Z")
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func at(_ hour: Int64) -> Timestamp { start + hour * 3_600 }

    /// Lists of thirty places, every so many hours; some suspect, some with a place that cannot be read, none on the
    /// fifth day.
    private func fill(hours: Range<Int64>, every step: Int64 = 5) async throws {
        try await store.adopt(watchlist([(timer, ["app1"])]), now: start)
        for hour in stride(from: hours.lowerBound, to: hours.upperBound, by: Int(step)) where hour / 24 != 4 {
            var names: [String?] = (0..<30).map { "app\($0)" }
            for swap: Int64 in 0..<6 { names.swapAt(Int((hour + swap) % 30), Int(hour * 7 % (swap + 13))) }
            if hour % 11 == 0 { names[3] = "new\(hour)" }
            if hour % 4 == 0 { names[8] = nil }
            let outcome: Check.Outcome =
                hour % 7 == 3 ? .suspect(list(Array(names.prefix(5))), .collapsed) : .answered(list(names))
            try await store.record(Check(query: timer, at: at(hour), outcome: outcome))
        }
    }

    /// Worked out from all lists.
    private func expected(in span: ClosedRange<Timestamp>, _ days: ZoneDays = .utc) throws -> [StoredList] {
        var byDay: [Int64: StoredList] = [:]
        try reader.lists(on: timer, in: span) { list in
            guard list.outcome == .good else { return true }
            var top = list
            top.places = Array(list.places.prefix(20))
            byDay[days.day(of: list.at)] = top
            return true
        }
        return byDay.sorted { $0.key < $1.key }.map(\.value)
    }

    private func count(_ table: String) async throws -> Int {
        try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    private func tops() async throws -> [String] {
        try await store.read { try Row.fetchAll($0, sql: "SELECT * FROM page_top ORDER BY page").map(\.text) }
    }

    private func forgetTops() async throws { try await store.write { try $0.execute(sql: "DELETE FROM page_top") } }

    /// As the clean-up does it.
    private func keepTops() async throws {
        try await store.keepTops(ofPages: try await store.pagesWithoutTops(after: 0, limit: 1_000))
    }

    // MARK: Reading

    private static let spans: [(Int64, Int64)] = [
        (0, 24 * 12), (24 * 2, 24 * 9), (30, 24 * 7 + 5), (24 * 6 + 3, 24 * 6 + 20), (24 * 11 + 7, 24 * 13),
        (-99, 24 * 99), (24 * 4, 24 * 5), (24 * 3 + 12, 24 * 3 + 12),
    ]

    /// Of all that is kept half is in pages, made in two turns, so that a day lies in two of them.
    @Test(arguments: [0, 4, 24, 132, 12 * 24] as [Int64])
    func `they are those of the last good list of each day, in pages or not`(hours: Int64) async throws {
        try await fill(hours: 0..<12 * 24)
        try await store.compact(before: at(hours / 2), limit: 7)
        try await store.compact(before: at(hours), limit: 7)
        for kept in [true, false] {
            if !kept { try await forgetTops() }
            for (first, last) in Self.spans {
                let span = at(first)...at(last) - (first == last ? 0 : 1)
                #expect(try reader.dailyTops(on: timer, in: span) == expected(in: span), "\(first)...\(last), \(kept)")
            }
        }
        #expect(try reader.dailyTops(on: query("clock"), in: .always).isEmpty)
    }

    @Test(arguments: ["America/Sao_Paulo", "Asia/Tokyo"])
    func `they are those of the zone's days`(_ name: String) async throws {
        let zone = ZoneDays(try #require(TimeZone(identifier: name)))
        try await fill(hours: 0..<12 * 24)
        try await store.compact(before: at(66), limit: 7)
        try await store.compact(before: at(132), limit: 7)
        let reader = try reader.counting(zone)
        for (first, last) in Self.spans {
            let span = at(first)...at(last) - (first == last ? 0 : 1)
            #expect(try reader.dailyTops(on: timer, in: span) == expected(in: span, zone), "\(first)...\(last)")
        }
    }

    @Test func `a day that two pages share ends with the later one`() async throws {
        try await fill(hours: 0..<72, every: 1)
        try await store.compact(before: at(72))
        try await store.write { database in
            let page = try #require(try PageRow.beginning(upTo: .init(at: .max, check: .max), of: 1, in: database))
            let lists = try page.decoded()
            try database.execute(sql: "DELETE FROM result_page")
            for part in [lists[..<30], lists[30..<35], lists[35...]] {
                for new in try CompactedPage.all(of: Array(part)) { try new.insert(as: nil, of: 1, in: database) }
            }
        }
        #expect(try await count("page_top") == 3)
        #expect(try reader.dailyTops(on: timer, in: .always) == expected(in: .always))
    }

    @Test func `tops that cannot be read are made of their page`() async throws {
        try await fill(hours: 0..<120)
        try await store.compact(before: at(120))
        try await store.write { try $0.execute(sql: "UPDATE page_top SET bytes = x'0101'") }
        #expect(try reader.dailyTops(on: timer, in: .always) == expected(in: .always))
    }

    @Test func `a page that cannot be read has its tops nevertheless, and without them says nothing`() async throws {
        try await fill(hours: 0..<72)
        try await store.compact(before: at(72))
        let all = try expected(in: .always)
        try await store.write { try $0.execute(sql: "UPDATE result_page SET bytes = x'0101'") }
        #expect(try reader.dailyTops(on: timer, in: .always) == all)
        try await forgetTops()
        #expect(try reader.dailyTops(on: timer, in: .always).isEmpty)
        try await keepTops()
        #expect(try await count("page_top") == 0)
    }

    @Test(arguments: ["America/Sao_Paulo", "Asia/Tokyo", "Pacific/Kiritimati", "UTC"])
    func `whatever byte of a page is damaged, each day has a list that was there or none`(_ name: String) async throws {
        let zone = ZoneDays(try #require(TimeZone(identifier: name)))
        try await fill(hours: 0..<12 * 24)
        try await store.compact(before: at(9 * 24))
        var known: [StoredList.Head: StoredList] = [:]
        try reader.lists(on: timer, in: .always) { list in
            var top = list
            top.places = Array(list.places.prefix(20))
            known[list.head] = top
            return true
        }
        let pages = try await store.read {
            try Row.fetchAll($0, sql: "SELECT id, bytes FROM result_page ORDER BY id").map { row in
                (id: row[0] as Int64, bytes: [UInt8](row[1] as Data))
            }
        }
        let page = try #require(pages.first)
        for hasTops in [true, false] {
            if !hasTops { try await forgetTops() }
            for place in stride(from: 0, to: page.bytes.count, by: 7) {
                var bytes = page.bytes
                bytes[place] ^= UInt8(1 << (place % 8))
                try await store.write { [bytes] in
                    try $0.execute(
                        sql: "UPDATE result_page SET bytes = ? WHERE id = ?", arguments: [Data(bytes), page.id])
                }
                for (first, last) in [(0, 24 * 12), (24 * 2, 24 * 5 + 3)] as [(Int64, Int64)] {
                    let found = try reader.counting(zone).dailyTops(on: timer, in: at(first)...at(last))
                    #expect(found.allSatisfy { known[$0.head] == $0 }, "byte \(place)")
                    let days = found.map { zone.day(of: $0.at) }
                    #expect(days == Set(days).sorted(), "byte \(place)")
                }
            }
        }
    }

    @Test func `a page that cannot be read still has the days before one that is cut`() async throws {
        try await fill(hours: 0..<72)
        try await store.compact(before: at(72))
        let all = try expected(in: .always)
        try await store.write { try $0.execute(sql: "UPDATE result_page SET bytes = x'0101'") }
        var unread: [Timestamp] = []
        #expect(try reader.dailyTops(on: timer, in: at(0)...at(60)) { unread.append($0) } == Array(all.prefix(2)))
        #expect(unread.isEmpty)
        try await forgetTops()
        #expect(try reader.dailyTops(on: timer, in: at(0)...at(60)) { unread.append($0) }.isEmpty)
        #expect(unread == [at(70)])
    }

    @Test func `a list by itself that cannot be read leaves the day to the one before`() async throws {
        try await fill(hours: 0..<24)
        try await store.write {
            try $0.execute(
                sql: "UPDATE result_list SET places = x'80' WHERE check_id = (SELECT max(id) FROM check_log)")
        }
        let found = try reader.dailyTops(on: timer, in: .always)
        #expect(found.map(\.at) == [at(15)])
    }

    // MARK: Keeping

    @Test func `the clean-up gives pages of an earlier version what new pages have`() async throws {
        try await fill(hours: 0..<12 * 24)
        try await store.compact(before: at(12 * 24))
        let before = try await tops()
        #expect(before.count == 1)
        try await forgetTops()
        try await keepTops()
        #expect(try await tops() == before)
        #expect(try await store.pagesWithoutTops(after: 0, limit: 10).isEmpty)
    }

    @Test func `a page without a good list has none, and is not asked for them again`() async throws {
        try await store.adopt(watchlist([(timer, ["app1"])]), now: start)
        try await store.record(Check(query: timer, at: start, outcome: .suspect(list(["app1"]), .collapsed)))
        try await store.compact(before: at(24))
        #expect(try await count("page_top") == 1)
        #expect(try reader.dailyTops(on: timer, in: .always).isEmpty)
        try await forgetTops()
        try await keepTops()
        #expect(try await count("page_top") == 1)
        #expect(try await store.findings() == [])
    }

    @Test func `a page that is written anew meanwhile keeps its own`() async throws {
        try await fill(hours: 0..<48)
        try await store.compact(before: at(24))
        let old = try #require(try await store.read { try PageRow.one(1, in: $0) })
        try await store.compact(before: at(48))
        let tops = try await tops()
        let stale = try PageTops.bytes(ofTops: old.tops())
        try await store.write { try PageTops.keep(stale, of: old, in: $0) }
        #expect(try await self.tops() == tops)
        try await forgetTops()
        try await store.write { try PageTops.keep(stale, of: old, in: $0) }
        #expect(try await count("page_top") == 0)
        try await store.keepTops(ofPages: [99])
    }

    @Test func `they go with their page, and are made anew with it`() async throws {
        try await fill(hours: 0..<60 * 24)
        try await store.compact(before: at(60 * 24))
        #expect(try await store.trimLists(of: 1, before: at(40 * 24)) > 0)
        #expect(try reader.dailyTops(on: timer, in: .always) == expected(in: .always))
        #expect(try await store.findings() == [])
        #expect(try await store.dropLists(of: 1, before: at(99 * 24), limit: 9).lists > 0)
        #expect(try await count("page_top") == 0)
    }
}
