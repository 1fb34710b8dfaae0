import Foundation
import RankKit
import Testing

@Suite struct CivilTimeTests {
    @Test func `the calendar agrees with Foundation's, day by day and at the ends`() {
        for day in stride(from: Int64(-135_140), through: 2_932_896, by: 997) {
            let moment = Timestamp.startOfDay(day) + (day & 0xFFFF)
            let text = moment.date.formatted(.iso8601)
            #expect(CivilTime.iso8601(moment) == text)
            #expect(CivilTime.moment(iso8601: text) == moment)
        }
        for day in Int64(10_950)...11_700 {
            let text = Timestamp.startOfDay(day).date.formatted(.iso8601)
            #expect(CivilTime.date(.startOfDay(day)) == String(text.prefix(10)))
        }
        for text in ["1600-01-01T00:00:00Z", "2000-02-29T23:59:59Z", "2100-03-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
            #expect(CivilTime.moment(iso8601: text).map(CivilTime.iso8601) == text)
        }
    }

    @Test func `what is no moment of the calendar is not read as one`() {
        for text in [
            "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z", "2026-01-00T00:00:00Z",
            "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01 00:00:00Z",
            "2026-01-01T00:00:00", "2026-01-01T00:00:0:Z", "-026-01-01T00:00:00Z", "9999-99-99T99:99:99Z",
            "0000-01-01T00:00:00Z", "ÿÿÿÿ-ÿÿ-ÿÿÿ:",
        ] { #expect(CivilTime.moment(iso8601: text) == nil) }
    }

    @Test func `a moment beyond four digits of years is still written`() {
        #expect(CivilTime.iso8601(Timestamp(secondsSinceEpoch: 400_000_000_000)).hasSuffix("Z"))
    }
}
