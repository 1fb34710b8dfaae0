import Foundation
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

@Suite struct AlertDecisionTests {
    private let timer = query("timer")

    private func place(_ number: Int) -> Position { Position(number) ?? Position(1)! }

    private func scope(_ app: String, _ country: String = "us", tags: Set<String> = []) -> AlertScope {
        var scope = AlertScope()
        scope.apps = [app, app.replacing("com.", with: "")]
        scope.queries = ["timer"]
        scope.countries = Set([Country(code: country)].compactMap(\.self))
        scope.platforms = [.iphone]
        scope.tags = tags
        return scope
    }

    private func moved(
        _ app: String = "com.me", from: Int = 40, to: Int = 12, daysAgo: Int64 = 2, mine: Bool = true,
        sensitivity: Sensitivity = .normal, storm: Bool = false, since: Int64? = nil, tags: Set<String> = [],
        at: Timestamp = noon
    ) -> AlertEvent {
        AlertEvent(
            kind: .moved, subject: .pair(timer, bundle(app)), onset: at.day - daysAgo, sameWithin: 7,
            way: to < from ? .up : .down, sensitivity: sensitivity, at: at - 60,
            facts: .move(from: place(from), to: place(to), places: abs(from - to)), isMine: mine,
            size: abs(PositionScale.value(place(from)) - PositionScale.value(place(to))), isOfStorm: storm,
            watchedSince: since, scope: scope(app, tags: tags), names: .init(app: app))
    }

    private func back(_ event: AlertEvent, to: Int = 40, after days: Int64 = 2) -> AlertEvent {
        var back = event
        back.variant = "back"
        back.facts = .back(to: place(to))
        back.at = event.at + days * day
        return back
    }

    private func storm(_ country: String = "us", daysAgo: Int64 = 2) -> AlertEvent {
        let country = Country(code: country)!
        var scope = AlertScope()
        scope.countries = [country]
        return AlertEvent(
            kind: .weather, subject: .country(country), onset: noon.day - daysAgo, variant: "shuffled",
            at: .startOfDay(noon.day - daysAgo + 1), facts: .text("shuffled"), isMine: false, scope: scope)
    }

    private func decide(
        _ events: [AlertEvent], _ rules: [AlertRule] = [AlertRule(when: [.moved])], told: [ToldEvent] = [],
        start: Int64? = noon.day - 30, mutes: [AlertMute] = [], quietHours: QuietHours? = nil,
        now: Timestamp = noon
    ) -> AlertDecision {
        AlertDecision(
            events, told: told,
            .init(
                settings: settings(rules, mutes: mutes, quietHours: quietHours), start: start, now: now, zone: .gmt))
    }

    private func sent(_ decision: AlertDecision) -> [ToldEvent] {
        decision.told.map { told in
            var told = told
            told.sentTo = Set(told.channels)
            return told
        }
    }

    // MARK: Once

    @Test func `an event is one message to the channels of its rule`() throws {
        let decision = decide([moved()])
        let outgoing = try #require(decision.messages.first)
        #expect(decision.messages.count == 1 && outgoing.channels == ["team"] && outgoing.notBefore == nil)
        #expect(outgoing.message.title == "com.me: #40 → #12 ▲28 for “timer” (us, iPhone)")
        #expect(outgoing.message.lines.map(\.text) == ["#40 → #12 ▲28 since 2026-11-18"])
        #expect(outgoing.message.id.utf8.count == 43)
    }

    @Test func `a second decision has the same id, and with its memory tells nothing`() {
        let first = decide([moved()])
        #expect(decide([moved()]) == first)
        let second = decide([moved()], told: first.told)
        #expect(second.messages.isEmpty && second.told.isEmpty)
    }

    @Test func `the same move told with an onset some days later is no other`() {
        let first = decide([moved()])
        #expect(decide([moved(daysAgo: 0)], told: first.told).messages.isEmpty)
        let next = decide([moved(daysAgo: -20, at: noon)], told: first.told)
        #expect(next.messages.count == 1)
    }

    @Test func `a first decision tells nothing and notes what is so`() {
        let first = decide([moved()], start: nil)
        #expect(first.messages.isEmpty && first.told.count == 1 && first.told[0].channels.isEmpty)
        #expect(decide([moved()], told: first.told, start: noon.day).messages.isEmpty)
    }

