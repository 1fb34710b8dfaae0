import RankKit
import TestSupport
import Testing

@testable import Alerts

@Suite struct StoredMessageTests {
    private let message = AlertMessage(
        id: "m1", at: time("2026-11-01T00:00:00Z"), severity: .high, title: "habits: #34 → #9",
        lines: [
            AlertMessage.Line(
                kind: .moved, text: "up", app: "Habits \"★\"\n", bundleID: bundle("com.a"), query: "habit tracker",
                country: Country(code: "de"), platform: .ipad, from: 34, to: 9, since: "2026-10-30",
                places: [.place(34), .unknown, .absent, .place(9)]),
            AlertMessage.Line(kind: .appUnknown, text: "gone", isMine: false),
        ], omitted: 3, remark: "and more")

    @Test func `a message is read as it was written`() {
        #expect(AlertMessage(stored: message.stored) == message)
    }

    @Test(arguments: [#""version":1"#, #""kind":"moved""#, #""severity":"high""#])
    func `what another version wrote is no message`(part: String) {
        let other = message.stored.replacing(part, with: part.replacing(/[0-9]|moved|high/, with: { _ in "77" }))
        #expect(other != message.stored)
        #expect(AlertMessage(stored: other) == nil)
    }
}
