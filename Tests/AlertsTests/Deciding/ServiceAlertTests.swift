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
        isSent: Bool = true, fading: Set<ServiceTrouble.Matter> = []
    ) -> [String] {
        let settings = settings ?? once
        let finding = TroubleWatch.Finding(trouble: trouble, fading: fading)
        let news = FurtherEvents(settings: settings, zone: .gmt, now: now).service(finding, told: told)
        var events: [AlertEvent] = []
        var noted: [ToldEvent] = []
        switch news {
        case .told(let event): events = [event]
        case .noted(let event): noted = [ToldEvent(event, at: now)]
        case nil: break
        }
        let decision = AlertDecision(
            events, told: told, .init(settings: settings, start: noon.day - 9, now: now, zone: .gmt))
        for var event in decision.told + noted {
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
        var told: [ToldEvent] = []
        _ = look(trouble, at: noon, &told, always, isSent: false)
        (told[0].messages, told[0].channels) = ([], [])
        #expect(look(nil, at: noon + hour, &told, always).isEmpty)
    }

    // MARK: What comes on top

    private let always = settings([AlertRule(when: [.service], whose: .all)])

    private func look(
        _ matters: Set<ServiceTrouble.Matter>, after seconds: Int64, _ told: inout [ToldEvent],
        _ settings: AlertSettings? = nil, fading: Set<ServiceTrouble.Matter> = []
    ) -> [String] {
        look(
            matters.isEmpty ? nil : ServiceTrouble(of: matters), at: noon + seconds, &told, settings ?? always,
            fading: fading)
    }

    @Test func `an outage is told beside small trouble that stands, with all that is wrong`() {
        var told: [ToldEvent] = []
        #expect(look([.backup], after: 0, &told) == ["rankd is degraded: no backup"])
        #expect(look([.backup], after: day, &told).isEmpty)
        #expect(look([.backup, .asking], after: 2 * day, &told) == ["rankd is degraded: no asking; no backup"])
        #expect(look([.backup, .asking], after: 2 * day + hour, &told).isEmpty)
        #expect(look([.backup, .asking, .down], after: 2 * day + 2 * hour, &told).count == 1)
        #expect(look([.backup, .asking, .down], after: 2 * day + 3 * hour, &told).isEmpty)
    }

    @Test func `what goes away bit by bit is no message until all is well, and that is told once`() {
        var told: [ToldEvent] = []
        #expect(look([.backup, .asking, .down], after: 0, &told).count == 1)
        #expect(look([.backup, .asking], after: hour, &told).isEmpty)
        #expect(look([.backup], after: 2 * hour, &told).isEmpty)
        #expect(look([], after: 3 * hour, &told) == ["rankd is well again"])
        #expect(look([], after: 4 * hour, &told).isEmpty)
    }

    @Test func `a second outage is told while small trouble still stands`() {
        var told: [ToldEvent] = []
        _ = look([.backup], after: 0, &told)
        _ = look([.backup, .asking, .down], after: day, &told)
        // Gone for minutes it is the same one.
        #expect(look([.backup], after: day + hour, &told, fading: [.asking, .down]).isEmpty)
        #expect(look([.backup, .asking, .down], after: day + 2 * hour, &told).isEmpty)
        #expect(look([.backup], after: day + 3 * hour, &told).isEmpty)
        #expect(look([.backup, .asking, .down], after: 2 * day, &told).count == 1)
    }

    /// As an earlier version noted trouble.
    private func oldTurn() -> ToldEvent {
        let event = AlertEvent(
            kind: .service, subject: .service("rankd"), onset: noon.day, variant: "troubled 7", at: noon,
            facts: .text("rankd is degraded"))
        var old = ToldEvent(event, at: noon)
        (old.messages, old.channels, old.rules, old.sentTo) = (["m"], ["team"], ["1 service"], ["team"])
        return old
    }

    @Test func `trouble that an earlier version told is not told again, down or not`() {
        for matters in [[.backup, .asking], [.backup, .asking, .down]] as [Set<ServiceTrouble.Matter>] {
            var told = [oldTurn()]
            #expect(look(matters, after: hour, &told).isEmpty)
            #expect(look(matters, after: 2 * hour, &told).isEmpty)
            #expect(look(matters.union([.disk]), after: 3 * hour, &told).count == 1)
            #expect(look([], after: 4 * hour, &told) == ["rankd is well again"])
            #expect(told.compactMap(ServiceTurn.init).map(\.number).max()! > 8)
        }
    }

    @Test func `an outage that begins after the first look of this version is told`() {
        var told = [oldTurn()]
        #expect(look([.backup], after: hour, &told).isEmpty)
        #expect(look([.backup, .asking, .down], after: 2 * hour, &told).count == 1)
        #expect(look([.backup, .asking, .down], after: 3 * hour, &told).isEmpty)
    }

    @Test func `an outage that is too young at the first look of this version is told once it lasts`() {
        var told = [oldTurn()]
        let trouble = ServiceTrouble(of: [.backup, .down])
        let young = TroubleWatch.Finding(trouble: trouble, lasting: [.backup])
        let first = FurtherEvents(settings: always, zone: .gmt, now: noon + hour).service(young, told: told)
        guard case .noted(let event) = first else {
            Issue.record("\(String(describing: first)) instead of a note")
            return
        }
        told.append(ToldEvent(event, at: noon + hour))
        #expect(look([.backup, .down], after: 2 * hour, &told).count == 1)
    }

    // MARK: Results that waited

    private func waited(
        after seconds: Int64, _ told: inout [ToldEvent], _ settings: AlertSettings
    ) -> [String] {
        let now = noon + seconds
        let results = WaitedResults(from: noon - 2 * hour, until: noon - hour, written: 40, lost: 2)
        let event = FurtherEvents(settings: settings, zone: .gmt, now: now).waited(results, told: told)
        let decision = AlertDecision(
            event.map { [$0] } ?? [], told: told, .init(settings: settings, start: noon.day - 9, now: now, zone: .gmt))
        for event in decision.told { told.replace(event) }
        return decision.messages.map(\.message.title)
    }

    @Test func `that results waited for the disk is told once, with when and what was lost`() {
        var told: [ToldEvent] = []
        #expect(
            waited(after: 0, &told, always) == [
                "40 results waited for the disk from 2026-11-20 10:00 to 2026-11-20 11:00 UTC, and 2 more were lost"
            ])
        #expect(waited(after: hour, &told, always).isEmpty)
        #expect(waited(after: 8 * day, &told, always).isEmpty)
    }

    @Test func `that results waited changes nothing of what is told of trouble`() {
        var told: [ToldEvent] = []
        _ = look([.disk], after: 0, &told)
        #expect(waited(after: hour, &told, always).count == 1)
        #expect(look([.disk], after: 2 * hour, &told).isEmpty)
        #expect(look([], after: 3 * hour, &told) == ["rankd is well again"])
    }

    @Test func `that results waited is told after a mute`() {
        let muted = settings(
            [AlertRule(when: [.service], whose: .all)], mutes: [AlertMute(kind: .service, until: "2026-11-22")])
        var told: [ToldEvent] = []
        #expect(waited(after: 0, &told, muted).isEmpty)
        #expect(waited(after: 36 * hour, &told, muted).count == 1)
    }

    // MARK: Cooldowns and mutes

    private var cooled: AlertSettings { settings([AlertRule(when: [.service], whose: .all, cooldown: 6 * hour)]) }

    @Test func `that all is well again is told within a cooldown`() {
        var told: [ToldEvent] = []
        #expect(look([.asking], after: 0, &told, cooled).count == 1)
        #expect(look([], after: hour, &told, cooled) == ["rankd is well again"])
    }

    @Test func `trouble within a cooldown is told when that is over, if it lasts`() {
        var told: [ToldEvent] = []
        _ = look([.asking], after: 0, &told, cooled)
        _ = look([], after: hour, &told, cooled)
        #expect(look([.asking], after: 2 * hour, &told, cooled).isEmpty)
        #expect(look([.asking], after: 7 * hour - 1, &told, cooled).isEmpty)
        #expect(look([.asking], after: 7 * hour, &told, cooled).count == 1)
        #expect(look([.asking], after: 8 * hour, &told, cooled).isEmpty)
        #expect(look([], after: 9 * hour, &told, cooled) == ["rankd is well again"])
    }

    @Test func `trouble that is over before a cooldown is, nobody hears of`() {
        var told: [ToldEvent] = []
        _ = look([.asking], after: 0, &told, cooled)
        _ = look([], after: hour, &told, cooled)
        _ = look([.asking], after: 2 * hour, &told, cooled)
        #expect(look([], after: 3 * hour, &told, cooled).isEmpty)
        #expect(look([], after: 9 * hour, &told, cooled).isEmpty)
    }

    @Test func `trouble that began while it was muted is told when the mute ends, if it lasts`() {
        let muted = settings(
            [AlertRule(when: [.service], whose: .all)], mutes: [AlertMute(kind: .service, until: "2026-11-22")])
        var told: [ToldEvent] = []
        #expect(look([.asking], after: 0, &told, muted).isEmpty)
        #expect(look([.asking], after: day, &told, muted).isEmpty)
        #expect(look([.asking], after: 36 * hour, &told, muted).count == 1)
        #expect(look([], after: 2 * day, &told, muted) == ["rankd is well again"])
    }
}
