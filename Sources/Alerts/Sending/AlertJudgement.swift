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
    ///   - digestDelay: in days, how long after its time a digest is still sent.
    ///   - reader: a snapshot.
    /// - Returns: `nil` if there is nothing to look at since the look before.
    init?(
        _ settings: AlertSettings, trouble: TroubleWatch.Finding? = nil, receipt: ReceiptFile, digestDelay: Int = 1,
        zone: TimeZone, now: Timestamp, from reader: HistoryReader
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
        let (further, noted) = try Self.further(
            FurtherEvents(settings: settings, zone: zone, now: now, digestDelay: digestDelay), trouble, &memory, mark,
            reader)
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
        let (rest, listed) = try Self.parted(
            shown, told, imports, listedUntil: listedUntil, judgedAt: known?.judgedAt, from: reader)
        var decided = Decided(
            told: told,
            situation: .init(settings: settings, usual: usual, start: since.map(days.day), now: now, zone: zone))
        if !listed.isEmpty { decided.decide(listed, isListed: true) }
        let explained = try ReportContext(reader, now: now, zone: zone).zoned { () throws(HistoryError) in
            try rest.explained(unless: told, now: now, from: reader)
        }
        decided.decide(explained + further)
        decided.note(noted)
        let confirmed = Dictionary(
            (shown + further).map { ($0.line, $0.at) }, uniquingKeysWith: { first, _ in first })
        decision = decided.decision(
            AlertMark(
                since: since ?? now, check: newest,
                judgedAt: [now, known?.judgedAt, receipt.newest(by: now)].compactMap(\.self).max() ?? now,
                listedUntil: listedUntil, zone: days.name),
            waiting: WaitingMessages(try reader.untriedMessages()), confirmed: confirmed)
        self.known = stored
    }

    /// What is decided on, and what may have been told before the history was restored from a backup.
    ///
    /// - Parameters:
    ///   - listedUntil: up to when that may be so.
    ///   - judgedAt: when the look before was.
    private static func parted(
        _ shown: [AlertEvent], _ told: [ToldEvent], _ imports: ImportedPast, listedUntil: Timestamp?,
        judgedAt: Timestamp?, from reader: HistoryReader
    ) throws(HistoryError) -> (rest: [AlertEvent], listed: [AlertEvent]) {
        let restored = listedUntil.map { RestoredPast(until: $0, reader) }
        // What was over only after the look before is news by any days.
        let formerUntil = try reader.countryDaysFormerUntil().map { min($0, judgedAt ?? $0) }
        var (rest, listed): ([AlertEvent], [AlertEvent]) = ([], [])
        for shown in shown {
            var event = try imports.dated(shown)
            // By the days of another zone a store's past shows in another light. What the former had told of is no news.
            if event.kind == .weather, let formerUntil, event.at <= formerUntil,
                !told.filter({ $0.subject == event.topic.key }).have(event)
            {
                event.watchedSince = .max
            }
            if try restored?.mayHold(event) ?? false { listed.append(event) } else { rest.append(event) }
        }
        return (rest, listed)
    }

    /// What one look decides, part by part.
    private struct Decided {
        /// What was decided before.
        let told: [ToldEvent]
        let situation: AlertDecision.Situation
        private var all: [ToldEvent] = []
        private var parts: [(part: AlertDecision, isListed: Bool)] = []

        init(told: [ToldEvent], situation: AlertDecision.Situation) {
            self.told = told
            self.situation = situation
        }

        /// Decides on `events`, in the light of what was decided already.
        ///
        /// - Parameter isListed: whether they may have been told before the history was restored from a backup.
        mutating func decide(_ events: [AlertEvent], isListed: Bool = false) {
            let part = AlertDecision(events, told: replacing(told, by: all), situation)
            all = replacing(all, by: isListed ? part.told.map(\.listed) : part.told)
            parts.append((part, isListed))
        }

        /// Takes up what is no message.
        mutating func note(_ events: [AlertEvent]) {
            all = replacing(all, by: events.map { ToldEvent($0, at: situation.now) })
        }

        /// What is to be written.
        ///
        /// - Parameters:
        ///   - waiting: messages that nobody has tried to send yet.
        ///   - confirmed: when what was looked at was confirmed, by its line.
        func decision(
            _ mark: AlertMark, waiting: WaitingMessages, confirmed: [String: Timestamp]
        ) -> OutboxDecision {
            var (decision, waiting) = (OutboxDecision(mark: mark), waiting)
            waiting.withdraw(Set(parts.flatMap(\.part.withdrawn)))
            for (part, isListed) in parts {
                let messages = isListed ? part.messages : waiting.joined(with: part.messages)
                decision.messages += messages.map { $0.outbox(isListed: isListed) }
            }
            (decision.shortened, decision.withdrawn) = (waiting.shortened, waiting.withdrawn)
            let events = replacing(all, by: waiting.renamed(replacing(told, by: all)))
            decision.events = events.map { $0.stored(confirmedAt: confirmed[$0.event]) }
            return decision
        }

        private func replacing(_ told: [ToldEvent], by newer: [ToldEvent]) -> [ToldEvent] {
            let replaced = Set(newer.map(\.event))
            return told.filter { !replaced.contains($0.event) } + newer
        }
    }

    /// What no check shows, to be told and to be only noted.
    private static func further(
        _ further: FurtherEvents, _ trouble: TroubleWatch.Finding?, _ memory: inout AlertMemory, _ mark: AlertMark?,
        _ reader: HistoryReader
    ) throws(HistoryError) -> (told: [AlertEvent], noted: [AlertEvent]) {
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
            let context = try ReportContext(reader, now: further.now, zone: further.zone)
            let lines = try context.zoned { () throws(HistoryError) in
                try DigestReport(since: digest.since, in: context).brief
            }
            events.append(further.digest(digest, lines))
        }
        return (events, noted)
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