    @Test func `what began before the pair was watched, or before alerts began, is noted alone`() {
        for decision in [decide([moved(since: noon.day - 1)]), decide([moved()], start: noon.day - 1)] {
            #expect(decision.messages.isEmpty && decision.told.count == 1)
        }
        #expect(decide([moved(since: noon.day - 2)]).messages.count == 1)
    }

    // MARK: Rules

    @Test func `a rule admits by whose it is, by its app, tag, way and places`() {
        let event = moved(tags: ["core"])
        func admits(_ rule: AlertRule, _ event: AlertEvent) -> Bool { !decide([event], [rule]).messages.isEmpty }
        #expect(admits(AlertRule(when: [.moved], way: .up, places: 28, apps: ["me"], tags: ["core"]), event))
        #expect(!admits(AlertRule(when: [.moved], way: .down), event))
        #expect(!admits(AlertRule(when: [.moved], places: 29), event))
        #expect(!admits(AlertRule(when: [.moved], apps: ["you"]), event))
        #expect(!admits(AlertRule(when: [.moved], tags: ["side"]), event))
        #expect(!admits(AlertRule(when: [.moved], countries: [Country(code: "de")!]), event))
        #expect(!admits(AlertRule(when: [.moved], whose: .competitors), event))
        #expect(admits(AlertRule(when: [.moved], whose: .competitors), moved("com.rival", mine: false)))
        #expect(!admits(AlertRule(when: [.moved], sensitivity: .keen), event))
        #expect(admits(AlertRule(when: [.moved], sensitivity: .keen), moved(sensitivity: .keen)))
    }

    @Test func `several rules make one line, of the highest severity, to all of their channels`() throws {
        var entered = moved()
        entered.kind = .entered
        entered.way = .entered
        entered.top = 20
        entered.facts = .entry(from: place(40), at: place(12))
        let rules = [
            AlertRule(when: [.moved]), AlertRule(when: [.moved], to: ["team", "hook"], severity: .high),
            AlertRule(when: [.entered], top: 20),
        ]
        let decision = decide([moved(), entered], rules)
        let outgoing = try #require(decision.messages.first)
        #expect(decision.messages.count == 1 && outgoing.channels == ["hook", "team"])
        #expect(outgoing.message.severity == .high && outgoing.message.lines.count == 1)
        #expect(outgoing.message.lines[0].text == "entered the first 20 on 2026-11-18, #40 → #12")
        #expect(decision.told.count == 2 && decision.told.allSatisfy { $0.channels == ["hook", "team"] })
    }

    @Test func `what a keener rule told a channel is not told it again`() {
        let rules = [
            AlertRule(when: [.moved], sensitivity: .keen), AlertRule(when: [.moved], to: ["team", "hook"]),
        ]
        let first = decide([moved(sensitivity: .keen)], rules)
        #expect(first.messages.map(\.channels) == [["team"]])
        let second = decide([moved(sensitivity: .keen), moved()], rules, told: sent(first))
        #expect(second.messages.map(\.channels) == [["hook"]])
    }

    @Test func `what comes at once is one message: mine first, the biggest first, ten lines at most`() throws {
        let rivals = (0..<8).map { moved("com.rival\($0)", from: 60, to: 5 + $0, mine: false) }
        let mine = (0..<8).map { moved("com.mine\($0)", from: 40, to: 20 + $0) }
        let decision = decide(rivals + mine, [AlertRule(when: [.moved], whose: .all)])
        let message = try #require(decision.messages.first?.message)
        #expect(decision.messages.count == 1 && message.lines.count == 10 && message.omitted == 6)
        #expect(message.lines.prefix(8).map(\.app) == (0..<8).map { "com.mine\($0)" })
        #expect(message.lines.suffix(2).map(\.app) == ["com.rival0", "com.rival1"])
        #expect(message.title.hasSuffix(", and 15 more"))
        #expect(decision.told.allSatisfy { $0.messages == [message.id] } && decision.told.count == 16)
    }

    // MARK: When

