import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

/// What turns back, and bad days of the store, in real histories from the first check to the message.
@Suite struct TurningBackTests {
    private let history: AlertHistory

    init() async throws {
        history = try AlertHistory()
        try await history.adopt()
        try await history.store.adopt([OutboxChannel(name: "team", kind: "slack", settings: "1")])
    }

    /// Looks at noon of each of the last days, and sends what is due.
    private func lookDaily(_ settings: AlertSettings, from first: Int64, sends: Bool = true) async throws {
        for daysAgo in (0...first).reversed() {
            try await history.look(settings, at: noon - daysAgo * day)
            if sends { try await history.send(at: noon - daysAgo * day + 60) }
        }
    }

    private func texts() throws -> [String] {
        try history.reader.deliveries(limit: 50).reversed().flatMap { delivery in
            AlertMessage(stored: delivery.content)?.lines.map { "\(delivery.state.rawValue): \($0.text)" } ?? []
        }
    }

    private let rivals = settings([AlertRule(when: [.overtaken, .overtook])])

    @Test func `a competitor that passed and fell back is told, and told once that it is over`() async throws {
        try await history.fill(
            jitter + [40, 41, 40, 40, 40, 41, 40, 40], rival: jitter.map { $0 + 20 } + [20, 21, 20, 20, 60, 61, 60, 60])
        try await lookDaily(rivals, from: 9)
        let texts = try texts()
        #expect(texts.count == 2, "\(texts)")
        #expect(texts.first?.contains("overtaken by com.rival") == true)
        #expect(texts.last == "delivered: ahead of com.rival again, now #40")
    }

    @Test func `one that fell back before it was told is not told`() async throws {
        try await history.fill(
            jitter + [40, 41, 40, 40, 40, 41, 40, 40], rival: jitter.map { $0 + 20 } + [20, 21, 20, 20, 60, 61, 60, 60])
        try await lookDaily(rivals, from: 9, sends: false)
        #expect(try texts().allSatisfy { $0.hasPrefix("withdrawn") })
    }

    @Test func `an app that turns back and then goes there for good is told of three times`() async throws {
        try await history.fill(jitter + [12, 11, 12, 40, 41, 40, 12, 11, 12, 12])
        try await lookDaily(settings([AlertRule(when: [.moved])]), from: 10)
        let texts = try texts()
        #expect(texts.count == 3, "\(texts)")
        #expect(texts.dropFirst().first == "delivered: back at #40")
        #expect(texts.last?.contains("→ #12") == true && texts.first?.contains("→ #12") == true)
    }

    @Test func `one of mine that passed a competitor and fell back is told twice`() async throws {
        try await history.fill(
            jitter + [12, 11, 12, 12, 40, 41, 40, 40], rival: Array(repeating: 25, count: 48))
        try await lookDaily(rivals, from: 9)
        let texts = try texts()
        #expect(texts.count == 2 && texts.first?.contains("overtook com.rival") == true, "\(texts)")
        #expect(texts.last == "delivered: behind com.rival again, now #40")
    }

    @Test func `a bad day of the store is told once, when it is over`() async throws {
        let weather = settings([AlertRule(when: [.weather], whose: .all)])
        try await history.fill(jitter, last: 3)
        try await history.store.record(
            Check(query: query("timer"), at: noon - 2 * day - 60, outcome: .suspect(list([]), .badDay)))
        try await history.fill([40, 41], last: 0)
        try await history.deriveCountryDays()
        try await lookDaily(weather, from: 4)
        #expect(
            try texts() == [
                "delivered: the US store had a bad day on 2026-11-18: most lists were empty or far too short"
            ])
    }
}
