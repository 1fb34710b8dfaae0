import ArgumentParser
import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// What reports say before a pair has the history that it takes to judge it.
@Suite struct FirstVerdictTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func context() throws -> ReportContext {
        try ReportContext(try HistoryReader(path: store.path), now: noon, zone: .gmt)
    }

    private func adopt(every seconds: Int64 = day) async throws {
        try await store.adopt(watchlist([(timer, ["com.me"])], every: seconds), now: noon - 90 * day)
    }

    private func answer(me place: Int?, daysAgo: Int64) async throws {
        let names = (1...20).map { (number: Int) in place == number ? "com.me" : "com.x\(number)" }
        try await store.record(Check(query: timer, at: noon - daysAgo * day - 60, outcome: .answered(list(names))))
    }

    private func text(_ request: any ReportRequest.Type, _ arguments: [String] = []) throws -> String {
        let context = try context()
        return try context.zoned { () throws(any Error) in
            try request.parse(arguments).answer(in: context).render(
                as: .table, style: TerminalStyle(colour: false, width: 120))
        }
    }

    @Test func `on the first day it is told when the first verdicts come, eight days with a check in all`() async throws
    {
        try await adopt()
        try await answer(me: 8, daysAgo: 0)
        #expect(try FirstVerdict(in: context())?.day == noon.day + 7)
        for request: any ReportRequest.Type in [
            StandingsRequest.self, MoversRequest.self, DigestRequest.self, OpportunitiesRequest.self,
            VisibilityRequest.self, DistributionRequest.self,
        ] {
            let text = try text(request)
            #expect(text.contains("irst verdicts about "), "\(request): \(text)")
        }
        for request: any ReportRequest.Type in [CompetitorsRequest.self, HistoryRequest.self, TimelineRequest.self] {
            let text = try text(request, ["--app", "com.me"])
            #expect(text.contains("first verdicts about "), "\(request): \(text)")
        }
    }

    @Test func `reports with nothing to judge yet lead to the one that shows where mine stand`() async throws {
        try await adopt()
        try await answer(me: 8, daysAgo: 0)
        for request: any ReportRequest.Type in [MoversRequest.self, DigestRequest.self, OpportunitiesRequest.self] {
            let text = try text(request)
            // Long lines break anywhere between words.
            let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("where mine stand today: rankctl report"), "\(request): \(text)")
        }
    }

    @Test func `the weather has a first verdict of its own, with or without a day to show`() async throws {
        try await adopt()
        try await answer(me: 8, daysAgo: 0)
        let day = DayNames.short(noon.day + Int64(Weather.minimumDays) + 2, today: noon.day)
        #expect(try text(VolatilityRequest.self).contains("The first verdict about a day comes about \(day)."))
    }

    @Test func `what cannot be compared yet says from when on it can`() async throws {
        try await adopt()
        for ago in [0, 1] as [Int64] { try await answer(me: 8, daysAgo: ago) }
        let day = DayNames.short(noon.day - 1 + 30, today: noon.day)
        #expect(
            try text(VisibilityRequest.self).contains(
                "none can be compared with 30 days before yet: the first from about \(day)"))
        let distribution = try text(DistributionRequest.self)
        #expect(distribution.contains("; 30 days can be compared from about \(day)"), "\(distribution)")
    }

    @Test func `two apps are compared since the first check of both, and a trend takes more than a week`() async throws
    {
        try await adopt()
        for ago in 0...3 as ClosedRange<Int64> { try await answer(me: 8, daysAgo: ago) }
        func compared() throws -> String { try text(CompareRequest.self, ["--app", "com.me", "--with", "com.x9"]) }
        #expect(
            try compared().contains(
                "days in this list since \(DayNames.short(noon.day - 3, today: noon.day)): 4 won, 0 lost\n"))
        #expect(try !compared().contains("100%"))
        for ago in 4...7 as ClosedRange<Int64> { try await answer(me: 8, daysAgo: ago) }
        #expect(try compared().contains("; 100% won in the first half, 100% in the second"))
    }

    @Test func `a version from before the history is promised no verdict`() async throws {
        var plan = watchlist([(timer, ["com.me"])], every: day)
        plan.notes = [Note(on: "2026-11-18", bundleID: bundle("com.me"), version: "2.4", text: "")]
        try await store.adopt(plan, now: noon - 90 * day)
        try await answer(me: 8, daysAgo: 2)
        #expect(try !text(ReleaseRequest.self, ["com.me", "2.4"]).contains("first verdicts"))
        for ago in 3...6 as ClosedRange<Int64> { try await answer(me: 8, daysAgo: ago) }
        #expect(try text(ReleaseRequest.self, ["com.me", "2.4"]).contains("first verdicts"))
    }

    @Test func `a query that is new in an old history says when its own verdict comes`() async throws {
        let fresh = query("alarm")
        try await store.adopt(watchlist([(timer, ["com.me"]), (fresh, ["com.me"])], every: day), now: noon - 90 * day)
        for ago in 0...40 as ClosedRange<Int64> { try await answer(me: 8, daysAgo: ago) }
        let names = (1...20).map { $0 == 3 ? "com.me" : "com.x\($0)" }
        try await store.record(Check(query: fresh, at: noon - day, outcome: .answered(list(names))))
        let day = DayNames.short(noon.day + 6, today: noon.day)
        let text = try text(StandingsRequest.self)
        #expect(text.contains("first verdicts about \(day) for 1 query that is new: it takes 8 days"), "\(text)")
        #expect(text.components(separatedBy: "first verdict about \(day)").count == 2, "\(text)")
        let history = try self.text(HistoryRequest.self, ["--app", "com.me", "--query", "timer"])
        #expect(!history.contains("first verdict"), "\(history)")
        let context = try context()
        let json = try StandingsRequest.parse([]).answer(in: context).render(as: .json)
        #expect(json.contains(#""firstVerdicts":null"#))
    }

    @Test func `once a pair can be judged nothing is promised any more`() async throws {
        try await adopt()
        for ago in 0...7 as ClosedRange<Int64> { try await answer(me: 8, daysAgo: ago) }
        #expect(try FirstVerdict(in: context()) == nil)
        #expect(try !text(StandingsRequest.self).contains("first verdicts"))
    }

    @Test func `a query that is asked once a week takes seven weeks`() async throws {
        try await adopt(every: 7 * day)
        try await answer(me: 8, daysAgo: 14)
        #expect(try FirstVerdict(in: context())?.day == noon.day - 14 + 49)
    }

    @Test func `without a check there is no day to name`() async throws {
        try await adopt()
        #expect(try FirstVerdict(in: context()) == nil)
    }

    @Test func `a report of an earlier moment promises nothing`() async throws {
        try await adopt()
        try await answer(me: 8, daysAgo: 1)
        #expect(try !text(StandingsRequest.self, ["--at", "12h"]).contains("first verdicts"))
    }

    @Test func `on the first day the report says whom a place more would take, and who follows`() async throws {
        try await adopt()
        try await answer(me: 8, daysAgo: 0)
        let found = try Standings(
            from: context().reader, withTrend: false, now: noon
        ).neighbours(from: context().reader)
        #expect(found.map { $0.above?.app.bundleID } == [bundle("com.x7")])
        #expect(found.map { $0.below?.app.bundleID } == [bundle("com.x9")])
        #expect(try text(StandingsRequest.self).contains("around mine, by the newest lists"))
    }

    @Test func `of an app that is not in the list the last place is named, of the first none above`() async throws {
        try await adopt()
        try await answer(me: nil, daysAgo: 0)
        func neighbours() throws -> Standings.Neighbours? {
            try Standings(from: context().reader, withTrend: false, now: noon)
                .neighbours(from: context().reader).first
        }
        #expect(try neighbours()?.above?.position == Position(20))
        #expect(try neighbours()?.below == nil)
        try await store.record(
            Check(query: timer, at: noon - 30, outcome: .answered(list(["com.me"] + (2...20).map { "com.x\($0)" }))))
        #expect(try neighbours()?.above == nil)
        #expect(try neighbours()?.below?.position == Position(2))
    }
}
