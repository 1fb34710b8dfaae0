import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// The reports that are made of whole lists.
@Suite struct ResultListViewTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let day: Int64 = 86_400
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }
    private let wide = TerminalStyle(colour: false, width: 100)

    private func adopt(_ queries: [Query]) async throws {
        var plan = watchlist(queries.map { ($0, ["com.me", "com.rival"]) }, competitors: ["com.rival"])
        plan.apps[0].competitors = [bundle("com.rival")]
        plan.apps[0].alias = "me"
        try await store.adopt(plan, now: start)
    }

    private func answer(_ query: Query, _ names: [String?], at moment: Timestamp) async throws {
        try await store.record(
            Check(
                query: query, at: moment,
                outcome: .answered(list(names) { AppDetails(name: "App \($0)", developer: "Maker of \($0)") })))
    }

    // MARK: Results

    private func results(at moment: Timestamp, comparedWith earlier: Timestamp? = nil) throws -> Results {
        try Results(on: timer, at: moment, comparedWith: earlier, from: reader, now: start + 2 * day)
    }

    @Test func `two lists side by side tell what entered, left and moved`() async throws {
        try await adopt([timer])
        try await answer(timer, ["com.x", "com.me", "com.same", "com.rival", "com.gone"], at: start)
        try await answer(timer, ["com.me", "com.new", "com.same", "com.me", "com.x", "com.rival"], at: start + day)
        let report = ResultsReport(try results(at: start + 2 * day, comparedWith: start))
        #expect(
            report.render(as: .table, style: wide) == """
                timer in us on iPhone · 6 results · 2026-11-02 00:00
                since 2026-11-01 00:00 (5 results): 1 entered, 1 left, 1 rose, 2 fell, 1 unchanged

                   now  was  change  app            developer           bundle id
                ●   #1   #2      ▲1  App com.me     Maker of com.me     com.me
                    #2        ▲ new  App com.new    Maker of com.new    com.new
                    #3   #3       =  App com.same   Maker of com.same   com.same
                ●   #4               App com.me     Maker of com.me     com.me
                    #5   #1      ▼4  App com.x      Maker of com.x      com.x
                ○   #6   #4      ▼2  App com.rival  Maker of com.rival  com.rival

                left
                    >6   #5   ▼ out  App com.gone   Maker of com.gone   com.gone

                ● mine · ○ competitor
                times in UTC; positions in Apple's iTunes Search API; phones can differ

                """)
        #expect(report.render(as: .csv).contains(",6,true,com.rival,,"))
    }

    @Test func `a tracked app whose entry has no number stands where it was told`() async throws {
        try await adopt([timer])
        let nameless = SeenApp(id: nil, bundleID: bundle("com.me"))
        for hours in [0, 24] as [Int64] {
            let places = list(["com.x", nil, "com.rival"] + (4...12).map { "com.x\($0)" }).places
            try await store.record(
                Check(
                    query: timer, at: start + hours * 3_600,
                    outcome: .answered(ResultList(places: [places[0], nameless] + places[2...]))))
        }
        let found = try results(at: start + 2 * day, comparedWith: start)
        #expect(found.rows[1].app?.bundleID == bundle("com.me") && found.rows[1].app?.mark == .mine)
        #expect(found.rows[1].change == .places(0) && found.rows.count == 12)
        let text = ResultsReport(found).render(as: .table, style: wide)
        #expect(!text.contains("unreadable"), "\(text)")
    }

    @Test func `who may hold a place that could not be read has neither left nor come`() async throws {
        try await adopt([timer])
        try await answer(timer, ["com.me", "com.gone", nil], at: start)
        try await answer(timer, ["com.new", nil, "com.me"], at: start + day)
        let report = ResultsReport(try results(at: start + 2 * day, comparedWith: start))
        #expect(
            report.render(as: .table, style: wide) == """
                timer in us on iPhone · 3 results · 2026-11-02 00:00
                since 2026-11-01 00:00 (3 results): 1 fell, 2 unknown

                   now  was  change  app                 developer          bundle id
                    #1            ?  App com.new         Maker of com.new   com.new
                    #2               (unreadable entry)
                ●   #3   #1      ▼2  App com.me          Maker of com.me    com.me

                left, or in a place that could not be read
                     ?   #2       ?  App com.gone        Maker of com.gone  com.gone

                ● mine
                ? unknown: one of the two lists has entries that could not be read, and the app may be one of them
                times in UTC; positions in Apple's iTunes Search API; phones can differ

                """)
        #expect(
            report.render(as: .json).contains(
                #"{"position":2,"readable":false,"bundleId":null,"alias":null,"appId":null,"appName":null,"developer":null,"mark":null,"was":null,"change":null}"#
            ))
        for format in [ReportFormat.json, .csv] {
            let text = report.render(as: format)
            #expect(!text.contains("entered") && !text.contains("left") && text.contains("com.gone"))
        }
    }

    @Test func `an entry without a number that an app may hold is not said to be new`() async throws {
        try await adopt([timer])
        try await answer(timer, ["com.me", "com.gone"] + (3...12).map { "com.x\($0)" }, at: start)
        let places = list(["com.me"] + (3...12).map { "com.x\($0)" }).places
        let nameless = SeenApp(id: nil, bundleID: bundle("com.stranger"))
        try await store.record(
            Check(
                query: timer, at: start + day,
                outcome: .answered(ResultList(places: [places[0], nameless] + places[1...]))))
        let found = try results(at: start + 2 * day, comparedWith: start)
        let stranger = try #require(found.rows.first { $0.app?.bundleID == bundle("com.stranger") })
        #expect(stranger.isUnsure && stranger.change == nil)
        let gone = try #require(found.rows.first { $0.app?.bundleID == bundle("com.gone") })
        #expect(gone.isUnsure && gone.change == nil)
    }

    @Test func `the first ten have a gap at a failed check and at a place that could not be read`() async throws {
        try await adopt([timer])
        try await answer(timer, ["com.me", "com.rival"], at: start)
        try await store.record(Check(query: timer, at: start + 60, outcome: .failed(Failure(.timedOut))))
        try await store.record(
            Check(query: timer, at: start + 120, outcome: .suspect(list(["com.me"]), .collapsed)))
        try await answer(timer, ["com.rival", nil], at: start + 180)
        try await answer(timer, ["com.rival"], at: start + 240)
        try await answer(timer, (1...13).map { "com.z\($0)" } + ["com.me"], at: start + 300)
        try await answer(timer, ["com.me", "com.rival"], at: start + day)
        let past = try TopTenPast(on: timer, from: reader, now: start + day)
        let places = past.lines.first { $0.app.bundleID == bundle("com.me") }?.points.map(\.place)
        let first = try #require(Position(1))
        #expect(
            places == [
                .ranked(first), .gap, .gap, .gap, .absent(within: 10), .absent(within: 10), .ranked(first),
            ])
        let chart = past.document.blocks.lazy.compactMap { if case .chart(let chart) = $0 { chart } else { nil } }.first
        let line = try #require(chart?.readings.lines.first)
        // What is read off is the place, and how many the list had, not how many are drawn.
        #expect(line.say == [1, nil, nil, nil, 0, 14, 1])
        #expect(line.of?[4] == 1 && line.of?[5] == 14)
    }

    @Test func `two editions of one app in the first ten are one line`() async throws {
        try await adopt([timer])
        let places = [(1, "com.me"), (2, "com.x"), (3, "com.me")].map { id, name in
            SeenApp(id: AppID(id), bundleID: bundle(name), fingerprint: nil) { AppDetails() }
        }
        try await store.record(
            Check(query: timer, at: start, outcome: .answered(ResultList(places: places))))
        let past = try TopTenPast(on: timer, from: reader, now: start + day)
        #expect(past.lines.map(\.app.bundleID) == [bundle("com.me"), bundle("com.x")])
    }

    @Test func `only what my own apps do is painted as good or bad news`() async throws {
        try await adopt([timer])
        try await answer(timer, ["com.me", "com.x", "com.rival"], at: start)
        try await answer(timer, ["com.rival", "com.x", "com.me"], at: start + day)
        let text = ResultsReport(try results(at: start + day, comparedWith: start))
            .render(as: .table, style: TerminalStyle(colour: true, width: 100))
        #expect(text.contains("\u{1B}[38;5;161m▼2"))
        #expect(text.contains("▲2") && !text.contains("m▲2"))
    }

    @Test func `the list at a moment is the last good one, and what came later and failed is named`() async throws {
        try await adopt([timer])
        try await answer(timer, ["com.x"], at: start)
        try await store.record(Check(query: timer, at: start + 60, outcome: .failed(Failure(.timedOut))))
        try await answer(timer, ["com.me"], at: start + day)
        #expect(try results(at: start + 30).unread == nil)
        let results = try results(at: start + day - 1)
        #expect(results.checkedAt == start && results.unread?.at == start + 60)
        #expect(
            ResultsReport(results).render(as: .table).contains(
                "the check of 2026-11-01 00:01 failed: no complete answer in time; this is the last good list before it"
            ))
    }

    @Test func `where no good list is kept there is nothing to show`() async throws {
        try await adopt([timer])
        #expect(
            throws: ReportRefusal.noList(query: "timer", at: "2026-11-01 00:00 UTC", since: nil, isSuspect: false)
        ) { try results(at: start) }
        try await store.record(Check(query: timer, at: start, outcome: .suspect(list(["com.me"]), .collapsed)))
        let refusal = ReportRefusal.noList(
            query: "timer", at: "2026-11-01 00:00 UTC", since: "2026-11-01 00:00 UTC", isSuspect: true)
        #expect(throws: refusal) { try results(at: start + 1) }
        #expect(
            refusal.description == """
                the history has no good list of “timer” from 2026-11-01 00:00 UTC or before; it has suspect lists only, \
                which do not count; it was first asked at 2026-11-01 00:00 UTC
                """)
    }

    @Test func `that no good list is kept is told in the watchlist's zone`() async throws {
        var plan = watchlist([(timer, ["com.me"])])
        plan.timeZone = "America/Sao_Paulo"
        try await store.adopt(plan, now: start)
        try await store.record(Check(query: timer, at: start, outcome: .failed(Failure(.timedOut))))
        let context = try ReportContext(reader, now: start + 2 * day, zone: .gmt)
        let request = try ResultsRequest.request([.init("query", "timer"), .init("at", "2026-11-01T01:00:00Z")])
        #expect(
            throws: ReportRefusal.noList(
                query: "timer", at: "2026-10-31 22:00 America/Sao_Paulo", since: "2026-10-31 21:00 America/Sao_Paulo",
                isSuspect: false)
        ) { _ = try request.answer(in: context) }
    }

    // MARK: Rivals

    @Test func `who stands above, who overtook, who shares the top`() async throws {
        let clock = query("clock", "de")
        try await adopt([timer, clock])
        let crowd = (1...12).map { "com.z\($0)" }
        try await answer(timer, ["com.me", "com.rival", "com.strong"], at: start)
        try await answer(clock, ["com.rival", "com.me"], at: start)
        try await answer(timer, ["com.strong", "com.rival", "com.me"] + crowd, at: start + day)
        try await answer(clock, ["com.strong", "com.me"] + crowd + ["com.rival"], at: start + day)
        let rivals = try Rivals(
            of: bundle("com.me"), on: [timer, clock], since: start, candidates: 1, from: reader, now: start + day)
        #expect(rivals.rows.map(\.app.bundleID) == [bundle("com.rival"), bundle("com.strong")])
        let rival = rivals.rows[0]
        #expect((rival.seen, rival.above, rival.inTop, rival.sharedTop) == (2, 1, 1, 1))
        #expect(rival.isListed && rival.best == Position(2))
        let overtaking = try #require(rival.overtook.first)
        #expect(overtaking.query == timer && rival.overtook.count == 1)
        #expect((overtaking.was, overtaking.position) == (Position(2), Position(2)))
        #expect((overtaking.appWas, overtaking.appPosition) == (Position(1), Position(3)))
        #expect(rival.fellBehind.map(\.query) == [clock])
        let strong = rivals.rows[1]
        #expect((strong.above, strong.inTop, strong.overtook.count) == (2, 2, 2))
        #expect(rivals.unshown == crowd.count)
        let text = RivalsReport(rivals).render(as: .table, style: wide)
        #expect(text.contains("App com.rival overtook it on “timer” in us on iPhone: #2 → #2, yours #1 → #3"))
        #expect(text.hasPrefix("App com.me · in the list on 2 of its 2 queries, in the top 10 on 2\n"), "\(text)")
    }

    private func numbered(_ apps: [(Int64, String)]) -> Check.Outcome {
        .answered(
            ResultList(
                places: apps.map { id, name in
                    SeenApp(id: AppID(id), bundleID: bundle(name), fingerprint: UInt64(id)) {
                        AppDetails(name: "App \(name)")
                    }
                }))
    }

    @Test func `a rival with two numbers counts by both, and by a new number it overtakes nobody`() async throws {
        let clock = query("clock", "de")
        try await adopt([timer, clock])
        let lists: [(Query, [(Int64, String)])] = [
            (timer, [(1, "com.rival"), (2, "com.me"), (5, "com.strong")]),
            (clock, [(2, "com.me"), (3, "com.rival"), (5, "com.strong")]),
            (timer, [(3, "com.rival"), (2, "com.me"), (6, "com.strong")]),
            (clock, [(1, "com.rival.new"), (2, "com.me"), (5, "com.strong.new")]),
        ]
        for (index, (query, apps)) in lists.enumerated() {
            let at = index < 2 ? start : start + day
            try await store.record(Check(query: query, at: at, outcome: numbered(apps)))
        }
        let rivals = try Rivals(
            of: bundle("com.me"), on: [timer, clock], since: start, candidates: 5, from: reader, now: start + day)
        #expect(rivals.rows.map(\.app.bundleID) == [bundle("com.rival"), bundle("com.strong")])
        #expect(rivals.rows[0].seen == 2 && rivals.rows[0].above == 2)
        #expect(rivals.rows[0].overtook.map(\.query) == [clock])
        #expect(rivals.rows[1].seen == 2 && rivals.rows[1].overtook.isEmpty && rivals.rows[1].fellBehind.isEmpty)
        // The list that is compared has nobody that came or left but by its place.
        let results = try Results(
            on: clock, at: start + day, comparedWith: start, from: reader, now: start + day)
        #expect(!results.rows.contains { $0.change == .left || $0.change == .entered })
    }

    @Test func `an app without a good list has no rivals yet`() async throws {
        try await adopt([timer])
        let rivals = try Rivals(
            of: bundle("com.me"), on: [timer], since: start, candidates: 5, from: reader, now: start + day)
        #expect(RivalsReport(rivals).render(as: .table) == "me: none of its queries has a good list yet\n")
        #expect(
            RivalsReport(rivals).render(as: .csv).hasSuffix(
                "overtook,fellBehind\r\ncom.rival,,,,,competitor,true,0,0,0,0,,0,0\r\n"))
    }

    // MARK: Comparison

    @Test func `queries stand down, apps across, and the leader is marked`() async throws {
        let german = query("timer", "de")
        let never = query("never")
        try await adopt([timer, german, never])
        try await answer(timer, ["com.x", "com.rival", "com.me"], at: start)
        try await answer(german, ["com.me", "com.x"], at: start)
        try await store.record(Check(query: german, at: start + 60, outcome: .failed(Failure(.timedOut))))
        let comparison = try Comparison(
            bundle("com.me"), on: [timer, german, never], from: reader, now: start + 2 * 3_600)
        #expect(
            ComparisonReport(comparison).render(as: .table, style: wide) == """
                ahead of App com.rival in 1 of 2 lists; 50% of the days won since 1 Nov

                  query    me  App com.rival   age
                in us on iPhone
                  timer    #3           ◆ #2    2h
                  never     –              –

                in de on iPhone
                  timer  ◆ #1             >2  ○ 2h

                one of them query by query: rankctl report compare --app me --with com.rival
                ◆ the best of them
                ○ the last good list: the newest check failed or is suspect
                positions in Apple's iTunes Search API; phones can differ

                """)
        #expect(comparison.rows.map(\.leader) == [1, 0, nil])
        let json = ComparisonReport(comparison).render(as: .json)
        #expect(json.contains(#""leader":"com.rival","positions":[{"bundleId":"com.me","position":3,"change":null},"#))
    }

    @Test func `a list a second earlier in the day than that of a week before is compared with that one`() async throws
    {
        try await adopt([timer])
        try await answer(timer, ["com.rival", "com.me"], at: start)
        try await answer(timer, ["com.me", "com.rival"], at: start + day + 1)
        try await answer(timer, ["com.me", "com.rival"], at: start + 2 * day)
        let now = start + 2 * day + 30
        let rivals = try Rivals(
            of: bundle("com.me"), on: [timer], since: now - day, candidates: 1, from: reader, now: now)
        #expect(rivals.rows[0].fellBehind.isEmpty && rivals.standings[0].then?.checkedAt == start + day + 1)
        let comparison = try Comparison(bundle("com.me"), on: [timer], since: now - day, from: reader, now: now)
        #expect(comparison.rows[0].changes == [.places(0), .places(0)])
        // A moment that is no whole number of days ago means what it says.
        let exact = try Comparison(bundle("com.me"), on: [timer], since: start + day, from: reader, now: now)
        #expect(exact.rows[0].changes == [.places(1), .places(-1)])
    }

    @Test func `a past moment is told as such, and was not when the report was made`() async throws {
        try await adopt([timer])
        try await answer(timer, ["com.rival", "com.me"], at: start)
        try await answer(timer, ["com.me", "com.rival"], at: start + 2 * day)
        let (until, now) = (start + day, start + 3 * day)
        let rivals = RivalsReport(
            try Rivals(
                of: bundle("com.me"), on: [timer], since: start, until: until, candidates: 1, from: reader, now: now))
        let comparison = ComparisonReport(
            try Comparison(bundle("com.me"), on: [timer], until: until, from: reader, now: now))
        #expect((rivals.generatedAt, comparison.generatedAt) == (now, now))
        #expect(rivals.rivals.rows[0].above == 1 && comparison.comparison.rows[0].leader == 1)
        for (json, name) in [(rivals.render(as: .json), "competitors"), (comparison.render(as: .json), "compare")] {
            #expect(json.hasPrefix(#"{"version":1,"generatedAt":"\#(now)""#))
            #expect(json.contains(#""until":"\#(until)""#))
            try expectConforms(json, to: name)
        }
        let texts = [rivals.render(as: .table), comparison.render(as: .table)]
        for text in texts { #expect(text.hasPrefix("as of 2026-11-02 00:00 UTC\n"), "\(text)") }
        // Ages are those of that moment.
        #expect(texts[1].contains("  1d\n"), "\(texts[1])")
    }

    @Test func `the list that is shown tells of each app whether it is there`() async throws {
        try await adopt([timer])
        try await answer(timer, ["com.me", "com.rival"], at: start)
        try await answer(timer, ["com.rival", nil, "com.x"], at: start + 3_600)
        let comparison = try Comparison(bundle("com.me"), on: [timer], from: reader, now: start + day)
        let row = try #require(comparison.rows.first)
        #expect(row.checkedAt == start && row.isOutdated)
        #expect(row.positions == [Position(1), Position(2)])
        try await answer(timer, ["com.rival", nil, "com.me"], at: start + 7_200)
        let next = try #require(
            try Comparison(bundle("com.me"), on: [timer], from: reader, now: start + day).rows.first)
        #expect(next.positions == [Position(3), Position(1)] && !next.isOutdated)
    }

    @Test func `nobody overtakes an app that a place which could not be read may be`() async throws {
        try await adopt([timer])
        try await answer(timer, ["com.me", "com.rival"], at: start)
        try await answer(timer, ["com.rival", nil, "com.x"], at: start + day)
        let rivals = try Rivals(
            of: bundle("com.me"), on: [timer], since: start, candidates: 5, from: reader, now: start + 2 * day)
        #expect(rivals.rows.allSatisfy { $0.overtook.isEmpty && $0.fellBehind.isEmpty })
        try await answer(timer, ["com.me", nil, "com.x"], at: start + 2 * day)
        let later = try Rivals(
            of: bundle("com.me"), on: [timer], since: start, candidates: 5, from: reader, now: start + 3 * day)
        #expect(later.rows.allSatisfy { $0.overtook.isEmpty && $0.fellBehind.isEmpty })
    }

    // MARK: Apps

    @Test func `apps ever seen are found by name, maker or bundle id, the most present first`() async throws {
        let clock = query("clock")
        try await adopt([timer, clock])
        try await answer(timer, ["com.x", "com.y", "com.me"], at: start)
        try await answer(clock, ["com.y"], at: start + day)
        try await store.record(
            Check(query: clock, at: start + 2 * day, outcome: .suspect(list(["com.s", "com.y"]), .collapsed)))
        let all = try AppDirectory(matching: nil, limit: 3, from: reader, now: start + day)
        #expect(all.rows.map(\.app.bundleID.text) == ["com.y", "com.x", "com.me"])
        #expect(all.rows.map(\.queries) == [2, 1, 1])
        #expect(all.rows[0].best == Extreme(position: try #require(Position(1)), at: start + day))
        #expect(all.count == 4)
        #expect(AppDirectoryReport(all).render(as: .table).contains("and 1 more: show them with --limit"))
        let found = try AppDirectory(matching: "MAKER x", limit: 3, from: reader, now: start)
        #expect(found.rows.map(\.app.bundleID.text) == ["com.x"])
        let suspect = try AppDirectory(matching: "com.s", limit: 3, from: reader, now: start)
        #expect(suspect.rows.first?.queries == 0 && suspect.rows.first?.best == nil)
        let none = try AppDirectory(matching: "nothing", limit: 3, from: reader, now: start)
        #expect(
            AppDirectoryReport(none).render(as: .table)
                == "no app ever seen has “nothing” in its name, developer or bundle id\n")
    }

    @Test func `the first ten are told in words from their first place to their last`() async throws {
        try await adopt([timer])
        try await answer(timer, ["com.me", "com.rival"], at: start)
        try await answer(timer, ["com.rival", "com.me"], at: start + day)
        let past = try TopTenPast(on: timer, from: reader, now: start + day)
        let chart = past.document.blocks.lazy.compactMap { if case .chart(let chart) = $0 { chart } else { nil } }.first
        #expect(
            chart?.summary == "App com.rival (competitor) from #2 to #1; App com.me (mine) from #1 to #2")
    }

    @Test func `my own places on a query are those of the newest check, and none of a competitor's`() async throws {
        try await adopt([timer, query("other")])
        try await answer(timer, ["com.rival", "com.me"], at: start)
        try await answer(query("other"), ["com.me"], at: start)
        let own = try OwnPlaces(on: timer, from: reader, now: start + day)
        #expect(own.rows.map(\.bundleID) == [bundle("com.me")])
        #expect(own.document.markdown.contains("#2") && !own.document.markdown.contains("rival"))
        #expect(try OwnPlaces(on: query("nobody"), from: reader, now: start + day).isEmpty)
    }

    @Test func `after a check that failed my place is that of the last good one, and is said to be`() async throws {
        try await adopt([timer])
        try await answer(timer, ["com.rival", "com.me"], at: start)
        let failed = Check(query: timer, at: start + day, outcome: .failed(Failure(.timedOut, "no byte")))
        try await store.record(failed)
        let words = try OwnPlaces(on: timer, from: reader, now: start + day + 3_600).document.markdown
        #expect(words.contains("The newest check, of") && words.contains("failed"), "\(words)")
        #expect(words.contains("said #2"), "\(words)")
        #expect(!words.contains("○") && !words.contains("not checked"), "\(words)")
    }

    @Test func `a place that was not checked for days has its age, and no verdict`() async throws {
        try await adopt([timer])
        try await answer(timer, ["com.rival", "com.me"], at: start)
        let words = try OwnPlaces(on: timer, from: reader, now: start + 9 * day).document.markdown
        #expect(words.contains("9d") && words.contains("It was not checked since."), "\(words)")
        #expect(!words.contains("verdict"), "\(words)")
    }

    @Test func `my places are those of the very question, and of the moment that is asked for`() async throws {
        let german = Query(text: "timer", country: timer.country, platform: timer.platform, language: "de_de")
        try await adopt([timer, german])
        for (number, names) in [["com.me"], ["com.rival", "com.me"]].enumerated() {
            try await answer(timer, names, at: start + Int64(number) * day)
            try await answer(german, ["com.x", "com.y"] + names, at: start + Int64(number) * day)
        }
        let (past, now) = (start + 3_600, start + day + 3_600)
        func places(_ query: Query, _ moment: Timestamp?) throws -> [Int?] {
            try OwnPlaces(on: query, until: moment, from: reader, now: now).rows.map { $0.position?.number }
        }
        #expect(try places(timer, nil) == [2] && places(german, nil) == [4])
        #expect(try places(timer, past) == [1] && places(german, past) == [3])
    }
}
