import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// What is asked of one source says nothing of another: each is a lane of its own.
@Suite struct LaneTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")
    private let web = Query(text: "timer", country: Country(code: "us")!, source: .web)

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func adopt() async throws {
        try await store.adopt(watchlist([(timer, ["a"]), (web, ["a"])]), now: start)
    }

    private func answer(
        _ query: Query, at moment: Timestamp, in pass: PassID, _ names: [String?] = (0..<40).map { "app\($0)" },
        requests: Int = 1
    ) async throws -> Applied {
        try await store.apply(
            .answer(
                SearchAnswer(
                    to: query, at: moment, clock: moment, asking: .first(pass), requests: requests,
                    reply: .list(list(names)))))
    }

    @Test func `the last request of one is not that of another`() async throws {
        try await adopt()
        _ = try await answer(timer, at: start + 10, in: PassID(of: .itunes, number: 1))
        _ = try await answer(web, at: start + 40, in: PassID(of: .web, number: 1))
        try await store.noteLookup(at: start + 20)
        #expect(try await store.lastRequest() == start + 10)
        #expect(try await store.lastRequest(of: .web) == start + 40)
        #expect(try await store.lastLookup() == start + 20)
        try await store.noteServiceStart(at: start)
        #expect(try reader.serviceRecord(now: start + 60).service.seenAt == start + 40)
    }

    @Test func `the passes of two are under way side by side, and each ends alone`() async throws {
        try await adopt()
        let (own, other) = (PassID(of: .itunes, number: 1), PassID(of: .web, number: 1))
        _ = try await store.apply(.pass(.began(own, at: start, due: 2)))
        _ = try await store.apply(.pass(.began(other, at: start + 1, due: 5)))
        _ = try await answer(web, at: start + 5, in: other)
        let underWay = try reader.passesUnderWay(now: start + 6)
        #expect(
            underWay == [
                PassProgress(startedAt: start, updatedAt: start, due: 2, done: 0),
                PassProgress(source: .web, startedAt: start + 1, updatedAt: start + 5, due: 5, done: 1),
            ])
        let result = PassResult(startedAt: start + 1, finishedAt: start + 9, due: 5, succeeded: 1, requests: 1)
        _ = try await store.apply(.pass(.ended(other, at: start + 9, result)))
        #expect(try reader.passesUnderWay(now: start + 9).map(\.source) == [.itunes])
    }

    @Test func `each has its last pass, its requests and its health`() async throws {
        try await adopt()
        let (own, other) = (PassID(of: .itunes, number: 1), PassID(of: .web, number: 1))
        _ = try await answer(timer, at: start + 10, in: own)
        let good = PassResult(startedAt: start, finishedAt: start + 11, due: 1, succeeded: 1, requests: 1)
        _ = try await store.apply(.pass(.ended(own, at: start + 11, good)))
        // Of the same times and number, and another pass all the same.
        _ = try await answer(web, at: start + 10, in: other, requests: 3)
        var bad = PassResult(startedAt: start, finishedAt: start + 11, due: 1, succeeded: 1, requests: 3)
        bad.throttled = 1
        _ = try await store.apply(.pass(.ended(other, at: start + 11, bad)))
        var health = EndpointHealth()
        health.note(.throttled(retryAfter: nil), at: start + 11)
        try await store.keep(health, of: .search(.web, at: "https://apps.example"))

        let lanes = try reader.serviceRecord(now: start + 60).lanes
        #expect(lanes.map(\.source) == [.itunes, .web])
        #expect(lanes.map(\.health.pause) == [nil, .throttled])
        #expect(lanes.map { $0.lastPass?.throttled } == [0, 1])
        #expect(lanes.map(\.requestsLastHour) == [1, 3])
        #expect(try reader.requests(in: start...start + 60) == 4)
        #expect(try reader.health(of: .search(at: "https://apps.example")) == EndpointHealth())
        #expect(try await store.lastRequest(of: .web) == start + 10, "keeping its health loses no request")
    }

    @Test func `a source that no query names any more is no lane of the service`() async throws {
        try await adopt()
        try await store.adopt(watchlist([(timer, ["a"])]), now: start + 5)
        #expect(try reader.serviceRecord(now: start + 60).lanes.map(\.source) == [.itunes])
    }

    private func check(_ query: Query, _ names: [String?], day: Int64) async throws {
        try await store.record(
            Check(query: query, at: start + day * 86_400 + 3_600, outcome: .answered(list(names))))
    }

    private func derive(before day: Int64) async throws {
        try await store.deriveCountryDays(now: .startOfDay(start.day + day))
    }

    @Test func `how far apps moved in one says nothing of the other's store`() async throws {
        try await adopt()
        for day in 0..<2 as Range<Int64> {
            try await check(timer, ["a", "b", "c", "d"], day: day)
            try await check(web, day == 0 ? ["a", "b", "c", "d"] : ["d", "c", "b", "a"], day: day)
        }
        try await derive(before: 2)
        let days = try reader.derivedCountryDays(start.day + 1...start.day + 1)
        #expect(days.map(\.store.source) == [.itunes, .web])
        #expect(days.map { $0.moves.spread?.upperQuartile } == [0, 3])
        #expect(days.allSatisfy { $0.queries == 1 && $0.good == 1 })
        #expect(try reader.derivedCountryDays(start.day...start.day + 1, of: web.store).count == 2)
        #expect(try await store.findings() == [])
    }

    @Test func `a late check has the days of its own store derived anew, and no others`() async throws {
        try await adopt()
        for day in 0..<3 as Range<Int64> {
            try await check(timer, ["a"], day: day)
            try await check(web, ["a"], day: day)
        }
        try await derive(before: 3)
        try await store.record(Check(query: web, at: start + 86_400 + 7_200, outcome: .answered(list(["b", "a"]))))
        #expect(try await store.countryDaysDue(limit: 9).map(\.store) == [web.store])
        try await derive(before: 3)
        #expect(try await store.findings() == [])
    }

    @Test func `failures and bad days are told of the source that had them`() async throws {
        try await adopt()
        try await check(timer, ["a"], day: 0)
        try await store.record(
            Check(query: web, at: start + 3_600, outcome: .suspect(list([]), .badDay)))
        let troubles = try reader.storeTroubles(start.day...start.day)
        #expect(troubles == [StoreTrouble(store: web.store, day: start.day, queries: 1, hasBadDay: true)])
    }

    @Test func `an export has the passes and days of both, and they come back as they were`() async throws {
        try await adopt()
        for day in 0..<9 as Range<Int64> {
            try await check(timer, ["a", "b"], day: day)
            try await check(web, ["b", "a"], day: day)
        }
        try await derive(before: 9)
        for source in [Source.itunes, .web] {
            try await store.record(
                PassResult(startedAt: start, finishedAt: start + 9, due: 1, succeeded: 1, requests: 1), of: source)
        }
        for query in try await store.queriesWithLists(before: start + 7 * 86_400) {
            while try await !store.dropLists(of: query, before: start + 7 * 86_400, limit: 9).isDone {}
        }
        let file = try await store.export(to: folder)
        let copy = try HistoryStore(path: folder.file("copy.sqlite"))
        _ = try await copy.importExport(file)
        for sql in [
            "SELECT source, count(*) FROM pass GROUP BY source ORDER BY source",
            "SELECT source, country, day, compared FROM country_day ORDER BY source, country, day",
        ] {
            let own = try await store.read { try Row.fetchAll($0, sql: sql).map(\.text) }
            #expect(
                try await copy.read { try Row.fetchAll($0, sql: sql).map(\.text) } == own && own.count > 1, "\(sql)")
        }
        try await copy.close()
    }
}
