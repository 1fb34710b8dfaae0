import Foundation
import History
import Judging
import JudgingStage
import RankKit
import Reports
import TestSupport
import Testing

@testable import Alerts

/// What was told by the days of one zone and is judged by those of another.
@Suite struct KeptDaysTests {
    private let auckland = "Pacific/Auckland"

    private func event(
        _ kind: AlertKind = .moved, onset: Int64 = noon.day - 3, zone: String? = nil, at: Timestamp = noon,
        from: Int = 40, to: Int = 12
    ) throws -> AlertEvent {
        var scope = AlertScope()
        scope.countries = [try #require(Country(code: "us"))]
        return AlertEvent(
            kind: kind, subject: .pair(query("timer"), bundle("com.me")), onset: onset, sameWithin: 7,
            way: to < from ? .up : .down, sensitivity: .normal, at: at,
            on: ZoneDays(kept: zone).day(of: at), zone: zone,
            facts: .move(
                from: try #require(Position(from)), to: try #require(Position(to)), places: abs(from - to)),
            scope: scope, names: .init(app: "com.me"))
    }

    private func decide(
        _ events: [AlertEvent], told: [ToldEvent] = [], now: Timestamp = noon, zone: String? = nil
    ) -> AlertDecision {
        AlertDecision(
            events, told: told,
            .init(
                settings: settings([AlertRule(when: [.moved])]), start: noon.day - 90, now: now,
                zone: ZoneDays(kept: zone).zone))
    }

    private func told(_ event: AlertEvent, at moment: Timestamp = noon - day) -> ToldEvent {
        var told = ToldEvent(event, at: moment)
        (told.messages, told.channels, told.sentTo) = (["1"], ["team"], ["team"])
        return told
    }

    @Test func `what an earlier version kept is of UTC's days, and what is kept now says whose days it is of`() throws {
        for zone in [nil, auckland] {
            let told = told(try event(zone: zone))
            let stored = told.stored(confirmedAt: noon)
            #expect(stored.facts.contains("zone") == (zone != nil))
            #expect(ToldEvent(stored, sent: ["1": ["team"]]) == told)
        }
    }

    @Test func `a day of one zone may be the next of another, and no two of one zone are one day`() throws {
        let told = told(try event())
        #expect(decide([try event(onset: noon.day + 4)], told: [told]).messages.isEmpty)
        #expect(decide([try event(onset: noon.day + 5)], told: [told]).messages.count == 1)
        func isAgain(_ onset: Int64) throws -> Bool {
            decide([try event(onset: onset, zone: auckland)], told: [told], zone: auckland).messages.isEmpty
        }
        #expect(try isAgain(noon.day + 5))
        #expect(try !isAgain(noon.day + 6))
    }

    @Test func `what begins on the day of the return by another zone is another move`() throws {
        var over = told(try event(onset: noon.day - 4), at: noon - 2 * day)
        (over.isOver, over.overOn) = (true, noon.day - 1)
        #expect(decide([try event(onset: noon.day - 1)], told: [over]).messages.isEmpty)
        let next = try event(onset: noon.day - 1, zone: auckland)
        #expect(decide([next], told: [over], zone: auckland).messages.count == 1)
        let same = try event(onset: noon.day - 3, zone: auckland)
        #expect(decide([same], told: [over], zone: auckland).messages.isEmpty)
    }

    @Test func `since when a move is over is known to the second, whatever zone counts the days`() throws {
        let niue = "Pacific/Niue"
        var over = told(try event(onset: noon.day - 4, zone: auckland), at: noon - 2 * day)
        // The clocks of these two are a day apart.
        (over.isOver, over.overAt, over.overOn) = (true, noon, ZoneDays(kept: auckland).day(of: noon))
        let last = ZoneDays(kept: niue).day(of: noon)
        #expect(decide([try event(onset: last, zone: niue)], told: [over], zone: niue).messages.isEmpty)
        let next = try event(onset: last + 1, zone: niue, at: noon + 3 * day)
        #expect(decide([next], told: [over], now: noon + 3 * day, zone: niue).messages.count == 1)
        #expect(ToldEvent(over.stored(confirmedAt: noon), sent: ["1": ["team"]]) == over)
    }

    @Test func `a return that another zone dates before the message is none`() throws {
        let told = told(try event(), at: noon - day)
        var back = try event(zone: auckland, at: noon - 2 * day)
        (back.variant, back.facts) = (AlertEvent.back, .back(to: Position(40)))
        #expect(decide([back], told: [told], zone: auckland).messages.isEmpty)
        (back.at, back.on) = (noon, ZoneDays(kept: auckland).day(of: noon))
        let decision = decide([back], told: [told], zone: auckland)
        #expect(decision.messages.count == 1)
        let over = try #require(decision.told.first { $0.event == told.event })
        #expect(over.isOver && over.overOn == noon.day && over.zone == nil)
    }

    @Test func `a digest has the date of the watchlist's zone, and is sent once whatever zone it was kept by`() throws {
        let zone = ZoneDays(kept: auckland)
        // Half past seven in the evening (UTC) is the next morning there.
        let now = Timestamp.startOfDay(noon.day) + 19 * hour + 1_800
        let rules = settings([AlertRule(when: [.digest], times: [DigestTime(minute: 480)])])
        let further = FurtherEvents(settings: rules, zone: zone.zone, now: now)
        let due = try #require(further.dueDigests(since: now - 12 * hour).first)
        let digest = further.digest(due, ["something moved"])
        #expect(AlertWords.title(of: [digest]) == "Digest of \(CivilTime.date(.startOfDay(noon.day + 1)))")
        var told = ToldEvent(digest, at: now)
        #expect(further.isTold(due, [told]))
        (told.onset, told.zone) = (due.moment.day, nil)
        #expect(further.isTold(due, [told]))
        told.onset -= 1
        #expect(!further.isTold(due, [told]))
    }
}
