import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Judging

@Suite struct OpportunitiesTests: OpportunityRows {
    private func move(_ from: Int, _ to: Int, isSlow: Bool = false) throws -> LastingMove {
        LastingMove(
            from: try #require(Position(from)), to: try #require(Position(to)), since: noon.day - 2, strength: 5,
            isSlow: isSlow, weather: nil)
    }

    // MARK: Push

    @Test func `what moved up within the month is rising, as the one judgement says`() throws {
        #expect(row(weeks(18, 28))?.reasons == [.rising])
        #expect(row(weeks(18, 28))?.kind == .push)
        #expect(row(weeks(27, 28)) == nil)
        #expect(row(weeks(30, 20))?.kind == .recover)
        #expect(row([20], judgement: .real(try move(40, 20)))?.reasons == [.rising])
        #expect(row([20], judgement: .real(try move(40, 20, isSlow: true)))?.reasons == [.rising])
        #expect(row([20], judgement: .unconfirmed(try move(40, 20))) == nil)
        #expect(row(weeks(18, 28), judgement: .withinNoise) == nil)
    }

    @Test func `a top ten with no more ratings than the app is weak, and so is one without the words`() {
        let steady = weeks(20, 20)
        #expect(row(steady, difficulty: difficulty(median: 100), ratings: 100)?.reasons == [.fewRatings])
        #expect(row(steady, difficulty: difficulty(median: 100.5), ratings: 100) == nil)
        #expect(row(steady, difficulty: difficulty(median: 1)) == nil)
        #expect(row(steady, difficulty: difficulty(withWords: 2))?.reasons == [.fewNames])
        #expect(row(steady, difficulty: difficulty(withWords: 3)) == nil)
        #expect(
            row(steady, difficulty: difficulty(median: 5, withWords: 0), ratings: 9)?.reasons == [
                .fewRatings, .fewNames,
            ])
    }

    @Test func `only 11 to 30 is pushed`() {
        let weak = difficulty(withWords: 0)
        for (position, isPushed) in [(10, false), (11, true), (30, true), (31, false)] {
            #expect((row([position], difficulty: weak) != nil) == isPushed, "\(position)")
        }
    }

    // MARK: Defend

    @Test func `a first place that slips by one is under attack`() {
        let slipping = row(weeks(2, 1))
        #expect((slipping?.kind, slipping?.reasons) == (.defend, [.slipping]))
        #expect(row(weeks(1, 2)) == nil)
        #expect(row(weeks(2, 2)) == nil)
        // Its newest reading is back at the top.
        #expect(row(Array(weeks(2, 1).dropLast()) + [1]) == nil)
    }

    @Test func `a move down counts once it is certain, one up never`() throws {
        #expect(row([2], judgement: .unconfirmed(try move(1, 2))) == nil)
        #expect(row([2], judgement: .real(try move(1, 2)))?.reasons == [.slipping])
        #expect(row([2], judgement: .real(try move(5, 2))) == nil)
        #expect(row([4], judgement: .real(try move(1, 4)))?.kind == .recover)
    }

    @Test func `what slid down from the first three is defended wherever it is now`() throws {
        func found(_ place: Int, _ from: Int, _ to: Int) throws -> Opportunities.Row? {
            row([place], judgement: .real(try move(from, to, isSlow: true)))
        }
        #expect(try found(14, 3, 14)?.reasons == [.sliding(try move(3, 14, isSlow: true))])
        #expect(try found(14, 3, 14)?.kind == .defend)
        #expect(try found(14, 4, 14)?.kind == .recover)
        #expect(try found(20, 30, 20)?.reasons == [.rising])
    }

    @Test func `a climbing competitor presses where it is close below`() throws {
        func found(_ place: Int, rivalAt: Int) throws -> [Opportunities.Reason] {
            let rival = Opportunities.Rival(
                app: rival, position: try #require(Position(rivalAt)), usual: try #require(Position(20)))
            return row([place], rivals: [rival])?.reasons ?? []
        }
        #expect(try found(2, rivalAt: 3).map(\.code) == ["rival"])
        #expect(try found(2, rivalAt: 5).map(\.code) == ["rival"])
        #expect(try found(2, rivalAt: 6).isEmpty)
        #expect(try found(2, rivalAt: 1).isEmpty)
    }

    @Test func `a rival is one that moved up within the month and stayed`() throws {
        func found(_ positions: [Int?]) -> Opportunities.Rival? {
            let pair = pair(positions)
            return Opportunities.rival(pair, rival, judgement: month(of: pair), on: noon.day)
        }
        #expect(found(weeks(4, 9))?.position.number == 4)
        #expect(found(weeks(4, 9))?.usual.number == 9)
        #expect(found(weeks(9, 9)) == nil)
        #expect(found(weeks(9, 4)) == nil)
        #expect(found([4]) == nil)
        #expect(found(Array(weeks(4, 9).dropLast()) + [0]) == nil)
    }

    // MARK: Recover

    @Test func `what moved down within the month is to be recovered up to the place that it had`() throws {
        let fell = row(weeks(28, 18))
        #expect((fell?.kind, fell?.reasons, fell?.reach) == (.recover, [.fell], Position(18)))
        #expect(row(weeks(28, 27)) == nil)
        let moved = row([40], judgement: .real(try move(10, 40)))
        #expect((moved?.kind, moved?.reasons, moved?.reach) == (.recover, [.fell], Position(10)))
        #expect(row([40], judgement: .unconfirmed(try move(10, 40))) == nil)
        // Its newest reading is back where it was.
        #expect(row(Array(weeks(28, 18).dropLast()) + [18]) == nil)
    }

    @Test func `what left the list is to be recovered, and not to be dropped`() throws {
        let left = row(
            Array(repeating: 12, count: 26) + [0, 0, 0], judgement: .left(from: try #require(Position(12)), since: 1))
        #expect((left?.kind, left?.reasons, left?.reach) == (.recover, [.left], Position(12)))
    }

    @Test(arguments: [4, 15, 29, 60])
    func `what left longer ago than moves are judged is still to be recovered`(days: Int) {
        let left = row(Array(repeating: 12, count: 30) + Array(repeating: 0, count: days))
        #expect((left?.kind, left?.reasons, left?.reach) == (.recover, [.left], Position(12)))
        #expect(left?.leftOn == noon.day - Int64(days) + 1)
    }

    @Test func `a day back does not hide that a pair left, and a usual place needs four days`() {
        let weekBack = Array(repeating: 12, count: 14) + Array(repeating: 0, count: 8) + [40]
        #expect(row(weekBack + Array(repeating: 0, count: 9))?.reach == Position(12))
        #expect(row([12, 12, 12] + Array(repeating: 0, count: 20)) == nil)
        #expect(row(Array(repeating: 12, count: 30) + [0, 0, 0], judgement: .withinNoise) == nil)
    }

    @Test func `coming and going at the end of a list is no loss`() {
        // The lists end at 180: their end is worth as much as the place after it.
        #expect(row(Array(repeating: 170, count: 30) + Array(repeating: 0, count: 20)) == nil)
    }

    // MARK: Gain

    // 100 × (1 / log2(1 + reach) − 1 / log2(1 + now)).
    @Test func `a gain is what the place in reach is worth beside today's`() throws {
        func gain(_ row: Opportunities.Row?) throws -> Double { (try #require(row?.gain) * 10).rounded() / 10 }
        // From 28 back to 18: 23.54 − 20.58.
        #expect(try gain(row(weeks(28, 18))) == 3.0)
        // Rising at 18: half a step is 23 / √2 − 5 = 11.3, so #11: 27.89 − 23.54.
        #expect(row(weeks(18, 28))?.reach == Position(11))
        #expect(try gain(row(weeks(18, 28))) == 4.4)
        // A weak top ten: #10 from #20, 28.91 − 22.77.
        #expect(row(weeks(20, 20), difficulty: difficulty(withWords: 0))?.reach == Position(10))
        #expect(try gain(row(weeks(20, 20), difficulty: difficulty(withWords: 0))) == 6.1)
        // The first place back from the second: 100 − 63.09.
        #expect(try gain(row(weeks(2, 1))) == 36.9)
        // To keep the second place from one that climbs: 63.09 − 50.
        let climbing = Opportunities.Rival(
            app: rival, position: try #require(Position(3)), usual: try #require(Position(9)))
        #expect(row([2], rivals: [climbing])?.reach == Position(2))
        #expect(try gain(row([2], rivals: [climbing])) == 13.1)
        // Nowhere among 180 to #12: 27.02 − 13.32, which is what #181 is worth.
        #expect(
            try gain(row([12, 12, 0, 0, 0], judgement: .left(from: try #require(Position(12)), since: 1))) == 13.7)
        #expect(row(Array(repeating: 0, count: 30))?.gain == nil)
    }

    @Test func `popularity weighs a gain, and a query without one has the middle`() throws {
        var fell = try #require(row(weeks(28, 18)))
        let plain = try #require(fell.gain)
        fell.popularity = 50
        #expect(fell.gain == plain)
        fell.popularity = 100
        #expect(fell.gain == 2 * plain)
    }

    @Test func `the largest gain comes first, losses among the rest, and what is to be dropped last`() throws {
        var common = try #require(row(weeks(28, 18)))
        common.popularity = 100
        let rows = [
            try #require(row(Array(repeating: 0, count: 30))), try #require(row(weeks(18, 28))), common,
            try #require(row([40], judgement: .real(try move(10, 40)))),
        ]
        // 10.2, 5.9, 4.4.
        #expect(
            Opportunities(generatedAt: noon, rows: rows).rows.map { $0.reading.position?.number } == [40, 28, 18, nil])
    }

    @Test func `a way back into the list is worth less than one of as many steps near the top`() throws {
        func left(_ place: Int) throws -> Opportunities.Row {
            let from = try #require(Position(place))
            let left = row([0], judgement: .left(from: from, since: noon.day))
            return try #require(left)
        }
        let (near, nearest) = (try move(9, 34), try move(2, 4))
        let fallen = [row([34], judgement: .real(near)), row([4], judgement: .real(nearest))].compactMap(\.self)
        let rows = [try left(65), try left(20)] + fallen
        // 63.1 − 43.1, 30.1 − 19.5, 22.8 − 13.3, 16.5 − 13.3.
        #expect(
            Opportunities(generatedAt: noon, rows: rows).rows.map { $0.reach?.number } == [2, 9, 20, 65])
    }

    // MARK: Drop

    @Test func `absent on every good day of a month is to be dropped`() {
        let row = row(Array(repeating: 0, count: 30))
        #expect((row?.kind, row?.reasons, row?.goodDays) == (.drop, [.neverRanked], 30))
        #expect(self.row([5] + Array(repeating: 0, count: 29)) == nil)
        #expect(self.row([5] + Array(repeating: 0, count: 30))?.kind == .drop)
    }

    @Test func `what is to be dropped and was once found has its best place, and since when it is absent`() {
        let row = Opportunities.row(
            of: pair(Array(repeating: 0, count: 30)),
            .init(app: me, best: Position(12), lastRanked: noon.day - 200), rivals: [], judgement: nil, on: noon.day)
        #expect((row?.kind, row?.reasons, row?.gain) == (.drop, [.left], nil))
        #expect((row?.had, row?.leftOn) == (Position(12), noon.day - 199))
    }

    @Test(arguments: [false, true])
    func `what was found a hundred days ago was not never ranked`(isRolledUp: Bool) async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist([(query("once"), ["com.me"])], every: day), now: noon - 120 * day)
        for ago in (0...110 as ClosedRange<Int64>).reversed() {
            try await store.record(
                Check(
                    query: query("once"), at: noon - ago * day,
                    outcome: .answered(list(ago == 100 ? ["y", "com.me"] : ["x"]))))
            if isRolledUp { _ = try await store.rollUp(day: noon.day - ago, after: 0, limit: 10) }
        }
        func rows(_ until: Timestamp) throws -> [Opportunities.Row] {
            try Opportunities(from: HistoryReader(path: store.path), until: until, now: noon).rows
        }
        let row = try #require(try rows(noon).first)
        #expect((row.kind, row.reasons) == (.drop, [.left]))
        #expect((row.had, row.leftOn) == (Position(2), noon.day - 99))
        // Nothing had found it by then.
        #expect(try rows(noon - 101 * day).isEmpty)
    }

    @Test(arguments: [false, true])
    func `what was ranked at noon and absent at night was ranked`(isRolledUp: Bool) async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        let midnight = Timestamp.startOfDay(noon.day + 1)
        let queries = [query("noon"), query("never"), query("today")]
        try await store.adopt(watchlist(queries.map { ($0, ["com.me"]) }, every: day), now: noon - 40 * day)
        for index in (0..<30 as Range<Int64>).reversed() {
            for (text, found) in [("noon", index == 20), ("never", false), ("today", index == 0)] {
                let moment = midnight - index * day
                try await store.record(
                    Check(
                        query: query(text), at: moment - 12 * hour,
                        outcome: .answered(list(found ? ["com.me"] : ["x"]))))
                try await store.record(
                    Check(query: query(text), at: moment - 2 * hour, outcome: .answered(list(["x"]))))
            }
        }
        if isRolledUp {
            for past in (0..<30 as Range<Int64>).reversed() {
                _ = try await store.rollUp(day: noon.day - past, after: 0, limit: 10)
            }
        }
        func dropped(_ until: Timestamp) throws -> [String] {
            try Opportunities(from: HistoryReader(path: store.path), until: until, now: midnight).rows.map(\.query.text)
        }
        #expect(try dropped(midnight) == ["never"])
        // Before the noon of today nothing had found it yet.
        #expect(try dropped(noon - 1) == ["never", "today"])
    }

    @Test func `of too few good checks nothing is to be dropped`() {
        #expect(row(Array(repeating: 0, count: 15))?.goodDays == 15)
        #expect(row(Array(repeating: 0, count: 14)) == nil)
        // Asked once a week: two of a month's four would be half, but four are the least.
        let weekly = (0..<28).map { $0 % 7 == 6 ? 0 : nil } as [Int?]
        #expect(row(weekly, cadence: 7 * day)?.goodDays == 4)
        #expect(row(Array(weekly.dropFirst(7)), cadence: 7 * day) == nil)
        #expect(Opportunities.enoughDays(cadence: 3 * day) == 5)
    }

    @Test func `nothing is said where every check failed, or the last good one is old`() {
        #expect(row([]) == nil)
        #expect(row([20, nil, nil, nil], difficulty: difficulty(withWords: 0)) == nil)
    }

    // MARK: All together

    @Test func `what is to be done is one list, whatever it is`() throws {
        let sorted = Opportunities(generatedAt: noon, rows: try showcase).rows
        #expect(sorted.map(\.kind) == [.defend, .push, .push, .drop])
        #expect(sorted.map(\.popularity) == [nil, nil, 46, nil])
    }

    @Test func `competitors are no opportunities, and an empty history has none`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        #expect(try Opportunities(from: HistoryReader(path: store.path), now: noon).rows.isEmpty)
        try await store.adopt(
            watchlist([(query("timer"), ["com.me", "com.rival"])], every: day, competitors: ["com.rival"]),
            now: noon - 40 * day)
        for index in 0..<30 as Range<Int64> {
            try await store.record(
                Check(query: query("timer"), at: noon - index * day, outcome: .answered(list(["x"]))))
        }
        let reader = try HistoryReader(path: store.path)
        let found = try Opportunities(from: reader, now: noon)
        #expect(found.rows.map { "\($0.kind) \($0.app.bundleID) \($0.goodDays)" } == ["drop com.me 30"])
        #expect(try Opportunities(from: reader, filter: PairFilter(queries: ["clock"]), now: noon).rows.isEmpty)
        #expect(try Opportunities(from: reader, until: noon - 20 * day, now: noon).rows.isEmpty)
    }
}
