import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// Apps whose entries have no number of Apple's that could be kept: reports show them by their bundle identifiers.
@Suite struct UnnumberedEntryTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")
    private let wide = TerminalStyle(colour: false, width: 100)

    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        var plan = watchlist([(timer, ["com.me", "com.rival"])], every: day, competitors: ["com.rival"])
        plan.apps[0].competitors = [bundle("com.rival")]
        try await store.adopt(plan, now: start)
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func answer(_ names: [String?], days: Int64, seconds: Int64 = 0) async throws {
        let places = list(names) { AppDetails(name: "App \($0)", developer: "Maker of \($0)") }
        try await store.record(Check(query: timer, at: start + days * day + seconds, outcome: .answered(places)))
    }

    /// Two apps that have a name in turn, the second one from the 20th day on.
    private func share(_ name: String) async throws {
        for (days, number, name) in [
            (1, 1, name), (5, 1, name), (10, 1, "com.moved"), (15, 1, "com.moved"), (20, 2, name), (25, 2, name),
        ] as [(Int64, Int64, String)] {
            let places = list(["com.me"]).places + [SeenApp(id: AppID(number), bundleID: bundle(name))]
            try await store.record(
                Check(query: timer, at: start + days * day, outcome: .answered(ResultList(places: places))))
        }
    }

    // MARK: Results

    @Test func `results show an app that nobody tracks by its bundle id`() async throws {
        try await answer(["com.x", "?com.stranger", "com.me"], days: 0)
        let report = ResultsReport(try Results(on: timer, at: start + day, from: reader, now: start + day))
        #expect(
            report.render(as: .table, style: wide) == """
                timer in us on iPhone · 3 results · 2026-11-01 00:00

                   now  app           developer        bundle id
                    #1  App com.x     Maker of com.x   com.x
                    #2  com.stranger                   com.stranger
                ●   #3  App com.me    Maker of com.me  com.me

                ● mine
                times in UTC; positions in Apple's iTunes Search API; phones can differ

                """)
        #expect(
            report.render(as: .json).contains(
                #"{"position":2,"readable":true,"bundleId":"com.stranger","alias":null,"appId":null,"appName":null,"developer":null,"mark":null,"was":null,"change":null}"#
            ))
        #expect(report.render(as: .csv).contains(",2,true,com.stranger,,,"))
    }

    @Test func `two lists tell what such an app did, and that who is gone may be the new name`() async throws {
        try await answer(["com.me", "?com.stranger", "com.gone", "?com.left"], days: 0)
        try await answer(["?com.stranger", "com.me", "com.new"], days: 1)
        let results = try Results(
            on: timer, at: start + 2 * day, comparedWith: start, from: reader, now: start + 2 * day)
        #expect(!results.isWhole)
        #expect(
            results.rows.map { $0.app?.bundleID.text } == ["com.stranger", "com.me", "com.new", "com.gone", "com.left"])
        #expect(results.rows.map(\.change) == [.places(1), .places(-1), nil, nil, nil])
        #expect(results.rows.map(\.isUnsure) == [false, false, true, true, true])
    }

    @Test func `an app that got its number later is one app in both lists`() async throws {
        try await answer(["com.me", "?com.later"], days: 0)
        try await answer(["com.later", "com.me"], days: 1)
        let results = try Results(
            on: timer, at: start + 2 * day, comparedWith: start, from: reader, now: start + 2 * day)
        #expect(results.rows.map(\.change) == [.places(1), .places(-1)])
        let earlier = try Results(on: timer, at: start, from: reader, now: start + 2 * day)
        #expect(earlier.rows[1].app?.name == "App com.later" && earlier.rows[1].app?.appID != nil)
    }

    @Test func `an entry of which nothing could be read is still nobody's, and nobody has left for it`() async throws {
        try await answer(["com.me", "?com.stranger", "com.gone"], days: 0)
        try await answer(["com.me", "?com.stranger", nil], days: 1)
        let results = try Results(
            on: timer, at: start + 2 * day, comparedWith: start, from: reader, now: start + 2 * day)
        #expect(!results.isWhole && results.rows.last?.isUnsure == true && results.rows.last?.change == nil)
    }

    @Test func `an app without a name is shown by its bundle id, in its row and nowhere as a blank`() async throws {
        for name in ["", " ", "\u{200B}"] {
            let nameless = SeenApp(id: AppID(9), bundleID: bundle("com.nameless"), fingerprint: 9) {
                AppDetails(name: name, developer: name)
            }
            try await store.record(
                Check(
                    query: timer, at: start + Int64(name.unicodeScalars.count) * 60 + 1,
                    outcome: .answered(ResultList(places: list(["com.me"]).places + [nameless]))))
        }
        let results = try Results(on: timer, at: start + day, from: reader, now: start + day)
        #expect(results.rows[1].app?.name == nil && results.rows[1].app?.title == "com.nameless")
        #expect(ResultsReport(results).render(as: .json).contains(#""appName":null,"developer":null"#))
    }

    // MARK: Compare

    @Test func `a list is compared once it is known whose such an entry is, and who is not in it is absent`()
        async throws
    {
        try await answer(["com.me", "com.rival"], days: 0)
        try await answer(["?com.stranger", "com.me"], days: 1)
        func row() throws -> Comparison.Row {
            try #require(
                try Comparison(bundle("com.me"), on: [timer], since: start, from: reader, now: start + day).rows.first)
        }
        // It may be the rival under a new name.
        #expect(try row().checkedAt == start && row().isOutdated)
        try await answer(["com.stranger", "com.me", "com.rival"], days: 2)
        let row = try row()
        #expect(row.checkedAt == start + day && !row.isOutdated)
        #expect(row.positions == [Position(2), nil] && row.changes == [.places(-1), .left])
    }

    @Test func `a competitor that never came with a number stands where its entry says`() async throws {
        try await answer(["com.me", "?com.rival"], days: 0)
        try await answer(["?com.rival", "com.me", nil], days: 1)
        let row = try #require(
            try Comparison(bundle("com.me"), on: [timer], since: start, from: reader, now: start + day).rows.first)
        #expect(row.positions == [Position(2), Position(1)] && row.changes == [.places(-1), .places(1)])
        #expect(row.leader == 1)
    }

    @Test func `a list whose entry may be a competitor's or another app's is not compared with`() async throws {
        try await answer(["?com.rival", "com.me"], days: 0)
        try await share("com.rival")
        let row = try #require(
            try Comparison(bundle("com.me"), on: [timer], since: start, from: reader, now: start + 25 * day).rows.first)
        #expect(row.positions == [Position(1), Position(2)] && row.changes == [])
    }

    // MARK: Competitors

    private func rivals(days: Int64) throws -> Rivals {
        try Rivals(
            of: bundle("com.me"), on: [timer], since: start, candidates: 9, from: reader, now: start + days * day)
    }

    @Test func `such an app counts among those that are met, by its bundle id`() async throws {
        try await answer(["com.me", "?com.stranger", "?com.rival"], days: 0)
        try await answer(["?com.stranger", "com.me", "?com.rival"], days: 1)
        let rows = try rivals(days: 1).rows
        #expect(rows.map(\.app.bundleID.text) == ["com.rival", "com.stranger"])
        #expect((rows[0].seen, rows[0].above, rows[0].best) == (1, 0, Position(3)) && rows[0].isListed)
        #expect((rows[1].seen, rows[1].above, rows[1].best) == (1, 1, Position(1)) && rows[1].app.appID == nil)
        #expect(rows[1].overtook.map(\.position) == [Position(1)] && rows[0].overtook.isEmpty)
    }

    @Test func `one that got its number later overtakes nobody by it`() async throws {
        try await answer(["?com.later", "com.me"], days: 0)
        try await answer(["com.later", "com.me"], days: 1)
        let rows = try rivals(days: 1).rows
        #expect(rows.map(\.app.bundleID.text) == ["com.rival", "com.later"])
        #expect(rows[1].seen == 1 && rows[1].overtook.isEmpty && rows[1].fellBehind.isEmpty)
    }

    @Test func `an entry whose bundle id two apps had is shown in its list and counts as neither`() async throws {
        try await answer(["?com.shared", "com.me"], days: 0)
        try await share("com.shared")
        let results = try Results(on: timer, at: start, from: reader, now: start + 30 * day)
        #expect(results.rows[0].app?.bundleID == bundle("com.shared") && results.rows[0].app?.appID == nil)
        let rows = try rivals(days: 30).rows
        #expect(rows.map(\.app.bundleID.text) == ["com.rival", "com.shared"])
        #expect(rows[1].seen == 1 && rows[1].fellBehind.isEmpty)
    }

    // MARK: The first ten

    @Test func `the first ten have a line of such an app, and a gap where one may be it`() async throws {
        try await answer(["com.me", "?com.stranger", "com.x"], days: 0)
        try await answer(["?com.stranger", "com.me"], days: 1)
        let past = try TopTenPast(on: timer, from: reader, now: start + 2 * day)
        #expect(past.lines.map(\.app.bundleID.text) == ["com.stranger", "com.me"])
        #expect(
            past.lines.map { $0.points.map(\.position) } == [[Position(2), Position(1)], [Position(1), Position(2)]])
        try await answer(["com.x", "?com.stranger"], days: 2)
        let later = try TopTenPast(on: timer, from: reader, now: start + 3 * day)
        #expect(later.lines[0].points.map(\.place)[1] == .gap)
    }

    // MARK: Movers

    @Test func `such an app took a place of mine, and one that may have been there before is not told of`() async throws
    {
        let crowd = (1...20).map { "com.z\($0)" }
        try await answer(["com.me", "?com.below"] + crowd, days: 0)
        try await answer(["?com.above", "?com.below", "com.me"] + crowd, days: 7)
        let (from, to) = (try #require(Position(1)), try #require(Position(3)))
        let row = Movers.Row(
            query: timer, app: ReportedApp(bundleID: bundle("com.me"), name: "Mine", mark: .mine),
            from: Reading(position: from, within: 22, checkedAt: start),
            to: Reading(position: to, within: 23, checkedAt: start + 7 * day),
            judgement: .real(
                LastingMove(from: from, to: to, since: (start + 3 * day).day, strength: 4, weather: .calm)))
        let now = start + 7 * day + 60
        let falls = try Fall.of(Movers(generatedAt: now, since: start, rows: [row], compared: 1), from: reader)
        let passers = try #require(falls.first?.passers)
        // The one above may be what was called otherwise then, and so may have been above before.
        #expect(passers.map(\.app.bundleID.text) == ["com.below"])
        #expect(passers.map(\.was) == [Position(2)])
    }

    @Test func `a list whose entry may be another app's tells of no fall`() async throws {
        try await answer(["?com.rival", "com.me"], days: 0)
        try await share("com.rival")
        var lists = ReadableLists(try reader)
        let rival = try SoughtApp(bundle("com.rival"), reader)
        #expect(try lists.good(on: timer, at: start, tellingOf: [rival]) == nil)
        let later = try lists.good(on: timer, at: start + 25 * day, tellingOf: [rival])
        #expect(later?.place(of: rival).position == Position(2))
    }

    // MARK: Newcomers

    @Test func `who came to stay beside such an app is new, and who had no number before is not`() async throws {
        for days in 0..<7 as Range<Int64> { try await answer(["com.me", "?com.later"], days: days) }
        for days in 7..<10 as Range<Int64> { try await answer(["com.me", "com.later", "com.new"], days: days) }
        func found() throws -> [String] {
            let found = try SettledNewcomer.all(
                on: timer, tops: [10], days: (start + 9 * day).day...(start + 9 * day).day, until: start + 10 * day,
                from: reader)
            return try found.compactMap { try reader.apps([$0.number], namedIn: nil)[$0.number]?.bundleID.text }
        }
        #expect(try found() == ["com.new"])
        // An entry whose name nobody knows may have been anybody's.
        try await answer(["com.me", "?com.later", "?com.stranger"], days: 6, seconds: 60)
        #expect(try found() == [])
    }

    // MARK: By itself

    @Test func `an app that is no longer tracked is led to, though it never had a number`() async throws {
        var plan = watchlist([(timer, ["com.me", "com.gone"])], every: day)
        try await store.adopt(plan, now: start)
        try await answer(["com.me", "?com.gone", "?com.stranger"], days: 0)
        plan.queries[0].pairs.removeLast()
        plan.apps.removeLast()
        try await store.adopt(plan, now: start + day)
        let results = try Results(on: timer, at: start + day, from: reader, now: start + day)
        #expect(results.rows.map { $0.app?.isNameOnly } == [false, false, true])
        #expect(ResultsReport(results).document.apps == [bundle("com.me"), bundle("com.gone")])
    }

    @Test func `a report about such an app says why there is none, and not that it was never seen`() async throws {
        try await answer(["com.me", "?com.Stranger"], days: 1)
        let context = try ReportContext(reader, now: start + 2 * day, zone: .gmt)
        #expect(throws: ReportRefusal.noNumber(bundle("com.stranger"))) { try context.knownApp("com.stranger") }
        #expect(throws: ReportRefusal.noApp("com.nobody", near: [], isMore: false)) {
            try context.knownApp("com.nobody")
        }
        let earlier = try ReportContext(reader.asOf(start), now: start + 2 * day, zone: .gmt)
        #expect(throws: ReportRefusal.noApp("com.stranger", near: [], isMore: false)) {
            try earlier.knownApp("com.stranger")
        }
    }
}
