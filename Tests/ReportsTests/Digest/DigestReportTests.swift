import ArgumentParser
import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct DigestReportTests {
    private let wide = TerminalStyle(colour: false, width: 100)

    private func app(_ name: String, mark: AppMark?) throws -> ReportedApp {
        ReportedApp(bundleID: try bundleID("com.\(name.lowercased())"), name: name, mark: mark)
    }

    private func row(
        _ text: String, _ app: ReportedApp, from: Int?, to: Int?, _ judgement: MoveJudgement
    ) -> Movers.Row {
        Movers.Row(
            query: query(text), app: app, mine: app.mark == .mine, from: reading(from, secondsAgo: day),
            to: reading(to), judgement: judgement)
    }

    private func move(from: Int, to: Int, since: Int64 = 0) throws -> MoveJudgement {
        .real(
            LastingMove(
                from: try #require(Position(from)), to: try #require(Position(to)), since: noon.day + since,
                strength: 4,
                weather: .calm))
    }

    private func status(_ level: Status.Level = .fine, backups: BackupRecord? = nil) -> Status {
        Status(
            generatedAt: noon, level: level, daemon: .running(pid: 1),
            database: .init(path: "/x", bytes: 12_300_000, walBytes: 0, schemaVersion: 5), queryCount: 3,
            overdueCount: level == .fine ? 0 : 2,
            requests: .init(lastHour: 1, lastDay: 2, perMinute: 15, wantedPerDay: 12), backups: backups)
    }

    private func quiet() -> Digest {
        Digest(
            generatedAt: noon, since: noon - day, pairs: 3,
            movers: Movers(generatedAt: noon, since: noon - 7 * day, rows: [], compared: 3), status: status())
    }

    private func entry(_ place: Int, isFromAfar: Bool = true) throws -> Newcomer.Entry {
        Newcomer.Entry(query: query("timer"), position: try #require(Position(place)), isFromAfar: isFromAfar)
    }

    /// Everything that a digest can hold.
    private func full() throws -> Digest {
        let (mine, rival) = (try app("Habits", mark: .mine), try app("Streaks", mark: .competitor))
        var digest = quiet()
        digest.movers = Movers(
            generatedAt: noon, since: noon - 7 * day,
            rows: [
                row("timer", mine, from: 24, to: 12, try move(from: 24, to: 12)),
                row("clock", mine, from: nil, to: 30, .entered(at: try #require(Position(30)), since: noon.day)),
                row("alarm", mine, from: 8, to: 9, .withinNoise),
                row("timer", rival, from: 2, to: 1, try move(from: 9, to: 1)),
            ], compared: 4, remarks: [])
        digest.newcomers = [
            Newcomer(
                app: ReportedApp(bundleID: try bundleID("com.new"), name: "New <b>One</b>"),
                entries: [try entry(3)]),
            Newcomer(
                app: ReportedApp(bundleID: try bundleID("com.near"), name: "Near"),
                entries: [try entry(10, isFromAfar: false)]),
        ]
        digest.unshownNewcomers = 2
        digest.entered = [
            Newcomer(app: mine, entries: [try entry(9)]), Newcomer(app: rival, entries: [try entry(1)]),
        ]
        digest.versions = [
            .init(
                app: rival,
                release: AppRelease(bundleID: rival.bundleID, version: "3.1", at: noon - hour, source: .sighting))
        ]
        digest.notes = [.init(note: Note(on: "2026-11-20", text: "holiday"), app: nil)]
        digest.checks = [
            QueryChecks(
                query: query("timer"), good: 4,
                troubles: [.init(.failed(.check(.timedOut)), count: 2, lastAt: noon - hour)]),
            QueryChecks(query: query("clock"), good: 6),
        ]
        digest.requests = 14
        digest.status = status(
            .degraded,
            backups: BackupRecord(every: day, wantedSince: noon - 30 * day, lastAt: noon - 9 * day))
        return digest
    }

    @Test func `where several apps of mine moved, one that is told of is named`() throws {
        var digest = try full()
        #expect(!DigestReport(digest).render(as: .table, style: wide).contains("iPhone  Habits  "))
        let other = row("focus", try app("Moods", mark: .mine), from: 5, to: 6, .withinNoise)
        digest.movers = Movers(
            generatedAt: noon, since: noon - 7 * day, rows: digest.movers.rows + [other], compared: 5, remarks: [])
        #expect(DigestReport(digest).render(as: .table, style: wide).contains("timer  us  iPhone  Habits  "))
    }

    @Test func `a quiet day says so in a few lines`() {
        #expect(
            DigestReport(quiet()).render(as: .table, style: wide) == """
                mine: nothing moved more than it usually wobbles · 3 pairs · since 2026-11-19 12:00 UTC

                Service
                asked: 0 good checks; 0 of 21,600 possible requests
                status: ● fine; history 12.3 MB

                positions in Apple's iTunes Search API; phones can differ

                """)
    }

    @Test func `a full day tells of all, and counts mine alone`() throws {
        let text = DigestReport(try full()).render(as: .table, style: wide)
        #expect(
            text.hasPrefix(
                "mine since 2026-11-19 12:00 UTC: 1 up, 1 entered · 3 pairs\n"
            ), "\(text)")
        for words in [
            "Rose or entered the list", "#24 → #12", "absent → #30", "Competitors that rose",
            "New in the top 10\n", "\nmine\n", "#9 timer (us, iPhone)", "\ncompetitors\n", "#1 timer (us, iPhone)",
            "\nothers: candidates to watch\n", "#3 timer (us, iPhone)",
            "\nothers\n", "#10 timer (us, iPhone)", "and 2 more apps\n",
            "new in the top 10: in it now, but not at 2026-11-19 12:00 UTC; candidates: they were below",
            "Streaks 3.1 · competitor", "2026-11-20 · “holiday”",
            "2 checks of 1 query: no complete answer in time", "asked: 10 good checks; 14 of 21,600 possible requests",
            "○ degraded: rankctl status; history 12.3 MB; 2 queries overdue", "backup: 9d ago, late",
        ] { #expect(text.contains(words), "\(words) is not in\n\(text)") }
        #expect(!text.contains("alarm"), "a move within noise is no news")
    }

    @Test func `a move that began before the digest's time says that it was confirmed in it`() throws {
        var digest = try full()
        for index in digest.movers.rows.indices where digest.movers.rows[index].query.text == "clock" {
            digest.movers.rows[index].judgement = .entered(at: try #require(Position(30)), since: noon.day - 3)
        }
        func line() -> String? { DigestReport(digest).brief.first { $0.contains("clock") } }
        #expect(line()?.contains("entered at #30, since 2026-11-17, confirmed today for “clock”") == true)
        #expect(
            DigestReport(digest).render(as: .table, style: wide).contains(
                "a move is new once it is confirmed: its first day can be before 2026-11-19"))
        digest.since = noon - 2 * day
        #expect(line()?.contains("since 2026-11-17, confirmed since 2026-11-18 for") == true)
        digest.since = noon - 4 * day
        #expect(line()?.contains("since 2026-11-17 for “clock”") == true)
    }

    @Test(arguments: [("UTC", true), ("America/Los_Angeles", false), ("Pacific/Auckland", true)])
    func `whether a move began before the digest's time is asked by days of the report's zone`(
        _ zone: String, _ isLate: Bool
    ) throws {
        var digest = try full()
        digest.since = .startOfDay(noon.day) + hour
        for index in digest.movers.rows.indices where digest.movers.rows[index].query.text == "clock" {
            digest.movers.rows[index].judgement = .entered(at: try #require(Position(30)), since: noon.day - 1)
        }
        let days = ZoneDays(try #require(TimeZone(identifier: zone)))
        let line = ReportZone.$days.withValue(days) { DigestReport(digest).brief.first { $0.contains("clock") } }
        #expect(try #require(line).contains("confirmed") == isLate, "\(line ?? "")")
    }

    @Test func `what is new comes first, and what was told before is a line each, once`() throws {
        var digest = try full()
        // It entered before the digest that told of it.
        for index in digest.movers.rows.indices where digest.movers.rows[index].query.text == "clock" {
            digest.movers.rows[index].judgement = .entered(at: try #require(Position(30)), since: noon.day - 3)
        }
        digest.told = ToldMoves(digest.movers.rows.filter { $0.query.text == "clock" })
        let text = DigestReport(digest).render(as: .table, style: wide)
        #expect(
            text.hasPrefix(
                "mine since 2026-11-19 12:00 UTC: 1 up; earlier moves that still hold: 1 entered · 3 pairs\n"
            ),
            "\(text)")
        let shown = lines(text)
        let fresh = try #require(shown.firstIndex(of: "Rose"))
        let still = try #require(shown.firstIndex(of: "Earlier moves that still hold"))
        #expect(fresh < still)
        #expect(shown[still + 1].contains("clock · us · iPhone · Habits: entered at #30, since 2026-11-17"))
        #expect(shown.count { $0.contains("clock") } == 1)
        #expect(!text.contains("Entered the list"))
        #expect(DigestReport(digest).subject == "rankd: 1 up (still 1 entered), degraded · 2026-11-20")
        #expect(DigestReport(digest).render(as: .json).contains(#""withinNoise":1,"new":1"#))
        try expectConforms(DigestReport(digest).render(as: .json), to: "digest")
    }

    @Test func `a loss comes first, and who is new in the top ten before what was told earlier`() throws {
        var digest = try full()
        digest.movers.rows.append(row("mood", try app("Habits", mark: .mine), from: 4, to: 9, try move(from: 4, to: 9)))
        digest.movers.rows.append(
            row(
                "sleep", try app("Habits", mark: .mine), from: 4, to: nil,
                .left(from: try #require(Position(4)), since: 3)))
        for index in digest.movers.rows.indices where digest.movers.rows[index].query.text == "clock" {
            digest.movers.rows[index].judgement = .entered(at: try #require(Position(30)), since: noon.day - 3)
        }
        digest.told = ToldMoves(digest.movers.rows.filter { ["clock", "sleep"].contains($0.query.text) })
        let shown = lines(DigestReport(digest).render(as: .table, style: wide))
        let headings = [
            "Fell", "Rose", "New in the top 10", "Earlier losses that still hold", "Competitors that rose",
            "Earlier moves that still hold",
        ]
        let found = try headings.map { try #require(shown.firstIndex(of: $0), "\($0)") }
        #expect(found == found.sorted(), "\(shown)")
        #expect(try #require(DigestReport(digest).brief.dropFirst().first).contains("fell from #4 to #9"))
    }

    @Test func `a move that began since is new, though an earlier one went the same way`() throws {
        var digest = try full()
        digest.told = ToldMoves(digest.movers.rows)
        #expect(digest.fresh.rows.count == 3, "their first day is that of the digest")
    }

    /// A digest that told of `before`, and tells of `now`.
    private func digest(told before: MoveJudgement, _ now: MoveJudgement, cadence: Int64 = day) throws -> Digest {
        let mine = try app("Habits", mark: .mine)
        var digest = quiet()
        digest.told = ToldMoves([row("timer", mine, from: 10, to: 20, before)])
        var row = row("timer", mine, from: 10, to: 20, now)
        row.span = JudgedSpan(cadence: cadence)
        digest.movers.rows = [row]
        return digest
    }

    // log2(31 + 5) - log2(20 + 5) = 0.53 and log2(30 + 5) - log2(20 + 5) = 0.49.
    @Test(
        arguments: [(20, -5, false), (30, -5, false), (31, -5, true), (12, -5, false), (20, -3, false), (20, -2, true)]
            as [(Int, Int64, Bool)])
    func `a fall that goes on by half a step, or begins a week after the one that was told, is new`(
        _ place: Int, _ since: Int64, _ isNew: Bool
    ) throws {
        let told = try move(from: 10, to: 20, since: -10)
        let found = try digest(told: told, try move(from: 10, to: place, since: since))
        #expect((found.fresh.rows.count, found.still.rows.count) == (isNew ? 1 : 0, isNew ? 0 : 1))
    }

    @Test func `a move that turned round, or ended out of the list, is new`() throws {
        let told = try move(from: 30, to: 40, since: -10)
        #expect(
            try digest(told: told, .left(from: try #require(Position(40)), since: noon.day - 4)).fresh.rows.count == 1)
        #expect(try digest(told: told, try move(from: 40, to: 35, since: -4)).fresh.rows.count == 1)
        #expect(try digest(told: told, told).fresh.rows.isEmpty)
    }

    @Test func `what a seldom query has moved stays told for its own time`() throws {
        let (told, now) = (try move(from: 10, to: 20, since: -20), try move(from: 10, to: 20, since: -5))
        #expect(try digest(told: told, now).fresh.rows.count == 1)
        #expect(try digest(told: told, now, cadence: 7 * day).fresh.rows.isEmpty)
    }

    @Test func `a version stands once, with its note`() throws {
        var found = quiet()
        let mine = try app("Habits", mark: .mine)
        found.versions = [
            .init(
                app: mine,
                release: AppRelease(
                    bundleID: mine.bundleID, version: "2.4", at: noon - day, source: .note, text: "a new subtitle"))
        ]
        found.notes = [
            .init(
                note: Note(on: "2026-11-19", bundleID: mine.bundleID, version: "2.4", text: "a new subtitle"), app: mine
            ),
            .init(note: Note(on: "2026-11-19", bundleID: mine.bundleID, text: "an advertisement"), app: mine),
        ]
        let told = lines(DigestReport(found).render(as: .table, style: wide)).filter { $0.contains("2026-11-19 · ") }
        #expect(
            told == [
                "2026-11-19 · Habits 2.4 · “a new subtitle”", "2026-11-19 · Habits · “an advertisement”",
            ])
    }

    @Test func `the headline counts what is new since one moment, and no wobble`() throws {
        var found = try full()
        let mine = try app("Habits", mark: .mine)
        func open(_ text: String, since: Int64) throws -> Movers.Row {
            guard case .real(let move) = try move(from: 24, to: 12, since: since) else { throw CancellationError() }
            return row(text, mine, from: 24, to: 12, .unconfirmed(move))
        }
        let (old, new) = (try open("old", since: -2), try open("new", since: 0))
        found.movers.rows += [old, new]
        found.told = ToldMoves([old])
        let headline = try #require(lines(DigestReport(found).render(as: .table, style: wide)).first)
        #expect(headline == "mine since 2026-11-19 12:00 UTC: 1 up, 1 entered, 1 likely · 3 pairs")
        // What is counted is shown.
        let rows = lines(DigestReport(found).render(as: .table, style: wide)).filter { $0.hasPrefix("  ?") }
        #expect(rows.count == 1 && rows.first?.contains(" new ") == true, "\(rows)")
        // Nobody is told that nothing moved while something may have.
        found.movers.rows = [old]
        let waiting = try #require(lines(DigestReport(found).render(as: .table, style: wide)).first)
        #expect(waiting.hasPrefix("mine: nothing confirmed yet; 1 still likely · 3 pairs"), "\(waiting)")
        #expect(DigestReport(found).subject.contains("nothing new"))
        // What looked like a move is one now.
        found.movers.rows = [row("old", mine, from: 24, to: 12, try move(from: 24, to: 12, since: -2))]
        #expect(found.fresh.rows.count == 1)
    }

    @Test func `where there are more in the top ten than are shown, how many is said, and data has all`() throws {
        var found = quiet()
        found.newcomers = try (1...25).map { number in
            Newcomer(
                app: ReportedApp(bundleID: try bundleID("com.n\(number)")),
                entries: [try entry(number % 10 + 1, isFromAfar: number <= 12)])
        }
        let text = DigestReport(found).render(as: .table, style: wide)
        #expect(text.contains("\nand 4 more apps: rankctl report digest --format csv\nothers\n"), "\(text)")
        #expect(text.contains("\nand 3 more apps: rankctl report digest --format csv\n\n"), "\(text)")
        let rows = DigestReport(found).render(as: .csv).split(separator: "\r\n").map { $0.prefix { $0 != "," } }
        #expect((rows.count { $0 == "candidate" }, rows.count { $0 == "top-10" }) == (12, 13))
        let json = DigestReport(found).render(as: .json)
        try expectConforms(json, to: "digest")
        #expect(json.contains(#""moreNewInTop":0"#) && json.contains("com.n25"))
    }

    @Test func `a command that is named keeps what the digest was asked with, so that it shows what is promised`()
        throws
    {
        var found = try full()
        found.newcomers = try (1...25).map { number in
            Newcomer(
                app: ReportedApp(bundleID: try bundleID("com.n\(number)")), entries: [try entry(number % 10 + 1)])
        }
        found.movers.rows += try (1...12).map { number in
            row(
                "q\(number)", try app("Streaks", mark: .competitor), from: 9, to: 1, try move(from: 9, to: 1))
        }
        func text(since: String) throws -> String {
            let request = try DigestRequest.parse([
                "--app", "habits", "--query", "mood journal", "--country", "us,de", "--sensitivity", "keen", "--since",
                since,
            ])
            return AskedOptions.$current.withValue(AskedOptions(request.asked, database: "my history.sqlite")) {
                DigestReport(found).render(as: .table, style: TerminalStyle(colour: false, width: 300))
            }
        }
        let options = "--app habits --query 'mood journal' --country us,de"
        let end = "--sensitivity keen --database 'my history.sqlite'"
        let day = try text(since: "yesterday")
        #expect(day.contains("rankctl report digest \(options) --since yesterday \(end) --format csv"), "\(day)")
        // Moves are of a week at least, as the other report has them by itself.
        #expect(day.contains("of competitors: rankctl report movers \(options) \(end)\n"), "\(day)")
        found.since = found.until - 20 * 86_400
        let long = try text(since: "20d")
        #expect(long.contains("of competitors: rankctl report movers \(options) --since 20d \(end)\n"), "\(long)")
        // A tool has other names for all of it.
        let told = try ReportAudience.$current.withValue(.tools) { try text(since: "20d") }
        #expect(told.contains("of competitors: the tool movers\n") && !told.contains("sqlite"), "\(told)")
    }

    @Test func `a competitor's rise is never good news`() throws {
        let text = DigestReport(try full()).render(as: .table, style: TerminalStyle(colour: true, width: 100))
        let rival = try #require(lines(text).first { $0.contains("Streaks") && $0.contains("#1") })
        let green = TerminalStyle(colour: true, width: 100).painted("x", .good).prefix { $0 != "x" }
        #expect(!rival.contains(String(green)), "\(rival)")
        let mine = try #require(lines(text).first { $0.contains("timer") && $0.contains("#12") })
        #expect(mine.contains(String(green)), "else the colour is another: \(mine)")
    }

    @Test func `nothing to compare is said to be that`() {
        var digest = quiet()
        digest.movers.mine.compared = 0
        // Of the days that moves are told by, which are more than the digest's own.
        let moments = "\(CivilTime.minute(noon - 7 * day)) and at \(CivilTime.minuteInZone(noon))"
        let text = DigestReport(digest).render(as: .markdown)
        #expect(text.contains("no pair has a good check both at \(moments)"), "\(text)")
    }

    @Test func `the subject has the counts, and the trouble`() throws {
        #expect(DigestReport(quiet()).subject == "rankd: nothing moved · 2026-11-20")
        #expect(DigestReport(try full()).subject == "rankd: 1 up, 1 entered, degraded · 2026-11-20")
    }

    @Test func `the document is what its schema says, empty or full`() throws {
        try expectConforms(DigestReport(quiet()).render(as: .json), to: "digest")
        try expectConforms(DigestReport(try full()).render(as: .json), to: "digest")
    }

    @Test func `the spreadsheet has one row a thing that happened`() throws {
        let rows = DigestReport(try full()).render(as: .csv).split(separator: "\r\n").map { $0.prefix { $0 != "," } }
        #expect(
            rows == [
                "section", "move", "move", "move", "top-10", "top-10", "candidate", "top-10", "version", "note",
                "failed",
            ])
    }

    @Test func `Markdown and HTML have all of it, with names that cannot act`() throws {
        let report = DigestReport(try full())
        let html = report.render(as: .html)
        #expect(html.contains("New &lt;b&gt;One&lt;/b&gt;") && !html.contains("<b>One"))
        for text in [html, report.render(as: .markdown)] {
            for words in ["holiday", "degraded", "#24 → #12", "3.1"] {
                #expect(text.contains(words) || text.contains(words.replacing("#", with: "\\#")), "\(words)\n\(text)")
            }
        }
    }
}
