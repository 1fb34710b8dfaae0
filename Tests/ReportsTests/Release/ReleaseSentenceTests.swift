import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// What is said of an update, from a real history. The release is on 20 November; days are counted from it.
@Suite struct ReleaseSentenceTests: ReleaseHistory {
    let history: RecordedReleases

    init() throws { history = try RecordedReleases() }

    @Test func `a text in several countries is one observation, and is said to be`() async throws {
        let asked = ["us", "gb", "de"].flatMap { [query("mood tracker", $0), query("habit list", $0)] }
        try await adopt(asked, notes: [note(added: ["mood tracker"])], apps: ["com.me"])
        for turn in 0..<60 { try await check(asked[turn % 6], on: Int64(turn / 6 - 5), mine: 9) }
        #expect(
            try effect().sentence
                == "Too little is known about version 2.4. It takes 3 queries that it touched and 3 others, each with 3 good "
                + "days before and after. There are 1 and 1. A query in several countries counts once.")
    }

    @Test func `counts are of queries and of countries, wherever they stand`() async throws {
        let gained = ["mood one", "mood two", "mood three"], others = ["habit red", "habit blue", "habit green"]
        let asked = ["us", "gb", "de"].flatMap { country in (gained + others).map { query($0, country) } }
        try await adopt(asked, notes: [note(added: gained)])
        for number in -6...6 as ClosedRange<Int64> where number != 0 {
            for one in asked {
                try await check(one, on: number, mine: gained.contains(one.text) && number > 0 ? 5 : 20, rival: 2)
            }
        }
        let effect = try effect(days: 6, after: 7)
        #expect(
            effect.sentence.contains("helped. On the 3 queries to gain in 3 countries, the app is now at about #5. "))
        let text = ReleaseReport(effect).render(as: .table, style: TerminalStyle(colour: false, width: 120))
        #expect(text.contains("to gain: 3 queries in 3 countries\n"))
        #expect(text.contains("its other queries: 3 queries in 3 countries: show"))
        #expect(text.contains("other apps: 1 on 3 queries in 3 countries: show"))
        #expect(!text.contains("pairs") && !text.contains("texts") && !text.contains("9 queries"))
    }

    // MARK: Filters

    /// Three queries to gain, which are gained, and three others of which one falls.
    private func fallingAside() async throws {
        let gained = ["mood one", "mood two", "mood three"], others = ["streaks", "habit blue", "habit green"]
        try await adopt((gained + others).map { query($0) }, notes: [note(added: gained)])
        for number in -20...6 as ClosedRange<Int64> where number != 0 {
            for text in gained + others {
                let after = gained.contains(text) ? 5 : text == "streaks" ? 28 : 20
                try await check(query(text), on: number, mine: number > 0 ? after : 20, rival: 2)
            }
        }
    }

    @Test func `of some of its queries that left the list it is said which, as an average does not show it`()
        async throws
    {
        let gained = ["mood one", "mood two", "mood three"], others = ["habit red", "habit blue", "habit green"]
        try await adopt((gained + others).map { query($0) }, notes: [note(added: gained)])
        for number in -20...6 as ClosedRange<Int64> where number != 0 {
            for text in gained + others {
                let after = text == "mood two" ? 0 : gained.contains(text) ? 5 : 20
                try await check(query(text), on: number, mine: number > 0 ? after : 20, rival: 2)
            }
        }
        let sentence = try effect(days: 6, after: 7).sentence
        #expect(sentence.contains(" It left the list of “mood two”."), "\(sentence)")
    }

    @Test func `filters that leave none of its queries are said to, and nothing is called untracked`() async throws {
        try await fallingAside()
        let effect = try effect(days: 6, after: 7, filter: PairFilter(queries: ["streaks"]))
        #expect(effect.finding == .filteredOut && effect.untracked == [])
        #expect(
            effect.sentence
                == "Nothing can be said about version 2.4: the filters exclude all of its queries. Leave "
                + "them out, or ask for “mood one”, “mood two”, “mood three”.")
        try expectConforms(ReleaseReport(effect).render(as: .json), to: "release")
    }

    @Test func `a query asked for is still set against the app's others`() async throws {
        try await fallingAside()
        let effect = try effect(days: 6, after: 7, filter: PairFilter(queries: ["mood one"]))
        #expect(effect.pairs.filter { !$0.role.isControl }.map(\.query.text) == ["mood one"])
        #expect(effect.pairs.count { $0.role == .untouched } == 3)
        #expect(effect.untracked == [])
        #expect(effect.sentence.hasSuffix("The filters leave 1 and 4."))
    }

    @Test func `an update without words in its note is not said to touch nothing by filters`() async throws {
        try await adopt([mood, habit], notes: [note()])
        try await check(mood, on: -1, mine: 9)
        let effect = try effect(filter: PairFilter(queries: ["nothing of mine"]))
        #expect(effect.sentence.hasSuffix("the filters exclude all of its queries. Leave them out."))
        // A table of nothing would follow.
        let text = ReleaseReport(effect).render(as: .table)
        #expect(!text.contains("before") && !text.contains("query  in"), "\(text)")
    }

    @Test func `what moved beside the queries of the note stands below the sentence`() async throws {
        try await fallingAside()
        let effect = try effect(days: 6, after: 7)
        #expect(effect.asides.map(\.text) == ["streaks"])
        #expect(effect.sentence.contains("In the same days it fell on “streaks”, which version 2.4 does not name."))
        let text = ReleaseReport(effect).render(as: .table, style: TerminalStyle(colour: false, width: 120))
        let shown = lines(text)
        let line = try #require(shown.firstIndex { $0.contains("streaks fell: us #20 → #28") })
        #expect(shown[line - 2] == "Other queries that moved, though version 2.4 does not name them:")
        #expect(line < (shown.firstIndex { $0.contains("these") } ?? 0))
        #expect(ReleaseReport(effect).render(as: .json).contains(#"{"query":"streaks","direction":"down""#))
    }

    @Test(arguments: [
        ([20, 20, 21, 19, 20, 20], [20, 21, 20, 19, 20, 20]), ([20, 28, 12, 20, 30, 14], [30, 18, 31, 12, 29, 33]),
        ([30, 31, 30, 32, 30, 31], [33, 34, 33, 34, 33, 34]),
    ])
    func `what wobbles, or moves by little, is not told of`(_ before: [Int], _ after: [Int]) async throws {
        try await adopt([mood, habit], notes: [note(added: ["mood tracker"])])
        // So that a move could be called.
        for number in -24 ..< -6 as Range<Int64> { try await check(habit, on: number, mine: before[Int(-number) % 6]) }
        for (index, place) in before.enumerated() { try await check(habit, on: Int64(index - 6), mine: place) }
        for (index, place) in after.enumerated() { try await check(habit, on: Int64(index + 1), mine: place) }
        for number in -6...6 as ClosedRange<Int64> where number != 0 { try await check(mood, on: number, mine: 9) }
        #expect(try effect(days: 6, after: 7).asides == [])
    }

    @Test(arguments: [
        (20, "streaks fell on iPad: us #20 → #30"), (28, "streaks fell: us iPhone #20 → #28, us iPad #20 → #30"),
    ])
    func `what moved beside them says on which platform, where there are several`(
        _ phone: Int, _ line: String
    ) async throws {
        let pad = Query(text: "streaks", country: habit.country, platform: .ipad)
        let gained = query("mood one"), aside = query("streaks")
        try await adopt([gained, aside, pad], notes: [note(added: ["mood one"])])
        for number in -20...6 as ClosedRange<Int64> where number != 0 {
            try await check(gained, on: number, mine: 9)
            try await check(aside, on: number, mine: number > 0 ? phone : 20)
            try await check(pad, on: number, mine: number > 0 ? 30 : 20)
        }
        #expect(try effect(days: 6, after: 7).asideLines == [line])
    }

    @Test func `the day of the release is too early, and says from when on it is not`() async throws {
        try await adopt([mood, habit], notes: [note(added: ["mood tracker"])])
        for number in -9...0 as ClosedRange<Int64> { try await check(mood, on: number, mine: 9) }
        let effect = try effect(after: 0)
        #expect(effect.finding == .tooEarly)
        #expect(effect.window.before == nil)
        #expect(
            effect.sentence
                == "Too early to say: 3 days with checks after version 2.4 are needed, so ask again on 2026-11-23.")
    }

    @Test func `a release that is still ahead is said to be`() async throws {
        try await adopt([mood, habit], notes: [note(on: "2026-12-24", added: ["mood tracker"])])
        try await check(mood, on: 0, mine: 9)
        #expect(
            try effect(after: 1).sentence == "Version 2.4 is noted for 2026-12-24, which is still in the future.")
    }

    @Test func `a history of one check has nothing to compare with`() async throws {
        try await adopt([mood, habit], notes: [note(added: ["mood tracker"])])
        try await check(mood, on: -1, mine: 9)
        let effect = try effect()
        #expect(effect.finding == .noHistory)
        #expect(
            effect.sentence
                == "Nothing to compare with: 3 days with checks from before version 2.4 are needed, and there is 1.")
    }

    @Test func `pairs that are absent all the time are said to be in no list`() async throws {
        try await adopt([mood, habit], notes: [note(added: ["mood tracker"])])
        for asked in [mood, habit] {
            for number in -9...9 as ClosedRange<Int64> { try await check(asked, on: number, mine: 0) }
        }
        let effect = try effect()
        #expect(effect.finding == .absent)
        #expect(effect.comparisons.first?.before == nil, "such pairs do not count")
        #expect(
            effect.sentence
                == "Version 2.4: no list shows the app on the 1 query to gain, neither before nor after.")
    }

    @Test func `places are whole numbers, and the floor is none`() {
        #expect(ReleaseEffect.place(14.4) == "#14")
        #expect(ReleaseEffect.place(200.5) == "absent")
    }
}
