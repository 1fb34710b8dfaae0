import Foundation
import History
import RankKit
import Reports

/// One look at the history: what is worth a message since the look before, from what is stored alone.
struct AlertJudgement: Sendable {
    /// What is to be written.
    var decision: OutboxDecision
    /// The mark that it goes on from.
    var known: AlertMark?

    /// Looks at all that is new.
    ///
    /// - Parameters:
    ///   - zone: the machine's, for a watchlist that names none.
    ///   - trouble: how the service has been for long enough to be told; `nil` where nobody looked.
    ///   - receipt: what was sent last, whatever the history knows of it.
    ///   - reader: a snapshot.
    /// - Returns: `nil` if there is nothing to look at since the look before.
    init?(
        _ settings: AlertSettings, trouble: TroubleWatch.Finding? = nil, receipt: ReceiptFile, zone: TimeZone,
        now: Timestamp, from reader: HistoryReader
    ) throws(HistoryError) {
        let known = try reader.alertMark()
        let newest = try reader.newestCheckNumber()
        let isNewDay = known.map { $0.judgedAt.day != now.day } ?? true
        let told = try Self.told(now: now, reader)
        let further = try Self.further(settings, trouble, told, known, zone, now, reader)
        guard isNewDay || newest != known?.check || !further.isEmpty else { return nil }
        let mark = receipt.mark(after: known)
        let usual = try reader.sensitivity()
        let shown = try AlertEvents.read(
            settings, days: AlertEvents.days(until: now), until: now, now: now, zone: zone, told: told, from: reader)
        // A first look that a clock ahead of time had is as if it were now.
        let since = mark.map { min($0.since, now) }
        // What an import brought is no news, and what it shows in another light is none either.
        let isImported =
            try known.map { known throws(HistoryError) in try reader.hasImports(after: known.check) } ?? false
        let listedUntil = mark?.listedUntil.map { min($0, now) }
        var decisions: [(part: AlertDecision, isListed: Bool)] = []
        var all: [ToldEvent] = []
        func decide(_ events: [AlertEvent], start: Int64?, isListed: Bool = false) {
            let part = AlertDecision(
                events, told: Self.replacing(told, by: all),
                .init(settings: settings, usual: usual, start: start, now: now, zone: zone))
            all = Self.replacing(all, by: part.told)
            decisions.append((part, isListed))
        }
        let last = listedUntil?.day ?? .min
        decide(shown.filter { $0.onset <= last }, start: isImported ? now.day + 1 : since?.day, isListed: true)
        let rest = shown.filter { $0.onset > last }
        if isImported {
            decide(rest, start: now.day + 1)
            decide(further, start: since?.day)
        } else {
            decide(rest + further, start: since?.day)
        }
        var decision = OutboxDecision(
            mark: AlertMark(
                since: since ?? now, check: newest,
                judgedAt: [now, known?.judgedAt, receipt.newest].compactMap(\.self).max() ?? now,
                listedUntil: listedUntil))
        for (part, isListed) in decisions {
            decision.messages += part.messages.map { $0.outbox(isListed: isListed) }
        }
        let confirmed = Dictionary(
            (shown + further).map { ($0.line, $0.at) }, uniquingKeysWith: { first, _ in first })
        decision.events = all.map { $0.stored(confirmedAt: confirmed[$0.event]) }
        try decision.withdraw(decisions.flatMap(\.part.withdrawn), reader)
        self.decision = decision
        self.known = known
    }

    /// What no check shows.
    private static func further(
        _ settings: AlertSettings, _ trouble: TroubleWatch.Finding?, _ told: [ToldEvent], _ known: AlertMark?,
        _ zone: TimeZone, _ now: Timestamp, _ reader: HistoryReader
    ) throws(HistoryError) -> [AlertEvent] {
        let further = FurtherEvents(settings: settings, zone: zone, now: now)
        var events: [AlertEvent] = []
        if let trouble, let event = further.service(trouble.trouble, told: told) { events.append(event) }
        if let digest = known.map({ further.dueDigests(since: $0.judgedAt) })?.last {
            let context = try ReportContext(reader, now: now, zone: zone)
            let since = now - Timestamp.secondsPerDay * (settings.isDigestDaily ? 1 : 7)
            let event = further.digest(digest, try DigestReport(since: since, in: context).brief)
            if !told.contains(where: { $0.isSame(as: event) }) { events.append(event) }
        }
        return events
    }

    /// What was decided before, as far as somebody may ask for it.
    private static func told(now: Timestamp, _ reader: HistoryReader) throws(HistoryError) -> [ToldEvent] {
        let since = Timestamp.startOfDay(now.day - ToldEvent.keptDays)
        let sent = try reader.triedMessages(since: since)
        return try reader.outboxEvents(since: since.day).compactMap { ToldEvent($0, sent: sent) }
    }

    private static func replacing(_ told: [ToldEvent], by newer: [ToldEvent]) -> [ToldEvent] {
        let replaced = Set(newer.map(\.event))
        return told.filter { !replaced.contains($0.event) } + newer
    }
}

extension AlertSettings {
    /// Whether a digest comes every day; else it is one of a week.
    fileprivate var isDigestDaily: Bool { rules.contains { $0.times.contains { $0.weekdays.isEmpty } } }
}

extension AlertDecision.Outgoing {
    fileprivate func outbox(isListed: Bool = false) -> OutboxMessage {
        OutboxMessage(
            id: message.id, decidedAt: message.at, content: message.stored, channels: channels, dueAt: notBefore,
            isListed: isListed)
    }
}

extension OutboxDecision {
    /// Takes the lines of `events` out of the messages that nobody was sent yet.
    fileprivate mutating func withdraw(_ events: [String], _ reader: HistoryReader) throws(HistoryError) {
        guard !events.isEmpty else { return }
        let gone = Set(events)
        for message in try reader.untriedMessages().compactMap({ AlertMessage(stored: $0) })
        where !gone.isDisjoint(with: message.events) {
            guard let rest = message.without(gone) else {
                withdrawn.append(message.id)
                continue
            }
            shortened.append(OutboxMessage(id: rest.id, decidedAt: rest.at, content: rest.stored, channels: []))
        }
    }
}

extension AlertMessage {
    /// The message without what it says of `events`; `nil` if it then says nothing.
    func without(_ events: Set<String>) -> AlertMessage? {
        var rest = self
        rest.events.removeAll(where: events.contains)
        guard !rest.events.isEmpty else { return nil }
        rest.lines.removeAll { events.contains($0.event) }
        let shown = Set(rest.lines.map(\.event))
        rest.omitted = rest.events.count { !shown.contains($0) }
        let more = Self.more(rest.events.count)
        if let first = lines.first?.event, !events.contains(first), title.hasSuffix(Self.more(self.events.count)) {
            // What it says first is still so.
            rest.title = title.dropLast(Self.more(self.events.count).count) + more
        } else {
            rest.title = (rest.lines.first?.headline ?? "something happened") + more
        }
        return rest
    }

    /// How a title ends that says the first of so many events.
    private static func more(_ count: Int) -> String {
        count > 1 ? ", and \(Figures.grouped(Int64(count - 1))) more" : ""
    }
}

extension AlertMessage.Line {
    /// What a message with this line first says in its title.
    fileprivate var headline: String {
        let subject = [app, query.map { "“\($0)”" }].compactMap(\.self).joined(separator: " for ")
        return (subject.isEmpty ? "" : subject + ": ") + text
    }
}
