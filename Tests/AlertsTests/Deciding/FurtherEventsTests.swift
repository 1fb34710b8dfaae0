import Foundation
import History
import RankKit
import Reports
import TestSupport
import Testing

@testable import Alerts

@Suite struct FurtherEventsTests {
    private let hour: Int64 = 3_600
    private let morning = DigestTime(minute: 480)

    private func further(_ times: [DigestTime], now: Timestamp, zone: String = "UTC") throws -> FurtherEvents {
        FurtherEvents(
            settings: settings([AlertRule(when: [.digest], times: times), AlertRule(when: [.service], whose: .all)]),
            zone: try #require(TimeZone(identifier: zone)), now: now)
    }

    private func due(_ times: [DigestTime], since: String, now: String, zone: String = "UTC") throws -> [String] {
        let now = time(now)
        let further = try further(times, now: now, zone: zone)
        return further.dueDigests(since: time(since)).map { "\(CivilTime.iso8601($0.moment)) \($0.weekday)" }
    }

    // MARK: The digest

    @Test func `whoever looks once a week sends the newest digest that was due since`() throws {
        var weekly = try further([morning], now: time("2026-11-27T07:00:00Z"))
        let last = time("2026-11-20T07:00:00Z")
        #expect(weekly.dueDigests(since: last).map(\.moment) == [time("2026-11-26T08:00:00Z")])
        weekly = FurtherEvents(
            settings: settings([AlertRule(when: [.digest], times: [DigestTime(minute: 480, weekdays: [1])])]),
            zone: .gmt, now: time("2026-11-27T07:00:00Z"), digestDelay: 8)
        // Monday was four days ago.
        let digest = try #require(weekly.dueDigests(since: last).first)
        #expect(digest.moment == time("2026-11-23T08:00:00Z"))
        #expect(digest.since == time("2026-11-16T08:00:00Z"))
    }

    @Test func `a digest is due at its time, once`() throws {
        #expect(try due([morning], since: "2026-11-20T07:50:00Z", now: "2026-11-20T07:59:59Z") == [])
        #expect(
            try due([morning], since: "2026-11-20T07:59:59Z", now: "2026-11-20T08:00:00Z")
                == ["2026-11-20T08:00:00Z 5"])
        #expect(try due([morning], since: "2026-11-20T08:00:00Z", now: "2026-11-20T08:05:00Z") == [])
    }

