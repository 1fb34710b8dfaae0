import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// Days of stores are those of the watchlist's zone.
@Suite struct CountryDayZoneTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let hour: Int64 = 3_600
    private let queries = ["a", "b", "c"].map { query($0) }

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func reader() throws -> HistoryReader { try HistoryReader(path: store.path) }

    private func adopt(_ zone: String?) async throws {
        var plan = watchlist(queries.map { ($0, ["x"]) })
        plan.timeZone = zone
        try await store.adopt(plan, now: start)
    }

    private func check(_ outcome: Check.Outcome, on query: Query = query("a"), after hours: Int64) async throws {
        try await store.record(Check(query: query, at: start + hours * hour, outcome: outcome))
    }

    /// Day, good, suspect and failed checks, and lists compared, as they are stored.
    private func stored() async throws -> [String] {
        try await store.read { try CountryDayRow.all(.min ... .max, of: nil, in: $0) }.sorted { $0.day < $1.day }.map {
            "\($0.day - start.day): \($0.good) \($0.suspect) \($0.failed), \($0.moves.compared)"
        }
    }

    @Test func `a check in the evening is of the zone's day, west and east of UTC`() async throws {
        try await adopt("America/Sao_Paulo")
        // 22:00 there on the day before, and eleven in the morning.
        try await check(.answered(list(["x", "y"])), after: 25)
        try await check(.answered(list(["y", "x"])), after: 38)
        try await store.deriveCountryDays(today: start.day + 3)
        #expect(try await stored() == ["0: 1 0 0, 0", "1: 1 0 0, 1"])
        #expect(try reader().countryDaysZone().name == "America/Sao_Paulo")
        try await adopt("Asia/Tokyo")
        try await store.deriveCountryDays(today: start.day + 3)
        // Both lists are of one day there, of which the last one counts.
        #expect(try await stored() == ["1: 2 0 0, 0"])
        #expect(try await store.findings() == [])
    }

    @Test func `another zone has all days counted anew, at their edges too`() async throws {
        try await adopt(nil)
        for hours in [0, 20, 44, 45, 68, 240, 260] as [Int64] {
            for query in queries {
                try await check(
                    hours == 45 ? .failed(Failure(.timedOut)) : .answered(list(["x", "y"])), on: query, after: hours)
            }
        }
        try await store.deriveCountryDays(today: start.day + 12)
        for zone in ["Pacific/Kiritimati", "Etc/GMT+12", "America/Sao_Paulo", nil, "Asia/Kathmandu"] as [String?] {
            try await adopt(zone)
            try await store.deriveCountryDays(today: start.day + 12)
            let days = ZoneDays(kept: zone)
            let known = try reader().derivedCountryDays(start.day - 2...start.day + 14)
            for day in known {
                let span = try #require(days.seconds(of: day.day))
                let good = [0, 20, 44, 68, 240, 260].count { span.contains(start + $0 * hour) }
                #expect(day.good == good * 3 && day.failed == (span.contains(start + 45 * hour) ? 3 : 0), "\(day)")
            }
            #expect(known.reduce(0) { $0 + $1.good } == 18, "\(zone ?? "UTC")")
            #expect(try await store.findings() == [], "\(zone ?? "UTC")")
        }
    }

    @Test func `days that one zone had closed and the other had not are derived after a change`() async throws {
        try await adopt(nil)
        try await check(.answered(list(["x"])), after: 12)
        try await check(.answered(list(["x"])), after: 19 * 24 + 12)
        try await store.deriveCountryDays(today: start.day + 25)
        // Early on UTC's 26th of the month it is the 25th in Los Angeles.
        try await check(.answered(list(["x"])), after: 25 * 24 + 3)
        try await adopt("America/Los_Angeles")
        try await store.deriveCountryDays(today: start.day + 26)
        #expect(try reader().derivedCountryDays(start.day...start.day + 30).map { $0.day - start.day } == [0, 19, 24])
        #expect(try await store.findings() == [])
    }

    @Test func `checks that came late are counted after a change, though their day was only due`() async throws {
        try await adopt(nil)
        try await check(.answered(list(["x", "y"])), after: 240)
        try await store.deriveCountryDays(today: start.day + 12)
        // At three in the morning of the day, which is due since; in the other zone it is the day before.
        try await check(.answered(list(["x", "y"])), after: 27)
        try await adopt("Etc/GMT+12")
        try await store.deriveCountryDays(today: start.day + 12)
        let days = try reader().derivedCountryDays(start.day - 2...start.day + 14)
        #expect(days.map { $0.day - start.day } == [0, 9] && days.map(\.good) == [1, 1], "\(days)")
        #expect(try await store.findings() == [])
    }

    @Test func `a zone that this machine does not know is another one than UTC`() async throws {
        try await adopt("Asia/Tokyo")
        try await check(.answered(list(["x"])), after: 20)
        try await check(.answered(list(["x"])), after: 60)
        try await store.deriveCountryDays(today: start.day + 4)
        // As a backup of a machine that knows more zones has it.
        try await store.write { try Setting.countryDaysZone.set("Mars/Olympus", in: $0) }
        try await adopt("Mars/Olympus")
        try await store.deriveCountryDays(today: start.day + 4)
        #expect(try await stored() == ["0: 1 0 0, 0", "2: 1 0 0, 1"])
        #expect(try await store.findings() == [])
    }

    @Test func `verify still counts days that another rule has outdated`() async throws {
        try await adopt("Asia/Tokyo")
        try await check(.answered(list(["x"])), after: 12)
        try await check(.answered(list(["x"])), after: 36)
        try await store.deriveCountryDays(today: start.day + 3)
        try await store.write { database in
            try CountryDayRow.noteAll(in: database)
            try database.execute(sql: "UPDATE country_day SET good = good + 1")
        }
        #expect(try await store.findings().count == 2)
        try await adopt(nil)
        try await store.takeUpRule()
        #expect(try await store.findings() == [])
    }

    @Test func `until the clean-up has taken the zone up, days are the former one's and sound`() async throws {
        try await adopt(nil)
        try await check(.answered(list(["x"])), after: 1)
        try await check(.answered(list(["x"])), after: 25)
        try await store.deriveCountryDays(today: start.day + 2)
        try await adopt("America/Sao_Paulo")
        #expect(try reader().countryDaysZone().isUTC)
        #expect(try await store.findings() == [])
        try await store.takeUpRule()
        #expect(try reader().countryDaysZone().name == "America/Sao_Paulo")
        #expect(try await store.findings() == [])
    }

    @Test func `a late check and a thinned failure are counted on the zone's day`() async throws {
        try await adopt("America/Sao_Paulo")
        try await check(.answered(list(["x"])), after: 15)
        try await check(.failed(Failure(.timedOut)), after: 26)
        try await check(.answered(list(["x"])), after: 63)
        try await store.deriveCountryDays(today: start.day + 3)
        #expect(try await stored() == ["0: 1 0 1, 0", "2: 1 0 0, 1"])
        try await check(.answered(list(["x"])), on: queries[1], after: 25)
        try await store.deriveCountryDays(today: start.day + 3)
        #expect(try await stored() == ["0: 2 0 1, 0", "2: 1 0 0, 1"])
        #expect(try await store.thinFailures(before: start + 63 * hour, limit: 10) == 1)
        try await store.deriveCountryDays(today: start.day + 3)
        #expect(try await store.findings() == [])
    }

    @Test func `thinned failures go to the day of their date, and no day is counted anew for them`() async throws {
        try await adopt("America/Sao_Paulo")
        // Of the evening, when it is the next day by UTC: beside a good check, several, alone on either day, and alone on both.
        for hours in [15, 63] as [Int64] { try await check(.answered(list(["x", "y"])), after: hours) }
        for hours in [26, 74] as [Int64] { try await check(.failed(Failure(.timedOut)), after: hours) }
        for hours in [40, 49, 50] as [Int64] {
            try await check(.failed(Failure(.timedOut)), on: queries[1], after: hours)
        }
        try await check(.failed(Failure(.status, "500")), on: queries[2], after: 98)
        for query in queries { try await check(.answered(list(["x"])), on: query, after: 250) }
        try await store.deriveCountryDays(today: start.day + 12)
        func counts() async throws -> [String] {
            try reader().derivedCountryDays(start.day...start.day + 12).map {
                "\($0.day - start.day): \($0.queries) queries, \($0.failed) failed, \($0.moves.compared) compared"
            }
        }
        let before = try await counts()
        #expect(
            before == [
                "0: 1 queries, 1 failed, 0 compared", "1: 1 queries, 3 failed, 0 compared",
                "2: 1 queries, 1 failed, 1 compared", "3: 1 queries, 1 failed, 0 compared",
                "10: 3 queries, 0 failed, 0 compared",
            ])
        #expect(try await store.thinFailures(before: start + 200 * hour, limit: 100) == 6)
        #expect(try await store.countryDaysDue(limit: 100).isEmpty)
        #expect(
            try await counts() == [
                "0: 1 queries, 0 failed, 0 compared", "1: 2 queries, 2 failed, 0 compared",
                "2: 2 queries, 2 failed, 1 compared", "3: 1 queries, 1 failed, 0 compared",
                "4: 1 queries, 1 failed, 0 compared", "10: 3 queries, 0 failed, 0 compared",
            ])
        #expect(try await store.findings() == [])
        #expect(
            try reader().derivedCountryDays(start.day...start.day + 9)
                == reader().countryDays(start.day...start.day + 9))
    }

    @Test func `an app was last seen on the zone's day`() async throws {
        try await adopt("America/Sao_Paulo")
        try await check(.answered(list(["x"])), after: 25)
        #expect(try reader().directory(limit: 1).entries.first?.lastSeenDay == start.day)
        try await check(.answered(list(["x"])), after: 28)
        #expect(try reader().directory(limit: 1).entries.first?.lastSeenDay == start.day + 1)
    }

    @Test func `bad days of stores are of the same days`() async throws {
        try await adopt("Asia/Tokyo")
        for query in queries { try await check(.suspect(list([]), .badDay), on: query, after: 16) }
        try await check(.answered(list(["x"])), after: 40)
        try await store.deriveCountryDays(today: start.day + 3)
        let troubles = try reader().storeTroubles(start.day - 1...start.day + 3)
        #expect(troubles.map { $0.day - start.day } == [1] && troubles.first?.hasBadDay == true)
    }
}
