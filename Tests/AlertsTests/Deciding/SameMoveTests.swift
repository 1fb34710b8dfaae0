import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

/// A move that several rules tell a channel as several things is told it once.
@Suite struct SameMoveTests {
    /// Tells one move a day.
    private let few = AlertRule(name: "few", when: [.moved], atMost: 1)
    private let top = AlertRule(name: "top", when: [.entered, .left], top: 10)

    private func place(_ number: Int) -> Position { Position(number) ?? Position(1)! }

    private func event(
        _ kind: AlertKind, _ app: String, _ way: MoveDirection, _ facts: AlertEvent.Facts, daysAgo: Int64,
        top: Int? = nil, sensitivity: Sensitivity = .normal, isOfStorm: Bool = false
    ) -> AlertEvent {
        var scope = AlertScope()
        (scope.apps, scope.countries) = ([app], [Country(code: "us")!])
        return AlertEvent(
            kind: kind, subject: .pair(query("timer"), bundle(app)), onset: noon.day - daysAgo,
            sameWithin: kind == .drift ? 30 : 7, way: way, sensitivity: sensitivity, top: top,
            at: noon - daysAgo * day + 2 * day - 60, facts: facts, isOfStorm: isOfStorm, scope: scope,
            names: .init(app: app))
    }

    private func moved(
        _ app: String = "com.me", from: Int = 40, to: Int = 8, daysAgo: Int64 = 2, as kind: AlertKind = .moved,
        sensitivity: Sensitivity = .normal, isOfStorm: Bool = false
    ) -> AlertEvent {
        let facts = AlertEvent.Facts.move(from: place(from), to: place(to), places: abs(from - to))
        return event(
            kind, app, to < from ? .up : .down, facts, daysAgo: daysAgo, sensitivity: sensitivity, isOfStorm: isOfStorm)
    }

    private func entered(
        from: Int? = 40, to: Int = 8, daysAgo: Int64 = 2, top: Int? = 10, isOfStorm: Bool = false
    ) -> AlertEvent {
        event(
            .entered, "com.me", .entered, .entry(from: from.map(place), at: place(to)), daysAgo: daysAgo, top: top,
            isOfStorm: isOfStorm)
    }

    private func left(from: Int = 8, to: Int?, daysAgo: Int64 = 2) -> AlertEvent {
        event(.left, "com.me", .left, .exit(from: place(from), to: to.map(place)), daysAgo: daysAgo, top: 10)
    }

    private func back(_ event: AlertEvent, to: Int = 40, after days: Int64 = 1) -> AlertEvent {
        var back = event
        back.variant = AlertEvent.back
        back.facts = .back(to: place(to))
        back.at = noon + days * day - 60
        return back
    }

    /// Looks that follow one another, whose messages are all sent.
    private struct Looks {
        var settings: AlertSettings
        var told: [ToldEvent] = []

        init(_ rules: [AlertRule], mutes: [AlertMute] = [], quietHours: QuietHours? = nil) {
            settings = AlertsTests.settings(rules, mutes: mutes, quietHours: quietHours)
        }

        /// - Returns: what each channel is told, as the kinds of its lines.
        mutating func look(
            _ events: [AlertEvent], daysLater: Int64 = 0, seconds: Int64 = 0, isSent: Bool = true
        ) -> [String: [AlertKind]] {
            // As a file keeps them.
            let kept = told.compactMap { event in
                ToldEvent(
                    event.stored(confirmedAt: nil),
                    sent: Dictionary(uniqueKeysWithValues: event.messages.map { ($0, event.sentTo) }))
            }
            let decision = AlertDecision(
                events, told: kept,
                .init(settings: settings, start: noon.day - 90, now: noon + daysLater * day + seconds, zone: .gmt))
            let changed = Set(decision.told.map(\.event))
            told = kept.filter { !changed.contains($0.event) }
            told += decision.told.map { event in
                var event = event
                if isSent { event.sentTo.formUnion(event.channels) }
                return event
            }
            var heard: [String: [AlertKind]] = [:]
            for message in decision.messages {
                for channel in message.channels { heard[channel, default: []] += message.message.lines.map(\.kind) }
            }
            return heard
        }

        /// Whether nothing is left for another day.
        var isWaitless: Bool { told.allSatisfy { $0.waiting.isEmpty } }

        /// Uses up the day's message of the rule with a limit.
        mutating func fill(with event: AlertEvent) { #expect(look([event], seconds: -60)["team"] == [.moved]) }
    }

