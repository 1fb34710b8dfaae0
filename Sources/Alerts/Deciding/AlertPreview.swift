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
            wants, days: since - AlertEvents.reach...until.day, until: until, now: now, zone: zone, from: reader)
        self.since = since
        newcomersSince = read.newcomersSince.map { max($0, since) }
        messages = Self.messages(settings, usual, read.events, since: since, zone)
        counts = [:]
        for sensitivity in Sensitivity.allCases {
            let told = Self.messages(settings.asKeen(as: sensitivity), sensitivity, read.events, since: since, zone)
            counts[sensitivity] = told.count
        }
    }

    private static func messages(
        _ settings: AlertSettings, _ usual: Sensitivity, _ events: [AlertEvent], since: Int64, _ zone: TimeZone
    ) -> [AlertDecision.Outgoing] {
        let wanted = Set(settings.rules.map { settings.sensitivity(of: $0, usual: usual) })
        let events = events.filter { $0.sensitivity.map(wanted.contains) ?? true }
        var told: [String: ToldEvent] = [:]
        var messages: [AlertDecision.Outgoing] = []
        let before = events.prefix { $0.at.day < since }
        func decide(_ events: [AlertEvent], start: Int64?, at moment: Timestamp) {
            let decision = AlertDecision(
                events, told: Array(told.values),
                .init(settings: settings, usual: usual, start: start, now: moment, zone: zone))
            for var event in decision.told {
                // What was decided on a day was sent before the next.
                event.isSent = !event.messages.isEmpty
                told[event.event] = event
            }
            messages += decision.messages
        }
        decide(Array(before), start: nil, at: .startOfDay(since))
        var waiting: [AlertEvent] = []
        var rest = events.dropFirst(before.count)
        while let first = rest.first {
            let today = rest.prefix { $0.at.day == first.at.day }
            rest = rest.dropFirst(today.count)
            told = told.filter { $0.value.at.day >= first.at.day - ToldEvent.keptDays }
            waiting.removeAll { $0.at.day < first.at.day - AlertEvents.reach }
            decide(waiting + today, start: since, at: today.last?.at ?? first.at)
            waiting += today
        }
        return messages
    }
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
