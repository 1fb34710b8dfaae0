import Foundation
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

/// Moves of which one channel hears at once and another in the morning, and what becomes of them in between.
@Suite struct QuietChannelTests {
    /// Noon lies in them.
    private let quiet = QuietHours(from: 11 * 60, to: 13 * 60)

    private func event(
        _ kind: AlertKind = .moved, from: Int? = 40, to: Int? = 8, way: MoveDirection? = nil, top: Int? = nil,
        sensitivity: Sensitivity = .normal, daysAgo: Int64 = 2
    ) throws -> AlertEvent {
        let (old, new) = (from.flatMap { Position($0) }, to.flatMap { Position($0) })
        let facts: AlertEvent.Facts =
            switch (kind, old, new) {
            case (.entered, _, let new?): .entry(from: old, at: new)
            case (.left, let old?, _): .exit(from: old, to: new)
            default: .move(from: try #require(old), to: try #require(new), places: 1)
            }
        let isUp = (to ?? 201) < (from ?? 201)
        return AlertEvent(
            kind: kind, subject: .pair(query("timer"), bundle("com.me")), onset: noon.day - daysAgo, sameWithin: 7,
            way: way ?? (kind == .entered ? .entered : kind == .left ? .left : isUp ? .up : .down),
            sensitivity: sensitivity, top: top, at: noon - 60, facts: facts)
    }

    private func back(
        _ event: AlertEvent, to place: Int = 40, sensitivity: Sensitivity? = nil, daysLater: Int64 = 0
    ) -> AlertEvent {
        var back = event
        (back.variant, back.facts, back.at) = (
            AlertEvent.back, .back(to: Position(place)), noon + daysLater * day + 60
        )
        back.sensitivity = sensitivity ?? event.sensitivity
        return back
    }

    /// Looks that follow one another.
    private struct Looks {
        var settings: AlertSettings
        var told: [ToldEvent] = []

        init(_ rules: [AlertRule], quietHours: QuietHours? = nil) {
            settings = AlertsTests.settings(rules, quietHours: quietHours)
        }

        /// - Parameter sent: the channels that are sent what is told to them before the next look.
        mutating func look(_ events: [AlertEvent], sent: Set<String> = [], daysLater: Int64 = 0) -> AlertDecision {
            let decision = AlertDecision(
                events, told: told,
                .init(settings: settings, start: noon.day - 90, now: noon + daysLater * day, zone: .gmt))
            let changed = Set(decision.told.map(\.event))
            told.removeAll { changed.contains($0.event) }
            told += decision.told
            for index in told.indices { told[index].sentTo.formUnion(sent.intersection(told[index].channels)) }
            return decision
        }
    }

    private func heard(_ decision: AlertDecision) -> [String: [AlertKind]] {
        var heard: [String: [AlertKind]] = [:]
        for message in decision.messages {
            for channel in message.channels { heard[channel, default: []] += message.message.lines.map(\.kind) }
        }
        return heard
    }

    private var twoChannels: Looks {
        Looks([
            AlertRule(name: "quiet", when: [.moved], to: ["team"], quietHours: quiet),
            AlertRule(name: "loud", when: [.moved], to: ["hook"]),
        ])
    }

    @Test func `who waits for the morning hears neither of a move that turned back at night nor of its return`() throws
    {
        var (looks, move) = (twoChannels, try event())
        #expect(heard(looks.look([move], sent: ["hook"])) == ["hook": [.moved], "team": [.moved]])
        let decision = looks.look([move, back(move)])
        #expect(heard(decision) == ["hook": [.moved]])
        #expect(decision.withdrawn == [move.line])
    }

    @Test func `whoever was sent a move hears of its return on the terms of that channel's rule`() throws {
        var (looks, move) = (twoChannels, try event())
        _ = looks.look([move], sent: ["hook", "team"])
        let messages = looks.look([move, back(move)]).messages
        #expect(messages.map(\.channels) == [["hook"], ["team"]])
        #expect(messages.map(\.notBefore) == [nil, noon + hour])
    }

    @Test func `a rule that has another name by now tells a return in the morning`() throws {
        var looks = Looks([AlertRule(name: "old", when: [.moved])], quietHours: quiet)
        let move = try event()
        _ = looks.look([move], sent: ["team"])
        looks.settings.rules[0].name = "new"
        #expect(looks.look([move, back(move)]).messages.map(\.notBefore) == [noon + hour])
    }

    @Test func `a return does not go to a channel that is gone`() throws {
        var looks = Looks([AlertRule(name: "all", when: [.moved], to: ["hook"])])
        let move = try event()
        _ = looks.look([move], sent: ["hook"])
        looks.settings.channels.removeAll { $0.name == "hook" }
        looks.settings.rules[0].to = []
        #expect(looks.look([move, back(move)]).messages.isEmpty)
    }

    @Test func `what may be told at once does not wait for the morning with what tells it less urgently`() throws {
        var looks = Looks([
            AlertRule(name: "low", when: [.entered], top: 10, severity: .low, quietHours: quiet),
            AlertRule(name: "high", when: [.moved], severity: .high, quietHours: quiet),
        ])
        let (entry, move) = (try event(.entered, top: 10), try event())
        #expect(looks.look([entry]).messages.map(\.notBefore) == [noon + hour])
        let decision = looks.look([entry, move], sent: ["team"])
        #expect(decision.messages.map(\.notBefore) == [nil] && heard(decision) == ["team": [.moved]])
        #expect(decision.withdrawn == [entry.line])
        #expect(looks.look([entry, move]).messages.isEmpty)
    }

    @Test func `what is still so is told when a keener telling of it turned back before it was sent`() throws {
        var looks = Looks([
            AlertRule(name: "keen", when: [.moved], quietHours: quiet, sensitivity: .keen),
            AlertRule(name: "normal", when: [.moved], quietHours: quiet),
        ])
        let (keen, normal) = (try event(sensitivity: .keen), try event())
        _ = looks.look([keen])
        #expect(looks.look([keen, normal]).messages.isEmpty)
        #expect(looks.look([keen, normal, back(keen)]).withdrawn == [keen.line])
        #expect(heard(looks.look([keen, normal, back(keen)])) == ["team": [.moved]])
    }

    @Test func `a line that told two things stays for the one that is still so`() throws {
        var looks = Looks([
            AlertRule(name: "keen", when: [.moved], sensitivity: .keen), AlertRule(name: "normal", when: [.moved]),
        ])
        let (keen, normal) = (try event(sensitivity: .keen), try event())
        #expect(heard(looks.look([keen, normal, back(keen)], sent: ["team"])) == ["team": [.moved]])
        #expect(looks.look([keen, normal, back(keen)]).messages.isEmpty)
    }

    @Test func `a channel that waited for room is not told of what is over, though another one was sent it`() throws {
        var looks = Looks([
            AlertRule(name: "free", when: [.moved], to: ["hook"]),
            AlertRule(name: "few", when: [.moved], to: ["team"], atMost: 0),
        ])
        let move = try event()
        #expect(heard(looks.look([move], sent: ["hook"])) == ["hook": [.moved]])
        looks.settings.rules[1].atMost = 1
        let decision = looks.look([move, back(move)], daysLater: 1)
        #expect(heard(decision) == ["hook": [.moved]])
        #expect(decision.messages.map { $0.message.lines.map(\.text).allSatisfy { $0.hasPrefix("back") } } == [true])
    }

    @Test func `what is still so is told to who waited, though another channel was sent it`() throws {
        var looks = Looks([
            AlertRule(name: "keen", when: [.moved], to: ["hook"], sensitivity: .keen),
            AlertRule(name: "normal", when: [.moved], to: ["hook"]),
            AlertRule(name: "keen, quiet", when: [.moved], to: ["team"], quietHours: quiet, sensitivity: .keen),
            AlertRule(name: "normal, quiet", when: [.moved], to: ["team"], quietHours: quiet),
        ])
        let (keen, normal) = (try event(sensitivity: .keen), try event())
        _ = looks.look([keen, normal], sent: ["hook"])
        #expect(looks.look([keen, normal, back(keen)], sent: ["hook"]).withdrawn.contains(normal.line))
        let decision = looks.look([keen, normal, back(keen)])
        #expect(heard(decision) == ["team": [.moved]])
    }

    @Test func `two messages of one look, by channels, count as one of a day`() throws {
        var looks = Looks([AlertRule(name: "few", when: [.moved], to: ["hook", "team"], atMost: 2)])
        let move = try event()
        _ = looks.look([move], sent: ["hook", "team"])
        for index in looks.told.indices where !looks.told[index].messages.isEmpty {
            looks.told[index].messages = ["a", "b"]
        }
        var other = move
        other.onset -= 20
        #expect(looks.look([move, other]).messages.count == 1)
    }

    @Test func `what was told by another sensitivity turns back as what is judged now does`() throws {
        var looks = Looks([AlertRule(name: "all", when: [.moved])])
        let move = try event()
        _ = looks.look([move], sent: ["team"])
        looks.settings.sensitivity = .keen
        let keen = try event(sensitivity: .keen)
        #expect(looks.look([keen]).messages.isEmpty)
        #expect(looks.look([keen, back(move, sensitivity: .keen)]).messages.count == 1)
    }

    // MARK: One story, or two

    @Test func `an entry and a move on from there are two lines, in one look as in two`() throws {
        var looks = Looks([AlertRule(when: [.moved, .entered])])
        let (entry, move) = (try event(.entered, from: nil, to: 90, daysAgo: 5), try event(from: 90, to: 30))
        #expect(looks.look([entry, move]).messages.map { $0.message.lines.map(\.kind) } == [[.entered, .moved]])
    }

    @Test func `who turned back within the list is still in it`() throws {
        var looks = Looks([AlertRule(when: [.moved, .entered])])
        let (entry, move) = (try event(.entered, from: nil, to: 90, daysAgo: 5), try event(from: 90, to: 30))
        _ = looks.look([entry, move], sent: ["team"])
        _ = looks.look([entry, move, back(move, to: 90)])
        #expect(looks.told.filter { $0.kind == .entered }.map(\.isOver) == [false])
    }

    @Test func `out of the first places again after a return was told is the same story`() throws {
        var looks = Looks([AlertRule(when: [.moved]), AlertRule(when: [.entered, .left], top: 10)])
        let (entry, move) = (try event(.entered, from: 12, to: 8, top: 10), try event(from: 12, to: 8))
        _ = looks.look([entry, move], sent: ["team"])
        #expect(looks.look([entry, move, back(move, to: 12)], sent: ["team"]).messages.count == 1)
        let (way, exit) = (
            try event(from: 8, to: 12, daysAgo: 0), try event(.left, from: 8, to: 12, top: 10, daysAgo: 0)
        )
        #expect(looks.look([way, exit], daysLater: 1).messages.isEmpty)
        let far = try event(.left, from: 8, to: 60, top: 10, daysAgo: 0)
        #expect(heard(looks.look([far], daysLater: 1)) == ["team": [.left]])
    }

    @Test func `a drift that was told is not told again in place of a move that waited beside it`() throws {
        var looks = Looks([AlertRule(name: "few", when: [.moved, .drift], atMost: 0)])
        var drift = try event(.drift, from: 24, to: 17, daysAgo: 9)
        drift.sameWithin = 30
        looks.settings.rules[0].atMost = 1
        #expect(heard(looks.look([drift], sent: ["team"])) == ["team": [.drift]])
        var move = try event(from: 17, to: 8, daysAgo: 1)
        move.at = noon
        #expect(looks.look([drift, move]).messages.isEmpty)
        #expect(heard(looks.look([drift, move], sent: ["team"], daysLater: 1)) == ["team": [.moved]])
    }

    @Test func `the same move that begins after its return is another one, and so is the return of that`() throws {
        var looks = Looks([AlertRule(when: [.moved])])
        let first = try event()
        _ = looks.look([first], sent: ["team"])
        #expect(looks.look([first, back(first)], sent: ["team"]).messages.count == 1)
        let second = try event(daysAgo: -1)
        let events = [first, back(first), second]
        #expect(looks.look(events, sent: ["team"], daysLater: 3).messages.count == 1)
        #expect(looks.look(events, daysLater: 4).messages.isEmpty)
        let last = events + [back(second, daysLater: 5)]
        #expect(looks.look(last, sent: ["team"], daysLater: 5).messages.count == 1)
        #expect(looks.look(last, daysLater: 6).messages.isEmpty)
    }
}
