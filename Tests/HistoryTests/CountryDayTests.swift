import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct CountryDayTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }
    private var us: Store { query("timer").store }

    private func adopt(_ queries: [Query]) async throws {
        try await store.adopt(watchlist(queries.map { ($0, ["a"]) }), now: start)
    }

    private func check(_ outcome: Check.Outcome, on query: Query = query("timer"), day: Int64, hour: Int64 = 1)
        async throws
    {
        try await store.record(
            Check(query: query, at: start + day * 86_400 + hour * 3_600, outcome: outcome))
    }

    /// Derives all days up to the given one, counted from the first.
    private func derive(before day: Int64) async throws {
        while let days = try await store.nextCountryDays(now: .startOfDay(start.day + day), limit: 3) {
            try await enter(CountryDayDraft(days, from: reader))
        }
        for (due, days) in try await store.countryDaysDue(limit: 1_000) {
            try await enter(CountryDayDraft(days, of: due, from: reader))
        }
        while let days = try await store.nextOutdatedCountryDays(limit: 3) {
            try await enter(CountryDayDraft(days, from: reader))
        }
    }

    private func enter(_ draft: CountryDayDraft) async throws {
        var draft = draft
        while try draft.countNext(from: reader) {}
        try await store.enter(draft)
    }

    private func days(_ count: Int64, of wanted: Store? = nil) throws -> [CountryDay] {
        try reader.countryDays(start.day...start.day + count - 1, of: wanted)
    }

    @Test func `a day's last good lists are compared with those of the day before`() async throws {
        try await adopt([query("timer")])
        try await check(.answered(list(["a", "b", "c", "d"])), day: 0)
        try await check(.answered(list(["d", "c", "b", "a"])), day: 1, hour: 1)
        try await check(.answered(list(["b", nil, "a", "x", "d", "b"])), day: 1, hour: 5)
        try await check(.suspect(list(["z"]), .collapsed), day: 1, hour: 6)
        try await check(.failed(Failure(.status)), day: 1, hour: 7)
        try await derive(before: 2)
        var (first, second) = (CountryDay(store: us, day: start.day), CountryDay(store: us, day: start.day + 1))
        (first.queries, first.good) = (1, 1)
        (second.queries, second.good, second.suspect, second.failed) = (1, 2, 1, 1)
        // a 1→3, b 2→1, d 4→5; x entered. c may be in the place that could not be read.
        (second.moves.compared, second.moves.apps, second.moves.entered, second.moves.left) = (1, 3, 1, 0)
        second.moves.spread = .init(lowerQuartile: 1, median: 1, upperQuartile: 2, ninthDecile: 2)
        #expect(try days(2) == [first, second])
    }

    @Test func `an absence beside a place that could not be read is neither an exit nor an entry`() async throws {
        try await adopt([query("timer")])
        try await check(.answered(list(["a", "b", "c"])), day: 0)
        try await check(.answered(list(["a", nil, "x"])), day: 1)
        try await check(.answered(list(["a", "b", "y"])), day: 2)
        try await check(.answered(list(["a", "c", "z"])), day: 3)
        try await derive(before: 4)
        #expect(try days(4).map(\.moves.entered) == [0, 1, 0, 2])
        #expect(try days(4).map(\.moves.left) == [0, 0, 1, 2])
        #expect(try await store.findings() == [])
    }

    private func numbered(_ apps: [(Int64, String)]) -> Check.Outcome {
        .answered(
            ResultList(
                places: apps.map { id, name in
                    SeenApp(id: AppID(id), bundleID: bundle(name), fingerprint: UInt64(id) &+ UInt64(name.utf8.count)) {
                        AppDetails(name: "App \(id)")
                    }
                }))
    }

    @Test func `an app that comes under another bundle identifier or another number has moved, not left and come`()
        async throws
    {
        try await adopt([query("timer")])
        try await check(numbered([(1, "com.a"), (2, "com.b"), (3, "com.c"), (4, "com.d")]), day: 0)
        // 3 is transferred, 4 numbered anew.
        try await check(numbered([(40, "com.d"), (1, "com.a"), (2, "com.b"), (3, "com.new")]), day: 1)
        try await derive(before: 2)
        let moves = try #require(try days(2).last).moves
        #expect((moves.apps, moves.entered, moves.left) == (4, 0, 0))
        #expect(moves.spread?.ninthDecile == 3)
        #expect(try await store.findings() == [])
    }

    @Test func `that two numbers were one app all the time is taken up when it turns out`() async throws {
        try await adopt([query("timer")])
        try await check(numbered([(1, "com.a"), (2, "com.b")]), day: 0)
        try await check(numbered([(1, "com.a"), (3, "com.c")]), day: 1)
        try await derive(before: 2)
        #expect(try days(2).map(\.moves.left) == [0, 1])
        try await check(numbered([(1, "com.a"), (3, "com.b")]), day: 2)
        try await derive(before: 3)
        // It may be an odd answer until it has stayed.
        #expect(try days(3).map(\.moves.left) == [0, 1, 0])
        try await check(numbered([(1, "com.a"), (3, "com.b")]), day: 4)
        try await derive(before: 5)
        #expect(try days(5).map(\.moves.left) == [0, 0, 0, 0])
        #expect(try await store.findings() == [])
    }

    @Test func `checks that are judged anew while their day is being counted are not forgotten`() async throws {
        try await adopt([query("timer")])
        for day in [0, 1] as [Int64] { try await check(.answered(list(["a", "b"])), day: day) }
        var draft = try CountryDayDraft(start.day...start.day + 1, from: reader)
        while try draft.countNext(from: reader) {}
        let long = list((0..<20).map { "com.x\($0)" })
        for hour in [1, 2, 3] as [Int64] { try await check(.answered(long), day: 2, hour: hour) }
        try await store.enter(draft)
        #expect(try days(2).map(\.good) == [0, 0])
        try await derive(before: 3)
        #expect(try days(2).map(\.good) == [0, 0])
        #expect(try days(2).map(\.suspect) == [1, 1])
        #expect(try await store.findings() == [])
    }

    @Test func `days that a clock ahead had derived go with their checks`() async throws {
        let clock = query("clock")
        try await adopt([query("timer"), clock])
        try await check(.answered(list(["a", "b"])), day: 0)
        try await check(.answered(list(["a", "b"])), on: clock, day: 5)
        try await derive(before: 7)
        try await derive(before: 2)
        try await adopt([query("timer")])
        try await store.prune(try await store.plan(PruneRequest(queries: ["clock"])))
        // The clock is set further back, and right from then on.
        try await derive(before: 1)
        try await check(.answered(list(["a", "b"])), day: 8)
        try await derive(before: 9)
        #expect(try days(9).map(\.day) == [start.day, start.day + 8])
        #expect(try await store.findings() == [])
    }

    @Test func `days that an earlier version derived are derived anew, and no damage until then`() async throws {
        try await adopt([query("timer")])
        try await check(.answered(list(["a", "b"])), day: 0)
        try await check(.answered(list(["a", nil])), day: 1)
        try await derive(before: 2)
        let right = try days(2)
        try await store.write { database in
            try database.execute(sql: "UPDATE country_day SET dropped_out = 1 WHERE day = \(start.day + 1)")
            try Setting.countryDaysRule.set(nil, in: database)
        }
        #expect(try days(2) != right)
        #expect(try await store.findings() == [])
        try await derive(before: 2)
        #expect(try days(2) == right)
        #expect(try await store.countryDaysDue(limit: 9).isEmpty)
        #expect(try await store.nextOutdatedCountryDays(limit: 9) == nil)
    }

    @Test func `days are derived anew from the newest on, and are no damage meanwhile`() async throws {
        try await adopt([query("timer"), query("timer", "de")])
        for day in 0..<9 as Range<Int64> where day != 4 {
            for country in ["us", "de"] {
                try await check(.answered(list(["a", "b"])), on: query("timer", country), day: day)
            }
        }
        try await derive(before: 9)
        let right = try days(9)
        try await store.write { database in
            try database.execute(sql: "UPDATE country_day SET dropped_out = 1")
            try Setting.countryDaysRule.set(nil, in: database)
        }
        #expect(try await store.nextCountryDays(now: .startOfDay(start.day + 9), limit: 3) == nil)
        var left: [ClosedRange<Int64>] = []
        while let days = try await store.nextOutdatedCountryDays(limit: 3) {
            left.append(days)
            #expect(try await store.findings() == [])
            try await enter(CountryDayDraft(days, from: reader))
            #expect(try self.days(9).suffix(2) == right.suffix(2))
        }
        #expect(left.map { $0.upperBound - start.day } == [8, 5, 2])
        #expect(try days(9) == right)
    }

    @Test func `what turns out while days are derived anew has them derived once more`() async throws {
        try await adopt([query("timer")])
        for day in 0..<2 as Range<Int64> { try await check(.answered(list(["a", "b"])), day: day) }
        try await derive(before: 2)
        try await store.write { try CountryDayRow.noteAll(in: $0) }
        let days = try #require(try await store.nextOutdatedCountryDays(limit: 9))
        var draft = try CountryDayDraft(days, from: reader)
        while try draft.countNext(from: reader) {}
        try await store.write { try CountryDayRow.noteAll(in: $0) }
        try await store.enter(draft)
        #expect(try await store.nextOutdatedCountryDays(limit: 9) == days)
    }

    @Test func `quantiles are by nearest rank`() {
        #expect(CountryDay.Spread([:]) == nil)
        #expect(
            CountryDay.Spread([7: 1])
                == .init(lowerQuartile: 7, median: 7, upperQuartile: 7, ninthDecile: 7))
        #expect(
            CountryDay.Spread([0: 25, 1: 25, 5: 25, 9: 15, 40: 10])
                == .init(lowerQuartile: 0, median: 1, upperQuartile: 5, ninthDecile: 9))
        #expect(
            CountryDay.Spread([0: 1, 1: 1, 2: 1])
                == .init(lowerQuartile: 0, median: 1, upperQuartile: 2, ninthDecile: 2))
    }

    @Test func `a query that paused for longer than a week is not compared`() async throws {
        try await adopt([query("timer")])
        for day in [0, 7, 15] as [Int64] { try await check(.answered(list(["a", "b"])), day: day) }
        try await derive(before: 16)
        #expect(try days(16).map(\.moves.compared) == [0, 1, 0])
    }

    @Test func `countries have days of their own, of all their queries`() async throws {
        let queries = [query("timer"), query("clock", "us", .ipad), query("timer", "de")]
        try await adopt(queries)
        for (number, query) in queries.enumerated() {
            try await check(.answered(list(["a", "b", "c"])), on: query, day: 0)
            let moved = number == 0 ? ["c", "a", "b"] : ["a", "c", "b"]
            try await check(.answered(list(moved)), on: query, day: 1)
        }
        try await derive(before: 2)
        let second = try days(2).suffix(2)
        #expect(second.map(\.country.code) == ["de", "us"])
        #expect(second.map(\.moves.compared) == [1, 2])
        #expect(second.map(\.moves.apps) == [3, 6])
        #expect(second.map(\.moves.spread?.ninthDecile) == [1, 2])
        #expect(try days(2, of: query("timer", "de").store).count == 2)
    }

    @Test func `the open day is read from the lists, together with the closed ones`() async throws {
        try await adopt([query("timer")])
        for day in 0..<5 as Range<Int64> {
            try await check(.answered(list(day.isMultiple(of: 2) ? ["a", "b"] : ["b", "a", "c"])), day: day)
        }
        let live = try days(5)
        #expect(live.count == 5)
        try await derive(before: 4)
        #expect(try days(5) == live)
        #expect(try await store.nextCountryDays(now: .startOfDay(start.day + 4), limit: 10) == nil)
    }

    @Test func `a check that comes late changes its day and those compared with it`() async throws {
        try await adopt([query("timer")])
        for day in [0, 1, 3, 12] as [Int64] { try await check(.answered(list(["a", "b"])), day: day) }
        try await derive(before: 13)
        try await check(.answered(list(["b", "a"])), day: 1, hour: 9)
        #expect(try await store.countryDaysDue(limit: 100).map(\.days) == [start.day + 1...start.day + 8])
        let live = try days(13)
        #expect(live.map { $0.moves.spread?.median } == [nil, 1, 1, nil])
        try await derive(before: 13)
        #expect(try await store.countryDaysDue(limit: 100).isEmpty)
        #expect(try days(13) == live)
    }

    @Test func `a check that comes while its day is being counted is not forgotten`() async throws {
        try await adopt([query("timer")])
        for day in [0, 1] as [Int64] { try await check(.answered(list(["a", "b"])), day: day) }
        var draft = try CountryDayDraft(start.day...start.day + 1, from: reader)
        while try draft.countNext(from: reader) {}
        try await check(.answered(list(["b", "a"])), day: 1, hour: 9)
        try await store.enter(draft)
        #expect(try days(2).last?.moves.spread?.median == 1)
        try await derive(before: 2)
        #expect(try days(2).last?.good == 2)
    }

    @Test func `thinned failures still count`() async throws {
        try await adopt([query("timer")])
        try await check(.failed(Failure(.status)), day: 0)
        try await check(.failed(Failure(.timedOut)), day: 0, hour: 2)
        try await check(.answered(list(["a"])), day: 1)
        let before = try days(2)
        #expect(before.map(\.failed) == [2, 0])
        _ = try await store.thinFailures(before: start + 86_400, limit: 10)
        #expect(try days(2) == before)
    }

    @Test func `a list that cannot be read costs its query the comparison and nothing else`() async throws {
        try await adopt([query("timer"), query("clock")])
        for day in [0, 1] as [Int64] {
            for words in ["timer", "clock"] {
                try await check(.answered(list(["a", "b"])), on: query(words), day: day)
            }
        }
        try await store.write { try $0.execute(sql: "UPDATE result_list SET places = x'0180' WHERE check_id = 1") }
        try await derive(before: 2)
        #expect(try days(2).map(\.good) == [2, 2])
        #expect(try days(2).map(\.moves.compared) == [0, 1])
    }

    @Test func `a list that cannot be read costs the days alone that are compared with it`() async throws {
        try await adopt([query("timer")])
        for day in 0..<6 as Range<Int64> { try await check(.answered(list(["a", "b"])), day: day) }
        // The last of its day, and one that is not.
        try await check(.answered(list(["a", "b"])), day: 4, hour: 0)
        try await store.write {
            try $0.execute(
                sql:
                    "UPDATE result_list SET places = x'0180' WHERE check_id IN (SELECT id FROM check_log WHERE at IN (?, ?))",
                arguments: [(start + 90_000).secondsSinceEpoch, (start + 4 * 86_400).secondsSinceEpoch])
        }
        try await derive(before: 6)
        #expect(try days(6).map(\.moves.compared) == [0, 0, 0, 1, 1, 1])
    }

    @Test(arguments: [true, false])
    func `days whose lists were damaged since keep what was derived from them`(_ isOfOldRule: Bool) async throws {
        try await adopt([query("timer"), query("clock")])
        for day in 0..<30 as Range<Int64> {
            for words in ["timer", "clock"] {
                try await check(
                    .answered(list(day.isMultiple(of: 2) ? ["a", "b"] : ["b", "a"])), on: query(words), day: day)
            }
        }
        try await derive(before: 30)
        let before = try days(30)
        #expect(before.map(\.moves.compared) == [0] + Array(repeating: 2, count: 29))
        try await store.compact(before: start + 20 * 86_400)
        try await store.write { database in
            try database.execute(
                sql: """
                    UPDATE result_page SET bytes = CAST(substr(bytes, 1, length(bytes) - 1) AS BLOB) WHERE query = 1;
                    UPDATE country_day SET dropped_out = 9 WHERE day = \(start.day + 25);
                    """)
            if isOfOldRule { try Setting.countryDaysRule.set(1, in: database) }
        }
        if !isOfOldRule { for day in 0..<30 { try await note(Int64(day)) } }
        try await derive(before: 30)
        #expect(try days(30) == before)
        #expect(try await store.countryDaysDue(limit: 100).isEmpty)
    }

    private func note(_ day: Int64) async throws {
        try await store.write { try CountryDayRow.noteChange(of: query("timer").store, on: start.day + day, in: $0) }
    }

    @Test func `days that a clock which was ahead had derived are open again once it is right`() async throws {
        try await adopt([query("timer")])
        for day in 0..<4 as Range<Int64> { try await check(.answered(list(["a", "b"])), day: day) }
        try await derive(before: 43)
        #expect(try reader.derivedCountryDays(start.day...start.day + 9).map(\.day).last == start.day + 3)
        try await check(.answered(list(["b", "a"])), day: 3, hour: 5)
        try await derive(before: 3)
        #expect(try reader.derivedCountryDays(start.day...start.day + 9).map(\.day).last == start.day + 2)
        #expect(try days(4).map(\.good) == [1, 1, 1, 2])
        #expect(try await store.countryDaysDue(limit: 100).isEmpty)
        #expect(try await store.findings() == [])
        try await derive(before: 4)
        #expect(try reader.derivedCountryDays(start.day...start.day + 9).map(\.good) == [1, 1, 1, 2])
    }

    @Test func `a clock that is years behind opens no day again`() async throws {
        try await adopt([query("timer")])
        for day in 0..<4 as Range<Int64> { try await check(.answered(list(["a", "b"])), day: day) }
        try await derive(before: 4)
        let before = try reader.derivedCountryDays(start.day...start.day + 3)
        #expect(try await store.nextCountryDays(now: .startOfDay(3), limit: 9) == nil)
        #expect(try reader.derivedCountryDays(start.day...start.day + 3) == before)
    }

    @Test func `days whose lists were dropped keep what was derived from them`() async throws {
        try await adopt([query("timer")])
        for day in 0..<40 as Range<Int64> {
            try await check(.answered(list(day.isMultiple(of: 2) ? ["a", "b"] : ["b", "a"])), day: day)
        }
        try await derive(before: 40)
        let before = try days(40)
        #expect(try await store.dropLists(of: 1, before: start + 20 * 86_400, limit: 100).lists == 20)
        try await check(.failed(Failure(.status)), day: 5, hour: 9)
        var wanted = before
        wanted[5].failed = 1
        #expect(try days(40) == wanted)
        try await derive(before: 40)
        #expect(try days(40) == wanted)
    }

    @Test func `the checks of a day are counted from indexes alone`() async throws {
        let plan = try await store.read { database in
            let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + CountryTally.times)
            statement.setUncheckedArguments(StatementArguments())
            return try Row.fetchAll(statement).map { $0[3] as String }
        }
        #expect(plan.count == 1 && plan[0].contains("COVERING INDEX check_log_query_at"), "\(plan)")
    }
}
