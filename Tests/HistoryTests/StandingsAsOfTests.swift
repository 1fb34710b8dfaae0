import RankKit
import TestSupport
import Testing

@testable import History

/// Where pairs stood at an earlier moment.
@Suite struct StandingsAsOfTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let day: Int64 = 86_400
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func standing(asOf moment: Timestamp? = nil, since: Timestamp? = nil) throws -> PairStanding {
        let reader = try HistoryReader(path: store.path)
        return try #require(
            try reader.standings(
                comparedIn: since.map { since in
                    { cadence, _ in Reading.window(before: since, days: 0, cadence: cadence) }
                }, asOf: moment
            ).first)
    }

    /// `com.a` at `position`, from 1.
    private func record(at position: Int, on date: Timestamp) async throws {
        let names = (1..<position).map { "com.x\($0)" } + ["com.a", "com.z"]
        try await store.record(Check(query: timer, at: date, outcome: .answered(list(names))))
    }

    /// Days 0…4 at 5, 2, 8, (failed), 1.
    private func fill() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        try await record(at: 5, on: start)
        try await record(at: 2, on: start + day)
        try await record(at: 8, on: start + 2 * day)
        try await store.record(Check(query: timer, at: start + 3 * day, outcome: .failed(Failure(.timedOut))))
        try await record(at: 1, on: start + 4 * day)
    }

    @Test func `what came later is taken back, best and worst included`() async throws {
        try await fill()
        let then = try standing(asOf: start + day + 60)
        #expect(then.lastGood == Reading(position: Position(2), within: 3, checkedAt: start + day))
        #expect((then.outcome, then.checkedAt) == (.ranked(try #require(Position(2)), of: 3), start + day))
        #expect(then.best == Extreme(position: try #require(Position(2)), at: start + day))
        #expect(then.worst == Extreme(position: try #require(Position(5)), at: start))
    }

    @Test func `the same from the days' roll-ups`() async throws {
        try await fill()
        while let day = try await store.nextDayToRollUp(today: start.day + 4) {
            _ = try await store.rollUp(day: day, after: 0, limit: 10)
        }
        let then = try standing(asOf: start + 3 * day - 60)
        #expect(then.best == Extreme(position: try #require(Position(2)), at: start + day))
        #expect(then.worst == Extreme(position: try #require(Position(8)), at: start + 2 * day))
        #expect(try standing(asOf: start + day + 60).worst?.position == Position(5))
    }

    @Test func `of equal places the first time counts, also where the clock was set back`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])], every: day), now: start)
        for (hour, place) in [(8, 3), (9, 5), (6, 3), (7, 5), (10, 5), (11, 3)] as [(Int64, Int)] {
            try await record(at: place, on: start + hour * 3_600)
        }
        let standing = try standing()
        #expect((standing.best?.position.number, standing.best?.at) == (3, start + 6 * 3_600))
        #expect((standing.worst?.position.number, standing.worst?.at) == (5, start + 7 * 3_600))
        #expect(try await store.findings() == [])
    }

    @Test func `a failure that was the newest check then is told as one`() async throws {
        try await fill()
        let then = try standing(asOf: start + 3 * day)
        #expect((then.outcome, then.checkedAt) == (.failed(.check(.timedOut)), start + 3 * day))
        #expect(then.lastGood?.position == Position(8))
    }

    @Test func `before its first check a pair was never checked`() async throws {
        try await fill()
        let then = try standing(asOf: start - 1)
        #expect(then.outcome == .pending)
        #expect((then.checkedAt, then.lastGood, then.best, then.worst) == (nil, nil, nil, nil))
    }

    @Test func `the newest moment changes nothing`() async throws {
        try await fill()
        let (now, then) = (try standing(), try standing(asOf: start + 9 * day))
        #expect(String(describing: now) == String(describing: then))
    }

    @Test func `the compared reading is the last one within a day of the moment`() async throws {
        try await fill()
        #expect(try standing(since: start + day + 60).compared?.position == Position(2))
        #expect(try standing(since: start + 3 * day).compared?.position == Position(8))
        #expect(try standing(since: start + 3 * day + 60).compared == nil)
        #expect(try standing(since: start - 1).compared == nil)
    }

    @Test func `earlier readings are the same from the daily readings as from the positions`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])], every: 21_600), now: start)
        // At other hours each day, several times on some days and never on others.
        for number in 0..<120 as Range<Int64> where number % 11 != 0 && !(40..<48).contains(number) {
            try await record(at: Int(number % 7) + 1, on: start + number * 28_800 + number * number % 9_000)
        }
        func readings(withDays: Bool, asOf moment: Timestamp?) throws -> [[Reading?]] {
            try HistoryReader(path: store.path).standings(
                days: [1, 2, 7, 30], trendSince: withDays ? start.day : nil,
                comparedIn: { cadence, newest in
                    Reading.window(since: newest - 100_000, until: newest, newest: newest, cadence: cadence)
                }, asOf: moment
            ).map { pair in [1, 2, 7, 30].map { pair.earlier[$0] } + [pair.compared] }
        }
        func expectTheSame() throws {
            for hours in stride(from: 30, to: 960, by: 31) as StrideTo<Int64> {
                let moment = start + hours * 3_600
                #expect(try readings(withDays: true, asOf: moment) == readings(withDays: false, asOf: moment))
            }
            #expect(try readings(withDays: true, asOf: nil) == readings(withDays: false, asOf: nil))
        }
        try expectTheSame()
        while let day = try await store.nextDayToRollUp(today: start.day + 20) {
            _ = try await store.rollUp(day: day, after: 0, limit: 10)
        }
        try expectTheSame()
    }
}