    @Test func `one that was missed for an hour is due, one of two days ago not`() throws {
        #expect(
            try due([morning], since: "2026-11-20T07:30:00Z", now: "2026-11-20T08:30:00Z")
                == ["2026-11-20T08:00:00Z 5"])
        let weekly = DigestTime(minute: 480, weekdays: [3])
        #expect(try due([weekly], since: "2026-11-17T12:00:00Z", now: "2026-11-20T12:00:00Z") == [])
    }

    @Test func `one of the evening before is due after midnight`() throws {
        let evening = DigestTime(minute: 1_430, weekdays: [5])
        #expect(
            try due([evening], since: "2026-11-20T23:00:00Z", now: "2026-11-21T00:20:00Z")
                == ["2026-11-20T23:50:00Z 5"])
    }

    @Test func `days of the week are those of the watchlist's zone`() throws {
        let monday = DigestTime(minute: 480, weekdays: [1])
        // Monday morning in Auckland is Sunday evening in UTC.
        #expect(
            try due(
                [monday], since: "2026-11-22T18:59:00Z", now: "2026-11-22T19:01:00Z", zone: "Pacific/Auckland")
                == ["2026-11-22T19:00:00Z 1"])
        #expect(
            try due(
                [monday], since: "2026-11-21T18:59:00Z", now: "2026-11-21T19:01:00Z", zone: "Pacific/Auckland") == [])
    }

    @Test func `a digest keeps its time of day when the clocks change`() throws {
        func berlin(_ since: String, _ now: String, _ minute: Int = 480) throws -> [String] {
            try due([DigestTime(minute: minute)], since: since, now: now, zone: "Europe/Berlin")
        }
        #expect(try berlin("2026-10-24T05:50:00Z", "2026-10-24T06:10:00Z") == ["2026-10-24T06:00:00Z 6"])
        #expect(try berlin("2026-10-25T06:50:00Z", "2026-10-25T07:10:00Z") == ["2026-10-25T07:00:00Z 7"])
        #expect(try berlin("2026-10-25T05:50:00Z", "2026-10-25T06:10:00Z") == [])
        // Half past two comes twice and counts the first time; in spring it is left out, and three stands for it.
        #expect(try berlin("2026-10-25T00:20:00Z", "2026-10-25T00:40:00Z", 150) == ["2026-10-25T00:30:00Z 7"])
        #expect(try berlin("2026-10-25T00:40:00Z", "2026-10-25T01:40:00Z", 150) == [])
        #expect(try berlin("2027-03-28T00:50:00Z", "2027-03-28T01:10:00Z", 150) == ["2027-03-28T01:00:00Z 7"])
    }

    @Test func `a digest is that of its rule even where the clock showed another time`() throws {
        let early = DigestTime(minute: 150)
        let further = try further([early], now: time("2027-03-28T01:10:00Z"), zone: "Europe/Berlin")
        let digest = try #require(further.dueDigests(since: time("2027-03-28T00:50:00Z")).first)
        let event = further.digest(digest, ["one", "two"])
        #expect([early].isMeant(by: event.variant) && event.facts == .text("one\ntwo"))
    }

    // MARK: What a digest goes on from

    /// The due digests of rules with these times, as their moment and that which they go on from.
    private func spans(
        _ rules: [[DigestTime]], since: String, now: String, zone: String = "UTC"
    ) throws -> [String] {
        let further = FurtherEvents(
            settings: settings(rules.map { AlertRule(when: [.digest], times: $0) }),
            zone: try #require(TimeZone(identifier: zone)), now: time(now))
        return further.dueDigests(since: time(since)).map {
            "\(CivilTime.iso8601($0.since)) \(CivilTime.iso8601($0.moment))"
        }
    }

    @Test func `digests of two rules that are due in one look are both due`() throws {
        let rules = [[morning], [DigestTime(minute: 483)]]
        #expect(
            try spans(rules, since: "2026-11-20T07:59:00Z", now: "2026-11-20T08:04:00Z") == [
                "2026-11-19T08:00:00Z 2026-11-20T08:00:00Z", "2026-11-19T08:03:00Z 2026-11-20T08:03:00Z",
            ])
    }

    @Test func `a digest of working days covers a day, and on Monday the weekend too`() throws {
        let rules = [[DigestTime(minute: 480, weekdays: [1, 2, 3, 4, 5])]]
        #expect(
            try spans(rules, since: "2026-11-20T07:59:00Z", now: "2026-11-20T08:01:00Z")
                == ["2026-11-19T08:00:00Z 2026-11-20T08:00:00Z"])
        #expect(
            try spans(rules, since: "2026-11-23T07:59:00Z", now: "2026-11-23T08:01:00Z")
                == ["2026-11-20T08:00:00Z 2026-11-23T08:00:00Z"])
    }

    @Test func `a weekly digest covers its week beside a daily one of the same moment`() throws {
        let rules = [[morning], [DigestTime(minute: 480, weekdays: [1])]]
        #expect(
            try Set(spans(rules, since: "2026-11-23T07:59:00Z", now: "2026-11-23T08:01:00Z")) == [
                "2026-11-22T08:00:00Z 2026-11-23T08:00:00Z", "2026-11-16T08:00:00Z 2026-11-23T08:00:00Z",
            ])
    }

    @Test func `a digest twice a day goes on from the one before, and covers one that was missed`() throws {
        let rules = [[morning, DigestTime(minute: 1_080)]]
        #expect(
            try spans(rules, since: "2026-11-20T17:59:00Z", now: "2026-11-20T18:01:00Z")
                == ["2026-11-20T08:00:00Z 2026-11-20T18:00:00Z"])
        #expect(
            try spans(rules, since: "2026-11-20T07:00:00Z", now: "2026-11-20T18:01:00Z")
                == ["2026-11-19T18:00:00Z 2026-11-20T18:00:00Z"])
    }

    @Test func `what a digest covers keeps to the clock when that changes`() throws {
        func berlin(_ weekdays: Set<Int>, _ since: String, _ now: String) throws -> [String] {
            try spans([[DigestTime(minute: 480, weekdays: weekdays)]], since: since, now: now, zone: "Europe/Berlin")
        }
        #expect(
            try berlin([], "2026-10-25T06:59:00Z", "2026-10-25T07:01:00Z")
                == ["2026-10-24T06:00:00Z 2026-10-25T07:00:00Z"])
        #expect(
            try berlin([1], "2027-03-29T05:59:00Z", "2027-03-29T06:01:00Z")
                == ["2027-03-22T07:00:00Z 2027-03-29T06:00:00Z"])
    }

    @Test func `a digest goes to the rules of its times alone`() throws {
        let weekly = DigestTime(minute: 480, weekdays: [1])
        let further = FurtherEvents(
            settings: settings([[morning], [weekly]].map { AlertRule(when: [.digest], times: $0) }), zone: .gmt,
            now: time("2026-11-23T08:01:00Z"))
        for digest in further.dueDigests(since: time("2026-11-23T07:59:00Z")) {
            let variant = further.digest(digest, []).variant
            #expect([morning].isMeant(by: variant) == (digest.times == [morning]))
            #expect([weekly].isMeant(by: variant) == (digest.times == [weekly]))
        }
    }

    @Test func `a digest that an earlier version told is not told again`() throws {
        let further = try further([morning], now: time("2026-11-20T08:01:00Z"))
        let digest = try #require(further.dueDigests(since: time("2026-11-20T07:59:00Z")).first)
        #expect(!further.isTold(digest, []))
        var event = further.digest(digest, [])
        #expect(further.isTold(digest, [ToldEvent(event, at: noon)]))
        event.variant = "5 480"
        #expect(further.isTold(digest, [ToldEvent(event, at: noon)]))
        event.variant = "4 480"
        #expect(!further.isTold(digest, [ToldEvent(event, at: noon)]))
    }

    @Test func `after a clock that was ahead the last hour counts`() throws {
        #expect(
            try due([morning], since: "2026-11-21T12:00:00Z", now: "2026-11-20T08:30:00Z")
                == ["2026-11-20T08:00:00Z 5"])
        #expect(try due([morning], since: "2026-11-21T12:00:00Z", now: "2026-11-20T09:30:00Z") == [])
    }

    // MARK: The service

    @Test func `trouble is told once, and once that it is over`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist([(query("timer"), ["com.me"])]), now: noon)
        try await store.noteRefusal("it is invalid", at: noon)
        let trouble = try #require(try ServiceTrouble(from: HistoryReader(path: store.path), now: noon))
        func news(_ trouble: ServiceTrouble?, after hours: Int64, _ told: [ToldEvent]) throws -> AlertEvent? {
            let further = try further([], now: noon + hours * hour)
            guard case .told(let event) = further.service(.init(trouble: trouble), told: told) else { return nil }
            return event
        }
        #expect(try news(nil, after: 0, []) == nil)
        let event = try #require(try news(trouble, after: 0, []))
        let told = [ToldEvent(event, at: noon)]
        #expect(try news(trouble, after: 1, told) == nil)
        let well = try #require(try news(nil, after: 2, told))
        #expect(well.facts == .text("rankd is well again"))
        let both = told + [ToldEvent(well, at: noon + 2 * hour)]
        #expect(try news(nil, after: 3, both) == nil)
        #expect(try news(trouble, after: 3, both) != nil)
    }
}
