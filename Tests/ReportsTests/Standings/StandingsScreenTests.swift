import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// What `rankctl report` shows of many pairs: what deserves two minutes.
@Suite struct StandingsScreenTests {
    private func render(
        _ standings: Standings, all: Bool = false, competitors: Bool = false, width: Int = 100
    ) -> String {
        StandingsReport(standings, options: .init(competitors: competitors, all: all))
            .render(as: .table, style: TerminalStyle(colour: false, width: width))
    }

    private func real(_ from: Int, _ to: Int, daysAgo: Int64) throws -> MoveJudgement {
        .real(
            LastingMove(
                from: try #require(Position(from)), to: try #require(Position(to)), since: noon.day - daysAgo,
                strength: 4.2, weather: daysAgo == 4 ? .stormy : .calm))
    }

    /// 60 pairs of mine in two apps, within their noise but for three, two of them failed, and a competitor.
    private func many() throws -> Standings {
        var rows = try (1...60).map { index in
            var pair = try row(
                "query \(index)", bundleID: index <= 40 ? "com.me.habits" : "com.me.mood", position: index)
            pair.appName = index <= 40 ? "Habits" : "Moods"
            pair.judgement = .withinNoise
            pair.change1d = .places(index % 3 - 1)
            pair.difficulty = QueryDifficulty(
                at: noon, medianRatings: 1_000 * Double(index), withWords: index % 10, named: 10)
            pair.ratingCount = 340
            return pair
        }
        rows[1].judgement = try real(24, 2, daysAgo: 2)
        rows[44].judgement = try real(12, 45, daysAgo: 4)
        rows[50].judgement = .entered(at: try #require(Position(51)), since: noon.day - 1)
        rows[5].judgement = .unconfirmed(
            LastingMove(
                from: try #require(Position(9)), to: try #require(Position(6)), since: noon.day, strength: 3,
                weather: nil))
        rows[9] = row(rows[9], became: .failed(.check(.timedOut)))
        rows[10] = row(rows[10], became: .suspect(.collapsed))
        var rival = try row("query 1", bundleID: "com.x.rival", mine: false, position: 2)
        rival.judgement = try real(30, 2, daysAgo: 1)
        rows.append(rival)
        var standings = Standings(generatedAt: noon, rows: rows)
        standings.remarks = [
            StoreRemark(
                kind: .shuffled, countries: [try country("us")], days: [noon.day - 4],
                text: "the US store shuffled on 16 Nov")
        ]
        return standings
    }

    @Test func `one screen has the summary, the real moves, the failures and the first pairs`() throws {
        let text = render(try many())
        #expect(
            text.hasPrefix(
                """
                mine: 1 up, 1 down, 1 entered, 1 likely, 56 steady; 1 failed, 1 suspect · since 13 Nov
                the US store shuffled on 16 Nov

                4 moves since 13 Nov
                     query     in  on      app     usually       change  now  since
                  ?  query 6   us  iPhone  Habits  #9 → #6           ▲3   #6  20 Nov
                  ●  query 51  us  iPhone  Moods   absent → #51   ▲ new  #51  19 Nov
                  ●  query 2   us  iPhone  Habits  #24 → #2         ▲22   #2  18 Nov
                  ●  query 45  us  iPhone  Moods   #12 → #45        ▼33  #45  16 Nov ≈

                2 pairs without a good newest check
                """), "\(text)")
        #expect(text.contains("failed 1h ago: no complete answer in time"))
        #expect(lines(text).count <= 43, "\(lines(text).count)\n\(text)")
        #expect(lines(text).count >= 34)
        #expect(text.contains(" more: --all\n"))
        #expect(
            text.contains(
                "● confirmed: it moved and stayed; ? likely: the next checks will confirm it or not; ≈ a shuffled day\n"
            ))
    }

    @Test func `the first screen leaves out no app for the rows of another`() throws {
        var three = try many()
        for index in 55..<60 {
            three.rows[index].bundleID = bundle("com.me.timer")
            three.rows[index].appName = "Timers"
        }
        let text = render(three)
        for name in ["Habits", "Moods", "Timers"] {
            #expect(lines(text).contains { $0.hasPrefix("\(name) · com.me.") }, "\(name) is not in\n\(text)")
        }
        #expect(lines(text).count <= 43, "\(text)")
    }

    @Test func `where there are more apps than fit, it is told how many are left out`() throws {
        var standings = try many()
        for index in standings.rows.indices {
            standings.rows[index].bundleID = bundle("com.me.app\(index / 3)")
            standings.rows[index].appName = "App \(index / 3)"
        }
        let text = render(standings)
        let shown = lines(text).count { $0.hasPrefix("App ") }
        #expect(text.contains(", also of \(20 - shown) apps that are not shown: --all\n"), "\(text)")
        #expect(lines(text).count <= 46, "\(text)")
    }

    @Test func `with several apps a move is told with its app, though the others did not move`() throws {
        var few = try many()
        few.rows = [few.rows[1], few.rows[3], few.rows[50]]
        few.rows[2].judgement = .withinNoise
        #expect(lines(render(few)).contains { $0.hasPrefix("  ●  query 2  us  iPhone  Habits  #24 → #2") })
        few.rows.removeLast()
        #expect(lines(render(few)).contains { $0.hasPrefix("  ●  query 2  us  iPhone  #24 → #2") })
    }

    @Test func `all shows every pair, competitors too`() throws {
        let text = render(try many(), all: true)
        #expect(!text.contains("--all") && !text.contains("--competitors"))
        for index in 1...60 { #expect(text.contains("\n  query \(index) ")) }
        #expect(text.contains("com.x.rival"))
    }

    @Test func `what fits a screen is shown whole, without being asked`() throws {
        var few = try many()
        few.rows = Array(few.rows.prefix(15))
        let text = render(few)
        #expect(!text.contains("--all") && !text.contains("without a good newest check"))
        #expect(text.contains("\n  query 15 "))
    }

    @Test func `a mark says what is beyond noise, and what may be`() throws {
        var few = try many()
        few.rows = Array(few.rows.prefix(6))
        let shown = lines(render(few)).filter { $0.hasPrefix("  query ") }
        #expect(shown[2].contains(" #2  ●  "), "\(shown)")
        #expect(shown[6].contains(" #6  ?  "))
        #expect(!shown[3].contains("●"))
    }

    @Test func `only the marks that occur are explained`() throws {
        let rows = try many().rows
        func marks(_ rows: [Standings.Row]) -> [String] {
            lines(render(Standings(generatedAt: noon, rows: rows))).filter {
                $0.hasPrefix("●") || $0.hasPrefix("?")
            }
        }
        #expect(marks([rows[1], rows[2]]) == ["● confirmed: it moved and stayed"])
        #expect(marks([rows[5]]) == ["? likely: the next checks will confirm it or not"])
        #expect(marks([rows[2]]).isEmpty)
    }

    @Test func `the query outlives what is told of its top ten, and the legend goes with that`() throws {
        var one = try many()
        one.rows = [one.rows[33]]
        one.rows[0].question = Query(
            text: "habit tracker and planner", country: one.rows[0].country, platform: one.rows[0].platform)
        one.rows[0].change7d = .places(2)
        one.rows[0].change30d = .places(3)
        #expect(lines(render(one)).contains { $0.contains("top 10: the median number of") })
        let narrow = render(one, width: 60)
        #expect(narrow.contains("  habit tracker and planner  us"))
        #expect(!narrow.contains("top 10:") && !narrow.contains("ratings"))
        #expect(lines(narrow).contains { $0.hasPrefix("no room in 60 columns for: ") && $0.contains("top 10") })
    }

    @Test func `how hard a query is stands beside it`() throws {
        var one = try many()
        one.rows = [one.rows[33]]
        let text = render(one, width: 140)
        #expect(lines(text).contains { $0.contains(" top 10  own  named") })
        #expect(lines(text).contains { $0.contains("    34k  340   4/10") }, "\(text)")
        one.rows[0].difficulty = QueryDifficulty(at: noon, medianRatings: nil, withWords: nil, named: 3)
        #expect(lines(render(one, width: 140)).contains { $0.contains("      –  340      –") })
    }

    @Test func `competitors' real moves are neither told nor coloured as news`() throws {
        var one = try many()
        one.rows = [try #require(one.rows.last)]
        #expect(!render(one, competitors: true).contains("moved beyond their own"))
        let coloured = StandingsReport(one, options: .init(competitors: true))
            .render(as: .table, style: TerminalStyle(colour: true, width: 100))
        #expect(coloured.contains("●") && !coloured.contains("38;5;28m"))
    }

    @Test func `nothing beyond noise is said, and so is too little history`() throws {
        var one = try row()
        one.judgement = .withinNoise
        #expect(
            render(Standings(generatedAt: noon, rows: [one]))
                .hasPrefix("mine: 1 steady · since 13 Nov\n"))
        one.judgement = .notJudged(.history)
        #expect(
            render(Standings(generatedAt: noon, rows: [one]))
                .contains("too little history yet to tell moves from wobble\n"))
    }

    @Test func `another moment and another comparison are named`() throws {
        let then = Standings(generatedAt: noon, since: noon - 9 * day, until: noon - 2 * day, rows: [try row()])
        #expect(then.newsDays == noon.day - 9...noon.day - 2)
        #expect(render(then).hasPrefix("as of 2026-11-18 12:00 UTC\nmine: 1 pair"))
        var moved = then
        moved.rows[0].lastGood?.checkedAt = noon - 2 * day
        moved.rows[0].changeSince = .places(4)
        moved.rows[0].change1d = .places(-1)
        #expect(render(moved).contains("\nmine: 1 up · since 2026-11-11 12:00 UTC\n"))
    }

    @Test func `no line is wider than the terminal or ends in a space`() throws {
        for width in 20...220 {
            for line in lines(render(try many(), all: true, width: width)) + lines(render(try many(), width: width)) {
                #expect(TerminalText.width(line) <= width && !line.hasSuffix(" "), "\(width): \(line)")
            }
        }
    }

    @Test func `data is the same whatever is shown, and as documented`() throws {
        let standings = try many()
        let whole = StandingsReport(standings, options: .init(all: true))
        let screen = StandingsReport(standings)
        #expect(whole.render(as: .json) == screen.render(as: .json))
        #expect(whole.render(as: .csv) == screen.render(as: .csv))
        try expectConforms(screen.render(as: .json), to: "standings")
        try expectConforms(StandingsReport(try showcase()).render(as: .json), to: "standings")
        try expectConforms(StandingsReport(Standings(generatedAt: noon, rows: [])).render(as: .json), to: "standings")
    }
}
