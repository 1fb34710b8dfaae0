import ArgumentParser
import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// Who of two apps is ahead, by how much, since when and how often.
@Suite struct HeadToHeadTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func adopt() async throws {
        var list = watchlist([(timer, ["com.me", "com.rival"])], every: day, competitors: ["com.rival"])
        list.apps[0].competitors = [bundle("com.rival")]
        try await store.adopt(list, now: noon - 90 * day)
    }

    /// A list of thirty apps, in which those that are named hold their places.
    private func answer(_ places: [String: Int], daysAgo: Int64, hour: Int64 = 0) async throws {
        var names = (1...30).map { "com.x\($0)" }
        for (name, place) in places { names[place - 1] = name }
        try await store.record(
            Check(query: timer, at: noon - daysAgo * day - hour * 3_600 - 60, outcome: .answered(list(names))))
    }

    private func answered(_ arguments: [String] = []) throws -> HeadToHeadReport {
        let context = try ReportContext(try HistoryReader(path: store.path), now: noon, zone: .gmt)
        let answer = try CompareRequest.parse(["--app", "com.me"] + arguments).answer(in: context)
        return try #require(answer as? HeadToHeadReport)
    }

    private func row(_ arguments: [String] = ["--with", "com.rival"]) throws -> HeadToHead.Row {
        try #require(answered(arguments).meeting.rows.first)
    }

    @Test func `days are won by the better place, and an absence is below every place`() async throws {
        try await adopt()
        try await answer(["com.me": 5, "com.rival": 9], daysAgo: 4)
        try await answer(["com.me": 12, "com.rival": 9], daysAgo: 3)
        try await answer(["com.rival": 30], daysAgo: 2)
        try await answer([:], daysAgo: 1)
        try await answer(["com.me": 29], daysAgo: 0)
        let row = try row()
        #expect((row.tally.won, row.tally.lost, row.tally.tied) == (2, 2, 1))
        #expect(row.newest?.lead == .app && row.newest?.places == nil)
    }

    @Test func `the newest check of a day counts`() async throws {
        try await adopt()
        try await answer(["com.me": 12, "com.rival": 9], daysAgo: 0, hour: 5)
        try await answer(["com.me": 5, "com.rival": 9], daysAgo: 0)
        let row = try row()
        #expect(row.days.count == 1 && row.newest?.lead == .app && row.newest?.places == 4)
    }

    @Test func `whoever leads has led since the day of its last overtaking`() async throws {
        try await adopt()
        for ago in [6, 5, 4] as [Int64] { try await answer(["com.me": 5, "com.rival": 9], daysAgo: ago) }
        for ago in [3, 2, 1, 0] as [Int64] { try await answer(["com.me": 15, "com.rival": 9], daysAgo: ago) }
        let row = try row()
        #expect(row.newest?.lead == .other)
        #expect(row.leadsSince?.at.day == noon.day - 3 && !row.hasAlwaysLed)
        #expect(try answered(["--with", "com.rival", "--since", "2d"]).meeting.rows.first?.hasAlwaysLed == true)
    }

    @Test func `the other may be an app that nobody tracks, and has its past`() async throws {
        try await adopt()
        try await answer(["com.me": 5, "com.x7": 3], daysAgo: 1)
        try await answer(["com.me": 5], daysAgo: 0)
        let row = try row(["--with", "com.x7"])
        #expect((row.tally.won, row.tally.lost, row.tally.tied) == (1, 1, 0))
    }

    @Test func `a failed check is nobody's day`() async throws {
        try await adopt()
        try await answer(["com.me": 5, "com.rival": 9], daysAgo: 1)
        try await store.record(Check(query: timer, at: noon - 60, outcome: .failed(Failure(.timedOut))))
        #expect(try row().days.map(\.at) == [noon - day - 60])
    }

    @Test func `places that the newest check does not vouch for are marked`() async throws {
        try await adopt()
        try await answer(["com.me": 5, "com.rival": 9], daysAgo: 1)
        func text() throws -> String { try answered(["--with", "com.rival"]).render(as: .table) }
        #expect(try !text().contains("○"))
        try await store.record(Check(query: timer, at: noon - 60, outcome: .failed(Failure(.timedOut))))
        let words = try text()
        #expect(words.contains("○ ◆ #5") && words.contains("○ #9"), "\(words)")
        #expect(try text().contains("○ the last good list that tells of both: the newest check does not"))
    }

    @Test func `an app is not compared with itself under either name`() async throws {
        try await adopt()
        try await answer(["com.me": 5], daysAgo: 0)
        #expect(throws: ReportRefusal.self) { _ = try answered(["--with", "com.me"]) }
    }

    @Test func `where no check tells of both it says so`() async throws {
        try await adopt()
        let text = try answered(["--with", "com.rival"]).render(as: .table)
        #expect(text.contains("tells of both: choose an earlier --since"), "\(text)")
    }

    @Test func `a young history says from when on it can tell a trend`() async throws {
        try await adopt()
        for ago in [2, 1, 0] as [Int64] { try await answer(["com.me": 5, "com.rival": 9], daysAgo: ago) }
        func text(_ more: [String] = []) throws -> String {
            try answered(["--with", "com.rival"] + more).render(as: .table)
        }
        let day = CivilTime.date(.startOfDay(noon.day + 5))
        #expect(try text().contains("trend: can be told from \(day) on"))
        // No later day will have more of what was asked for.
        #expect(try !text(["--since", "1d"]).contains("trend: can be told"))
    }

    @Test func `the comparison with all competitors begins with who is ahead of whom`() async throws {
        try await adopt()
        try await answer(["com.me": 5, "com.rival": 9], daysAgo: 1)
        try await answer(["com.me": 12, "com.rival": 9], daysAgo: 0)
        let context = try ReportContext(try HistoryReader(path: store.path), now: noon, zone: .gmt)
        let text = try CompareRequest.parse(["--app", "com.me"]).answer(in: context).render(as: .table)
        #expect(text.contains("in 0 of 1 list; 50% of the days won since"), "\(text)")
    }
}
