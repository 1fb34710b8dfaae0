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
    ///   - zone: the watchlist's, by whose days all is judged and told.
    ///   - trouble: how the service has been for long enough to be told; `nil` where nobody looked.
    ///   - receipt: what was sent last, whatever the history knows of it.
    ///   - reader: a snapshot.
    /// - Returns: `nil` if there is nothing to look at since the look before.
    init?(
        _ settings: AlertSettings, trouble: TroubleWatch.Finding? = nil, receipt: ReceiptFile, zone: TimeZone,
        now: Timestamp, from reader: HistoryReader
    ) throws(HistoryError) {
        let days = ZoneDays(zone)
        let reader = reader.counting(days)
        let stored = try reader.alertMark()
        let known = stored?.believed(by: now)
        let newest = try reader.newestCheckNumber()
        let isNewDay = stored.map { days.day(of: $0.judgedAt) != days.day(of: now) } ?? true
        let turn = NewcomerTurn(zone: days)
        let isOtherZone = stored.map { $0.zone != days.name } ?? false
        let isTurn = stored.map { turn.day(at: $0.judgedAt) != turn.day(at: now) || isOtherZone } ?? true
        var memory = try AlertMemory(settings, now: now, from: reader)
        let mark = receipt.mark(after: known, by: now)
        let (further, noted) = try Self.further(settings, trouble, &memory, mark, zone, now, reader)
        guard isNewDay || isTurn || newest != known?.check || !further.isEmpty || !noted.isEmpty else { return nil }
        let told = try memory.all()
        let usual = try reader.sensitivity()
        let imports = try ImportedPast(since: known, told: told, from: reader)
        let before = imports.isNew ? nil : known
        let look = try before.map { mark throws(HistoryError) in
            var look = EarlierLook(
                at: mark.judgedAt, oldestCheck: try reader.oldestOwnCheck(after: mark.check).map(days.day))
            if isOtherZone {
                // By the days of before, the lists of the last two were perhaps not looked at.
                look.oldestCheck = min(look.oldestCheck ?? .max, turn.day(at: mark.judgedAt) - 2)
            }
            return look
        }
        let shown = try AlertEvents.read(
            settings, days: AlertEvents.days(until: now, in: days), after: look, until: now, now: now, zone: zone,
            told: told,
            isDaily: isNewDay || imports.isNew, from: reader)
        // A first look that a clock ahead of time had is as if it were now.
        let since = mark.map { min($0.since, now) }
        let listedUntil = mark?.listedUntil.map { min($0, now) }
        let restored = listedUntil.map { RestoredPast(until: $0, reader) }
        // What was over only after the look before is news by any days.
        let formerUntil = try reader.countryDaysFormerUntil().map { min($0, known?.judgedAt ?? $0) }
        var (rest, listed): ([AlertEvent], [AlertEvent]) = ([], [])
        for var event in try shown.map({ event throws(HistoryError) in try imports.dated(event) }) {
            // By the days of another zone a store's past shows in another light. What the former had told of is no news.
            if event.kind == .weather, let formerUntil, event.at <= formerUntil,
                !told.filter({ $0.subject == event.topic.key }).have(event)
            {
                event.watchedSince = .max
            }
            if try restored?.mayHold(event) ?? false { listed.append(event) } else { rest.append(event) }
        }
        var decisions: [(part: AlertDecision, isListed: Bool)] = []
        var all: [ToldEvent] = []
        func decide(_ events: [AlertEvent], isListed: Bool = false) {
            let part = AlertDecision(
                events, told: Self.replacing(told, by: all),
                .init(settings: settings, usual: usual, start: since.map(days.day), now: now, zone: zone))
            let told = isListed ? part.told.map(\.listed) : part.told
            all = Self.replacing(all, by: told)
            decisions.append((part, isListed))
        }
        if !listed.isEmpty { decide(listed, isListed: true) }
        decide(rest + further)
        all = Self.replacing(all, by: noted.map { ToldEvent($0, at: now) })
        var decision = OutboxDecision(
            mark: AlertMark(
                since: since ?? now, check: newest,
                judgedAt: [now, known?.judgedAt, receipt.newest(by: now)].compactMap(\.self).max() ?? now,
                listedUntil: listedUntil, zone: days.name))
        var waiting = WaitingMessages(try reader.untriedMessages())
        waiting.withdraw(Set(decisions.flatMap(\.part.withdrawn)))
        for (part, isListed) in decisions {
            let messages = isListed ? part.messages : waiting.joined(with: part.messages)
            decision.messages += messages.map { $0.outbox(isListed: isListed) }
        }
        (decision.shortened, decision.withdrawn) = (waiting.shortened, waiting.withdrawn)
        all = Self.replacing(all, by: waiting.renamed(Self.replacing(told, by: all)))
        let confirmed = Dictionary(
            (shown + further).map { ($0.line, $0.at) }, uniquingKeysWith: { first, _ in first })
        decision.events = all.map { $0.stored(confirmedAt: confirmed[$0.event]) }
        self.decision = decision
        self.known = stored
    }

    /// What no check shows, to be told and to be only noted.
    private static func further(
        _ settings: AlertSettings, _ trouble: TroubleWatch.Finding?, _ memory: inout AlertMemory, _ mark: AlertMark?,
        _ zone: TimeZone, _ now: Timestamp, _ reader: HistoryReader
    ) throws(HistoryError) -> (told: [AlertEvent], noted: [AlertEvent]) {
        let further = FurtherEvents(settings: settings, zone: zone, now: now)
        var told = try memory.ofNoCheck()
        // Whether a limit lets it through is a matter of all that its rules told.
        if told.contains(where: { $0.kind == .service && !$0.waiting.isEmpty }) { told = try memory.all() }
        var (events, noted): ([AlertEvent], [AlertEvent]) = ([], [])
        switch trouble.flatMap({ further.service($0, told: told) }) {
        case .told(let event): events.append(event)
        case .noted(let event): noted.append(event)
        case nil: break
        }
        if let event = further.waited(try reader.waitedResults(), told: told) { events.append(event) }
        // One that was sent before the history was restored was decided by then.
        let last = mark.map { max($0.judgedAt, $0.listedUntil ?? $0.judgedAt) }
        for digest in last.map({ further.dueDigests(since: $0) }) ?? [] where !further.isTold(digest, told) {
            let context = try ReportContext(reader, now: now, zone: zone)
            let lines = try context.zoned { () throws(HistoryError) in
                try DigestReport(since: digest.since, in: context).brief
            }
            events.append(further.digest(digest, lines))
        }
        return (events, noted)
    }

    private static func replacing(_ told: [ToldEvent], by newer: [ToldEvent]) -> [ToldEvent] {
        let replaced = Set(newer.map(\.event))
        return told.filter { !replaced.contains($0.event) } + newer
    }
}

extension AlertMark {
    /// Without what a clock that was ahead has left: a time past tomorrow would silence everything until then.
    fileprivate func believed(by now: Timestamp) -> AlertMark {
        var mark = self
        if judgedAt > now.endOfTomorrow { mark.judgedAt = now }
        if let listedUntil, listedUntil > now.endOfTomorrow { mark.listedUntil = nil }
        return mark
    }
}

extension AlertDecision.Outgoing {
    fileprivate func outbox(isListed: Bool = false) -> OutboxMessage {
        OutboxMessage(
            id: message.id, decidedAt: message.at, content: message.stored, channels: channels, dueAt: notBefore,
            isListed: isListed)
    }
}
