package import Foundation
package import History
package import RankKit

/// What would have been sent over days in the past, decided day by day by the same code.
package struct AlertPreview: Sendable {
    /// In order of time. What was confirmed on one day (UTC) is decided at once, by its last check.
    package var messages: [AlertDecision.Outgoing]
    /// How many messages there would have been if all rules were that keen.
    package var counts: [Sensitivity: Int]
    /// The first day (UTC) that it is about.
    package var since: Int64
    /// The first day of which newcomers were looked for; `nil` if no rule wants them.
    package var newcomersSince: Int64?

    /// - Parameters:
    ///   - since: the first day (UTC); what was so on it is noted, not told.
    ///   - until: the last moment that is read.
    ///   - reader: a snapshot.
    package init(
        _ settings: AlertSettings, since: Int64, until: Timestamp, now: Timestamp, zone: TimeZone,
        from reader: HistoryReader
    ) throws(HistoryError) {
        let until = min(until, now)
        let since = min(since, until.day)
        let usual = try reader.sensitivity()
        var wants = AlertWants(settings, usual: usual)
        if wants.wantMoves { wants.sensitivities = Sensitivity.allCases }
        let read = try AlertEvents(
            wants, days: since - AlertEvents.reach...until.day, until: until, now: now, zone: zone,
            processors: ProcessInfo.processInfo.activeProcessorCount, from: reader)
        self.since = since
        newcomersSince = read.newcomersSince.map { max($0, since) }
        let byKey = read.events.map { PreviewedEvent($0) }
        messages = Self.messages(settings, usual, byKey, since: since, zone)
        let own = Set(settings.rules.map { settings.sensitivity(of: $0, usual: usual) })
        let messages = messages
        let told = Sensitivity.allCases.mapped(on: ProcessInfo.processInfo.activeProcessorCount) { sensitivity in
            own == [sensitivity]
                ? messages : Self.messages(settings.asKeen(as: sensitivity), sensitivity, byKey, since: since, zone)
        }
        counts = Dictionary(uniqueKeysWithValues: zip(Sensitivity.allCases, told.map(\.count)))
    }

    private static func messages(
        _ settings: AlertSettings, _ usual: Sensitivity, _ events: [PreviewedEvent], since: Int64, _ zone: TimeZone
    ) -> [AlertDecision.Outgoing] {
        let wanted = Set(settings.rules.map { settings.sensitivity(of: $0, usual: usual) })
        let events = events.filter { $0.event.sensitivity.map(wanted.contains) ?? true }
        var memory = PreviewMemory(settings)
        var messages: [AlertDecision.Outgoing] = []
        let before = events.prefix { $0.event.at.day < since }
        func decide(_ events: [PreviewedEvent], start: Int64?, at moment: Timestamp) {
            let decision = AlertDecision(
                events.map(\.event), told: memory.told(of: events, on: moment.day),
                .init(settings: settings, usual: usual, start: start, now: moment, zone: zone))
            memory.take(decision.told)
            messages += decision.messages
        }
        decide(Array(before), start: nil, at: .startOfDay(since))
        var waiting: [PreviewedEvent] = []
        var rest = events.dropFirst(before.count)
        while let first = rest.first?.event {
            let today = rest.prefix { $0.event.at.day == first.at.day }
            rest = rest.dropFirst(today.count)
            waiting.removeAll { $0.event.at.day < first.at.day - AlertEvents.reach }
            decide(waiting + today, start: since, at: today.last?.event.at ?? first.at)
            // What was told, or noted, is not looked at again. A storm is, for the moves that are confirmed later, and what
            // turned back, for what is told of it later.
            waiting = (waiting + today).filter {
                $0.event.kind == .weather || $0.event.isBack || memory.hasMore(of: $0.subject)
            }
        }
        return messages
    }
}

/// An event with the key of its subject, which is asked for again and again.
private struct PreviewedEvent: Sendable {
    let event: AlertEvent
    let subject: String

    init(_ event: AlertEvent) {
        self.event = event
        subject = event.subject.key
    }
}

/// What was decided on the days before.
private struct PreviewMemory {
    private var bySubject: [String: [ToldEvent]] = [:]
    /// Who was told of on the newest days, which limits a day count.
    private var recent: [String: Int64] = [:]
    /// Days after which nothing that was told matters any more.
    private let reach: Int64

    init(_ settings: AlertSettings) {
        let cooldown = settings.rules.map(\.cooldown).max() ?? 0
        // The same event can be told of a month later, and what is looked at again is a week old.
        reach = min(ToldEvent.keptDays, max(45, cooldown / Timestamp.secondsPerDay + 1))
    }

    /// What a decision on these events rests upon: what was told of the same subjects, and what the limits of a day count.
    mutating func told(of events: [PreviewedEvent], on day: Int64) -> [ToldEvent] {
        recent = recent.filter { $0.value >= day - 1 }
        return Set(events.map(\.subject)).union(recent.keys).sorted().flatMap { subject -> [ToldEvent] in
            guard let all = bySubject[subject] else { return [] }
            let first = all.firstIndex { $0.at.day >= day - reach } ?? all.endIndex
            return first == 0 ? all : Array(all[first...])
        }
    }

    mutating func take(_ decided: [ToldEvent]) {
        for var event in decided {
            // What was decided on a day was sent before the next.
            event.isSent = !event.messages.isEmpty
            bySubject[event.subject, default: []].removeAll { $0.key == event.key && $0.onset == event.onset }
            bySubject[event.subject, default: []].append(event)
            recent[event.subject] = event.at.day
        }
    }

    func hasMore(of subject: String) -> Bool { bySubject[subject]?.contains { !$0.waiting.isEmpty } ?? false }
}

extension AlertSettings {
    /// The same with one sensitivity for all rules.
    func asKeen(as sensitivity: Sensitivity) -> AlertSettings {
        var settings = self
        settings.sensitivity = sensitivity
        for index in settings.rules.indices { settings.rules[index].sensitivity = nil }
        return settings
    }
}