    @Test func `a mute holds until its day, for what it names`() {
        let mute = AlertMute(app: "me", until: "2026-11-21")
        let muted = decide([moved()], mutes: [mute])
        #expect(muted.messages.isEmpty && muted.told.count == 1)
        #expect(decide([moved()], mutes: [AlertMute(app: "me", until: "2026-11-20")]).messages.count == 1)
        #expect(decide([moved()], mutes: [AlertMute(app: "me", query: "other")]).messages.count == 1)
        #expect(decide([moved()], mutes: [AlertMute(kind: .moved)]).messages.isEmpty)
        #expect(decide([moved()], mutes: [AlertMute(country: Country(code: "us"))]).messages.isEmpty)
        // What was muted is not told once the mute is over.
        #expect(decide([moved()], told: muted.told, now: noon + day).messages.isEmpty)
    }

    @Test func `in quiet hours a message waits until they are over, unless it is of high severity`() {
        let hours = QuietHours(from: 22 * 60, to: 7 * 60)
        let night = noon + 11 * hour
        let decision = decide([moved()], quietHours: hours, now: night)
        #expect(decision.messages.map(\.notBefore) == [time("2026-11-21T07:00:00Z")])
        let urgent = [AlertRule(when: [.moved], severity: .high)]
        #expect(decide([moved()], urgent, quietHours: hours, now: night).messages.map(\.notBefore) == [nil])
        #expect(decide([moved()], quietHours: hours).messages.map(\.notBefore) == [nil])
    }

    @Test func `what is over the day's limit is told in the next day's first message`() {
        let rules = [AlertRule(when: [.moved], atMost: 1)]
        let events = ["com.a", "com.b", "com.c"].map { moved($0) }
        let first = decide([events[0]], rules)
        #expect(first.messages.count == 1)
        let second = decide(events, rules, told: sent(first), now: noon + hour)
        #expect(second.messages.isEmpty && second.told.map(\.waiting) == [["team"], ["team"]])
        let memory = sent(first) + second.told
        let next = decide(events, rules, told: memory, now: noon + day)
        #expect(next.messages.map(\.message.lines.count) == [2])
        let all = sent(first) + sent(next)
        #expect(decide(events, rules, told: all, now: noon + 2 * day).messages.isEmpty)
    }

    @Test func `what waits for the next day is told then only as long as it is confirmed`() {
        let rules = [AlertRule(when: [.moved], atMost: 1)]
        let first = decide([moved("com.a")], rules)
        let second = decide([moved("com.b")], rules, told: sent(first), now: noon + hour)
        var lapsed = moved("com.b")
        lapsed.lapsedOn = noon.day + 1
        let memory = sent(first) + second.told
        #expect(decide([lapsed], rules, told: memory, now: noon + day).messages.isEmpty)
        lapsed.lapsedOn = noon.day + 2
        #expect(decide([lapsed], rules, told: memory, now: noon + day).messages.count == 1)
    }

    @Test func `within the cooldown of a rule the same subject is not told again`() {
        let rules = [AlertRule(when: [.moved], cooldown: 10 * day)]
        let first = decide([moved()], rules)
        let fall = moved(from: 12, to: 40, daysAgo: 0)
        #expect(decide([fall], rules, told: sent(first), now: noon + 9 * day).messages.isEmpty)
        #expect(decide([fall], rules, told: sent(first), now: noon + 11 * day).messages.count == 1)
        #expect(decide([moved("com.b")], rules, told: sent(first), now: noon + day).messages.count == 1)
    }

    // MARK: Back, and the weather

    @Test func `what turned back after it was sent is told once, to those who heard of it`() throws {
        let first = decide([moved()])
        let later = noon + 2 * day
        let second = decide([moved(), back(moved())], told: sent(first), now: later)
        let outgoing = try #require(second.messages.first)
        #expect(outgoing.message.title == "com.me: back at #40 for “timer” (us, iPhone)")
        #expect(second.withdrawn.isEmpty && outgoing.channels == ["team"])
        let memory = second.told
        #expect(decide([moved(), back(moved())], told: memory, now: later + day).messages.isEmpty)
        // The way back is no move of its own.
        var fall = moved(from: 12, to: 40, daysAgo: 0, at: later)
        fall.onset = later.day
        #expect(decide([fall], told: memory, now: later + day).messages.isEmpty)
    }

