import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct AppOverviewTests {
    private static let days: ClosedRange<Int64> = 71...100

    /// - Parameter pairs: of each the places by day; 0 for an absence.
    private func overview(_ pairs: [Int64: Int]..., cadence: Int64 = Timestamp.secondsPerDay) throws -> AppOverview {
        var overview = AppOverview(bundle("com.me"), days: Self.days.count)
        for pair in pairs {
            let readings = pair.map { day, place in (day, TestSupport.reading(place == 0 ? nil : place, on: day)) }
            overview.add(
                DailyReadings(Dictionary(uniqueKeysWithValues: readings)), cadence: cadence, Self.days)
        }
        return overview
    }

    private func steady(_ place: Int, _ days: ClosedRange<Int64> = days) -> [Int64: Int] {
        Dictionary(uniqueKeysWithValues: days.map { ($0, place) })
    }

    @Test func `what rose into the first ten within a week is gained`() throws {
        let risen = steady(14).merging(steady(9, 98...100)) { $1 }
        let app = try overview(risen, steady(3), steady(40))
        #expect(app.top == 2 && app.checked == 3 && app.pairs == 3 && app.gained == 1)
        #expect(app.days.suffix(4) == [1, 2, 2, 2])
        #expect(app.drawing.contains("from 1 to 2, at most 2"))
    }

    @Test func `a pair that was added in this week is no gain`() throws {
        let app = try overview(steady(3, 97...100), steady(5))
        #expect(app.top == 2 && app.gained == 0)
    }

    @Test func `a pair whose checks fail since a week counts among neither`() throws {
        let app = try overview(steady(3, 71...93), steady(5))
        #expect(app.top == 1 && app.checked == 1 && app.pairs == 2 && app.gained == 0)
        // The day after the last good check is still told by that.
        #expect(app.days[23...26] == [2, 2, nil, nil])
    }

    @Test func `an absence from a list that was too short to show the place is no loss`() throws {
        var overview = AppOverview(bundle("com.me"), days: Self.days.count)
        let readings = [
            Int64(93): TestSupport.reading(8, on: 93), 100: TestSupport.reading(nil, on: 100, within: 5),
        ]
        overview.add(DailyReadings(readings), cadence: Timestamp.secondsPerDay, Self.days)
        #expect(overview.top == 0 && overview.checked == 1 && overview.gained == nil)
    }

    @Test func `an app that was never checked has no drawing`() throws {
        let app = try overview([:])
        #expect(app.drawing.isEmpty && app.checked == 0 && app.gained == nil)
    }
}
