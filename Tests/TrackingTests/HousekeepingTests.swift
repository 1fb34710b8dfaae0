import Foundation
import GRDB
import RankKit
import Synchronization
import TestSupport
import Testing
import Tracking

@testable import History

/// A clean-up that has everything to do, cut off everywhere.
@Suite struct HousekeepingTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-08-01T00:00:00Z")
    private var now: Timestamp { start + 130 * 86_400 + 7_200 }

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private static let words = ["timer", "clock"]

    /// Two queries in two countries, asked for a hundred and thirty days with everything that may happen to a check.
    private func fill() async throws {
        var plan = watchlist([(query("timer"), ["app1", "app2"]), (query("clock", "de"), ["app3"])])
        plan.service.retention = Retention(lists: 60 * 86_400, failures: 30 * 86_400)
        try await store.adopt(plan, now: start)
        for day in 0...130 as ClosedRange<Int64> where day % 17 != 5 && !(100..<109).contains(day) {
            for (number, query) in [query("timer"), query("clock", "de")].enumerated() {
                let at = start + day * 86_400 + Int64(number) * 60
                if day % 7 == 3 {
                    try await record(.failed(Failure(day % 2 == 0 ? .status : .timedOut)), on: query, at: at)
                }
                var names: [String?] = (0..<12).map { "app\($0)" }
                names.swapAt(Int(day % 12), Int(day * 5 % 12))
                if day % 4 == 0 { names.append(nil) }
                if day % 9 == 0 { names[3] = "new\(day)" }
                let outcome: Check.Outcome =
                    day % 13 == 12 ? .suspect(list(Array(names.prefix(3))), .collapsed) : .answered(list(names))
                try await record(outcome, on: query, at: at + 600)
            }
        }
    }

    private func record(_ outcome: Check.Outcome, on query: Query, at: Timestamp) async throws {
        try await store.record(Check(query: query, at: at, outcome: outcome))
    }

    /// All that a reader can learn, however it is stored. Lists from before the rule are left out.
    private struct Contents: Equatable {
        var lists: [[StoredList]]
        var tops: [[StoredList]]
        var days: [CountryDay]
        var readings: [String]
        var failures: [String: Int]
        var pairDays: [String]
    }

    private static let keptSince = time("2026-08-01T00:00:00Z") + 71 * 86_400

    private func contents() async throws -> Contents {
        let reader = try HistoryReader(path: store.path)
        let lists = try [query("timer"), query("clock", "de")].map { query in
            var lists: [StoredList] = []
            try reader.lists(on: query, in: Self.keptSince...now) {
                lists.append($0)
                return true
            }
            return lists
        }
        let tops = try [query("timer"), query("clock", "de")].map {
            try reader.dailyTops(on: $0, in: Self.keptSince...now)
        }
        return try await store.read { database in
            let failures = try GRDB.Row.fetchAll(
                database,
                sql: """
                    SELECT query || ' ' || day || ' ' || reason, sum(failed) FROM (
                        SELECT query, day, reason, failed FROM failure_day
                        UNION ALL SELECT query, at / 86400, reason, 1 FROM check_log WHERE outcome = 'failed')
                    GROUP BY 1
                    """)
            return Contents(
                lists: lists, tops: tops, days: try reader.countryDays(start.day...now.day),
                readings: try String.fetchAll(
                    database, sql: "SELECT pair || ' ' || at || ' ' || ifnull(position, '-') FROM position ORDER BY 1"),
                failures: Dictionary(uniqueKeysWithValues: failures.map { ($0[0], $0[1]) }),
                pairDays: try String.fetchAll(
                    database,
                    sql: """
                        SELECT pair || ' ' || (at / 86400) || ' ' || count(*) || ' ' || count(position) || ' '
                            || ifnull(min(position), '-')
                        FROM position WHERE at < ? GROUP BY pair, at / 86400 ORDER BY 1
                        """, arguments: [Timestamp.startOfDay(now.day).secondsSinceEpoch]))
        }
    }

    /// What the finished clean-up leaves, beside what a reader sees.
    private func expectDone(_ before: Contents) async throws {
        let after = try await contents()
        #expect(after == before)
        // Later than the rule alone would have it: on some of the last days nothing was asked.
        let kept = try #require(try await store.firstFailureNeeded(keeping: 30 * 86_400, now: now))
        let (rows, counts) = try await store.read { database in
            (
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT pair || ' ' || day || ' ' || good || ' ' || ranked || ' ' || ifnull(best, '-')
                        FROM pair_day ORDER BY 1
                        """),
                try [
                    "SELECT count(*) FROM check_log WHERE outcome = 'failed' AND at < \(kept.secondsSinceEpoch)",
                    "SELECT count(*) FROM result_list", "SELECT count(*) FROM country_day_due",
                ].map { try Int.fetchOne(database, sql: $0) ?? -1 }
            )
        }
        #expect(Set(rows).symmetricDifference(before.pairDays).isEmpty)
        #expect(counts == [0, 2, 0])
        // Derived anew from what is left, the days whose lists are all there come out the same.
        try await store.write {
            try $0.execute(sql: "DELETE FROM country_day WHERE day >= ?", arguments: [Self.keptSince.day + 8])
            try $0.execute(
                sql: "UPDATE setting SET value = ? WHERE name = 'country_days_through_day'",
                arguments: [Self.keptSince.day + 7])
        }
        #expect(try HistoryReader(path: store.path).countryDays(start.day...now.day) == before.days)
    }

    @Test func `a clean-up does all there is to do, and says so`() async throws {
        try await fill()
        let before = try await contents()
        let outcome = try await Housekeeping(history: store).run(now: now)
        #expect(outcome.daysRolledUp > 100)
        #expect(outcome.countryDays > 110)
        // Those of the last thirty days with a check stay, which are forty-one by the calendar.
        #expect(outcome.failuresThinned == 24)
        #expect(outcome.listsDropped > 80)
        #expect(outcome.listsCompacted > outcome.listsDropped)
        #expect(outcome.listsDamaged == 0)
        #expect(try await store.lastCleanUp() == outcome)
        let upkeep = try HistoryReader(path: store.path).serviceRecord(now: now).upkeep
        #expect(upkeep.last == outcome)
        #expect(upkeep.daysBehind == 0 && upkeep.countryDaysBehind == 0)
        #expect(upkeep.otherLists == 2)
        #expect(upkeep.listsInPages == outcome.listsCompacted - outcome.listsDropped)
        let again = try await Housekeeping(history: store).run(now: now)
        #expect(again.daysRolledUp == 0 && again.countryDays == 0 && again.listsCompacted == 0)
        try await expectDone(before)
    }

    @Test func `a clean-up keeps the first places of pages apart that an earlier version wrote`() async throws {
        try await fill()
        _ = try await Housekeeping(history: store).run(now: now)
        let before = try await tops()
        #expect(before.count >= 2)
        try await store.write { try $0.execute(sql: "DELETE FROM page_top") }
        _ = try await Housekeeping(history: store).run(now: now)
        #expect(try await tops() == before)
    }

    private func tops() async throws -> [String] {
        try await store.read {
            try String.fetchAll($0, sql: "SELECT page || ' ' || hex(bytes) FROM page_top ORDER BY page")
        }
    }

    /// Has messages of 500 and 399 days before `day` in a history with so many days of the store before it.
    private func tell(before day: Int64, storeDays: Int64) async throws {
        try await store.adopt(watchlist([(query("timer"), ["app1"])]), now: start)
        try await store.adopt([OutboxChannel(name: "team", kind: "webhook", settings: "1")])
        var mark: AlertMark?
        for (number, age) in ([500, 399] as [Int64]).enumerated() {
            let moment = Timestamp.startOfDay(day - age)
            let next = AlertMark(since: start, check: Int64(number + 1), judgedAt: moment)
            let event = OutboxEvent(
                identity: .init(kind: "moved", subject: "of \(age)", variant: "", onset: moment.day),
                confirmedAt: moment, decidedAt: moment, state: .told, facts: "{}", message: "m\(age)")
            let decision = OutboxDecision(
                mark: next,
                messages: [OutboxMessage(id: "m\(age)", decidedAt: moment, content: "", channels: ["team"])],
                events: [event])
            #expect(try await store.decide(decision, from: mark))
            mark = next
        }
        try await addStoreDays(day - storeDays..<day)
    }

    private func addStoreDays(_ days: Range<Int64>) async throws {
        try await store.write { database in
            // Else the clean-up derives them anew, from checks that there are none of.
            try database.execute(
                literal:
                    "INSERT OR REPLACE INTO setting (name, value) VALUES ('country_days_rule', \(CountryTally.rule))")
            for day in days {
                try database.execute(
                    literal: """
                        INSERT INTO country_day (source, country, day, queries, good, suspect, failed, compared, apps,
                            entered, dropped_out)
                        VALUES ('itunes', 'us', \(day), 1, 1, 0, 0, 0, 0, 0, 0)
                        """)
            }
        }
    }

    @Test func `messages and events of more than 400 days ago are forgotten`() async throws {
        let today = start.day + 900
        try await tell(before: today, storeDays: 400)
        let outcome = try await Housekeeping(history: store).run(now: .startOfDay(today) + 60)
        #expect(outcome.messagesForgotten == 1)
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.deliveries(limit: 9).map(\.message) == ["m399"])
        #expect(try reader.outboxEvents(since: 0).map(\.identity.subject) == ["of 399"])
    }

    @Test func `a clock that is years ahead has nothing forgotten, as it would be told again`() async throws {
        let today = start.day + 900
        try await tell(before: today, storeDays: 399)
        #expect(
            try await Housekeeping(history: store).run(now: .startOfDay(today + 4_000)).messagesForgotten == nil)
        #expect(try HistoryReader(path: store.path).outboxEvents(since: 0).count == 2)
    }

    @Test func `days of an earlier rule hold up neither the retention nor a late check`() async throws {
        var plan = watchlist([(query("timer"), ["app1"])])
        plan.service.retention = Retention(lists: nil, failures: nil)
        try await store.adopt(plan, now: start)
        for day in 60..<130 as Range<Int64> {
            try await record(.answered(list(["app1", "app2"])), on: query("timer"), at: start + day * 86_400)
        }
        _ = try await Housekeeping(history: store).run(now: now)
        plan.service.retention = Retention(lists: 30 * 86_400, failures: nil)
        try await store.adopt(plan, now: now)
        let countries = Country.codes.sorted().filter { $0 != "us" }.prefix(39) + ["us"]
        try await store.write { database in
            try database.execute(sql: "UPDATE setting SET value = 1 WHERE name = 'country_days_rule'")
            for country in countries {
                for day in now.day - 400..<now.day {
                    try database.execute(
                        literal: """
                            INSERT OR IGNORE INTO country_day (source, country, day, queries, good, suspect, failed,
                                compared, apps, entered, dropped_out)
                            VALUES ('itunes', \(country), \(day), 1, 1, 0, 0, 0, 0, 0, 0)
                            """)
                }
            }
        }
        try await record(.answered(list(["app2", "app1"])), on: query("timer"), at: now - 2 * 86_400)
        let outcome = try await Housekeeping(history: store).run(now: now + 86_400)
        // The last thirty days with a check stay: nothing was asked on the day before.
        #expect(outcome.listsDropped == 40)
        let reader = try HistoryReader(path: store.path)
        let us = try #require(Country(code: "us"))
        #expect(try reader.derivedCountryDays(now.day - 2...now.day - 1, of: Store(in: us)).map(\.good) == [2, 1])
        #expect(try await store.countryDaysDue(limit: 9).isEmpty)
    }

    @Test(arguments: [("Asia/Tokyo", "America/Los_Angeles"), ("America/Los_Angeles", "Asia/Tokyo")])
    func `a watchlist that brings another zone in the middle of a clean-up closes no day too early`(
        _ former: String, _ new: String
    ) async throws {
        func plan(_ zone: String) -> Watchlist {
            var plan = watchlist([(query("timer"), ["app1"]), (query("clock", "de"), ["app3"])])
            plan.timeZone = zone
            return plan
        }
        // One in the morning of the next day in Tokyo, eight in the morning in Los Angeles.
        let now = start + 5 * 86_400 + 16 * 3_600
        for turn in 1...12 {
            let store = try HistoryStore(path: folder.file("turn-\(turn).sqlite"))
            try await store.adopt(plan(former), now: start)
            for hours in stride(from: 0, through: 5 * 24 + 15, by: 5) as StrideThrough<Int64> {
                for query in [query("timer"), query("clock", "de")] {
                    let list = list(["app1", "app\(hours)"])
                    try await store.record(Check(query: query, at: start + hours * 3_600, outcome: .answered(list)))
                }
            }
            let turns = Mutex(0)
            let isTurn: @Sendable () -> Bool = {
                turns.withLock {
                    $0 += 1
                    return $0 == turn
                }
            }
            let other = plan(new)
            _ = try await Housekeeping(history: store) {
                if isTurn() { try await store.adopt(other, now: now) }
            }.run(now: now)
            let reader = try HistoryReader(path: store.path)
            let today = try reader.countryDaysZone().day(of: now)
            let derived = try reader.derivedCountryDays(start.day - 2...today + 9)
            #expect(derived.map(\.day).max() == today - 1, "turn \(turn)")
            #expect(derived == (try reader.countryDays(start.day - 2...today - 1)), "turn \(turn)")
            try await store.close()
        }
    }

    @Test func `a clean-up by a clock that was ahead leaves no day derived that is not over`() async throws {
        try await fill()
        _ = try await Housekeeping(history: store).run(now: now + 40 * 86_400)
        _ = try await Housekeeping(history: store).run(now: now)
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.derivedCountryDays(start.day...now.day + 50).map(\.day).max() == now.day - 1)
        try await record(.answered(list(["app1"])), on: query("timer"), at: now)
        #expect(try await store.countryDaysDue(limit: 9).isEmpty)
        _ = try await Housekeeping(history: store).run(now: now + 86_400)
        let last = try reader.derivedCountryDays(now.day...now.day + 50)
        #expect(last == (try reader.countryDays(now.day...now.day + 50)) && last.contains { $0.good == 2 })
    }

    @Test func `nothing is dropped and nothing thinned that is to be kept for ever`() async throws {
        try await fill()
        var plan = watchlist([(query("timer"), ["app1", "app2"]), (query("clock", "de"), ["app3"])])
        plan.service.retention = Retention(lists: nil, failures: nil)
        try await store.adopt(plan, now: now)
        let outcome = try await Housekeeping(history: store).run(now: now)
        #expect(outcome.listsDropped == 0 && outcome.failuresThinned == 0)
        #expect(try HistoryReader(path: store.path).listsSince() == nil)
    }

    @Test func `a clean-up that is stopped before any step goes on where it was`() async throws {
        try await fill()
        let before = try await contents()
        var stops = 0
        while true {
            // Each time a few steps more than the last, and never so few that nothing is done.
            let left = Countdown(stops % 7 + 6)
            let housekeeping = Housekeeping(history: store) { try await left.take() }
            do {
                _ = try await housekeeping.run(now: now)
                break
            } catch is CancellationError {
                stops += 1
                #expect(try await contents() == before)
                try #require(stops < 400)
            }
        }
        #expect(stops > 10)
        try await expectDone(before)
    }

    /// Tables whose rows a clean-up adds, changes or deletes.
    private static let tables = [
        "pair_day", "country_day", "country_day_due", "result_page", "page_top", "result_list", "check_log",
        "failure_day",
        "setting",
        "query",
    ]

    @Test func `a clean-up that fails at any write loses and doubles nothing`() async throws {
        try await fill()
        try await store.close()
        let filled = store.path
        let before = try await Self(copyOf: filled).contents()
        var write = 1
        var failures = 0
        while true {
            let cut = try Self(copyOf: filled)
            let number = write
            try await cut.store.write { try Self.cutOff(at: number, in: $0) }
            do {
                _ = try await Housekeeping(history: cut.store).run(now: now)
                break
            } catch is HistoryError {
                failures += 1
                #expect(try await cut.contents() == before, "write \(write)")
                try await cut.store.write { try Self.mend($0) }
                _ = try await Housekeeping(history: cut.store).run(now: now)
                try await cut.expectDone(before)
                try await cut.store.close()
            }
            // Every write of the first transactions, then with growing gaps.
            write += 1 + write / 12
            try #require(failures < 400)
        }
        #expect(failures > 40)
    }

    /// Every change of a row counts, in the order in which they come; the one with this number fails.
    private static func cutOff(at write: Int, in database: Database) throws {
        try database.execute(sql: "CREATE TABLE cut (done INTEGER); INSERT INTO cut VALUES (0);")
        for table in tables {
            for change in ["INSERT", "UPDATE", "DELETE"] {
                try database.execute(
                    sql: """
                        CREATE TRIGGER cut_\(table)_\(change) AFTER \(change) ON \(table)
                        BEGIN UPDATE cut SET done = done + 1; END;
                        """)
            }
        }
        try database.execute(
            sql: """
                CREATE TRIGGER cut_off BEFORE UPDATE ON cut WHEN new.done = \(write)
                BEGIN SELECT RAISE(ABORT, 'cut off'); END;
                """)
    }

    private static func mend(_ database: Database) throws {
        let names = try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        for name in names { try database.execute(sql: "DROP TRIGGER \(name)") }
        try database.execute(sql: "DROP TABLE cut")
    }

    private init(copyOf path: String) throws {
        folder = try TemporaryFolder()
        let copy = folder.file("history.sqlite")
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        store = try HistoryStore(path: copy)
    }
}

/// So many turns, then none.
private actor Countdown {
    private var left: Int

    init(_ left: Int) { self.left = left }

    func take() throws {
        guard left > 0 else { throw CancellationError() }
        left -= 1
    }
}
