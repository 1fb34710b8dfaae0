import Foundation
import RankKit
import Testing

@Suite struct SlotTests {
    private let berlin = TimeZone(identifier: "Europe/Berlin")!

    private func moment(_ text: String) -> Timestamp { Timestamp(iso8601: text)! }

    private func at(_ times: String...) -> Cadence { .at(times.map { TimeOfDay($0)! }, berlin) }

    private func slot(_ cadence: Cadence, _ text: String) -> [String] {
        let slot = cadence.slot(containing: moment(text))
        return [slot.start.description, slot.end.description]
    }

    @Test func `every counts from the epoch and holds its start but not its end`() {
        let cadence = Cadence.every(seconds: 21_600)
        #expect(slot(cadence, "2026-11-20T11:59:59Z") == ["2026-11-20T06:00:00Z", "2026-11-20T12:00:00Z"])
        #expect(slot(cadence, "2026-11-20T12:00:00Z") == ["2026-11-20T12:00:00Z", "2026-11-20T18:00:00Z"])
    }

    @Test func `every works before the epoch as well`() {
        let slot = Cadence.every(seconds: 100).slot(containing: Timestamp(secondsSinceEpoch: -1))
        #expect(slot == Slot(start: Timestamp(secondsSinceEpoch: -100), end: Timestamp(secondsSinceEpoch: 0)))
    }

    @Test func `times of day are those of the zone`() {
        #expect(slot(at("03:00", "15:00"), "2026-11-20T12:00:00Z") == ["2026-11-20T02:00:00Z", "2026-11-20T14:00:00Z"])
        #expect(slot(at("03:00", "15:00"), "2026-07-20T12:59:59Z") == ["2026-07-20T01:00:00Z", "2026-07-20T13:00:00Z"])
        #expect(slot(at("03:00"), "2026-11-20T01:59:59Z") == ["2026-11-19T02:00:00Z", "2026-11-20T02:00:00Z"])
    }

    @Test func `a time that summer time leaves out still has its slot`() {
        // Berlin leaps from 02:00 to 03:00 on 2026-03-29, which is 01:00 UTC.
        let slot = at("02:30").slot(containing: moment("2026-03-29T12:00:00Z"))
        #expect((moment("2026-03-29T00:30:00Z")...moment("2026-03-29T01:30:00Z")).contains(slot.start))
        #expect(slot.end == moment("2026-03-30T00:30:00Z"))
    }

    @Test func `a time that comes twice starts one slot`() {
        // Berlin returns from 03:00 to 02:00 on 2026-10-25, which is 01:00 UTC.
        #expect(slot(at("02:30"), "2026-10-25T12:00:00Z") == ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"])
    }

    @Test func `the slots of a year follow each other without gap or overlap`() {
        let cadence = at("00:00", "02:30", "23:59")
        var now = moment("2026-01-01T00:00:00Z")
        let end = moment("2027-01-01T00:00:00Z")
        var count = 0
        while now < end {
            let slot = cadence.slot(containing: now)
            #expect(slot.contains(now) && slot.start < slot.end)
            #expect(cadence.slot(containing: slot.end).start == slot.end)
            now = slot.end
            count += 1
        }
        #expect(count == 3 * 365 || count == 3 * 365 + 1)
    }

    @Test func `the union begins at the latest start and ends at the earliest end`() {
        let slot = Slot.containing(
            moment("2026-11-20T12:30:00Z"), cadences: [.every(seconds: 86_400), at("13:15", "14:00")])
        #expect(slot == Slot(start: moment("2026-11-20T12:15:00Z"), end: moment("2026-11-20T13:00:00Z")))
    }

    @Test func `the length of a cadence is its longest usual gap`() {
        #expect(Cadence.every(seconds: 90).seconds == 90)
        #expect(at("03:00").seconds == 86_400)
        #expect(at("03:00", "15:00").seconds == 43_200)
        #expect(at("09:00", "10:00").seconds == 23 * 3_600)
    }

    @Test(arguments: ["3:00", "24:00", "12:60", "0300", "03:00 ", "", "03-00", "aa:bb", "٠٣:٠٠"])
    func `what is not HH:MM is no time of day`(text: String) {
        #expect(TimeOfDay(text) == nil)
    }

    @Test(arguments: ["00:00", "09:05", "23:59"])
    func `a time of day is written as it was read`(text: String) {
        #expect(TimeOfDay(text)?.description == text)
    }
}
