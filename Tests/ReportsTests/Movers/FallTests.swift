import ArgumentParser
import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// Who took my place, from the lists at both ends.
@Suite struct FallTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func adopt() async throws {
        try await store.adopt(
            watchlist([(timer, ["com.me", "com.rival"])], every: day, competitors: ["com.rival"]),
            now: noon - 90 * day)
    }

    /// 50 apps, those that are named in their places; `nil` for one whose entry cannot be read.
    private func answer(_ places: [String: Int], unreadable: Int? = nil, daysAgo: Int64) async throws {
        var names: [String?] = (1...50).map { "com.x\($0)" }
        for (name, place) in places { names[place - 1] = name }
        if let unreadable { names[unreadable - 1] = nil }
        try await store.record(
            Check(query: timer, at: noon - daysAgo * day - 60, outcome: .answered(list(names))))
    }

    private func row(_ from: Int?, _ to: Int?, _ judgement: MoveJudgement, month: LastingMove? = nil) -> Movers.Row {
        Movers.Row(
            query: timer, app: ReportedApp(bundleID: bundle("com.me"), name: "Mine", mark: .mine),
            from: reading(from, within: 50, secondsAgo: 7 * day + 60), to: reading(to, within: 50, secondsAgo: 60),
            judgement: judgement, monthMove: month.map { .real($0) })
    }

    private func move(_ from: Int, _ to: Int) throws -> LastingMove {
        LastingMove(
            from: try #require(Position(from)), to: try #require(Position(to)), since: noon.day - 3, strength: 4,
            weather: .calm)
    }

    private func falls(_ rows: Movers.Row...) throws -> [Fall] {
        try Fall.of(Movers(generatedAt: noon, since: noon - 7 * day, rows: rows, compared: rows.count), from: reader)
    }

    private func words(_ fall: Fall?) -> [String]? {
        fall?.passers?.map { "\($0.app.bundleID) \($0.was?.description ?? "absent") \($0.position)" }
    }

    @Test func `whoever stood below or nowhere and stands above now has passed, competitors first`() async throws {
        try await adopt()
        try await answer(["com.me": 12, "com.rival": 20, "com.above": 3], daysAgo: 7)
        try await answer(["com.me": 30, "com.rival": 10, "com.above": 29, "com.new": 5, "com.below": 31], daysAgo: 0)
        let falls = try falls(row(12, 30, .real(try move(12, 30))))
        // Whoever rose comes before whoever only stayed.
        #expect(
            words(falls.first)?.prefix(6) == [
                "com.rival #20 #10", "com.x3 absent #3", "com.new absent #5", "com.x12 absent #12",
                "com.x20 absent #20", "com.x13 #13 #13",
            ])
        // One was above before, another is below now.
        let passers = Set(try #require(falls.first?.passers).map(\.app.bundleID.text))
        #expect(passers.count == 20 && passers.isDisjoint(with: ["com.above", "com.below", "com.me", "com.x1"]))
        #expect(falls.first?.passers?.first?.app.mark == .competitor)
    }

    @Test func `whoever left was passed by all that stand in the list and stood below`() async throws {
        try await adopt()
        try await answer(["com.me": 48, "com.rival": 49], daysAgo: 7)
        try await answer(["com.rival": 2], daysAgo: 0)
        let falls = try falls(
            row(48, nil, .left(from: try #require(Position(48)), since: noon.day - 3)))
        #expect(
            words(falls.first) == ["com.rival #49 #2", "com.x48 absent #48", "com.x49 absent #49", "com.x50 #50 #50"])
    }

    @Test func `a spike at either end is not compared, but the newest list with the usual place`() async throws {
        try await adopt()
        // The fall was three days ago; a spike on the day before it, and one today.
        for ago in [9, 8, 7, 6, 5] as [Int64] { try await answer(["com.me": 12, "com.rival": 20], daysAgo: ago) }
        try await answer(["com.me": 45, "com.rival": 20], daysAgo: 4)
        for ago in [3, 2, 1] as [Int64] { try await answer(["com.me": 30, "com.rival": 10], daysAgo: ago) }
        try await answer(["com.me": 3, "com.rival": 10], daysAgo: 0)
        let fall = try #require(try falls(row(45, 3, .real(try move(12, 30)))).first)
        #expect((fall.was.position?.number, fall.now.position?.number) == (12, 30))
        #expect((fall.was.checkedAt, fall.now.checkedAt) == (noon - 5 * day - 60, noon - day - 60))
        #expect(words(fall)?.first == "com.rival #20 #10")
        let movers = Movers(
            generatedAt: noon, since: noon - 7 * day, rows: [row(45, 3, .real(try move(12, 30)))], compared: 1)
        let text = MoversReport(movers, falls: [fall])
            .render(as: .table, style: TerminalStyle(colour: false, width: 120))
        #expect(text.contains("passed by com.rival (competitor), "), "\(text)")
    }

    @Test func `of what left, the later list is one without it`() async throws {
        try await adopt()
        for ago in [6, 5, 4] as [Int64] { try await answer(["com.me": 40, "com.rival": 45], daysAgo: ago) }
        for ago in [3, 2, 1] as [Int64] { try await answer(["com.rival": 12], daysAgo: ago) }
        try await answer(["com.me": 41, "com.rival": 42], daysAgo: 0)
        let left = MoveJudgement.left(from: try #require(Position(40)), since: noon.day - 3)
        let fall = try #require(try falls(row(40, 41, left)).first)
        #expect(fall.now.position == nil && fall.now.checkedAt == noon - day - 60)
        #expect(words(fall)?.first == "com.rival #45 #12")
    }

    @Test func `of several checks of a day the last counts, and of the days before a fall the last seven`() async throws
    {
        try await adopt()
        // Its usual place, too long ago to be compared with.
        try await answer(["com.me": 12, "com.rival": 20], daysAgo: 11)
        for ago in (4...10).reversed() as [Int64] { try await answer(["com.me": 13, "com.rival": 21], daysAgo: ago) }
        try await store.record(
            Check(query: timer, at: noon - 4 * day - 3_600, outcome: .answered(list(["com.rival", "com.me"]))))
        for ago in [3, 2, 1, 0] as [Int64] { try await answer(["com.me": 30, "com.rival": 10], daysAgo: ago) }
        let fall = try #require(try falls(row(13, 30, .real(try move(12, 30)))).first)
        #expect(fall.was.position?.number == 13 && fall.was.checkedAt == noon - 4 * day - 60)
    }

    @Test func `a slow fall is told from a month ago, a rise and noise are not`() async throws {
        try await adopt()
        try await answer(["com.me": 5, "com.rival": 9], daysAgo: 31)
        try await answer(["com.me": 8, "com.rival": 7], daysAgo: 7)
        try await answer(["com.me": 9, "com.rival": 4], daysAgo: 0)
        let slow = try falls(row(8, 9, .withinNoise, month: try move(5, 9)))
        #expect((slow.first?.was.position?.number, slow.first?.now.position?.number) == (5, 9))
        #expect(words(slow.first)?.first == "com.rival #9 #4")
        #expect(
            try falls(
                row(30, 12, .real(try move(30, 12))), row(8, 9, .withinNoise),
                row(8, 7, .withinNoise, month: try move(9, 5))
            ).isEmpty)
    }

    @Test func `of an app that an unreadable place may have been nothing is said`() async throws {
        try await adopt()
        try await answer(["com.me": 12, "com.rival": 20], unreadable: 40, daysAgo: 7)
        try await answer(["com.me": 30, "com.rival": 10, "com.new": 5], daysAgo: 0)
        #expect(try words(falls(row(12, 30, .real(try move(12, 30)))).first)?.first == "com.rival #20 #10")
        #expect(
            try words(falls(row(12, 30, .real(try move(12, 30)))).first)?.contains { $0.contains("absent") } == false)
    }

    @Test func `where a list is not kept it is not said that nobody passed`() async throws {
        try await adopt()
        try await answer(["com.me": 30], daysAgo: 0)
        let falls = try falls(row(12, 30, .real(try move(12, 30))))
        #expect(falls.count == 1 && falls.first?.passers == nil)
        let movers = Movers(
            generatedAt: noon, since: noon - 7 * day, rows: [row(12, 30, .real(try move(12, 30)))], compared: 1)
        let report = MoversReport(movers, falls: falls)
        #expect(
            report.render(as: .table).contains(
                "who passed it is not known: a list of these days is damaged or no longer kept"))
        let json = report.render(as: .json)
        try expectConforms(json, to: "movers")
        #expect(json.contains(#""passedBy":null,"passers":[]"#))
    }

    @Test func `below a fall stand whose doing it likely was, and who passed it`() async throws {
        try await adopt()
        for ago in (0..<48 as Range<Int64>).reversed() {
            let mine = ago < 4 ? 30 : ago % 8 == 3 ? 13 : 12
            try await answer(
                ["com.me": mine, "com.rival": ago < 4 ? 10 : 20, "com.new": ago < 4 ? 5 : 45], daysAgo: ago)
        }
        let request = try MoversRequest.parse([])
        let report = try request.answer(in: try ReportContext(reader, now: noon, zone: .gmt))
        let text = report.render(as: .table, style: TerminalStyle(colour: false, width: 120))
        #expect(
            text.contains(
                """
                  ●  timer  us  iPhone  #12 → #30     ▼18  #30  17 Nov
                    likely its own: 3 of 49 others among the first 50 fell as far
                    passed by com.rival (competitor), com.new, com.x12 and 17 more, between 16 and 20 Nov

                """), "\(text)")
        let json = report.render(as: .json)
        try expectConforms(json, to: "movers")
        #expect(json.contains(#""passedBy":20,"passers":[{"bundleId":"com.rival","#))
    }
}
