import JudgingStage
import RankKit
import Testing

@testable import Reports

/// The table as whole text.
@Suite struct StandingsReportTests {
    private func table(_ standings: Standings, width: Int, competitors: Bool = false) -> String {
        StandingsReport(standings, options: .init(competitors: competitors))
            .render(as: .table, style: TerminalStyle(colour: false, width: width))
    }

    private func table(_ rows: [Standings.Row], width: Int = 120) -> String {
        table(Standings(generatedAt: noon, rows: rows), width: width)
    }

    @Test func `60 columns`() throws {
        #expect(
            table(try showcase(), width: 60) == #"""
                mine: 2 up, 1 down, 1 left, 1 unchanged, 1 not comparable
                  yet; 1 failed, 1 suspect, 1 not checked yet · since
                  yesterday

                  query          in  on             now     1d     7d  age
                Habit Hero: Daily Routine · com.me.habits · mine
                  habit tracker  us  iPhone+iPad    #12     ▲3    ▲12   2h
                  gewohnheiten   de  iPhone        >180  ▼ out  ▼ out   2h
                  daily routine  us  iPhone        ○ #8     ▼2     ▲1   2h
                    failed 1h ago: no complete answer in time
                  피트니스       kr  iPhone       ○ #31         ▲ new   2h
                    suspect 1h ago: the list is less than half as long as
                    usual
                  streaks        gb  iPhone           –

                家族 👩‍👩‍👧‍👦 café · jp.me.kazoku · mine
                  習慣 日本語    jp  iPhone          #1      =      =   2h

                1d, 7d: raw, from one check to another; either may be a
                  spike
                no room in 60 columns for: 30d, best, trend
                ○ the last good position: the newest check failed or is
                  suspect
                1 pair of competitors hidden: show them with --competitors
                positions in Apple's iTunes Search API; phones can differ

                """#)
    }

    @Test func `80 columns`() throws {
        #expect(
            table(try showcase(), width: 80) == #"""
                mine: 2 up, 1 down, 1 left, 1 unchanged, 1 not comparable yet; 1 failed, 1
                  suspect, 1 not checked yet · since yesterday

                  query          in  on             now     1d     7d  30d  best  trend      age
                Habit Hero: Daily Routine · com.me.habits · mine
                  habit tracker  us  iPhone+iPad    #12     ▲3    ▲12    =    #4  ▄▄▄▅▅▄▅▅▆   2h
                  gewohnheiten   de  iPhone        >180  ▼ out  ▼ out       #171  ···▁▁▁▁▁_   2h
                  daily routine  us  iPhone        ○ #8     ▼2     ▲1         #5  ▅▅▄·▅▅▄▆▅   2h
                    failed 1h ago: no complete answer in time
                  피트니스       kr  iPhone       ○ #31         ▲ new        #29  ·····▃▃▃▃   2h
                    suspect 1h ago: the list is less than half as long as usual
                  streaks        gb  iPhone           –

                家族 👩‍👩‍👧‍👦 café · jp.me.kazoku · mine
                  習慣 日本語    jp  iPhone          #1      =      =         #1  █████████   2h

                1d, 7d, 30d: raw, from one check to another; either may be a spike
                ○ the last good position: the newest check failed or is suspect
                1 pair of competitors hidden: show them with --competitors
                positions in Apple's iTunes Search API; phones can differ

                """#)
    }

    @Test func `120 columns`() throws {
        #expect(
            table(try showcase(), width: 120) == #"""
                mine: 2 up, 1 down, 1 left, 1 unchanged, 1 not comparable yet; 1 failed, 1 suspect, 1 not checked yet · since yesterday

                  query          in  on             now     1d     7d  30d  best  trend                           age
                Habit Hero: Daily Routine · com.me.habits · mine
                  habit tracker  us  iPhone+iPad    #12     ▲3    ▲12    =    #4  ▂▂▃▃▂▂▂··▂▂▃▃▃▂▂▂▂▃▄▄▄▄▄▅▅▄▅▅▆   2h
                  gewohnheiten   de  iPhone        >180  ▼ out  ▼ out       #171  ························▁▁▁▁▁_   2h
                  daily routine  us  iPhone        ○ #8     ▼2     ▲1         #5  ▆▅▅·▆▅▅▄▆▅·▄▆▅▅▄▆·▅▄▆▅▅▄·▅▅▄▆▅   2h
                    failed 1h ago: no complete answer in time
                  피트니스       kr  iPhone       ○ #31         ▲ new        #29  ··························▃▃▃▃   2h
                    suspect 1h ago: the list is less than half as long as usual
                  streaks        gb  iPhone           –

                家族 👩‍👩‍👧‍👦 café · jp.me.kazoku · mine
                  習慣 日本語    jp  iPhone          #1      =      =         #1  ██████████████████████████████   2h

                1d, 7d, 30d: raw, from one check to another; either may be a spike
                ○ the last good position: the newest check failed or is suspect
                1 pair of competitors hidden: show them with --competitors
                positions in Apple's iTunes Search API; phones can differ

                """#)
    }

    @Test func `200 columns, with competitors`() throws {
        #expect(
            table(try showcase(), width: 200, competitors: true) == #"""
                mine: 2 up, 1 down, 1 left, 1 unchanged, 1 not comparable yet; 1 failed, 1 suspect, 1 not checked yet · since yesterday

                  query          in  on             now     1d     7d  30d  best  trend                           age  note
                Habit Hero: Daily Routine · com.me.habits · mine
                  habit tracker  us  iPhone+iPad    #12     ▲3    ▲12    =    #4  ▂▂▃▃▂▂▂··▂▂▃▃▃▂▂▂▂▃▄▄▄▄▄▅▅▄▅▅▆   2h
                  gewohnheiten   de  iPhone        >180  ▼ out  ▼ out       #171  ························▁▁▁▁▁_   2h
                  daily routine  us  iPhone        ○ #8     ▼2     ▲1         #5  ▆▅▅·▆▅▅▄▆▅·▄▆▅▅▄▆·▅▄▆▅▅▄·▅▅▄▆▅   2h  failed 1h ago: no complete answer in time
                  피트니스       kr  iPhone       ○ #31         ▲ new        #29  ··························▃▃▃▃   2h  suspect 1h ago: the list is less than half as long as usual
                  streaks        gb  iPhone           –

                家族 👩‍👩‍👧‍👦 café · jp.me.kazoku · mine
                  習慣 日本語    jp  iPhone          #1      =      =         #1  ██████████████████████████████   2h

                Streaks · com.x.streaks · competitor
                  habit tracker  us  iPhone          #2     ▲1                #1                                   2h

                1d, 7d, 30d: raw, from one check to another; either may be a spike
                ○ the last good position: the newest check failed or is suspect
                positions in Apple's iTunes Search API; phones can differ

                """#)
    }

    @Test func `hostile names act on nothing`() throws {
        var hostile = try row("\u{1B}]0;owned\u{7}\r\n=cmd|' /C calc'!A0")
        hostile.appName = "\u{1B}[2J\u{202E}evil\u{2028}"
        hostile = row(hostile, became: .failed(.check(.timedOut)))
        #expect(
            table([hostile]) == #"""
                mine: 1 pair, no earlier day to compare with yet; 1 failed

                  query                                            in  on        now  age  note
                \u{1B}[2J\u{202E}evil\u{2028} · com.me.habits · mine
                  \u{1B}]0;owned\u{7}\u{D}\u{A}=cmd|' /C calc'!A0  us  iPhone  ○ #12   2h  failed 1h ago: no complete answer in time

                ○ the last good position: the newest check failed or is suspect
                positions in Apple's iTunes Search API; phones can differ

                """#)
    }

    @Test func `no line is wider than the terminal or ends in a space`() throws {
        for width in 20...220 {
            for line in lines(table(try showcase(), width: width, competitors: true)) {
                #expect(TerminalText.width(line) <= width && !line.hasSuffix(" "), "\(width): \(line)")
            }
        }
    }

    @Test func `colour adds nothing but colour`() throws {
        for width in [60, 80, 120, 200] {
            let coloured = StandingsReport(try showcase())
                .render(as: .table, style: TerminalStyle(colour: true, width: width))
            #expect(coloured.contains("\u{1B}[38;5;28m▲3\u{1B}[0m"))
            #expect(uncoloured(coloured) == table(try showcase(), width: width))
        }
    }

    @Test func `nothing tracked is a sentence that helps`() {
        #expect(table([]).hasPrefix("No tracked pair to report. Add one with “rankctl watch add”"))
    }

    @Test func `competitors alone are hidden, and the report says how to see them`() throws {
        let rival = try row(bundleID: "com.x.streaks", mine: false)
        #expect(
            table([rival]) == """
                competitors: 1 pair; none of these is of an app of yours

                1 pair of competitors hidden: show them with --competitors
                positions in Apple's iTunes Search API; phones can differ

                """)
    }

    @Test func `a failure without any good check has no position`() throws {
        var never = row(try row(), became: .failed(.check(.timedOut)))
        never.lastGood = nil
        let text = table([never])
        #expect(text.contains("mine: 1 pair, no earlier day to compare with yet; 1 failed\n"))
        #expect(text.contains("–"))
        #expect(!text.contains("#") && !text.contains(">"))
    }

    @Test func `an absence from an empty answer is within nothing`() throws {
        var absent = try row(position: nil)
        absent.outcome = .absent(from: 0)
        #expect(table([absent]).contains(" >0 "))
    }

    @Test func `a competitor's rise is not good news`() throws {
        var rival = try row(bundleID: "com.x.streaks", mine: false)
        rival.change1d = .places(9)
        var mine = try row()
        mine.change1d = .places(-1)
        let text = table(Standings(generatedAt: noon, rows: [mine, rival]), width: 80, competitors: true)
        #expect(lines(text)[0] == "mine: 1 down · since yesterday")
        #expect(text.contains("▲9"))
    }

    @Test func `the iPad row folds only where it reads the same`() throws {
        let phone = try row()
        var pad = try row(platform: .ipad)
        #expect(table([phone, pad]).contains("iPhone+iPad"))
        pad.change7d = .places(-1)
        #expect(!table([phone, pad]).contains("iPhone+iPad"))
        pad = try row(platform: .ipad, position: 13)
        #expect(!table([phone, pad]).contains("iPhone+iPad"))
        pad = row(try row(platform: .ipad), became: .failed(.check(.timedOut)))
        #expect(!table([phone, pad]).contains("iPhone+iPad"))
        #expect(!table([phone, try row(country: "de", platform: .ipad)]).contains("iPhone+iPad"))
        #expect(!table([phone, try row(platform: .mac)]).contains("iPhone+"))
    }

    @Test func `an absence folds only within the same number of results`() throws {
        let phone = try row(position: nil)
        var pad = try row(platform: .ipad, position: nil)
        #expect(table([phone, pad]).contains("iPhone+iPad"))
        pad.outcome = .absent(from: 142)
        #expect(!table([phone, pad]).contains("iPhone+iPad"))
    }

    @Test func `a folded row says whose past it shows, and is as old as its older half`() throws {
        var phone = try row()
        phone.best = try extreme(3, daysAgo: 4)
        var pad = try row(platform: .ipad)
        pad.lastGood?.checkedAt = noon - 5 * hour
        let text = table([phone, pad])
        #expect(text.contains("  5h\n"))
        #expect(text.contains("iPhone+iPad: equal today; best and trend are the iPhone's\n"))
    }

    @Test func `what a store does not sell is noted once an app and country, below the table`() throws {
        var first = try row("habit tracker")
        first.unknown = UnknownApp(
            bundleID: first.bundleID, country: first.country, since: noon - day, lastAskedAt: noon, answers: 2)
        var second = first
        second.question = Query(text: "streaks", country: first.country, platform: first.platform)
        let text = table([first, second, try row("timer", country: "de")])
        let note = "the US store sells no app com.me.habits (looked up twice, last 2026-11-20): check the bundleId"
        #expect(lines(text).filter { $0 == note }.count == 1)
        #expect(text.hasSuffix("\n\n\(note)\npositions in Apple's iTunes Search API; phones can differ\n"))
    }
}
