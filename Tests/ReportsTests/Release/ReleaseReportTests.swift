import ArgumentParser
import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// `rankctl report release`, from a real history of four queries that the note names and four others.
@Suite struct ReleaseReportTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let release = time("2026-11-20T00:00:00Z")
    private let wide = TerminalStyle(colour: false, width: 110)
    private let gained = (1...4).map { query("gain \(["one", "two", "three", "four"][$0 - 1])") }
    private let others = (1...4).map { query("other \(["red", "blue", "green", "white"][$0 - 1])") }

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// - Parameters:
    ///   - before: where I stand on the queries to gain before the release; 0 for nowhere.
    ///   - after: the same after it.
    private func effect(before: Int = 19, after: Int, version: String = "2.4", text: String = "new words") async throws
        -> ReleaseEffect
    {
        var plan = watchlist(
            (gained + others).map { ($0, ["com.me", "com.rival"]) }, every: day, competitors: ["com.rival"])
        plan.notes = [
            Note(on: "2026-11-20", bundleID: bundle("com.me"), version: version, text: text, added: gained.map(\.text))
        ]
        plan.timeZone = "UTC"
        try await store.adopt(plan, now: release - 60 * day)
        for number in -7...7 as ClosedRange<Int64> where number != 0 {
            for asked in gained + others {
                var names: [String?] = (1...40).map { "com.other\($0)" }
                let place = gained.contains(asked) ? number > 0 ? after : before : 19
                if place > 0 { names[place - 1] = "com.me" }
                names[1] = "com.rival"
                let shown = names
                try await store.record(
                    Check(
                        query: asked, at: release + number * day + 12 * hour,
                        outcome: .answered(list(shown) { AppDetails(name: "App \($0)") })))
            }
        }
        let reader = try HistoryReader(path: store.path)
        let now = release + 7 * day + 13 * hour
        let found = try Releases(of: bundle("com.me"), from: reader, zone: .gmt, now: now).find(version)
        return try ReleaseEffect(of: try #require(found), days: 7, from: reader, zone: .gmt, now: now)
    }

    @Test func `a page has the sentence, the comparisons, the touched pairs, and what was compared`() async throws {
        let text = ReleaseReport(try await effect(after: 7)).render(as: .table, style: wide)
        for words in [
            "App com.me · version 2.4 · 2026-11-20 · as the watchlist notes", "“new words”", "to gain: 4 queries",
            "its other queries: 4 queries: show them with --all",
            "other apps: 1 on 4 queries: show them with --all",
            "gain one", "#19", "#7", "▲12", "7 + 7",
            "compared: 7 days before (2026-11-13 to 2026-11-19) and after (2026-11-21 to 2026-11-27)",
        ] { #expect(text.contains(words), "\(words) is not in\n\(text)") }
        #expect(!text.contains("other red"))
        #expect(lines(text).allSatisfy { TerminalText.width($0) <= 110 && !$0.hasSuffix(" ") })
    }

    // From 19 to 7 is from log2(24) to log2(12): one on the scale, beside which the other eight pairs do not move. Groups
    // that agree are taken to scatter by 0.05, so that the interval reaches 2.4385 × √(0.05² / 4 + 0.05² / 8) = 0.0747
    // to either side (t of 6.1 degrees of freedom): 12 × 2^0.9253 − 5 is 17.8, 12 × 2^1.0747 − 5 is 20.3.
    @Test func `a gain that nothing else shared is said to look like help, in places`() async throws {
        let effect = try await effect(after: 7)
        #expect(effect.finding == .verdict(.helped))
        #expect(
            effect.sentence
                == "It looks as if version 2.4 helped. On the 4 queries to gain, the app is now at about #7. If it had moved there as the "
                + "app's other queries and other apps on the same queries did, it would be at about #19 (95 % range: #18 to #20)."
        )
        let first = try #require(effect.comparisons.first)
        #expect(abs((first.figures.effect ?? 0) - 1) < 1e-9)
        #expect(abs((first.figures.interval?.lowerBound ?? 0) - 0.9253) < 1e-3)
        #expect(first.readings == 12 * 14)
        #expect(effect.comparisons.map(\.figures.control.pairs) == [8, 4, 4])
    }

    @Test func `what the store changed of the app in the days that are compared stands below`() async throws {
        _ = try await effect(after: 7)
        for (number, icon) in [(-3, "a"), (4, "b"), (6, "b")] as [(Int64, String)] {
            let link = "https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/7c/2a/\(icon)/\(icon).png/512x512bb.jpg"
            try await store.record(
                Check(
                    query: gained[0], at: release + number * day + 18 * hour,
                    outcome: .answered(list(["com.me"]) { AppDetails(name: "App \($0)", iconURL: link) })))
        }
        let context = try ReportContext(
            HistoryReader(path: store.path), now: release + 7 * day + 13 * hour, zone: .gmt)
        func text(_ words: [String]) throws -> String {
            try ReleaseRequest.parse(["com.me", "2.4"] + words).answer(in: context).render(as: .table, style: wide)
        }
        #expect(try text(["--days", "7"]).contains("2026-11-24 · App com.me · a new icon in us\n"))
        #expect(try !text(["--days", "3"]).contains("a new icon"))
    }

    @Test func `the app is the first word or stands behind --app, and is named once`() async throws {
        _ = try await effect(after: 7)
        let context = try ReportContext(HistoryReader(path: store.path), now: release + 8 * day, zone: .gmt)
        func answer(_ words: [String]) throws -> String {
            try ReleaseRequest.parse(words).answer(in: context).render(as: .json)
        }
        for version in [[], ["2.4"]] {
            #expect(try answer(["com.me"] + version) == answer(["--app", "com.me"] + version))
        }
        for (words, refusal) in [
            (["com.me", "2.4", "--app", "com.me"], "the app is named twice"), (["--app=a", "--app=b"], "of one app"),
            ([], "name the app"),
        ] {
            do {
                _ = try ReleaseRequest.parse(words)
                Issue.record("\(words) is taken")
            } catch { #expect(ReleaseRequest.message(for: error).contains(refusal)) }
        }
    }

    @Test func `the same the other way round looks like hurt`() async throws {
        #expect(
            try await effect(after: 40).sentence.hasPrefix(
                "It looks as if version 2.4 hurt. On the 4 queries to gain, "))
    }

    // Absent is taken as 201: log2(206) − log2(12), and 206 × 2^−0.0747 − 5 is 190.6.
    @Test func `an app that comes from nowhere would be in no list without the release`()
        async throws
    {
        #expect(
            try await effect(before: 0, after: 7).sentence
                == "It looks as if version 2.4 helped. On the 4 queries to gain, the app is now at about #7. If it had moved there as the "
                + "app's other queries and other apps on the same queries did, it would be absent (95 % range: #191 to absent)."
        )
    }

    @Test func `an app that goes away is in no list`() async throws {
        #expect(
            try await effect(after: 0).sentence
                == "It looks as if version 2.4 hurt. On the 4 queries to gain, the app is now absent. If it had moved there as the app's "
                + "other queries and other apps on the same queries did, it would be at about #19 (95 % range: #18 to #20)."
        )
    }

    @Test func `no move is no clear effect`() async throws {
        #expect(
            try await effect(after: 19).sentence
                == "No clear effect of version 2.4. On the 4 queries to gain, the app is now at about #19. If it had moved there as the "
                + "app's other queries and other apps on the same queries did, it would be at about #19 (95 % range: #18 to #20)."
        )
    }

    @Test func `what two changes did together is no good news`() async throws {
        var effect = try await effect(after: 7)
        func ink() -> Ink? {
            ReleaseReport(effect).document.blocks.compactMap { block in
                if case .paragraph(let text) = block, text.text == effect.sentence {
                    text.cells.first?.ink
                } else {
                    nil
                }
            }.first
        }
        #expect(ink() == .good)
        effect.events = [.init(at: release, app: effect.app, version: "2.5", text: "", isOwn: true)]
        #expect(ink() == .strong)
    }

    @Test func `all pairs are shown where that is asked for`() async throws {
        let text = ReleaseReport(try await effect(after: 7), options: .init(all: true)).render(as: .table, style: wide)
        #expect(text.contains("other red") && text.contains("App com.rival"))
    }

    @Test func `the documents are what their schemas say`() async throws {
        let effect = try await effect(after: 7)
        try expectConforms(ReleaseReport(effect).render(as: .json), to: "release")
        let reader = try HistoryReader(path: store.path)
        let releases = try Releases(of: bundle("com.me"), from: reader, zone: .gmt, now: noon)
        try expectConforms(ReleasesReport(releases).render(as: .json), to: "releases")
        let nobody = try Releases(of: bundle("com.nobody"), from: reader, zone: .gmt, now: noon)
        try expectConforms(ReleasesReport(nobody).render(as: .json), to: "releases")
        #expect(
            ReleasesReport(nobody).render(as: .table, style: wide)
                == "com.nobody: rankd knows no version, neither from a note nor from an answer\n")
        var early = effect
        early.finding = .tooEarly
        early.window = .init(wanted: 14, days: 0, before: nil, after: nil, limit: .today)
        early.comparisons = []
        try expectConforms(ReleaseReport(early).render(as: .json), to: "release")
    }

    @Test func `the spreadsheet has one row a pair`() async throws {
        let csv = ReleaseReport(try await effect(after: 7)).render(as: .csv).split(separator: "\r\n")
        #expect(csv.count == 1 + 12)
        #expect(csv[1] == "added,com.me,App com.me,gain one,us,iphone,itunes,,19,7,7,7,true")
        #expect(csv[12] == "rival,com.rival,App com.rival,gain four,us,iphone,itunes,,2,7,2,7,true")
    }

    @Test func `names and notes cannot act, wherever they are shown`() async throws {
        let report = ReleaseReport(try await effect(after: 7, version: "<i>2\u{1B}[31m", text: "=1+1<script>\u{202E}|"))
        let html = report.render(as: .html)
        #expect(!html.contains("<script>") && !html.contains("<i>") && !html.contains("\u{1B}"))
        #expect(!report.render(as: .table, style: wide).contains("\u{1B}"))
        #expect(!report.render(as: .markdown).contains("\u{202E}"))
        try expectConforms(report.render(as: .json), to: "release")
    }

    @Test func `the known releases are listed, newest first`() async throws {
        _ = try await effect(after: 7)
        let reader = try HistoryReader(path: store.path)
        let releases = try Releases(of: bundle("com.me"), from: reader, zone: .gmt, now: noon)
        #expect(
            ReleasesReport(releases).render(as: .table, style: wide) == """
                App com.me · 1 release

                  version  on          known from  queries  note
                  2.4      2026-11-20  note              4  new words

                queries: how many the note names as gained or given up
                rankctl report release com.me VERSION says what a release did

                """)
    }
}
