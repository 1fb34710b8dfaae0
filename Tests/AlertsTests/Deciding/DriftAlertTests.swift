import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

/// Slow slides, looked at once a day.
@Suite struct DriftAlertTests {
    private let settings = AlertsTests.settings([AlertRule(when: [.moved]), AlertRule(when: [.drift])])

    /// What is told of an app at these places, one a day, up to noon: the number of each place and the kinds of lines.
    ///
    /// - Parameter atMost: how many messages a rule may send, by the number of the place.
    private func told(
        of places: [Int], from first: Int, atMost: (Int) -> Int? = { _ in nil }
    ) async throws -> [Int: [AlertKind]] {
        let history = try AlertHistory()
        try await history.adopt(apps: ["com.me"], daysAgo: 300)
        try await history.fill(places)
        let reader = try history.reader
        var memory: [ToldEvent] = []
        var lines: [Int: [AlertKind]] = [:]
        for index in first..<places.count {
            let now = noon - Int64(places.count - 1 - index) * day
            var settings = settings
            for rule in settings.rules.indices { settings.rules[rule].atMost = atMost(index) }
            let events = try AlertEvents.read(
                settings, days: AlertEvents.days(until: now), after: EarlierLook(at: now - 86_400), until: now,
                now: now, zone: .gmt,
                told: memory, from: reader)
            let decision = AlertDecision(
                events, told: memory,
                .init(settings: settings, start: noon.day - Int64(places.count - first), now: now, zone: .gmt))
            let changed = Set(decision.told.map(\.event))
            memory.removeAll { changed.contains($0.event) }
            for var told in decision.told {
                told.sentTo = Set(told.channels)
                memory.append(told)
            }
            for message in decision.messages { lines[index, default: []] += message.message.lines.map(\.kind) }
        }
        return lines
    }

    /// Sixty days around 80, and eighty of a rise by 1.5 in 100 a day.
    private static let longRise = [
        82, 81, 80, 79, 78, 78, 79, 80, 78, 79, 82, 80, 79, 82, 82, 79, 78, 81, 81, 80, 79, 79, 80,
        80, 79, 78, 80, 78, 77, 79, 80, 80, 80, 80, 82, 82, 80, 80, 79, 80, 81, 81, 79, 82, 80, 81,
        81, 80, 79, 80, 80, 81, 76, 78, 80, 79, 80, 82, 81, 82,
        77, 76, 77, 75, 74, 73, 73, 69, 69, 70, 66, 67, 66, 63, 64, 63, 63, 61, 59, 60, 58, 58, 58,
        56, 57, 52, 53, 52, 52, 52, 51, 48, 49, 49, 47, 45, 47, 47, 44, 44, 42, 42, 42, 40, 40, 40,
        40, 39, 37, 39, 37, 37, 35, 35, 35, 35, 33, 33, 32, 32, 31, 32, 31, 30, 30, 30, 29, 28, 29,
        27, 27, 26, 27, 27, 26, 25, 25, 25, 25, 23,
    ]

    @Test func `a drift that goes on for longer than is looked back is told once`() async throws {
        let lines = try await told(of: Self.longRise, from: 62)
        let drifts = lines.filter { $0.value.contains(.drift) }
        #expect(drifts.count == 1 && drifts.keys.allSatisfy { $0 < 80 })
    }

    @Test func `a drift over its limit is told on the next day that has room, whether it is seen to go on then or not`()
        async throws
    {
        let free = try await told(of: Self.longRise, from: 62)
        let seen = try #require(free.filter { $0.value.contains(.drift) }.keys.min())
        for later in 1...2 {
            let lines = try await told(of: Self.longRise, from: 62) { $0 < seen + later ? 0 : nil }
            #expect(lines.filter { $0.value.contains(.drift) }.keys.sorted() == [seen + later])
        }
    }

    @Test func `a slide that begins with a move is told as that move alone`() async throws {
        let lines = try await told(of: jitter + [30, 30, 30] + (1...30).map { 30 - $0 / 3 }, from: 38)
        #expect(lines.values.flatMap(\.self) == [.moved])
    }

    @Test func `a drift and a week's move of the same pair that way are one line, told at once or one after the other`()
        throws
    {
        func event(_ kind: AlertKind, on onset: Int64, within: Int64) throws -> AlertEvent {
            let (from, to) = (try #require(Position(40)), try #require(Position(12)))
            return AlertEvent(
                kind: kind, subject: .pair(query("timer"), bundle("com.me")), onset: onset, sameWithin: within,
                way: .up, sensitivity: .normal, at: noon, facts: .move(from: from, to: to, places: 28))
        }
        func decide(_ events: [AlertEvent], told: [ToldEvent] = []) -> AlertDecision {
            AlertDecision(
                events, told: told, .init(settings: settings, start: noon.day - 60, now: noon, zone: .gmt))
        }
        let move = try event(.moved, on: noon.day - 6, within: 7)
        let drift = try event(.drift, on: noon.day, within: 30)
        for events in [[move, drift], [drift, move]] {
            #expect(decide(events).messages.map { $0.message.lines.map(\.kind) } == [[.moved]])
        }
        #expect(decide([drift], told: decide([move]).told).messages.isEmpty)
    }
}