    @Test func `what goes on from where a move turned back to is a move of its own`() throws {
        let first = decide([moved()])
        let later = noon + 2 * day
        let memory = decide([moved(), back(moved())], told: sent(first), now: later).told
        var fall = moved(from: 40, to: 60, daysAgo: 0, at: later)
        fall.onset = later.day + 3
        let third = decide([fall], told: memory, now: later + 6 * day)
        #expect(third.messages.count == 1 && third.messages.first?.message.events == [fall.line])
        let all = memory + sent(third)
        #expect(decide([fall], told: all, now: later + 7 * day).messages.isEmpty)
        // The same told as a drift, and a way back that went a little too far.
        fall.kind = .drift
        (fall.sameWithin, fall.onset) = (30, later.day + 12)
        let drifts = [AlertRule(when: [.moved, .drift])]
        #expect(decide([fall], drifts, told: memory, now: later + 14 * day).messages.count == 1)
        var back = moved(from: 12, to: 46, daysAgo: 0, at: later)
        back.onset = later.day
        #expect(decide([back], told: memory, now: later + day).messages.isEmpty)
    }

    @Test func `what told that an order is over does not end the next one`() throws {
        func order(_ kind: AlertKind, daysAgo: Int64) -> AlertEvent {
            AlertEvent(
                kind: kind, subject: .rivals(timer, bundle("com.me"), bundle("com.rival")),
                onset: noon.day - daysAgo, sameWithin: 7, sensitivity: .normal, at: noon - daysAgo * day,
                facts: .order(mine: place(8), other: place(9)), scope: scope("com.me"), names: .init(app: "com.me"))
        }
        let rules = [AlertRule(when: [.overtaken, .overtook])]
        let over = back(order(.overtook, daysAgo: 6), to: 10)
        let first = decide([order(.overtook, daysAgo: 6)], rules, now: noon - 5 * day)
        let second = decide([order(.overtook, daysAgo: 6), over], rules, told: sent(first), now: noon - 3 * day)
        #expect(second.messages.count == 1)
        let memory = sent(first).filter { one in !second.told.contains { $0.event == one.event } } + sent(second)
        let third = decide([over, order(.overtaken, daysAgo: 3)], rules, told: memory, now: noon)
        let outgoing = try #require(third.messages.first)
        #expect(third.messages.count == 1 && outgoing.message.lines.map(\.kind) == [.overtaken])
        #expect(
            decide([over, order(.overtaken, daysAgo: 3)], rules, told: memory + sent(third), now: noon + day).messages
                .isEmpty)
    }

    @Test func `what turned back before it was sent is withdrawn and never told`() {
        let first = decide([moved()])
        let second = decide([moved(), back(moved())], told: first.told, now: noon + 2 * day)
        #expect(second.messages.isEmpty && second.withdrawn == [moved().line])
        let both = decide([moved(), back(moved(), after: 0)])
        #expect(both.messages.isEmpty && both.told.allSatisfy { $0.channels.isEmpty })
    }

    @Test func `what turned back and was only noted is told to nobody`() {
        let first = decide([moved()], start: nil)
        #expect(decide([back(moved())], told: first.told, now: noon + 2 * day).messages.isEmpty)
    }

    @Test func `forty moves of a day on which the store shuffled are one message about that`() throws {
        let moves = (0..<40).map { moved("com.a\($0)", storm: true) }
        let rules = [AlertRule(when: [.moved]), AlertRule(when: [.weather], whose: .all, to: ["hook"])]
        let first = decide([storm()], rules)
        #expect(first.messages.map(\.channels) == [["hook"]])
        let decision = decide([storm()] + moves, rules, told: sent(first))
        let outgoing = try #require(decision.messages.first)
        #expect(decision.messages.count == 1 && outgoing.channels == ["team"])
        #expect(outgoing.message.lines.map(\.text) == ["the US store shuffled on 2026-11-18"])
        let memory = Dictionary((sent(first) + sent(decision)).map { ($0.event, $0) }) { _, last in last }
        #expect(decide([storm()] + moves, rules, told: Array(memory.values)).messages.isEmpty)
    }
}
