import RankKit
import Testing

@Suite struct AlertSettingsTests {
    @Test func `hours that end after midnight hold both sides of it`() {
        let hours = QuietHours(from: 22 * 60, to: 7 * 60)
        #expect(hours.contains(minute: 23 * 60))
        #expect(hours.contains(minute: 6 * 60 + 59))
        #expect(!hours.contains(minute: 7 * 60))
        #expect(!hours.contains(minute: 12 * 60))
    }
}
