import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// Tables of days that are imported again after the zone of days has changed.
@Suite struct TableDaysTests {
    private let stage: TableStage
    private var now: Timestamp { stage.now }
    private var store: HistoryStore { stage.store }
    private var folder: TemporaryFolder { stage.folder }

    init() throws { stage = try TableStage() }

    @discardableResult
    private func bring(_ text: String, by zone: String, source: String = "tool") async throws -> ImportResult {
        var options = ForeignTableOptions(
            name: source, within: 100, country: Country(code: "us"), app: bundle("com.a"))
        options.dayZone = TimeZone(identifier: zone)
        return try await stage.bring(text, options)
    }

    private func table(_ places: [(day: Int, place: Int)]) -> String {
        "date,keyword,rank\n" + places.map { "2026-11-\($0 < 10 ? "0" : "")\($0),t,\($1)\n" }.joined()
    }

    private func rows(_ source: String = "tool") async throws -> [String] {
        try await stage.rows("datetime(at, 'unixepoch'), position", source: source)
    }

    private static let orders = [
        ["Europe/Berlin", "America/New_York", "UTC"], ["UTC", "Europe/Berlin", "America/New_York"],
        ["Asia/Tokyo", "America/Santiago", "Asia/Kathmandu"], ["Pacific/Kiritimati", "Pacific/Honolulu", "UTC"],
        ["Pacific/Honolulu", "Pacific/Kiritimati", "Pacific/Apia"], ["Pacific/Pago_Pago", "Pacific/Auckland", "GMT"],
    ]

    @Test(arguments: orders)
    func `days that were imported by another zone are there, and later ones come beside them`(
        zones: [String]
    ) async throws {
        let days = (1...6).map { (day: $0, place: 10 + $0) }
        try await bring(table(days), by: zones[0])
        let first = try await rows()
        #expect(first.count == 6)
        for zone in zones.dropFirst() + zones {
            let again = try await bring(table(days), by: zone)
            #expect(again.duplicates == 6 && again.checks == 0 && again.contradictions == 0, "\(zone): \(again)")
            #expect(try await rows() == first)
        }
        for (index, zone) in zones.enumerated() {
            let more = days + (0...index).map { (day: 7 + $0, place: 20 + $0) }
            let result = try await bring(table(more), by: zone)
            #expect(result.checks == 1 && result.duplicates == 6 + index && result.contradictions == 0, "\(result)")
        }
        for zone in zones {
            let all = days + [(7, 20), (8, 21), (9, 22)]
            let again = try await bring(table(all), by: zone)
            #expect(again.duplicates == 9 && again.checks == 0 && again.contradictions == 0, "\(zone): \(again)")
        }
        #expect(try await rows().map { $0.suffix(2) } == (11...16).map { "\($0)" } + ["20", "21", "22"])
        #expect(try await store.findings() == [])
    }

