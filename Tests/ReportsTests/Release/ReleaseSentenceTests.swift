import Foundation
import History
import Judging
import RankKit
import TestSupport
import Testing

@testable import Reports

/// What is said of an update, from a real history. The release is on 20 November; days are counted from it.
@Suite struct ReleaseSentenceTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let release = time("2026-11-20T00:00:00Z")
    private let me = bundle("com.me")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func adopt(_ queries: [Query], notes: [Note], apps: [String] = ["com.me", "com.rival"]) async throws {
        var plan = watchlist(queries.map { ($0, apps) }, every: day, competitors: ["com.rival"])
        plan.apps[0].alias = "me"
        plan.notes = notes
        plan.timeZone = "UTC"
        try await store.adopt(plan, now: release - 60 * day)
    }

    private func note(
        _ version: String? = "2.4", on date: String = "2026-11-20", added: [String] = [], removed: [String] = []
    ) -> Note {
        Note(on: date, bundleID: me, version: version, text: "subtitle", added: added, removed: removed)
    }

    /// A good check with me and the rival in these places; 0 for neither in the list.
    private func check(_ query: Query, on number: Int64, mine: Int, rival: Int = 0) async throws {
        var names: [String?] = (1...40).map { "com.other\($0)" }
        if mine > 0 { names[mine - 1] = "com.me" }
        if rival > 0 { names[rival - 1] = "com.rival" }
        let shown = names
        try await store.record(
            Check(query: query, at: release + number * day + 12 * hour, outcome: .answered(list(shown))))
    }

    private func effect(
        _ version: String = "2.4", days: Int64 = 14, after: Int64 = 30, filter: PairFilter = PairFilter()
    ) throws -> ReleaseEffect {
        let reader = try HistoryReader(path: store.path)
        let now = release + after * day + 13 * hour
        let releases = try Releases(of: me, from: reader, zone: .gmt, now: now)
        return try ReleaseEffect(
            of: try #require(releases.find(version)), filter: filter, days: days, from: reader, zone: .gmt, now: now)
    }

    private let mood = query("mood tracker")
    private let habit = query("habit list")

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
