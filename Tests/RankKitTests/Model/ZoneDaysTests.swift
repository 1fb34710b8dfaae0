import Foundation
import RankKit
import TestSupport
import Testing

@Suite struct ZoneDaysTests {
    private func days(_ zone: String) throws -> ZoneDays { ZoneDays(try #require(TimeZone(identifier: zone))) }

    private func day(_ text: String) throws -> Int64 { try #require(Timestamp(iso8601: text + "T00:00:00Z")).day }

    /// When the day begins, and how many hours it has.
    @Test(arguments: [
        // Clocks go forward at midnight: the day begins at 01:00.
        ("America/Santiago", "2026-09-06", "2026-09-06T04:00:00Z", 23.0),
        ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z", 23),
        ("America/Havana", "2026-03-08", "2026-03-08T05:00:00Z", 23),
        ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z", 23),
        // They go back at midnight: the last hour of the day before comes twice.
        ("America/Sao_Paulo", "2018-02-17", "2018-02-17T02:00:00Z", 25),
        ("America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00Z", 24),
        ("America/Havana", "2026-11-01", "2026-11-01T04:00:00Z", 25),
        ("Africa/Cairo", "2026-10-29", "2026-10-28T21:00:00Z", 25),
        // They went back a minute after midnight: the day had begun.
        ("America/St_Johns", "2010-11-07", "2010-11-07T02:30:00Z", 25),
        ("America/St_Johns", "2010-11-06", "2010-11-06T02:30:00Z", 24),
        // Offsets that are no whole hours, one of which changes by half an hour.
        ("Asia/Kathmandu", "2026-11-10", "2026-11-09T18:15:00Z", 24),
        ("Australia/Eucla", "2026-11-10", "2026-11-09T15:15:00Z", 24),
        ("Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30:00Z", 23.5),
        ("Asia/Kolkata", "2026-11-10", "2026-11-09T18:30:00Z", 24),
        ("Pacific/Kiritimati", "2026-11-10", "2026-11-09T10:00:00Z", 24),
        ("Etc/GMT+12", "2026-11-10", "2026-11-10T12:00:00Z", 24),
        ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", 25),
        // The one before the date line was crossed, and the one after.
        ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z", 24),
        ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z", 24),
        ("UTC", "2026-11-10", "2026-11-10T00:00:00Z", 24),
    ]) func `a day begins with the first moment of its date`(
        zone: String, date: String, start: String, hours: Double
    ) throws {
        let (days, day) = (try days(zone), try day(date))
        #expect(days.start(of: day) == time(start))
        let seconds = try #require(days.seconds(of: day))
        #expect(Double(seconds.upperBound - seconds.lowerBound + 1) == hours * 3_600)
        #expect([seconds.lowerBound, seconds.upperBound].map(days.day) == [day, day])
        #expect([seconds.lowerBound - 1, seconds.upperBound + 1].allSatisfy { days.day(of: $0) != day })
        let named = NamedTime(date, now: time("2026-11-20T12:00:00Z"), zone: days.zone)
        #expect(named.map { $0.first...$0.last } == seconds)
    }

    /// All links to UTC of the IANA time zone database.
    @Test(arguments: [
        "UTC", "GMT", "Etc/UTC", "Etc/GMT", "Etc/Zulu", "Zulu", "Etc/Universal", "Universal", "Etc/UCT", "UCT",
        "Etc/Greenwich", "Greenwich", "GMT0", "GMT+0", "GMT-0", "Etc/GMT0", "Etc/GMT+0", "Etc/GMT-0",
    ]) func `every name of UTC is one zone, with one name`(name: String) throws {
        let days = try days(name)
        #expect(days.isUTC && days == .utc && days.name == "UTC" && days.kept == nil)
        #expect(ZoneDays(kept: name) == .utc)
        let times = try [#require(TimeOfDay("07:00"))]
        #expect(try Cadence.at(times, #require(TimeZone(identifier: name))) == .at(times, .gmt))
    }

    @Test(arguments: ["Etc/GMT+1", "Etc/GMT-1", "Europe/London", "Africa/Abidjan", "Atlantic/Reykjavik"])
    func `a zone that has UTC's clock and is another is not UTC`(name: String) throws {
        #expect(try !days(name).isUTC && days(name).name == name)
    }

    @Test func `a minute says its zone`() throws {
        let moment = time("2026-11-20T22:10:30Z")
        #expect(ZoneDays.utc.minute(moment) == "2026-11-20 22:10 UTC")
        #expect(try days("Asia/Kolkata").minute(moment) == "2026-11-21 03:40 Asia/Kolkata")
        #expect(ZoneDays.utc.minute(until: moment) == "2026-11-20 22:11 UTC")
        #expect(ZoneDays.utc.minute(until: moment - 30) == "2026-11-20 22:10 UTC")
    }

    @Test func `a date that the zone left out is no day`() throws {
        let (days, day) = (try days("Pacific/Apia"), try day("2011-12-30"))
        #expect(days.seconds(of: day) == nil)
        #expect(days.start(of: day) == days.start(of: day + 1))
        #expect(NamedTime("2011-12-30", now: time("2026-11-20T12:00:00Z"), zone: days.zone) == nil)
        #expect(days.moment((2011, 12, 30), hour: 12, minute: 0) == nil)
        let next = time("2011-12-31T12:00:00Z")
        #expect(NamedTime("yesterday", now: next - 86_400, zone: days.zone)?.first == time("2011-12-29T10:00:00Z"))
    }

    @Test(arguments: [
        "America/Santiago", "Africa/Cairo", "America/Havana", "America/Sao_Paulo", "America/St_Johns", "Pacific/Apia",
        "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Kiritimati", "Asia/Tehran", "Asia/Beirut", "Atlantic/Azores",
    ]) func `days follow each other without a gap, and each moment lies in one`(zone: String) throws {
        let days = try days(zone)
        var at = time("2009-01-01T12:00:00Z")
        var last = days.day(of: at)
        while at < time("2028-01-01T00:00:00Z") {
            at = at + 10_801
            let day = days.day(of: at)
            guard day >= last, days.start(of: day) <= at, at < days.start(of: day + 1) else {
                Issue.record("\(at) is of \(day), after \(last)")
                return
            }
            last = day
        }
    }

    /// The first of a time that comes twice; as much later as clocks go forward where they leave it out.
    @Test(arguments: [
        ("Europe/Berlin", "2026-10-25 02:30", "2026-10-25T00:30:00Z"),
        ("Europe/Berlin", "2026-03-29 02:30", "2026-03-29T01:30:00Z"),
        ("America/Santiago", "2026-09-06 00:00", "2026-09-06T04:00:00Z"),
        ("America/Santiago", "2026-09-06 00:30", "2026-09-06T04:30:00Z"),
        ("Asia/Kathmandu", "2026-11-10 08:00", "2026-11-10T02:15:00Z"),
    ]) func `a time of day is a moment`(zone: String, text: String, moment: String) throws {
        let zone = try days(zone).zone
        #expect(NamedTime(text, now: time("2026-11-20T12:00:00Z"), zone: zone)?.first == time(moment))
    }
}