    @Test func `the zone that a header or the command names is another zone of days`() async throws {
        let days = table([(1, 5), (2, 6)])
        try await bring(days, by: "Europe/Berlin")
        let named = try await bring(days.replacing("date,", with: "Date (UTC-5),"), by: "Europe/Berlin")
        #expect(named.duplicates == 2 && named.checks == 0)
        #expect(
            named.notes.contains(
                "2 rows are there already by the days of Europe/Berlin, where an earlier import put them, and stay there"
            ),
            "\(named.notes)")
        let more = try await bring(
            table([(3, 7)]).replacing("date,", with: "Date (UTC-5),"), by: "Europe/Berlin")
        #expect(more.checks == 1)
        var options = ForeignTableOptions(
            name: "tool", within: 100, country: Country(code: "us"), app: bundle("com.a"),
            date: time("2026-11-03T12:00:00Z"))
        (options.dayZone, options.dateIsDay) = (TimeZone(identifier: "Asia/Tokyo"), true)
        let file = try folder.write("keyword,rank\nt,7\n", to: "day.csv")
        let given = try await store.importTable(file, options: options, now: now)
        #expect(given.duplicates == 1 && given.checks == 0)
    }

    @Test func `a day of Kiritimati is not the day before of Honolulu, which begins with it`() async throws {
        try await bring(table([(1, 5), (2, 6), (3, 7)]), by: "Pacific/Honolulu")
        // Its second and third day begin when the first and second do there.
        let result = try await bring(table([(1, 5), (2, 9), (4, 6)]), by: "Pacific/Kiritimati")
        #expect(result.duplicates == 1 && result.contradictions == 1 && result.checks == 1)
        #expect(
            try await rows() == [
                "2026-11-01 10:00:00 5", "2026-11-02 10:00:00 6", "2026-11-03 10:00:00 7", "2026-11-03 10:00:01 6",
            ])
        let days = ZoneDays(try #require(TimeZone(identifier: "Pacific/Kiritimati")))
        #expect(days.day(of: time("2026-11-03T10:00:01Z")) == time("2026-11-04T00:00:00Z").day)
        let again = try await bring(table([(3, 7), (4, 6)]), by: "Pacific/Honolulu")
        #expect(again.duplicates == 2 && again.checks == 0)
    }

    @Test func `a row that says something else on its day stays out, whatever the zone`() async throws {
        try await bring(table([(1, 5)]), by: "Europe/Berlin")
        let result = try await bring(table([(1, 6)]), by: "America/New_York")
        #expect(result.contradictions == 1 && result.firstContradiction == 2 && result.checks == 0)
        #expect(try await rows() == ["2026-10-31 23:00:00 5"])
    }

    @Test func `zones of one tool's tables say nothing of another's`() async throws {
        try await bring(table([(1, 5)]), by: "Asia/Tokyo", source: "one")
        try await bring("date,keyword,rank\n2026-10-31 15:00,t,8\n", by: "UTC", source: "two")
        let days = try await bring(table([(1, 5)]), by: "UTC", source: "two")
        #expect(days.checks == 1 && days.contradictions == 0)
        let kept = try await store.read { try TableDays.kept(in: $0) }
        #expect(kept == ["import:one": ["Asia/Tokyo"]])
    }

    @Test func `an export says by whose days tables were imported`() async throws {
        let days = table([(1, 5), (2, 6)])
        try await bring(days, by: "Asia/Tokyo")
        try await bring(table([(3, 7)]), by: "Europe/Berlin")
        let file = try await store.export(to: folder)
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        try await other.write {
            try Setting.tableZones.set(#"{"import:tool":["Europe/Berlin","America/New_York"]}"#, in: $0)
        }
        _ = try await other.importExport(file)
        let kept = try await other.read { try TableDays.kept(in: $0) }
        #expect(kept == ["import:tool": ["Europe/Berlin", "America/New_York", "Asia/Tokyo"]])
        var options = ForeignTableOptions(
            name: "tool", within: 100, country: Country(code: "us"), app: bundle("com.a"))
        options.dayZone = TimeZone(identifier: "America/Santiago")
        let again = try await other.importTable(
            try folder.write(table([(1, 5), (2, 6), (3, 7)]), to: "ranks.csv"), options: options, now: now)
        #expect(again.duplicates == 3 && again.checks == 0)
        #expect(try await other.findings() == [])
        try await other.close()
    }

    @Test func `a zone that is not known any more is kept, and zones that nobody wrote are damage`() async throws {
        try await bring(table([(1, 5)]), by: "Europe/Berlin")
        try await store.write { try Setting.tableZones.set(#"{"import:tool":["Mars/Olympus"]}"#, in: $0) }
        try await bring(table([(2, 6)]), by: "Asia/Tokyo")
        let kept = try await store.read { try TableDays.kept(in: $0) }
        #expect(kept == ["import:tool": ["Mars/Olympus", "Asia/Tokyo"]])
        try await store.write { try Setting.tableZones.set("Berlin", in: $0) }
        await #expect(throws: (any Error).self) { try await bring(table([(3, 6)]), by: "Asia/Tokyo") }
    }
}
