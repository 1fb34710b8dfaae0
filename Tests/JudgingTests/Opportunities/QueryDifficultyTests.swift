import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Judging

@Suite struct QueryDifficultyTests {
    /// Apps with these names and numbers of ratings.
    private func difficulty(_ apps: [(String?, Int64?)?], of text: String = "habit tracker") -> QueryDifficulty {
        QueryDifficulty(
            TopList(
                at: noon,
                apps: apps.enumerated().map { index, app in
                    app.map { TopApp(bundleID: bundle("com.\(index)"), name: $0.0, ratingCount: $0.1) }
                }), of: query(text))
    }

    @Test func `the median is of the first ten whose number is known`() {
        // Of 10, 20, 40, 70, 90 and 300: (40 + 70) / 2. The eleventh does not count, and does where it comes tenth.
        let apps: [(String?, Int64?)?] = [
            ("a", 300), ("b", 10), ("c", nil), nil, ("d", 90), ("e", 20), ("f", 40), ("g", nil), ("h", 70), nil,
            ("i", 1_000_000),
        ]
        #expect(difficulty(apps).medianRatings == 55)
        #expect(difficulty(Array(apps.dropFirst(2))).medianRatings == 70)
    }

    @Test func `equal numbers and zeros are numbers`() {
        #expect(difficulty(Array(repeating: ("a", 0), count: 10)).medianRatings == 0)
        #expect(difficulty(Array(repeating: ("a", 8), count: 5)).medianRatings == 8)
    }

    @Test func `of fewer than five nothing is told`() {
        let few = difficulty([("Habit tracker", 1), ("b", 2), ("c", 3), ("d", 4), (nil, nil)])
        #expect(few.medianRatings == nil)
        #expect((few.withWords, few.named) == (nil, 4))
        #expect(difficulty([]).medianRatings == nil)
    }

    @Test func `names are counted that have all of the words`() {
        let names = ["Habit Tracker", "Tracker for a Habit", "Habits Tracker", "Habit", "Streaks", "My habit-tracker!"]
        let found = difficulty(names.map { ($0, nil) })
        #expect((found.withWords, found.named, found.medianRatings) == (3, 6, nil))
    }

    @Test func `a query without words is in no name`() {
        #expect(difficulty(Array(repeating: ("+", 1), count: 10), of: "+").withWords == nil)
    }
}