    @Test(arguments: [false, true])
    func `what one rule leaves for another day is not told again if another rule tells it`(isMovedFirst: Bool) {
        var looks = Looks([few, top])
        looks.fill(with: moved("com.b"))
        let events = isMovedFirst ? [moved(), entered()] : [entered(), moved()]
        #expect(looks.look(events) == ["team": [.entered]])
        #expect(looks.isWaitless)
        for later in 1...3 as ClosedRange<Int64> { #expect(looks.look(events, daysLater: later).isEmpty) }
    }

    @Test func `a way out of the first places is told by one rule alone`() {
        var looks = Looks([few, top])
        looks.fill(with: moved("com.b"))
        let events = [left(to: 30), moved(from: 8, to: 30)]
        #expect(looks.look(events) == ["team": [.left]])
        #expect(looks.look(events, daysLater: 1).isEmpty)
    }

    @Test func `an entry over its limit is not told again where the move was told`() {
        var (open, few) = (few, top)
        (open.atMost, few.atMost) = (nil, 1)
        var looks = Looks([open, few])
        let other = event(.entered, "com.b", .entered, entered().facts, daysAgo: 2, top: 10)
        #expect(looks.look([other], seconds: -60) == ["team": [.entered]])
        #expect(looks.look([entered(), moved()]) == ["team": [.moved]])
        #expect(looks.look([entered(), moved()], daysLater: 1).isEmpty)
    }

    @Test func `what waits is not told any more once another rule has told it on a later day`() {
        var few = few
        few.atMost = 0
        var late = top
        late.atMost = 1
        var looks = Looks([few, late])
        let other = event(.entered, "com.b", .entered, entered().facts, daysAgo: 2, top: 10)
        #expect(looks.look([other], seconds: -60) == ["team": [.entered]])
        #expect(looks.look([entered(), moved()]).isEmpty)
        #expect(looks.told.filter { $0.waiting == ["team"] }.count == 2)
        #expect(looks.look([entered(), moved()], daysLater: 1) == ["team": [.entered]])
        #expect(looks.isWaitless)
        looks.settings.rules[0].atMost = 5
        #expect(looks.look([entered(), moved()], daysLater: 2).isEmpty)
    }

    @Test func `what waits beside what was told, as a file may have it, is not told`() {
        var looks = Looks([few, top])
        looks.fill(with: moved("com.b"))
        _ = looks.look([entered(), moved()])
        for index in looks.told.indices where looks.told[index].kind == .moved && looks.told[index].messages.isEmpty {
            looks.told[index].waiting = ["team"]
        }
        #expect(!looks.isWaitless)
        #expect(looks.look([entered(), moved()], daysLater: 1).isEmpty)
        #expect(looks.isWaitless)
    }

    @Test func `a move that is confirmed after its entry was told is not told`() {
        var looks = Looks([AlertRule(when: [.moved]), top])
        #expect(looks.look([entered()]) == ["team": [.entered]])
        #expect(looks.look([entered(), moved(daysAgo: 1)], daysLater: 1).isEmpty)
        #expect(looks.look([moved(from: 42, daysAgo: 3, as: .drift)], daysLater: 1).isEmpty)
    }

    @Test func `an entry that is confirmed after the move was told is told if that did not show it`() {
        let rules = [AlertRule(when: [.moved]), top]
        var looks = Looks(rules)
        #expect(looks.look([moved()]) == ["team": [.moved]])
        #expect(looks.look([moved(), entered(to: 7)], daysLater: 1).isEmpty)
        looks = Looks(rules)
        #expect(looks.look([moved(to: 12)]) == ["team": [.moved]])
        #expect(looks.look([moved(to: 12), entered(to: 9)], daysLater: 1) == ["team": [.entered]])
    }

    @Test func `a step further and a step back are moves of their own`() {
        var looks = Looks([AlertRule(when: [.moved]), AlertRule(when: [.entered])])
        #expect(looks.look([entered(from: nil, to: 90, top: nil)]) == ["team": [.entered]])
        #expect(looks.look([moved(from: 90, to: 30, daysAgo: 0)], daysLater: 2) == ["team": [.moved]])
        #expect(looks.look([moved(from: 30, to: 80, daysAgo: -1)], daysLater: 3) == ["team": [.moved]])
    }

    @Test func `a way up and a way down are two lines of one message`() {
        var looks = Looks([AlertRule(when: [.moved, .drift])])
        let events = [moved(from: 40, to: 20, daysAgo: 20, as: .drift), moved(from: 20, to: 60)]
        #expect(looks.look(events)["team"]?.sorted { $0.rawValue < $1.rawValue } == [.drift, .moved])
        #expect(looks.look(events, daysLater: 1).isEmpty)
    }

    @Test func `a channel that was not told of it is told on its day`() {
        var few = few
        few.to = ["team", "hook"]
        var looks = Looks([few, top])
        looks.fill(with: moved("com.b"))
        #expect(looks.look([entered(), moved()]) == ["team": [.entered]])
        #expect(looks.told.map(\.waiting).filter { !$0.isEmpty } == [["hook"]])
        #expect(looks.look([entered(), moved()], daysLater: 1) == ["hook": [.moved]])
        #expect(looks.look([entered(), moved()], daysLater: 2).isEmpty)
        // That it is over, all of them hear once.
        let events = [entered(), moved(), back(moved(), after: 3)]
        #expect(looks.look(events, daysLater: 3) == ["team": [.moved], "hook": [.moved]])
        #expect(looks.look(events, daysLater: 4).isEmpty)
    }

    @Test func `what turns back before it is sent is told as nothing`() {
        var looks = Looks([few, top])
        looks.fill(with: moved("com.b"))
        #expect(looks.look([entered(), moved()], isSent: false) == ["team": [.entered]])
        #expect(looks.look([entered(), moved(), back(moved())], daysLater: 1).isEmpty)
        #expect(looks.look([entered(), moved(), back(moved())], daysLater: 2).isEmpty)
    }

    @Test func `a move that is judged more and less keenly is told once`() {
        var looks = Looks([few, AlertRule(name: "keen", when: [.moved], sensitivity: .keen)])
        looks.fill(with: moved("com.b"))
        let events = [moved(sensitivity: .keen), moved()]
        #expect(looks.look(events) == ["team": [.moved]])
        #expect(looks.look(events, daysLater: 1).isEmpty)
    }

    @Test func `a competitor that passed by either judgement is one line`() {
        let rivals = AlertEvent(
            kind: .overtaken, subject: .rivals(query("timer"), bundle("com.me"), bundle("com.rival")),
            onset: noon.day - 2, sameWithin: 7, sensitivity: .normal, at: noon - 60,
            facts: .order(mine: place(40), other: place(20)))
        var keen = rivals
        (keen.sensitivity, keen.onset) = (.keen, noon.day - 3)
        var looks = Looks([AlertRule(when: [.overtaken]), AlertRule(when: [.overtaken], sensitivity: .keen)])
        #expect(looks.look([keen, rivals]) == ["team": [.overtaken]])
        #expect(looks.look([keen, rivals], daysLater: 1).isEmpty)
    }

    @Test func `that it turned back by either judgement is told once`() {
        let rules = [AlertRule(when: [.moved]), AlertRule(when: [.moved], sensitivity: .keen)]
        let (usual, keen) = (moved(), moved(sensitivity: .keen))
        for daysLater in [1, 2] as [Int64] {
            var looks = Looks(rules)
            #expect(looks.look([keen, usual]) == ["team": [.moved]])
            let backs = [back(keen), back(usual, to: 41, after: daysLater)]
            #expect(looks.look([keen, usual] + backs.prefix(Int(2 / daysLater)), daysLater: 1) == ["team": [.moved]])
            #expect(looks.look([keen, usual] + backs, daysLater: 2).isEmpty)
        }
    }

    @Test func `a muted entry leaves the move to its day`() {
        var looks = Looks([few, top], mutes: [AlertMute(kind: .entered)])
        looks.fill(with: moved("com.b"))
        #expect(looks.look([entered(), moved()]).isEmpty)
        #expect(looks.look([entered(), moved()], daysLater: 1) == ["team": [.moved]])
    }

    @Test func `an entry in quiet hours is what tells of the move`() {
        var quiet = top
        quiet.quietHours = QuietHours(from: 11 * 60, to: 15 * 60)
        var looks = Looks([few, quiet])
        looks.fill(with: moved("com.b"))
        #expect(looks.look([entered(), moved()], isSent: false) == ["team": [.entered]])
        #expect(looks.look([entered(), moved()], daysLater: 1).isEmpty)
    }

    @Test func `moves of a shuffled store are one message about it, however they are limited`() {
        var looks = Looks([few, top])
        looks.fill(with: moved("com.b"))
        let events = [entered(isOfStorm: true), moved(isOfStorm: true)]
        #expect(looks.look(events) == ["team": [.weather]])
        for later in 1...3 as ClosedRange<Int64> { #expect(looks.look(events, daysLater: later).isEmpty) }
    }

    @Test func `a preview tells it once`() async throws {
        let history = try AlertHistory()
        let queries = ["bell", "timer", "clock"].map { query($0) }
        try await history.adopt(queries)
        // Each is confirmed a day later than the one before, the first two on one day of Auckland, which is decided at once.
        let moves: [(hours: Int64, places: [Int])] = [
            (0, [60, 61, 60, 60, 60]), (-7, [40, 8, 7, 8, 8]), (0, [40, 40, 60, 61, 60]),
        ]
        for (asked, move) in zip(queries, moves) {
            for (index, place) in (jitter + move.places).enumerated() {
                var names = (1...100).map { "com.x\($0)" }
                names[place - 1] = "com.me"
                let moment = noon - Int64(44 - index) * day + move.hours * hour - 60
                try await history.store.record(Check(query: asked, at: moment, outcome: .answered(list(names))))
            }
        }
        func lines(_ rules: [AlertRule]) throws -> [[AlertKind]] {
            let zone = try #require(TimeZone(identifier: "Pacific/Auckland"))
            return try AlertPreview(
                settings(rules), since: noon.day - 20, until: noon, now: noon, zone: zone, from: history.reader
            ).messages.map { $0.message.lines.map(\.kind) }
        }
        #expect(try lines([few]) == [[.moved, .moved], [.moved]])
        #expect(try lines([few, top]) == [[.entered, .moved], [.moved]])
    }
}
