import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct MoversTests {
    private func row(
        _ text: String, from: Int?, to: Int?, mine: Bool = true, judgement: MoveJudgement? = nil
    ) throws -> Movers.Row {
        Movers.Row(
            query: query(text),
            app: ReportedApp(
                bundleID: bundle(mine ? "com.me" : "com.rival"), name: mine ? "Mine" : "Rival",
                mark: mine ? .mine : .competitor),
            mine: mine, from: reading(from, secondsAgo: 7 * day), to: reading(to),
            judgement: try judgement ?? real(from, to))
    }

    private func real(_ from: Int?, _ to: Int?, weather: Weather.State? = .calm) throws -> MoveJudgement {
        let since = noon.day - 3
        switch (from.flatMap(Position.init), to.flatMap(Position.init)) {
        case (let from?, let to?):
            return .real(LastingMove(from: from, to: to, since: since, strength: 4.127, weather: weather))
        case (nil, let to?): return .entered(at: to, since: since)
        case (let from?, nil): return .left(from: from, since: since)
        case (nil, nil): return .withinNoise
        }
    }

    private func movers(_ rows: [Movers.Row]) -> Movers {
        let mine = max(rows.count(where: \.mine), 1)
        return Movers(
            generatedAt: noon, since: noon - 7 * day, rows: rows, compared: max(rows.count, 1),
            mine: Movers.Scope(pairs: mine, compared: mine))
    }

    private func text(_ movers: Movers, all: Bool = false, width: Int = 100) -> String {
        MoversReport(movers, options: .init(all: all))
            .render(as: .table, style: TerminalStyle(colour: false, width: width))
    }

    @Test func `a place nearer the top counts for more, and mine come first`() throws {
        // log2(7 / 10) = 0.51, log2(55 / 75) = 0.45, log2(155 / 205) = 0.40.
        let sorted = movers([
            try row("far", from: 150, to: 200), try row("rival", from: 100, to: 1, mine: false),
            try row("middle", from: 70, to: 50), try row("top", from: 2, to: 5),
        ])
        #expect(sorted.rows.map(\.query.text) == ["top", "middle", "far", "rival"])
    }

    @Test func `ties stay in the watchlist's order, and entries are by their place`() throws {
        let sorted = movers([
            try row("deep", from: nil, to: 90), try row("b", from: 5, to: 2), try row("a", from: 2, to: 5),
            try row("high", from: nil, to: 9),
        ])
        #expect(sorted.rows.map(\.query.text) == ["b", "a", "high", "deep"])
    }

    @Test func `where there are several apps each row says whose it is, however narrow`() throws {
        func named(_ name: String, _ alias: String, _ row: Movers.Row) -> Movers.Row {
            var row = row
            row.app = ReportedApp(bundleID: bundle("com.\(alias)"), name: name, alias: alias, mark: .mine)
            return row
        }
        let found = movers([
            named("Daylight: Habit Tracker", "daylight", try row("habit tracker", from: 24, to: 12)),
            named("Pomelo – Focus Timer", "pomelo", try row("study timer", from: 112, to: 64)),
        ])
        #expect(text(found).contains("  Daylight: Habit Tracker  "))
        for width in [50, 60, 80] {
            let shown = lines(text(found, width: width)).filter { $0.hasPrefix("  ● ") }
            #expect(shown.count == 2 && shown[0].contains(" daylight ") && shown[1].contains(" pomelo "), "\(shown)")
        }
    }

    @Test func `only mine, and only what is beyond noise, is counted`() throws {
        let movers = movers([
            try row("a", from: 20, to: 5), try row("b", from: 5, to: 20), try row("c", from: nil, to: 20),
            try row("d", from: 20, to: nil), try row("e", from: 20, to: 19, judgement: .withinNoise),
            try row("f", from: 20, to: 1, mine: false), try row("g", from: 9, to: 30, judgement: .notJudged(.history)),
        ])
        let summary = movers.summary
        #expect((summary.up, summary.down, summary.entered, summary.left) == (1, 1, 1, 1))
        #expect((movers.wobbles, summary.steady, summary.notJudged) == (1, 1, 1))
    }

    @Test func `moves, entries and exits stand apart, mine and competitors too`() throws {
        let found = movers([
            try row("habit tracker", from: 24, to: 12), try row("streaks", from: nil, to: 80),
            try row("mood", from: 60, to: nil), try row("noise", from: 30, to: 33, judgement: .withinNoise),
            try row("habit tracker", from: 9, to: 4, mine: false, judgement: try real(9, 4, weather: .stormy)),
        ])
        #expect(
            text(found) == """
                mine: 1 up, 1 entered, 1 left, 1 steady · 2026-11-13 12:00 to 2026-11-20 12:00 UTC

                left the list
                     query  in  on      usually       change   now  since
                  ●  mood   us  iPhone  #60 → absent   ▼ out  >180  17 Nov

                rose or entered the list
                     query          in  on      usually       change  now  since
                  ●  streaks        us  iPhone  absent → #80   ▲ new  #80  17 Nov
                  ●  habit tracker  us  iPhone  #24 → #12        ▲12  #12  17 Nov

                competitors that rose
                     query          in  on      app    usually  change  now  since
                  ●  habit tracker  us  iPhone  Rival  #9 → #4      ▲5   #4  17 Nov ≈

                change: from the usual place before to the usual place since
                1 other change of place hidden: show them with --all
                ● confirmed: it moved and stayed; ≈ a shuffled day
                the biggest moves come first, and places near the top count for more
                positions in Apple's iTunes Search API; phones can differ

                """)
        #expect(text(found, all: true).contains("noise  us  iPhone  #30  #33          ▼3"))
    }

    @Test func `losses come first, the biggest on top, each with a line about who passed it`() throws {
        var rows = [
            try row("rise", from: 90, to: 4), try row("out", from: 20, to: nil), try row("fall", from: 9, to: 12),
        ]
        rows.append(try row("drift", from: 11, to: 12, judgement: .withinNoise))
        rows[3].monthMove = .real(
            LastingMove(
                from: try #require(Position(5)), to: try #require(Position(12)), since: noon.day - 20, strength: 4,
                isSlow: true, weather: nil))
        let passer = Fall.Passer(
            app: ReportedApp(bundleID: bundle("com.rival"), name: "Rival", mark: .competitor), was: Position(30),
            position: try #require(Position(7)))
        let fall = Fall(
            query: query("fall"), app: rows[2].app, was: rows[2].from, now: rows[2].to,
            passers: Array(repeating: passer, count: 9))
        let text = MoversReport(movers(rows), falls: [fall])
            .render(as: .table, style: TerminalStyle(colour: false, width: 80))
        #expect(
            text.contains(
                """

                fell or left the list
                     query  in  on      usually       change   now  since
                  ●  out    us  iPhone  #20 → absent   ▼ out  >180  17 Nov
                  ~  drift  us  iPhone  #5 → #12          ▼7   #12  30 days
                  ●  fall   us  iPhone  #9 → #12          ▼3   #12  17 Nov
                    unclear: too little is known
                    passed by Rival (competitor) and 8 more, between 13 and 20 Nov

                rose

                """), "\(text)")
    }

    @Test func `of many losses five are told, with how to see the rest`() throws {
        let many = movers(try (1...11).map { try row("q\($0)", from: 5, to: 20 + $0) })
        #expect(text(many).contains("\nand 6 more: show them with --all\n") && !text(many).contains("  q1  "))
        #expect(text(many, all: true).contains("  q1  ") && !text(many, all: true).contains(" more: "))
    }

    @Test func `who came and went between the two moments neither entered nor left`() throws {
        let place = try #require(Position(49))
        let movers = movers([
            try row("gone", from: nil, to: nil, judgement: .left(from: place, since: noon.day - 3)),
            try row("back", from: 48, to: 49, judgement: .entered(at: place, since: noon.day - 3)),
            try row("left", from: 49, to: nil),
        ])
        var expected = MoveCounts()
        (expected.left, expected.cameAndWent, expected.returned) = (1, 1, 1)
        #expect(movers.summary == expected)
        let text = text(movers)
        #expect(text.hasPrefix("mine: 1 left, 1 came and went, 1 left and came back · "))
        #expect(text.contains("came and went, or left and came back"))
        #expect(text.ranges(of: "▼ out").count == 1 && !text.contains("▲ new"))
        #expect(text.contains("raw change"))
    }

    @Test func `an absence from a list that was too short to show the place is no change`() throws {
        func reading(_ position: Int?, of within: Int) -> Reading {
            Reading(position: position.flatMap { Position($0) }, within: within, checkedAt: noon)
        }
        #expect(Standings.Change(from: reading(70, of: 180), to: reading(nil, of: 60)) == nil)
        #expect(Standings.Change(from: reading(nil, of: 60), to: reading(70, of: 180)) == nil)
        #expect(Standings.Change(from: reading(60, of: 180), to: reading(nil, of: 60)) == .left)
        #expect(Standings.Change(from: reading(nil, of: 60), to: reading(60, of: 180)) == .entered)
        var row = try row("short", from: 70, to: nil, judgement: .withinNoise)
        row.to.within = 60
        let text = text(movers([row]), all: true)
        #expect(text.contains("one list is too short to show the place") && !text.contains("out"))
    }

    @Test func `a spike on the last day does not turn a rise into a fall`() throws {
        let found = movers([try row("a", from: 13, to: 14, judgement: try real(25, 11, weather: .calm))])
        // Between the readings, and between the usual places.
        #expect(MoversReport(found).render(as: .json).contains(#""change":-1,"usualChange":14,"#))
        #expect(found.rows[0].usualChange == .places(14))
        #expect((found.summary.up, found.summary.down) == (1, 0))
        #expect(text(found).contains("#25 → #11     ▲14  #14"))
    }

    @Test func `a day is too short to tell a move from noise, and no report says that it told`() {
        let found = Movers(generatedAt: noon, since: noon - day, rows: [], compared: 3)
        #expect(text(found).hasPrefix("mine: too short a time to judge: a move shows after 3 days or more"))
    }

    @Test func `too little history is not called noise`() throws {
        let found = movers([try row("a", from: 9, to: 30, judgement: .notJudged(.history))])
        #expect(text(found).hasPrefix("mine: 1 with too little history to judge · "))
        #expect(text(movers([])).hasPrefix("mine: 1 steady · "))
    }

    @Test func `each pair of mine counts once, and the counts add up to them`() throws {
        let still = try row("a", from: 30, to: 33, judgement: .withinNoise)
        #expect(text(movers([still, still])).hasPrefix("mine: 2 steady · "))
        let young = try row("b", from: 9, to: 30, judgement: .notJudged(.history))
        #expect(text(movers([still, young])).hasPrefix("mine: 1 steady, 1 with too little history to judge · "))
        let found = Movers(
            generatedAt: noon, since: noon - 7 * day, rows: [still, try row("c", from: 24, to: 12)], compared: 5,
            mine: Movers.Scope(pairs: 7, compared: 5))
        #expect(text(found).hasPrefix("mine: 1 up, 4 steady; 2 without a good check at both moments · "))
    }

    @Test func `a competitor's rise is not good news`() throws {
        let rival = movers([try row("a", from: 9, to: 4, mine: false)])
        let coloured = MoversReport(rival).render(as: .table, style: TerminalStyle(colour: true, width: 100))
        #expect(!coloured.contains("38;5;28m") && !coloured.contains("38;5;161m"))
        let mine = movers([try row("a", from: 9, to: 4)])
        #expect(
            MoversReport(mine).render(as: .table, style: TerminalStyle(colour: true, width: 100))
                .contains("\u{1B}[38;5;28m●"))
    }

    @Test func `no line is wider than the terminal`() throws {
        let found = movers([try row("habit tracker", from: 24, to: 12), try row("habit", from: 9, to: 4, mine: false)])
        for width in 20...140 {
            for line in lines(text(found, width: width)) {
                #expect(TerminalText.width(line) <= width && !line.hasSuffix(" "), "\(width): \(line)")
            }
        }
    }

    @Test func `data has the noise whatever is shown`() throws {
        let found = movers([
            try row("a", from: 24, to: 12), try row("b", from: 30, to: 33, judgement: .withinNoise),
            try row("c", from: nil, to: 33), try row("d", from: 33, to: nil),
            try row("e", from: 3, to: 4, judgement: .notJudged(.history)),
        ])
        let json = MoversReport(found).render(as: .json)
        #expect(json == MoversReport(found, options: .init(all: true)).render(as: .json))
        try expectConforms(json, to: "movers")
        #expect(json.contains(#""judgement":{"verdict":"real","from":24,"to":12,"since":"2026-11-17","strength":4.13"#))
        let csv = MoversReport(found).render(as: .csv)
        #expect(lines(csv.replacing("\r\n", with: "\n")).count == 7)
        #expect(csv.contains(",12,real,24,12,2026-11-17,4.13,calm,,12,,,4.13\r\n"))
        #expect(csv.contains(",not-judged,,,,,,history,,,,\r\n"))
    }

    // MARK: From a history

    @Test func `an empty history has no movers and says so`() throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        let found = try Movers(from: HistoryReader(path: store.path), now: noon)
        #expect((found.rows.count, found.compared) == (0, 0))
        let report = MoversReport(found)
        #expect(report.render(as: .table).hasPrefix("No tracked pair to report. Add one with"))
        try expectConforms(report.render(as: .json), to: "movers")
    }

    @Test func `of a time before the first check it is said when that was`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist([(query("timer"), ["com.me"])]), now: noon - 20 * day)
        try await store.record(
            Check(query: query("timer"), at: noon - 3 * day, outcome: .answered(list(["com.me"]))))
        let found = try Movers(from: HistoryReader(path: store.path), since: noon - 90 * day, now: noon)
        #expect(
            MoversReport(found).render(as: .table).hasPrefix(
                "there is no check from before 2026-08-22 12:00 UTC: the first one was on 2026-11-17. Choose a later --since"
            ))
    }

    @Test func `pairs are compared by their last good checks, failed ones never count`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        let (moved, one, failing) = (query("moved"), query("one check"), query("failing"))
        let pairs = [moved, one, failing].map { ($0, ["com.me", "com.rival"]) }
        try await store.adopt(watchlist(pairs, competitors: ["com.rival"]), now: noon - 20 * day)
        func answer(_ query: Query, _ names: [String], daysAgo: Int64) async throws {
            try await store.record(
                Check(query: query, at: noon - daysAgo * day - 60, outcome: .answered(list(names))))
        }
        let early = MoversReport(try Movers(from: HistoryReader(path: store.path), now: noon))
        #expect(early.render(as: .table).hasPrefix("no pair has a good check at both 2026-11-13 12:00 and"))
        try await answer(moved, ["com.me", "com.rival", "x"], daysAgo: 7)
        try await answer(moved, ["x", "y", "com.me"], daysAgo: 0)
        try await answer(one, ["com.me"], daysAgo: 0)
        try await answer(failing, ["com.me"], daysAgo: 7)
        try await store.record(Check(query: failing, at: noon - 60, outcome: .failed(Failure(.timedOut))))
        let reader = try HistoryReader(path: store.path)
        let found = try Movers(from: reader, now: noon)
        #expect(found.compared == 2)
        #expect(found.rows.map(\.app.bundleID) == [bundle("com.me"), bundle("com.rival")])
        #expect(found.rows.map(\.change) == [.places(-2), .left])
        #expect(found.rows.allSatisfy { $0.judgement == .notJudged(.history) })
        // The same moments, asked about a week later.
        let later = try Movers(from: reader, since: noon - 7 * day, until: noon, now: noon + 7 * day)
        #expect(later.rows.map(\.change) == found.rows.map(\.change))
        #expect(try Movers(from: reader, now: noon + 7 * day).compared == 0)
        #expect(try Movers(from: reader, filter: PairFilter(apps: ["com.rival"]), now: noon).rows.count == 1)
    }
}
