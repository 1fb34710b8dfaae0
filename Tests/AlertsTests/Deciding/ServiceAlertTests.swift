import Foundation
import History
import RankKit
import Reports
import TestSupport
import Testing

@testable import Alerts

/// What is told of the service from one look to the next.
@Suite struct ServiceAlertTests {
    private let trouble: ServiceTrouble
    private let once = settings([AlertRule(when: [.service], whose: .all, atMost: 1)])
    private let noon = time("2026-11-20T12:00:00Z")
    private let hour: Int64 = 3_600
    private let day: Int64 = 86_400

    init() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist([(query("timer"), ["com.me"])]), now: noon)
        try await store.noteRefusal("it is invalid", at: noon)
        trouble = try #require(try ServiceTrouble(from: HistoryReader(path: store.path), now: noon))
    }

    /// What a look at that moment tells; what it decides is remembered, as sent unless it waits in quiet hours.
    private func look(
        _ trouble: ServiceTrouble?, at now: Timestamp, _ told: inout [ToldEvent], _ settings: AlertSettings? = nil,
        isSent: Bool = true
    ) -> [String] {
        let settings = settings ?? once
        let event = FurtherEvents(settings: settings, zone: .gmt, now: now).service(trouble, told: told)
        let decision = AlertDecision(
            event.map { [$0] } ?? [], told: told,
            .init(settings: settings, start: noon.day - 9, now: now, zone: .gmt))
        for var event in decision.told {
            if isSent, !event.isOver { event.sentTo.formUnion(event.channels) }
            told.removeAll { $0.event == event.event }
            told.append(event)
        }
        return decision.messages.map(\.message.title) + decision.withdrawn.map { _ in "withdrawn" }
    }

    @Test func `that all is well again is told on the next day where the day's limit is reached`() {
        var told: [ToldEvent] = []
        #expect(look(trouble, at: noon, &told).count == 1)
        #expect(look(nil, at: noon + hour, &told).isEmpty)
        #expect(look(nil, at: noon + 2 * hour, &told).isEmpty)
        #expect(look(nil, at: noon + day, &told) == ["rankd is well again"])
        #expect(look(nil, at: noon + day + hour, &told).isEmpty)
    }

    @Test func `trouble that was over before it could be told is not told, nor that it is over`() {
        var told: [ToldEvent] = []
        _ = look(trouble, at: noon, &told)
        _ = look(nil, at: noon + 13 * hour, &told)
        #expect(look(trouble, at: noon + 14 * hour, &told).isEmpty)
        #expect(look(nil, at: noon + 15 * hour, &told).isEmpty)
        for hours in [24, 48] as [Int64] { #expect(look(nil, at: noon + hours * hour, &told).isEmpty) }
        #expect(told.allSatisfy { $0.waiting.isEmpty })
    }

    @Test func `that all is well is told after trouble of which nobody could hear any more`() {
        var told: [ToldEvent] = []
        #expect(look(trouble, at: noon, &told).count == 1)
        #expect(look(nil, at: noon + hour, &told).isEmpty)
        #expect(look(trouble, at: noon + 2 * hour, &told).isEmpty)
        #expect(look(nil, at: noon + 3 * hour, &told).isEmpty)
        #expect(look(nil, at: noon + day, &told) == ["rankd is well again"])
    }

    @Test func `trouble over the limit is told on the next day if it is still there, and then that it is over`() {
        var told: [ToldEvent] = []
        let settings = settings([AlertRule(when: [.service], whose: .all, atMost: 2)])
        _ = look(trouble, at: noon, &told, settings)
        _ = look(nil, at: noon + hour, &told, settings)
        #expect(look(trouble, at: noon + 2 * hour, &told, settings).isEmpty)
        #expect(look(trouble, at: noon + day, &told, settings).count == 1)
        #expect(look(nil, at: noon + day + hour, &told, settings) == ["rankd is well again"])
    }

    @Test func `trouble that passed in a quiet night is withdrawn, and nobody hears that it is over`() {
        var told: [ToldEvent] = []
        _ = look(trouble, at: noon, &told, isSent: false)
        #expect(look(nil, at: noon + hour, &told) == ["withdrawn"])
        #expect(look(nil, at: noon + 2 * hour, &told).isEmpty)
        // It counts for nothing.
        #expect(look(trouble, at: noon + 3 * hour, &told).count == 1)
    }

    @Test func `after a clock that was set back each turn is told once`() {
        var told: [ToldEvent] = []
        let settings = settings([AlertRule(when: [.service], whose: .all)])
        _ = look(trouble, at: noon + day, &told, settings)
        #expect(look(nil, at: noon, &told, settings) == ["rankd is well again"])
        #expect(look(nil, at: noon + hour, &told, settings).isEmpty)
        #expect(look(trouble, at: noon + 2 * hour, &told, settings).count == 1)
    }

    @Test func `what was only noted is not told to be over`() {
        var told = [
            ToldEvent(
                FurtherEvents(settings: once, zone: .gmt, now: noon).service(trouble, told: [])!, at: noon)
        ]
        #expect(look(nil, at: noon + hour, &told).isEmpty)
    }
}
