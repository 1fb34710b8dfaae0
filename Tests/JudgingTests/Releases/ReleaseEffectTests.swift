import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Judging

/// What an update did, from a real history. The release is on 20 November; days are counted from it.
@Suite struct ReleaseEffectTests: ReleaseHistory {
    let history: RecordedReleases

    init() throws { history = try RecordedReleases() }

    // MARK: Windows

    @Test func `two windows of equal length lie around the day of the release, which belongs to neither`() async throws
    {
        try await adopt([mood, habit], notes: [note(added: ["mood tracker"])])
        for number in -20...20 as ClosedRange<Int64> { try await check(mood, on: number, mine: number < 0 ? 9 : 3) }
        let effect = try effect(days: 14)
        let date = release.day
        #expect(effect.window.before == date - 14...date - 1)
        #expect(effect.window.after == date + 1...date + 14)
        #expect(effect.window.limit == nil)
        let pair = try #require(effect.pairs.first)
        #expect(pair.before.map(\.position) == Array(repeating: Position(9), count: 14))
        #expect(pair.after.map(\.position) == Array(repeating: Position(3), count: 14))
    }

    @Test func `the windows are no longer than the days since, and than the history before`() async throws {
        try await adopt([mood, habit], notes: [note(added: ["mood tracker"])])
        for number in -6...9 as ClosedRange<Int64> { try await check(mood, on: number, mine: 9) }
        #expect(try effect(after: 4).window.days == 4)
        #expect(try effect(after: 4).window.limit == .today)
        #expect(try effect(after: 9).window.days == 6)
        #expect(try effect(after: 9).window.limit == .history)
    }

    @Test func `another noted change of the same app ends a window`() async throws {
        try await adopt(
            [mood, habit],
            notes: [note(added: ["mood tracker"]), note("2.5", on: "2026-11-26", added: ["habit list"])])
        for number in -20...20 as ClosedRange<Int64> { try await check(mood, on: number, mine: 9) }
        let effect = try effect()
        #expect(effect.window.days == 5)
        guard case .release(let other)? = effect.window.limit else {
            Issue.record("\(effect.window)")
            return
        }
        #expect(other.version == "2.5")
    }

    @Test func `a note's day is the one with its date, wherever its clock stands`() throws {
        for name in [
            "Pacific/Honolulu", "America/New_York", "UTC", "Europe/Berlin", "Asia/Tokyo", "Pacific/Kiritimati",
        ] {
            let zone = try #require(TimeZone(identifier: name))
            let start = try #require(NamedTime("2026-11-20", now: noon, zone: zone)).first
            let release = AppRelease(bundleID: me, version: "1", at: start, source: .note)
            #expect(release.day(in: ZoneDays(zone)) == time("2026-11-20T00:00:00Z").day, "\(name)")
        }
    }

    // MARK: Groups

