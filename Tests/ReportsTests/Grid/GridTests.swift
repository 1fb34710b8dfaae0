import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// Queries down, days across, from a real history.
@Suite struct GridTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-10-30T00:00:00Z")
    private let timer = query("timer")
    private let german = query("timer", "de")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// A list of `length` apps on a day, in which my app is at `place`.
    private func answer(_ query: Query, at place: Int?, of length: Int = 12, day number: Int64, hour: Int64 = 8)
        async throws
    {
        var names = (1...length).map { "com.x\($0)" }
        if let place { names[place - 1] = "com.me" }
        let moment = start + number * day + hour * 3_600
        try await store.record(Check(query: query, at: moment, outcome: .answered(list(names))))
    }

    /// Two queries, the German one from 1 November on; a failure on the 2nd, an absence on the 3rd.
    private func fill() async throws {
        try await store.adopt(watchlist([(timer, ["com.me"]), (german, ["com.me"])], every: day), now: start)
        for number in 0...4 as ClosedRange<Int64> {
            if number == 3 {
                let moment = start + number * day + 9 * 3_600
                try await store.record(
                    Check(query: timer, at: moment, outcome: .failed(Failure(.status, "status 503"))))
            } else {
                try await answer(timer, at: number == 4 ? nil : 5, day: number)
                try await answer(timer, at: number == 4 ? nil : Int(number) + 1, day: number, hour: 20)
            }
            if number >= 2 { try await answer(german, at: 11, day: number) }
        }
    }

    private var now: Timestamp { start + 4 * day + 22 * 3_600 }

    private func report(_ app: String = "com.me", since: Int64? = 0, until: Timestamp? = nil) throws -> GridReport {
        GridReport(
            try Grid(
                of: bundle(app), on: [timer, german], since: since.map { start + $0 * day }, until: until,
                from: HistoryReader(path: store.path), now: now))
    }

    @Test func `a cell is the day's last good position, a gap, or nothing before the first check`() async throws {
        try await fill()
        #expect(
            try report().render(as: .table, style: TerminalStyle(colour: false, width: 80)) == """
                com.me · last good position of each day (UTC), 30 Oct to 3 Nov

                  query  30  31 Oct    1    2  3 Nov
                in us on iPhone
                  timer  #1      #2   #3    ·    >12

                in de on iPhone
                  timer              #11  #11    #11

                >12: not among the 12 results seen; · no good check on that day; empty: before
                  the query's first check
                positions in Apple's iTunes Search API; phones can differ

                """)
    }

    @Test func `two weeks are shown without a wish, and a moment within a day ends it`() async throws {
        try await fill()
        #expect(try report(since: nil).grid.days == start.day - 9...start.day + 4)
        let early = try report(until: start + day + 9 * 3_600).grid
        #expect(early.days == start.day...start.day + 1)
        #expect(early.rows[0].cells.map { $0.reading?.position?.number } == [1, 5])
    }

    @Test func `an app that is not tracked has the same grid, from the kept lists`() async throws {
        try await fill()
        let grid = try report("com.x12").grid
        #expect(grid.rows[0].cells.map { $0.reading?.position?.number } == [12, 12, 12, nil, 12])
        #expect(grid.rows[0].cells.map(\.state) == [.ranked, .ranked, .ranked, .gap, .ranked])
        #expect(grid.rows[1].cells.map(\.state) == [.notYet, .notYet, .ranked, .ranked, .ranked])
    }

    @Test func `a day whose lists were dropped is unknown, and one whose check failed is not`() async throws {
        try await fill()
        let dropped = try await store.dropLists(of: 1, before: start + 2 * day, limit: 100)
        #expect(dropped.lists == 4)
        let report = try report("com.x12")
        #expect(report.grid.rows[0].cells.map(\.state) == [.unknown, .unknown, .ranked, .gap, .ranked])
        let text = report.render(as: .table, style: TerminalStyle(colour: false, width: 80))
        #expect(text.contains("\n  timer   ?       ?  #12    ·    #12\n"), "\(text)")
        #expect(
            text.replacing("\n  ", with: " ").contains(
                "· no good check on that day; ? unknown: the list was dropped, is damaged, has not been read yet, or has places that could not be read; empty: before the query's first check"
            ), "\(text)")
        #expect(report.render(as: .csv).contains("timer,us,iphone,itunes,,?,?,12,,12\r\n"))
        let json = report.render(as: .json)
        try expectConforms(json, to: "grid")
        #expect(
            json.contains(#"{"day":"2026-10-30","state":"unknown","position":null,"within":null,"checkedAt":null}"#))
        // A pair that was tracked then knows its place without the lists.
        #expect(try self.report().grid.rows[0].cells.map(\.state) == [.ranked, .ranked, .ranked, .gap, .absent])
    }

    @Test func `a pair whose past is still being filled in has it from the lists`() async throws {
        try await fill()
        let apps = ["com.me", "com.x12"]
        try await store.adopt(watchlist([(timer, apps), (german, apps)], every: day), now: now)
        let states = try report("com.x12").grid.rows.map { $0.cells.map(\.state) }
        #expect(states[0] == [.ranked, .ranked, .ranked, .gap, .ranked])
        #expect(states[1] == [.notYet, .notYet, .ranked, .ranked, .ranked])
    }

    @Test func `a check that failed and was thinned is a check all the same`() async throws {
        try await store.adopt(watchlist([(timer, ["com.me"]), (german, ["com.me"])], every: day), now: start)
        try await store.record(Check(query: timer, at: start, outcome: .failed(Failure(.timedOut))))
        try await answer(timer, at: 3, day: 3)
        #expect(try await store.thinFailures(before: start + day, limit: 10) == 1)
        #expect(try report().grid.rows[0].cells.map(\.state) == [.gap, .gap, .gap, .ranked, .gap])
    }

    @Test func `days that have no room are named with their months`() async throws {
        try await fill()
        func note(_ width: Int) throws -> String? {
            let text = try report().render(as: .table, style: TerminalStyle(colour: false, width: width))
            return lines(text.replacing("\n  ", with: " ")).first { $0.hasPrefix("no room") }
        }
        #expect(try note(36) == nil && note(35) == "no room in 35 columns for: 30 Oct")
        #expect(try note(25) == "no room in 25 columns for: 30 Oct–31 Oct")
    }

    @Test func `the CSV has a column a day, and no number where there is no place`() async throws {
        try await fill()
        #expect(
            try report().render(as: .csv).replacing("\r\n", with: "\n") == """
                query,country,platform,source,language,2026-10-30,2026-10-31,2026-11-01,2026-11-02,2026-11-03
                timer,us,iphone,itunes,,1,2,3,,>12
                timer,de,iphone,itunes,,,,11,11,11

                """)
    }

    @Test func `JSON says of each day what is known of it`() async throws {
        try await fill()
        let json = try report().render(as: .json)
        try expectConforms(json, to: "grid")
        #expect(json.contains(#"{"day":"2026-11-02","state":"gap","position":null,"within":null,"checkedAt":null}"#))
        #expect(json.contains(#"{"day":"2026-11-03","state":"absent","position":null,"within":12,"#))
        #expect(json.contains(#"{"day":"2026-10-30","state":"not-yet","#))
    }

    @Test func `a narrow terminal keeps the newest days`() async throws {
        try await fill()
        for width in 24...80 {
            let text = try report().render(as: .table, style: TerminalStyle(colour: false, width: width))
            #expect(text.contains("3 Nov\n"), "\(width): \(text)")
            for line in lines(text) { #expect(TerminalText.width(line) <= width, "\(width): \(line)") }
        }
    }

    @Test func `a page has every day and escapes the query`() async throws {
        try await store.adopt(watchlist([(query("<b>"), ["com.me"])], every: day), now: start)
        try await answer(query("<b>"), at: 3, day: 4)
        let grid = try Grid(
            of: bundle("com.me"), on: [query("<b>")], since: start + 4 * day, from: HistoryReader(path: store.path),
            now: now)
        let page = GridReport(grid).render(as: .html)
        #expect(page.contains("&lt;b&gt;") && !page.contains("<b>") && page.contains("3 Nov"))
    }
}
