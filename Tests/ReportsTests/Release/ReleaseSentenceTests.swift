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
        #expect(try effect().sentence.hasSuffix("there are 1 and 1: a text in several countries is one."))
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
