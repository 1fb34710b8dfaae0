import Foundation
import RankKit
import TestSupport
import Testing

@Suite struct DayStretchesTests {
    @Test(arguments: [
        "UTC", "America/Sao_Paulo", "America/Santiago", "Africa/Cairo", "Asia/Kathmandu", "Australia/Lord_Howe",
        "Pacific/Apia", "Pacific/Kiritimati", "Etc/GMT+12", "America/St_Johns",
    ]) func `a moment has the day that the zone says`(_ name: String) throws {
        let zone = ZoneDays(try #require(TimeZone(identifier: name)))
        // Over the years in which São Paulo's clocks changed at midnight and Apia left out a date.
        for year in ["2010", "2011", "2018", "2026"] {
            let first = time("\(year)-01-01T00:00:00Z").day
            let stretches = DayStretches(first...first + 400, in: zone)
            for moment in stride(from: first * 86_400 - 90_000, to: (first + 402) * 86_400, by: 1_799) {
                let moment = Timestamp(secondsSinceEpoch: moment)
                #expect(stretches.day(of: moment) == zone.day(of: moment))
            }
        }
    }

    @Test(arguments: ["UTC", "America/Sao_Paulo", "Pacific/Apia"])
    func `the stretches are all seconds of the days, each once`(_ name: String) throws {
        let zone = ZoneDays(try #require(TimeZone(identifier: name)))
        let first = time("2011-01-01T00:00:00Z").day
        let days = first...first + 400
        let stretches = DayStretches(days, in: zone).stretches
        #expect(stretches.first?.span.lowerBound == zone.start(of: days.lowerBound))
        #expect(stretches.last?.span.upperBound == zone.end(of: days.upperBound))
        for (one, next) in zip(stretches, stretches.dropFirst()) {
            #expect(one.span.upperBound + 1 == next.span.lowerBound && one.days.upperBound < next.days.lowerBound)
        }
        #expect(stretches.count < 6)
    }
}