    @Test func `what the note names is set against the app's other queries, and other apps on the same ones`()
        async throws
    {
        let old = query("daily diary")
        let near = query("mood tracker free")
        try await adopt(
            [mood, habit, old, near], notes: [note(added: ["Mood  Tracker", "sleep"], removed: ["daily diary"])])
        for asked in [mood, habit, old, near] {
            for number in -5...5 as ClosedRange<Int64> { try await check(asked, on: number, mine: 9, rival: 2) }
        }
        let effect = try effect()
        func pairs(_ role: ReleaseEffect.Role) -> [String] {
            effect.pairs.filter { $0.role == role }.map { "\($0.app.bundleID) \($0.query.text)" }
        }
        #expect(pairs(.added) == ["com.me mood tracker"])
        #expect(pairs(.removed) == ["com.me daily diary"])
        #expect(pairs(.untouched) == ["com.me habit list"])
        #expect(pairs(.rival) == ["com.rival mood tracker", "com.rival daily diary"])
        #expect(effect.untracked == ["sleep"])
        #expect(effect.unclear == [near], "it has all words of one that was added")
        #expect(
            effect.comparisons.map { "\($0.treated) \($0.controls)" } == [
                "added [Judging.ReleaseEffect.Role.untouched, Judging.ReleaseEffect.Role.rival]",
                "added [Judging.ReleaseEffect.Role.untouched]", "added [Judging.ReleaseEffect.Role.rival]",
                "removed [Judging.ReleaseEffect.Role.untouched, Judging.ReleaseEffect.Role.rival]",
                "removed [Judging.ReleaseEffect.Role.untouched]", "removed [Judging.ReleaseEffect.Role.rival]",
            ])
        #expect(effect.comparisons[0].before == 9)
        #expect(effect.comparisons[0].readings == 30, "three pairs of ten days")
    }

    @Test func `a query that the note both adds and removes is neither`() throws {
        let release = AppRelease(
            bundleID: me, version: "1", at: release, source: .note, added: ["a", "b"], removed: ["b", "c d"])
        let roles = ReleaseRoles(release)
        #expect(roles.role(of: query("a")) == .added)
        #expect(roles.role(of: query("b")) == nil)
        #expect(roles.role(of: query("C  D")) == .removed)
        #expect(roles.role(of: query("d")) == nil, "a part of one that was given up")
        #expect(roles.role(of: query("e f")) == .untouched)
    }

    @Test func `without words in its note all queries of the app count, beside the other apps on them`() async throws {
        try await adopt([mood, habit], notes: [note()])
        for asked in [mood, habit] {
            for number in -5...5 as ClosedRange<Int64> { try await check(asked, on: number, mine: 9, rival: 2) }
        }
        let effect = try effect()
        #expect(effect.pairs.map(\.role) == [.every, .every, .rival, .rival])
        #expect(effect.comparisons.map(\.controls) == [[.rival]])
    }

    @Test func `a filter leaves out queries, never the apps to compare with`() async throws {
        try await adopt([mood, query("mood tracker", "de")], notes: [note(added: ["mood tracker"])])
        let filter = PairFilter(apps: ["me"], countries: [Country(code: "us")!])
        #expect(try effect(filter: filter).pairs.map { "\($0.role) \($0.query.country)" } == ["added us", "rival us"])
    }

    // MARK: What moved as well

    /// Pairs that wobble around 20, and now and then stay away for days.
    @Test func `hardly any pair that wobbles is said to have moved as well`() async throws {
        let wobbling = (1...40).map { query("habit \($0)") }
        try await adopt([mood] + wobbling, notes: [note(added: ["mood tracker"])], apps: ["com.me"])
        var dice = SplitMix(seed: 7)
        for asked in wobbling {
            var away = 0.0
            for number in -40...14 as ClosedRange<Int64> {
                away = 0.9 * away + .random(in: -3...3, using: &dice)
                let spike = Int.random(in: 0..<8, using: &dice) == 0 ? Int.random(in: -8...8, using: &dice) : 0
                try await check(asked, on: number, mine: min(39, max(1, Int((20 + away).rounded()) + spike)))
            }
        }
        for number in -20...14 as ClosedRange<Int64> { try await check(mood, on: number, mine: 9) }
        let effect = try effect(after: 15)
        let untouched = effect.pairs.filter { $0.role == .untouched }
        #expect(untouched.count == 40)
        #expect(untouched.count { $0.standing != nil } >= 5, "else the test shows nothing")
        // They truly wander, and one in ten for a fortnight.
        #expect(untouched.count { $0.direction != nil } <= 4)
    }

    /// Falls of 7 to 10 places after the release, with noise of a place or two.
    @Test func `what really fell after the release is said to have moved as well`() async throws {
        let fallen = [(7, 10), (8, 14), (10, 13), (9, 20)]
        let asked = fallen.map { query("streaks \($0.0)") }
        try await adopt([mood] + asked, notes: [note(added: ["mood tracker"])], apps: ["com.me"])
        var dice = SplitMix(seed: 3)
        for (query, (places, usual)) in zip(asked, fallen) {
            for number in -30...14 as ClosedRange<Int64> {
                let noise = [0, 0, 0, 1, -1, 2].randomElement(using: &dice) ?? 0
                try await check(query, on: number, mine: usual + noise + (number > 1 ? places : 0))
            }
        }
        for number in -20...14 as ClosedRange<Int64> { try await check(mood, on: number, mine: 9) }
        let asides = try effect(after: 15).asides
        #expect(Set(asides.map(\.text)) == Set(asked.map(\.text)))
        #expect(asides.allSatisfy { $0.direction == .down })
    }

    // MARK: Findings

    @Test func `the day of the release is too early`() async throws {
        try await adopt([mood, habit], notes: [note(added: ["mood tracker"])])
        for number in -9...0 as ClosedRange<Int64> { try await check(mood, on: number, mine: 9) }
        let effect = try effect(after: 0)
        #expect(effect.finding == .tooEarly)
        #expect(effect.window.before == nil)
    }

    @Test func `a history of one check has nothing to compare with`() async throws {
        try await adopt([mood, habit], notes: [note(added: ["mood tracker"])])
        try await check(mood, on: -1, mine: 9)
        let effect = try effect()
        #expect(effect.finding == .noHistory)
    }

    @Test func `a history without a check has nothing at all, and does not mind`() async throws {
        try await adopt([mood, habit], notes: [note(added: ["mood tracker"])])
        let effect = try effect()
        #expect(effect.finding == .noHistory)
        #expect(effect.pairs.count == 3)
        #expect(effect.pairs.allSatisfy { $0.before.isEmpty && $0.after.isEmpty })
    }

    @Test func `a note whose queries nobody tracks is told so`() async throws {
        try await adopt([habit], notes: [note(added: ["mood tracker"])])
        for number in -9...9 as ClosedRange<Int64> { try await check(habit, on: number, mine: 9) }
        let effect = try effect()
        #expect(effect.finding == .notTracked)
        #expect(effect.untracked == ["mood tracker"])
    }

    @Test func `an app alone on its queries has nothing beside it`() async throws {
        try await adopt([mood], notes: [note()], apps: ["com.me"])
        for number in -9...9 as ClosedRange<Int64> { try await check(mood, on: number, mine: 9) }
        #expect(try effect().finding == .noControl)
    }

    @Test func `pairs that are absent all the time are said to be in no list`() async throws {
        try await adopt([mood, habit], notes: [note(added: ["mood tracker"])])
        for asked in [mood, habit] {
            for number in -9...9 as ClosedRange<Int64> { try await check(asked, on: number, mine: 0) }
        }
        let effect = try effect()
        #expect(effect.finding == .absent)
        #expect(effect.comparisons.first?.before == nil, "such pairs do not count")
    }

    @Test func `failed and suspect checks are no readings`() async throws {
        try await adopt([mood, habit], notes: [note(added: ["mood tracker"])])
        for number in [-5, -3, -2, 2, 3, 4] as [Int64] { try await check(mood, on: number, mine: 9) }
        try await store.record(
            Check(query: mood, at: release - 4 * day, outcome: .failed(Failure(.timedOut))))
        try await store.record(
            Check(query: mood, at: release + 5 * day, outcome: .suspect(list([]), .collapsed)))
        let pair = try #require(try effect(days: 5).pairs.first)
        #expect((pair.before.count, pair.after.count, pair.counts) == (3, 3, true))
    }

    // MARK: What else happened

    @Test func `other notes, and the versions of those beside it, are told; the release itself is not`() async throws {
        try await adopt(
            [mood, habit],
            notes: [
                note(added: ["mood tracker"]), Note(on: "2026-11-22", text: "holiday"),
                Note(on: "2026-12-24", text: "far away"), note(nil, on: "2026-11-29"),
            ])
        for number in -9...9 as ClosedRange<Int64> {
            try await store.record(
                Check(
                    query: mood, at: release + number * day,
                    outcome: .answered(
                        list(["com.rival", "com.me", "com.other"]) { name in
                            AppDetails(name: name, version: number < 2 ? "1" : "2")
                        })))
        }
        let events = try effect().events
        #expect(
            events.map { "\($0.at) \($0.app?.bundleID.text ?? "-") \($0.version ?? "-") \($0.text) \($0.isOwn)" } == [
                "2026-11-22T00:00:00Z com.me 2  true", "2026-11-22T00:00:00Z com.rival 2  false",
                "2026-11-22T00:00:00Z - - holiday false",
            ], "the note of the 29th has ended the window before it")
    }

    @Test func `the middle reading is one that was read, an absence below every place`() {
        func readings(_ positions: [Int?]) -> [Reading] { positions.map { reading($0) } }
        #expect(readings([]).middle == nil)
        #expect(readings([5]).middle?.position?.number == 5)
        #expect(readings([9, nil, 3]).middle?.position?.number == 9)
        #expect(readings([9, nil, 3, 7]).middle?.position?.number == 7)
        #expect(readings([nil, nil, 3]).middle?.position == nil)
    }

    // MARK: The list of releases

    @Test func `versions are found as they are written, changes without one by their day`() async throws {
        try await adopt([mood], notes: [note("v2.4", on: "2026-11-20"), note(nil, on: "2026-11-25")])
        let releases = try Releases(of: me, from: try HistoryReader(path: store.path), zone: .gmt, now: noon)
        #expect(releases.rows.map(\.release.version) == [nil, "v2.4"])
        #expect(releases.find("2.4")?.at == release)
        #expect(releases.find("2026-11-25")?.version == nil)
        #expect(releases.find("2026-11-25") != nil)
        #expect(releases.find("2.5") == nil)
    }
}
