import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// Real moves, told from noise by a real history.
@Suite struct JudgedPairsTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    /// One check a day, or as many days apart, the last one today: `com.me` at these places, `com.rival` at those below
    /// 30.
    private func fill(_ places: [Int?], rival: [Int] = [], every interval: Int64 = 1) async throws {
        try await store.adopt(
            watchlist([(timer, ["com.me", "com.rival"])], every: interval * day, competitors: ["com.rival"]),
            now: noon - 90 * interval * day)
        for (index, place) in places.enumerated() {
            var names = (1...100).map { "com.x\($0)" }
            if let place { names[place - 1] = "com.me" }
            if rival.indices.contains(index) { names[rival[index] - 1] = "com.rival" }
            let moment = noon - Int64(places.count - 1 - index) * interval * day - 60
            try await store.record(Check(query: timer, at: moment, outcome: .answered(list(names))))
        }
    }

    /// 40 days around 40, four days around 12.
    private let jump = (0..<40).map { [40, 41, 40, 39, 40, 42, 38, 40][$0 % 8] } + [12, 11, 12, 12]

    @Test func `a lasting move is real in every report, and none of the jitter before it is`() async throws {
        try await fill(jump)
        let standings = try Standings(from: reader, withTrend: false, now: noon)
        guard case .real(let move)? = standings.rows.first?.judgement else {
            Issue.record("\(String(describing: standings.rows.first?.judgement))")
            return
        }
        #expect((move.from.number, move.to.number, move.since) == (40, 12, noon.day - 3))
        #expect(standings.summary.news.up == 1)
        let text = StandingsReport(standings).render(as: .table)
        #expect(text.hasPrefix("mine: 1 up · since 13 Nov\n"), "\(text)")
        #expect(text.contains("1 move since 13 Nov\n"))
        let movers = try Movers(from: reader, now: noon)
        #expect(movers.summary.up == 1)
        let before = try Standings(from: reader, withTrend: false, until: noon - 5 * day, now: noon)
        #expect(before.rows.first?.judgement == .withinNoise)
        #expect(try Movers(from: reader, until: noon - 5 * day, now: noon).summary.up == 0)
    }

    @Test func `what moved before the moment to compare with is no news`() async throws {
        try await fill(jump + Array(repeating: 12, count: 10))
        let standings = try Standings(from: reader, withTrend: false, now: noon)
        #expect(standings.rows.first?.judgement?.isBeyondNoise == false)
        let longer = try Standings(from: reader, withTrend: false, since: noon - 20 * day, now: noon)
        #expect(longer.rows.first?.judgement?.isReal == true)
        #expect(try Movers(from: reader, since: noon - 20 * day, now: noon).summary.up == 1)
        let week = try Movers(from: reader, now: noon)
        // The month tells of it.
        #expect(week.summary.up == 0 && week.rows.first?.monthMove?.to?.number == 12)
    }

    @Test(arguments: [4, 7, 28] as [Int64])
    func `a move of a query that is asked seldom is called and told of`(interval: Int64) async throws {
        try await fill(jump.suffix(24).dropLast(), every: interval)
        let standings = try Standings(from: reader, withTrend: false, now: noon)
        #expect(standings.rows.first?.judgement?.isReal == true)
        let text = StandingsReport(standings).render(as: .table)
        #expect(text.contains("asked less often than every other day are compared over their last four checks"))
        let movers = try Movers(from: reader, now: noon)
        #expect(movers.summary.up == 1)
        let row = try #require(movers.rows.first)
        #expect(row.since == noon - 4 * interval * day)
        #expect(row.from.checkedAt == noon - 4 * interval * day - 60)
        #expect(MoversReport(movers).render(as: .table).contains("over their last four checks"))
        #expect(try Digest(from: reader, zone: .gmt, now: noon).movers.summary.up == 1)
        #expect(try Opportunities(from: reader, now: noon).rows.first?.reasons.contains(.rising) == true)
    }

    @Test func `a moment that is named is kept to, and those asked too seldom for it are counted`() async throws {
        try await fill(jump.suffix(24).dropLast(), every: 7)
        let movers = try Movers(from: reader, since: noon - 8 * day + hour, now: noon)
        #expect(movers.rows.isEmpty && movers.mine.tooSeldom == 1)
        let text = MoversReport(movers).render(as: .table)
        #expect(
            text.contains(
                "not judged, because they are checked too rarely for this --since: 1 pair of mine. Leave out --since"))
        #expect(try Movers(from: reader, now: noon).mine.tooSeldom == 0)
    }

    /// 40 days around 3, then a place farther down every third day.
    private let slide = (0..<40).map { [3, 3, 4, 3, 3, 2, 3, 3][$0 % 8] } + (0..<30).map { 3 + $0 / 3 }

    private static func move(_ judgement: MoveJudgement?) -> LastingMove? {
        if case .real(let move)? = judgement { move } else { nil }
    }

    @Test(arguments: [true, false])
    func `an entry and an exit older than the week are moves of the month, everywhere`(isEntry: Bool) async throws {
        let places = (0..<40).map { [12, 12, 13, 11][$0 % 4] }
        let absent = Array(repeating: Int?.none, count: 40)
        let since = Array(repeating: isEntry ? 14 : nil, count: 12)
        try await fill((isEntry ? absent : places.map(Optional.some)) + since)
        let standings = try Standings(from: reader, withTrend: false, now: noon)
        let row = try #require(standings.rows.first)
        #expect(row.judgement == .withinNoise)
        let month = try #require(row.monthMove)
        #expect(month.change == (isEntry ? .entered : .left) && month.since == noon.day - 11)
        let report = StandingsReport(standings)
        let text = report.render(as: .table)
        #expect(text.contains("mine: 1 moved within 30 days"), "\(text)")
        #expect(text.contains(isEntry ? "absent → #14   ▲ new" : "→ absent   ▼ out"), "\(text)")
        #expect(text.contains("9 Nov, 30 days"), "\(text)")
        try expectConforms(report.render(as: .json), to: "standings")
        let movers = try Movers(from: reader, now: noon)
        #expect(movers.rows.first?.monthMove == month && movers.wobbles == 0)
        #expect((movers.rows.first?.loss != nil) == !isEntry)
        try expectConforms(MoversReport(movers).render(as: .json), to: "movers")
        // The week told of it: it is not new, and still holds.
        let digest = DigestReport(try Digest(from: reader, zone: .gmt, now: noon))
        #expect(digest.subject.hasPrefix("rankd: nothing new (still 1 within 30 days)"), "\(digest.subject)")
        try expectConforms(digest.render(as: .json), to: "digest")
    }

    @Test func `an entry of the month says where the pair stands now, and is told once`() async throws {
        let absent = Array(repeating: Int?.none, count: 40)
        let steady = (0..<12).map { [12, 11, 12, 13][$0 % 4] }
        let fallen = (0..<11).map { [40, 41, 40, 39][$0 % 4] }
        try await fill(absent + steady + fallen)
        let standings = try Standings(from: reader, withTrend: false, now: noon)
        #expect(standings.rows.first?.judgement == .withinNoise)
        #expect(standings.rows.first?.monthMove?.to?.number == 40)
        // The digests of those days told of both, and none of them is news today.
        let digest = try Digest(from: reader, zone: .gmt, now: noon)
        #expect(digest.fresh.rows.isEmpty && digest.still.rows.count == 1)
    }

    @Test func `what is likely now is told rather than an older entry`() async throws {
        let absent = Array(repeating: Int?.none, count: 40)
        try await fill(absent + (0..<14).map { [12, 11, 12, 13][$0 % 4] } + [90])
        let row = try #require(try Standings(from: reader, withTrend: false, now: noon).rows.first)
        guard case .unconfirmed(let move)? = row.judgement else {
            Issue.record("\(String(describing: row.judgement))")
            return
        }
        #expect(move.to.number == 90 && row.monthMove == nil)
        #expect(try Movers(from: reader, now: noon).summary.likely == 1)
    }

    @Test func `a slow slide is told of, and counts as no move`() async throws {
        try await fill(slide)
        let movers = try Movers(from: reader, now: noon)
        let row = try #require(movers.rows.first)
        let slide = try #require(Self.move(row.monthMove))
        #expect((slide.from.number, row.judgement) == (3, .withinNoise))
        #expect((movers.summary.month, movers.summary.down, movers.wobbles) == (1, 0, 0))
        let text = MoversReport(movers).render(as: .table)
        #expect(slide.isSlow)
        #expect(text.hasPrefix("mine: 1 moved within 30 days · "))
        #expect(text.contains("\nfell\n") && text.contains("  ~  "), "\(text)")
        #expect(text.contains("#3 → #\(slide.to.number)      ▼\(slide.places)"), "\(text)")
        #expect(text.contains("~ drift: it moved slowly, in many small steps"))
        try expectConforms(MoversReport(movers).render(as: .json), to: "movers")
        // Asked about the month it is a move like any other.
        let month = try Movers(from: reader, since: noon - 30 * day, now: noon)
        #expect((month.summary.down, month.summary.month) == (1, 0))
    }

    @Test func `the head of the standings tells of a slow slide of mine, in every form`() async throws {
        try await fill(slide, rival: slide.map { $0 + 40 })
        let standings = try Standings(from: reader, withTrend: false, now: noon)
        let found = try #require(Self.move(standings.rows.first?.monthMove))
        #expect(found.from.number == 3 && found.isSlow)
        let report = StandingsReport(standings)
        let text = report.render(as: .table)
        #expect(text.contains("\n1 move within 30 days\n"), "\(text)")
        #expect(text.contains("~  timer  us  iPhone  #3 → #\(found.to.number)      ▼\(found.places)"), "\(text)")
        #expect(text.components(separatedBy: "too slowly or too early to show in a week").count == 2)
        #expect(
            report.render(as: .json).contains(
                #""slide":{"from":3,"to":\#(found.to.number),"days":30,"slow":true,"since":"2026-"#))
        #expect(
            report.render(as: .csv).contains(",slideFrom,slideTo,evidence\r\n")
                && report.render(as: .csv).contains(",3,\(found.to.number),\r\n"))
        try expectConforms(report.render(as: .json), to: "standings")
        // What moved for good is told as that alone.
        try await fill(slide + [60, 61, 60, 60])
        let later = try Standings(from: reader, withTrend: false, now: noon)
        #expect(later.rows.first?.judgement?.isBeyondNoise == true && later.rows.first?.monthMove == nil)
    }

    @Test func `the digest and the opportunities tell of a slow slide`() async throws {
        try await fill(slide)
        let digest = DigestReport(try Digest(from: reader, zone: .gmt, now: noon))
        // A day earlier it was the same slide: it is told once.
        #expect(digest.subject.hasPrefix("rankd: nothing new (still 1 within 30 days)"))
        #expect(digest.render(as: .table).contains("mine: nothing new since"))
        #expect(digest.render(as: .table).contains("\nEarlier losses that still hold\n"))
        #expect(digest.render(as: .table).contains("~  timer  us  iPhone  #3 → #"))
        #expect(digest.render(as: .table).contains("likely its own: "))
        #expect(
            !digest.render(as: .table).contains(
                "Moved within 30 days: too slowly or too early to show in the week above")
        )
        let first = DigestReport(try Digest(from: reader, since: noon - 25 * day, zone: .gmt, now: noon))
        #expect(first.render(as: .table).hasPrefix("mine since ") && !first.subject.contains("still"))
        #expect(digest.render(as: .csv).contains("\nslide,"))
        try expectConforms(digest.render(as: .json), to: "digest")
        let found = try Opportunities(from: reader, now: noon)
        #expect(found.rows.map(\.kind) == [.defend])
        #expect(found.rows[0].reasons.map(\.code).contains("sliding"))
        let report = OpportunitiesReport(found)
        #expect(report.render(as: .table).contains("within 30 days, usually #3 before"))
        try expectConforms(report.render(as: .json), to: "opportunities")
    }

    @Test func `a filter changes no judgement`() async throws {
        try await fill(jump, rival: jump.map { $0 + 20 })
        let all = try Standings(from: reader, withTrend: false, now: noon)
        let one = try Standings(
            from: reader, filter: PairFilter(apps: ["com.rival"]), withTrend: false, now: noon)
        #expect(one.rows.map(\.judgement) == all.rows.suffix(1).map(\.judgement))
    }

    @Test func `in a watchlist that few pairs represent a filter changes no judgement either`() async throws {
        let queries = (0..<4).map { query("timer \($0)") }
        try await store.adopt(watchlist(queries.map { ($0, ["com.a", "com.b"]) }), now: noon - 90 * day)
        for (index, place) in jump.enumerated() {
            for (number, query) in queries.enumerated() {
                var names = (1...60).map { "com.x\($0)" }
                names[place + number - 1] = "com.a"
                names[50 + index * number % 3] = "com.b"
                let moment = noon - Int64(jump.count - 1 - index) * day - 60
                try await store.record(Check(query: query, at: moment, outcome: .answered(list(names))))
            }
        }
        func verdicts(_ filter: PairFilter, most: Int) throws -> [String: MoveJudgement] {
            let judge = try PairJudge(from: reader, until: noon, now: noon, most: most)
            var verdicts: [String: MoveJudgement] = [:]
            for pair in try judge.pairs(filter, from: reader) {
                verdicts["\(pair.query.text) \(pair.bundleID)"] = judge.judgement(of: NoiseModel.Series(pair))
            }
            return verdicts
        }
        for most in [3, 8] {
            let all = try verdicts(PairFilter(), most: most)
            #expect(all.count == 8)
            let one = try verdicts(PairFilter(apps: ["com.a"], queries: ["timer 2"]), most: most)
            #expect(one == all.filter { $0.key == "timer 2 com.a" } && one.count == 1)
        }
    }

    @Test func `one check, or all failed, is not judged`() async throws {
        try await fill([5])
        #expect(
            try Standings(from: reader, withTrend: true, now: noon).rows.first?.judgement == .notJudged(.history))
        let other = query("clock")
        try await store.adopt(watchlist([(other, ["com.me"])]), now: noon - day)
        try await store.record(Check(query: other, at: noon - 60, outcome: .failed(Failure(.timedOut))))
        let failed = try Standings(from: reader, withTrend: true, now: noon)
        #expect(failed.rows.map(\.judgement) == [.notJudged(.noReading)])
        #expect(failed.summary.failed == 1)
        #expect(failed.rows[0].difficulty == nil)
    }
}
