import Foundation
import History
import Judging
import RankKit
import Reports
import Testing

/// What the demo is there to show.
@Suite struct DemoTests {
    @Test func `its release stands alone, so that what it did can be said`() async throws {
        let demo = try await GoldenDemo.shared.value
        let app = try #require(BundleID("com.northwind.daylight"))
        let reader = try demo.reader()
        let releases = try Releases(of: app, from: reader, zone: .gmt, now: demo.now)
        let effect = try ReleaseEffect(
            of: try #require(releases.find("2.4")), from: reader, zone: .gmt, now: demo.now)
        #expect(effect.finding == .verdict(.helped), "\(effect.sentence)")
        #expect(effect.events.filter(\.isOwn).isEmpty)
        #expect(effect.sentence.hasPrefix("It looks as if version 2.4 helped: "))
    }

    @Test func `a day of its month is bad, and shows as a gap`() async throws {
        let demo = try await GoldenDemo.shared.value
        let standings = try Standings(from: try demo.reader(), withTrend: true, now: demo.now)
        #expect(standings.rows.filter(\.mine).contains { Sparkline($0.trend).text.contains(Sparkline.gap) })
    }
}
