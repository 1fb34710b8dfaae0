import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

/// Histories that are put back as they were some days ago.
@Suite struct RestoredHistoryTests {
    private let clock = query("clock")
    private let moves = settings([AlertRule(when: [.moved])])

    /// A history that was copied a week ago, told of a move four days ago, and is as it was a week ago again.
    private func restored() async throws -> AlertHistory {
        let history = try AlertHistory()
        try await history.adopt([query("timer"), clock])
        try await history.store.adopt([OutboxChannel(name: "team", kind: "slack", settings: "1")])
        try await history.fill(jitter, last: 7)
        try await history.fill(jitter, on: clock, last: 7)
        try await history.look(moves, at: noon - 7 * day)
        let copy = history.folder.file("copy.sqlite")
        try await history.reader.backUp(to: copy)
        try await history.fill([12, 11, 12], last: 4)
        try await history.fill([40, 41, 40], on: clock, last: 4)
        try await history.look(moves, at: noon - 4 * day)
        try await history.send(at: noon - 4 * day + 60)
        #expect(try history.states() == [.delivered])
        let restored = try await AlertHistory(restoring: copy, of: history)
        #expect(try restored.states().isEmpty)
        return restored
    }

    /// What the checks after the restore show: the move that was told, and later one of the other query.
    private func goOn(_ history: AlertHistory) async throws {
        if let newest = history.receipt.newest(by: noon) { try await history.store.listDeliveries(decidedUpTo: newest) }
        try await history.fill([11, 12, 12], last: 1)
        try await history.fill([40, 41, 40], on: clock, last: 1)
        for daysAgo in [3, 2, 1] as [Int64] { try await history.look(moves, at: noon - daysAgo * day) }
        try await history.fill([12, 11, 12], on: clock, last: -2)
        try await history.fill([12, 12, 12], last: -2)
        for daysAgo in [0, -1, -2] as [Int64] { try await history.look(moves, at: noon - daysAgo * day) }
    }

    @Test func `what was sent is listed, though its first checks are gone, and what happens then is sent`()
        async throws
    {
        let history = try await restored()
        try await goOn(history)
        let deliveries = try history.reader.deliveries(limit: 50)
        #expect(deliveries.map(\.state) == [.due, .listed])
        #expect(deliveries.first.flatMap { AlertMessage(stored: $0.content) }?.lines.map(\.query) == ["clock"])
        #expect(deliveries.last.flatMap { AlertMessage(stored: $0.content) }?.lines.map(\.query) == ["timer"])
    }

    @Test func `what is only listed counts towards no limit`() async throws {
        let history = try await restored()
        let few = settings([AlertRule(when: [.moved], atMost: 1)])
        if let newest = history.receipt.newest(by: noon) { try await history.store.listDeliveries(decidedUpTo: newest) }
        try await history.fill([12, 11, 12, 12, 11, 12], last: 0)
        try await history.fill([40, 41, 40, 12, 11, 12], on: clock, last: 0)
        // One look finds what was told before, and what is new.
        try await history.look(few, at: noon)
        let deliveries = try history.reader.deliveries(limit: 50)
        let queries = deliveries.map { AlertMessage(stored: $0.content)?.lines.map(\.query) ?? [] }
        #expect(
            Dictionary(zip(deliveries.map(\.state), queries), uniquingKeysWith: +) == [
                .listed: ["timer"], .due: ["clock"],
            ])
    }

    @Test func `who is listed as told of a move before the restore is told when it turns back`() async throws {
        let history = try await restored()
        if let newest = history.receipt.newest(by: noon) { try await history.store.listDeliveries(decidedUpTo: newest) }
        try await history.fill([12, 11, 12], last: 1)
        for daysAgo in [3, 2, 1] as [Int64] { try await history.look(moves, at: noon - daysAgo * day) }
        #expect(try history.states() == [.listed])
        try await history.fill([40, 41, 40], last: -2)
        for daysAgo in [0, -1, -2] as [Int64] { try await history.look(moves, at: noon - daysAgo * day) }
        let deliveries = try history.reader.deliveries(limit: 50)
        #expect(deliveries.map(\.state) == [.due, .listed])
        let lines = deliveries.first.flatMap { AlertMessage(stored: $0.content) }?.lines ?? []
        #expect(lines.map(\.text) == ["back at #40"])
    }

    @Test func `what turned back days after the last message that was sent is news, whenever it had begun`()
        async throws
    {
        let history = try AlertHistory()
        try await history.adopt()
        try await history.fill(jitter)
        let past = RestoredPast(until: noon - 4 * day, try history.reader)
        var event = AlertEvent(
            kind: .moved, subject: .pair(query("timer"), bundle("com.me")), onset: noon.day - 9, at: noon,
            facts: .back(to: nil))
        #expect(try past.mayHold(event) == false)
        event.at = noon - 5 * day
        #expect(try past.mayHold(event))
    }

    @Test func `a drift may have been told before the day that finds it now`() async throws {
        let history = try AlertHistory()
        try await history.adopt()
        try await history.fill(jitter)
        let past = RestoredPast(until: noon - 20 * day, try history.reader)
        func mayHold(_ kind: AlertKind, daysAgo: Int64, within: Int64) throws -> Bool {
            try past.mayHold(
                AlertEvent(
                    kind: kind, subject: .pair(history.timer, bundle("com.me")), onset: noon.day - daysAgo,
                    sameWithin: within, at: noon - daysAgo * day, facts: .text("")))
        }
        #expect(try mayHold(.drift, daysAgo: 5, within: 30))
        #expect(try !mayHold(.moved, daysAgo: 5, within: 30))
        #expect(try !mayHold(.drift, daysAgo: 5, within: 7))
        #expect(try mayHold(.moved, daysAgo: 25, within: 7))
    }

    @Test func `where what was sent is not known nothing is lost`() async throws {
        let history = try await restored()
        try FileManager.default.removeItem(atPath: history.store.path + ".sent")
        try await goOn(history)
        #expect(try history.states() == [.due, .due])
    }

    @Test func `a message that waits in the copy and was sent since is listed`() async throws {
        let history = try AlertHistory()
        try await history.adopt()
        try await history.store.adopt([OutboxChannel(name: "team", kind: "slack", settings: "1")])
        try await history.fill(jitter, last: 7)
        try await history.look(moves, at: noon - 7 * day)
        try await history.fill([12, 11, 12], last: 4)
        try await history.look(moves, at: noon - 4 * day)
        let copy = history.folder.file("copy.sqlite")
        try await history.reader.backUp(to: copy)
        // What is sent later is the newest that is known.
        try history.receipt.note(noon - 3 * day, by: noon)
        let restored = try await AlertHistory(restoring: copy, of: history)
        #expect(try restored.states() == [.due])
        try await restored.store.listDeliveries(decidedUpTo: noon - 3 * day)
        #expect(try restored.states() == [.listed])
    }

    @Test func `a digest that was sent before a copy was put back comes once`() async throws {
        let history = try AlertHistory()
        try await history.adopt()
        try await history.fill(jitter, last: 1)
        let digest = settings([AlertRule(when: [.digest], times: [DigestTime(minute: 480)])])
        try await history.look(digest, at: time("2026-11-20T07:50:00Z"))
        try history.receipt.note(time("2026-11-20T08:01:00Z"), by: noon)
        #expect(try await history.look(digest, at: time("2026-11-20T09:00:00Z"))?.messages.isEmpty ?? true)
        #expect(try await history.look(digest, at: time("2026-11-21T08:01:00Z"))?.messages.count == 1)
    }
}
