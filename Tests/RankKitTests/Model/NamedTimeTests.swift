import Foundation
import RankKit
import TestSupport
import Testing

@Suite struct NamedTimeTests {
    private let now = time("2026-11-20T12:00:00Z")

    private func named(_ text: String, _ zone: String = "UTC") throws -> NamedTime? {
        NamedTime(text, now: now, zone: try #require(TimeZone(identifier: zone)))
    }

    @Test(arguments: [
        ("now", "2026-11-20T12:00:00Z"), ("7d", "2026-11-13T12:00:00Z"), ("90m", "2026-11-20T10:30:00Z"),
        ("12H", "2026-11-20T00:00:00Z"), ("2w", "2026-11-06T12:00:00Z"),
        ("2026-11-01T08:30:00Z", "2026-11-01T08:30:00Z"), ("2026-11-01T08:30:00+02:00", "2026-11-01T06:30:00Z"),
        ("2026-11-01T08:30Z", "2026-11-01T08:30:00Z"), ("2026-11-01T08:30+01:00", "2026-11-01T07:30:00Z"),
        ("2026-11-01 08:30 +05:45", "2026-11-01T02:45:00Z"), ("2026-11-01t08:30z", "2026-11-01T08:30:00Z"),
        ("2026-11-01T08:30:15-0330", "2026-11-01T12:00:15Z"), ("2026-11-01T08:30-03", "2026-11-01T11:30:00Z"),
        ("2026-11-01 08:30", "2026-11-01T08:30:00Z"), ("2026-11-01T08:30:15", "2026-11-01T08:30:15Z"),
    ]) func `a moment is one second`(text: String, moment: String) throws {
        let named = try #require(try named(text))
        #expect((named.first, named.last) == (time(moment), time(moment)))
    }

    @Test func `only a time ago is counted back from another moment`() throws {
        func first(_ text: String) -> Timestamp? {
            NamedTime(text, now: now, agoFrom: time("2026-11-10T06:00:00Z"), zone: .gmt)?.first
        }
        #expect(first("7d") == time("2026-11-03T06:00:00Z"))
        #expect(first("yesterday") == time("2026-11-19T00:00:00Z"))
        #expect(first("now") == now)
        #expect(first("2026-11-01") == time("2026-11-01T00:00:00Z"))
    }

    @Test func `a day is all of its seconds, in the zone that is meant`() throws {
        let day = try #require(try named("2026-11-01"))
        #expect((day.first, day.last) == (time("2026-11-01T00:00:00Z"), time("2026-11-01T23:59:59Z")))
        let berlin = try #require(try named("yesterday", "Europe/Berlin"))
        #expect((berlin.first, berlin.last) == (time("2026-11-18T23:00:00Z"), time("2026-11-19T22:59:59Z")))
        // Twenty-five hours: the clocks go back.
        let long = try #require(try named("2026-10-25", "Europe/Berlin"))
        #expect(long.last - long.first + 1 == 25 * 3_600)
    }

    @Test(arguments: [
        "", "d", "7", "7x", "-7d", "2026-13-01", "2026-02-30", "2026-1-1", "2026-11-01 24:00", "2026-11-01 08:60", "１d",
        "99999999999999999999d", "9999999999999d", "tomorrow", "2026-11-01 08", "2026-11-01 08:30 x",
        "2026-11-01T08:30+1", "2026-11-01T08:30+15:00", "2026-11-01T08:30+01:60", "2026-11-01Z", "2026-11-01T08:30Zx",
    ]) func `what names no time is refused`(text: String) throws {
        #expect(try named(text) == nil)
    }
}
