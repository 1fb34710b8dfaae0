import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct BackFillTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// A pool of apps of which any list holds some.
    private static let names = (1...12).map { "com.app\($0)" }
    private static let tracked = ["com.app1", "com.app2", "com.app3", "com.never"]

    /// Every 6 hours something: mostly a list, at times a list with an unreadable or a doubled place, an empty one, a
    /// suspect one, a failure.
    private func checks(_ count: Int, seed: UInt64) -> [Check] {
        var random = Dice(seed)
        return (0..<count).map { index in
            var names: [String?] = Self.names.shuffled(using: &random).prefix(Int.random(in: 1...9, using: &random))
                .map(\.self)
            let outcome: Check.Outcome
            switch Int.random(in: 0..<12, using: &random) {
            case 0: outcome = .failed(Failure(.timedOut))
            case 1: outcome = .suspect(list(names), .collapsed)
            case 2: outcome = .answered(list([]))
            case 3:
                names.insert(nil, at: 0)
                outcome = .answered(list(names + names.prefix(2)))
            default: outcome = .answered(list(names))
            }
            return Check(query: timer, at: start + Int64(index) * 21_600, outcome: outcome)
        }
    }

    private func record(_ checks: some Sequence<Check>, in store: HistoryStore) async throws {
        for check in checks { try await store.record(check) }
    }

    @Test func `a new pair has its past where the newest check is a failure older than those are kept`() async throws {
        try await store.adopt(watchlist([(timer, ["com.app1"])]), now: start)
        for hour in 0..<3 as Range<Int64> {
            let names: [String?] = ["com.app2", "com.app1"]
            try await store.record(Check(query: timer, at: start + hour * 3_600, outcome: .answered(list(names))))
        }
        for hour in [4, 5] as [Int64] {
            try await store.record(
                Check(query: timer, at: start + hour * 3_600, outcome: .failed(Failure(.timedOut))))
        }
        #expect(try await store.thinFailures(before: start + 9 * 3_600, limit: 10) == 1)
        #expect(try await store.thinFailures(before: start + 9 * 3_600, limit: 10) == 0)
        #expect(try await store.findings() == [])
        try await store.adopt(watchlist([(timer, ["com.app1", "com.app2"])]), now: start + 10 * 3_600)
        try await store.fillIn()
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.readings(of: bundle("com.app2"), on: timer).count == 3)
        let standings = try reader.standings()
        #expect(standings.map(\.lastGood?.position) == [Position(2), Position(1)])
        #expect(standings.map(\.checkedAt) == [start + 5 * 3_600, start + 5 * 3_600])
        #expect(try await store.findings() == [])
        // Once it is not the newest any more it goes as the others.
        try await store.record(Check(query: timer, at: start + 11 * 3_600, outcome: .answered(list([]))))
        #expect(try await store.thinFailures(before: start + 9 * 3_600, limit: 10) == 1)
        #expect(try await store.findings() == [])
    }

    @Test func `a pair that an earlier version gave no past is told, and has one from the next adoption`() async throws
    {
        let plan = watchlist([(timer, ["com.app1", "com.app2"])])
        try await store.adopt(plan, now: start)
        try await store.record(Check(query: timer, at: start, outcome: .answered(list(["com.app2", "com.app1"]))))
        try await store.write { database in
            try database.execute(
                sql: """
                    DELETE FROM position WHERE pair = 2;
                    DELETE FROM standing WHERE pair = 2;
                    UPDATE pair_period SET from_at = from_at + 3600 WHERE pair = 2;
                    UPDATE query SET newest_check = 99;
                    """)
        }
        let told = [
            "references: query 1: the newest check of this query does not exist",
            "standings: “timer” us, com.app2: the pair has no standing, although its query has good checks",
        ]
        #expect(try await store.findings() == told)
        // A failure that was thinned out is no loss by itself.
        try await store.write { try $0.execute(sql: "INSERT INTO failure_day VALUES (1, 20000, 'timed-out', 1)") }
        #expect(try await store.findings() == [told[1]])
        try await store.adopt(plan, now: start + 60)
        try await store.fillIn()
        #expect(
            try HistoryReader(path: store.path).standings().map(\.lastGood?.position) == [Position(2), Position(1)])
        #expect(try await store.findings() == [])
    }

    private struct Stop: Error {}

    /// Fills in everything, in steps so small that there are many.
    ///
    /// - Parameter most: after how many steps it is cut off.
    @discardableResult
    private func fill(_ store: HistoryStore, most: Int = .max) async throws -> Int {
        var steps = 0
        let reader = try HistoryReader(path: store.path)
        for query in try await store.queriesToFill() {
            var goesOn = true
            while goesOn, let work = try await store.backFillWork(on: query) {
                goesOn = try await BackFillBatch(work, from: reader, longest: 7).write(to: store, step: 10) {
                    if steps == most { throw Stop() }
                    steps += 1
                }
            }
        }
        return steps
    }

    /// The rows of `table`, by app instead of by pair.
    private func rows(_ table: String, of store: HistoryStore) async throws -> [String] {
        try await store.read { database in
            let columns = try database.columns(in: table).map(\.name).filter { $0 != "pair" }.joined(separator: ", ")
            return try Row.fetchAll(
                database,
                sql:
                    "SELECT pair.bundle_id, \(columns) FROM \(table) JOIN pair ON pair.id = \(table).pair ORDER BY 1, 2, 3"
            ).map(\.text)
        }
    }

    private func isSame(as other: HistoryStore) async throws {
        for table in ["position", "standing", "pair_day"] {
            let (mine, theirs) = (try await rows(table, of: store), try await rows(table, of: other))
            #expect(mine == theirs, "\(table)")
            #expect(!mine.isEmpty)
        }
        #expect(try await store.queriesToFill().isEmpty)
    }

    private func rollUp(_ store: HistoryStore, today: Int64) async throws {
        while let day = try await store.nextDayToRollUp(today: today) {
            while try await store.rollUp(day: day, after: 0, limit: 100) != nil {}
        }
    }

    /// What a history has that tracked `tracked` from the start.
    private func trackedFromTheStart(_ checks: [Check], rolledUpTo day: Int64) async throws -> HistoryStore {
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        try await other.adopt(watchlist([(timer, Self.tracked)]), now: start)
        try await record(checks, in: other)
        try await rollUp(other, today: day)
        return other
    }

    @Test func `a pair that is new on an asked query stands where the newest good list has it, at once`() async throws {
        try await store.adopt(watchlist([(timer, ["com.b"])]), now: start)
        try await store.record(Check(query: timer, at: start, outcome: .answered(list(["com.b", "com.a"]))))
        try await store.record(Check(query: timer, at: start + 60, outcome: .failed(Failure(.timedOut))))
        try await store.adopt(watchlist([(timer, ["com.a", "com.z"])]), now: start + 100)
        let standings = try HistoryReader(path: store.path).standings()
        #expect(standings.map(\.outcome) == [.failed(.check(.timedOut)), .failed(.check(.timedOut))])
        #expect(standings[0].lastGood == Reading(position: Position(2), within: 2, checkedAt: start))
        #expect(standings[1].lastGood == Reading(position: nil, within: 2, checkedAt: start))
        #expect(standings[0].checkedAt == start + 60)
    }

    @Test func `a pair that is new on a query never asked has nothing to be filled in`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        #expect(try await store.queriesToFill().isEmpty)
        #expect(try HistoryReader(path: store.path).standings().first?.outcome == .pending)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `what is filled in is what recording from the start would have left`(seed: UInt64) async throws {
        let checks = checks(100, seed: seed)
        try await store.adopt(watchlist([(timer, ["com.other"])]), now: start)
        try await record(checks.prefix(80), in: store)
        try await rollUp(store, today: (start + 70 * 21_600).day)
        try await store.adopt(watchlist([(timer, Self.tracked)]), now: start + 80 * 21_600)
        try await fill(store)
        try await record(checks.suffix(20), in: store)
        try await rollUp(store, today: (start + 90 * 21_600).day)
        try await store.write { try $0.execute(sql: Self.forgetOther) }
        try await isSame(as: try await trackedFromTheStart(checks, rolledUpTo: (start + 90 * 21_600).day))
    }

    private static let forgetOther = """
        DELETE FROM position WHERE pair = 1; DELETE FROM standing WHERE pair = 1; DELETE FROM pair_day WHERE pair = 1;
        """

    @Test func `it is the same from pages as from single lists`() async throws {
        let checks = checks(60, seed: 4)
        let end = start + 60 * 21_600
        try await store.adopt(watchlist([(timer, ["com.other"])]), now: start)
        try await record(checks, in: store)
        var mark: HistoryStore.CompactionMark?
        let closed = Timestamp.startOfDay((end - 3 * 86_400).day)
        for query in try await store.queriesToCompact(before: closed) {
            repeat {
                mark = try await store.compact(query: query, after: mark, before: closed, limit: 20).next
            } while mark != nil
        }
        #expect(try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM result_page") } ?? 0 > 0)
        try await store.adopt(watchlist([(timer, Self.tracked)]), now: end)
        try await fill(store)
        try await rollUp(store, today: end.day)
        try await store.write { try $0.execute(sql: Self.forgetOther) }
        try await isSame(as: try await trackedFromTheStart(checks, rolledUpTo: end.day))
    }

    @Test func `cut off at any step it goes on from there, while checks are recorded`() async throws {
        let checks = checks(60, seed: 5)
        try await store.adopt(watchlist([(timer, ["com.other"])]), now: start)
        try await record(checks.prefix(40), in: store)
        try await store.adopt(watchlist([(timer, Self.tracked)]), now: start + 40 * 21_600)
        var cuts = 0
        for check in checks.suffix(20) {
            do { try await fill(store, most: cuts % 4) } catch is Stop { cuts += 1 }
            try await store.record(check)
        }
        #expect(cuts > 5)
        try await fill(store)
        try await rollUp(store, today: (start + 60 * 21_600).day)
        try await store.write { try $0.execute(sql: Self.forgetOther) }
        try await isSame(as: try await trackedFromTheStart(checks, rolledUpTo: (start + 60 * 21_600).day))
    }

    @Test func `a pair that comes back has what it missed`() async throws {
        let checks = checks(60, seed: 6)
        let end = start + 60 * 21_600
        let all = watchlist([(timer, Self.tracked)])
        try await store.adopt(all, now: start)
        try await record(checks.prefix(20), in: store)
        try await store.adopt(watchlist([(timer, ["com.app1"])]), now: start + 20 * 21_600)
        try await record(checks[20..<40], in: store)
        try await store.adopt(all, now: start + 40 * 21_600)
        try await record(checks.suffix(20), in: store)
        try await fill(store)
        try await rollUp(store, today: end.day)
        try await isSame(as: try await trackedFromTheStart(checks, rolledUpTo: end.day))
    }

    @Test func `a pair that is retired again is left alone`() async throws {
        try await store.adopt(watchlist([(timer, ["com.b"])]), now: start)
        try await record(checks(20, seed: 7), in: store)
        try await store.adopt(watchlist([(timer, ["com.app1"])]), now: start + 30 * 21_600)
        try await store.adopt(watchlist([(timer, ["com.b"])]), now: start + 31 * 21_600)
        try await fill(store)
        #expect(try await rows("position", of: store).count { $0.hasPrefix("'com.app1'") } <= 1)
    }

    @Test func `filled-in positions show in the view for people's own SQL`() async throws {
        try await store.adopt(watchlist([(timer, ["com.b"])]), now: start)
        for hour in [0, 1] as [Int64] {
            try await store.record(
                Check(query: timer, at: start + hour * 3_600, outcome: .answered(list(["com.b", "com.a"]))))
        }
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start + 86_400)
        try await fill(store)
        let count = try await store.read {
            try Int.fetchOne(
                $0, sql: "SELECT count(*) FROM position_history WHERE bundle_id = 'com.a' AND position = 2")
        }
        #expect(count == 2)
    }

    // MARK: Apps by query

    private func bestPlaces(of store: HistoryStore) async throws -> [String] {
        try await store.read { try Row.fetchAll($0, sql: "SELECT * FROM query_app ORDER BY query, app").map(\.text) }
    }

    /// From the lists alone.
    private func bestPlacesByHand(_ reader: HistoryReader) throws -> [String] {
        var best: [DenseID: (Int, Int64)] = [:]
        try reader.lists(on: timer) { list in
            for (index, app) in list.places.enumerated() where list.outcome == .good {
                guard let app else { continue }
                if best[app].map({ index + 1 < $0.0 }) ?? true { best[app] = (index + 1, list.at.secondsSinceEpoch) }
            }
            return true
        }
        return best.sorted { $0.key < $1.key }.map { "1 \($0.key.number) \($0.value.0) \($0.value.1)" }
    }

    @Test func `the best place of each app on a query is kept as checks are recorded, from good ones alone`()
        async throws
    {
        try await store.adopt(watchlist([(timer, ["com.b"])]), now: start)
        try await record(checks(80, seed: 8), in: store)
        let kept = try await bestPlaces(of: store)
        #expect(try kept == bestPlacesByHand(HistoryReader(path: store.path)))
        #expect(kept.count == Self.names.count)
    }

    @Test func `an older history gets the best places and the pasts that it lacks`() async throws {
        let checks = checks(40, seed: 9)
        try await store.adopt(watchlist([(timer, ["com.other"])]), now: start)
        try await record(checks.prefix(30), in: store)
        try await store.adopt(watchlist([(timer, ["com.other"] + Self.tracked)]), now: start + 30 * 21_600)
        try await record(checks.suffix(10), in: store)
        try await store.write { database in
            try database.execute(
                sql: """
                    DROP TABLE pair_fill; DROP TABLE query_fill; DROP TABLE query_app; DROP INDEX check_log_unread;
                    DELETE FROM position WHERE at < \((start + 30 * 21_600).secondsSinceEpoch) AND pair > 1;
                    """)
            try database.execute(sql: Schema.version4)
        }
        try await fill(store)
        #expect(try await bestPlaces(of: store) == bestPlacesByHand(HistoryReader(path: store.path)))
        let other = try await trackedFromTheStart(checks, rolledUpTo: 0)
        #expect(
            try await rows("position", of: store).filter { !$0.hasPrefix("'com.other'") } == rows("position", of: other)
        )
    }
}
