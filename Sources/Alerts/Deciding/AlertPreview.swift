package import Foundation
package import History
package import RankKit

/// What would have been sent over days in the past, decided day by day by the same code.
package struct AlertPreview: Sendable {
    /// In order of time. What was confirmed on one day (UTC) is decided at once, by its last check, and newcomers in the
    /// morning after. Their lines have no places of the last days.
    package let messages: [AlertDecision.Outgoing]
    /// How many messages there would have been if all rules were that keen.
    package let counts: [Sensitivity: Int]
    /// The first day (UTC) that it is about.
    package let since: Int64
    /// Lists of before were dropped, as the watchlist wanted, so that newcomers of before are not known; `nil` if none
    /// were.
    package let listsSince: Timestamp?

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
        wants.wantPlaces = false
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let past = PastEvents(
            try AlertEvents(
                wants, days: since - AlertEvents.reach...until.day, until: until, now: now, zone: zone,
                processors: processors, from: reader), until: until)
        self.since = since
        listsSince = try reader.listsSince()
        let own = Set(settings.rules.map { settings.sensitivity(of: $0, usual: usual) })
        var pasts = Sensitivity.allCases.map { sensitivity in
            PreviewedPast(
                settings: own == [sensitivity] ? settings : settings.asKeen(as: sensitivity), usual: sensitivity,
                since: since, zone: zone, isCounted: own != [sensitivity])
        }
        if own.count != 1 {
            pasts.append(PreviewedPast(settings: settings, usual: usual, since: since, zone: zone, isCounted: false))
        }
        // The keenest takes longest, so it begins first.
        let keenestFirst = Array(pasts.reversed()).mapped(on: processors) { one in one.told(of: past) }
        let told = Array(keenestFirst.reversed())
        counts = Dictionary(uniqueKeysWithValues: zip(Sensitivity.allCases, told.map(\.count)))
        messages = pasts.lastIndex { !$0.isCounted }.map { told[$0].messages } ?? []
    }
}

/// What was confirmed, by when it was to be told.
private struct PastEvents {
    /// In order of confirmation, as are the others.
    var newcomers: ArraySlice<AlertEvent>
    var others: ArraySlice<AlertEvent>

    init(_ read: AlertEvents, until: Timestamp) {
        newcomers = read.events.filter { $0.kind == .newcomer && NewcomerTurn.moment(after: $0.at.day) <= until }[...]
        others = read.events.filter { $0.kind != .newcomer }[...]
    }

    /// What was confirmed before a day (UTC).
    mutating func takeConfirmed(before day: Int64) -> [AlertEvent] {
        [Self.take(&newcomers) { $0.at.day < day }, Self.take(&others) { $0.at.day < day }].flatMap(\.self)
    }

    /// The next day (UTC) on which something is to be told, newcomers of the day before; `nil` if there is none.
    mutating func takeDay() -> (day: Int64, newcomers: [AlertEvent], others: [AlertEvent])? {
        let days = [newcomers.first.map { $0.at.day + 1 }, others.first?.at.day].compactMap(\.self)
        guard let day = days.min() else { return nil }
        return (day, Self.take(&newcomers) { $0.at.day + 1 == day }, Self.take(&others) { $0.at.day == day })
    }

    private static func take(_ rest: inout ArraySlice<AlertEvent>, while isNext: (AlertEvent) -> Bool) -> [AlertEvent] {
        let taken = rest.prefix(while: isNext)
        rest = rest.dropFirst(taken.count)
        return Array(taken)
    }
}

/// How the past is looked at.
private struct PreviewedPast {
    let settings: AlertSettings
    /// The watchlist's sensitivity.
    let usual: Sensitivity
    let since: Int64
    let zone: TimeZone
    /// Whether the messages are only counted.
    let isCounted: Bool

    /// What would have been sent; no messages if they are only counted.
    func told(of past: PastEvents) -> (count: Int, messages: [AlertDecision.Outgoing]) {
        var past = past
        let wanted = Set(settings.rules.map { settings.sensitivity(of: $0, usual: usual) })
        var memory = PreviewMemory(settings)
        var (count, messages): (Int, [AlertDecision.Outgoing]) = (0, [])
        func decide(_ events: [AlertEvent], start: Int64?, at moment: Timestamp) {
            var situation = AlertDecision.Situation(
                settings: settings, usual: usual, start: start, now: moment, zone: zone)
            situation.isCounted = isCounted
            let decision = AlertDecision(events, known: memory.known(of: events, on: moment.day), situation)
            memory.take(decision.told)
            count += decision.messages.count
            if !isCounted { messages += decision.messages }
        }
        func isWanted(_ event: AlertEvent) -> Bool { event.sensitivity.map(wanted.contains) ?? true }
        decide(past.takeConfirmed(before: since).filter(isWanted), start: nil, at: .startOfDay(since))
        var waiting: [AlertEvent] = []
        while let day = past.takeDay() {
            let newcomers = (at: NewcomerTurn.moment(after: day.day - 1), events: day.newcomers)
            let others = day.others.filter(isWanted)
            let looks = [newcomers, (others.last?.at ?? newcomers.at, others)].filter { !$0.events.isEmpty }
            guard !looks.isEmpty else { continue }
            waiting.removeAll { $0.at.day < day.day - AlertEvents.reach }
            for look in looks.sorted(by: { $0.at < $1.at }) { decide(waiting + look.events, start: since, at: look.at) }
            // What was told, or noted, is not looked at again. A storm is, for the moves that are confirmed later, and what
            // turned back, for what is told of it later.
            waiting = (waiting + day.newcomers + others).filter {
                $0.kind == .weather || $0.isBack || memory.hasMore(of: $0.topic.key)
            }
        }
        return (count, messages)
    }
}

/// What was decided on the days before.
private struct PreviewMemory {
    private var bySubject: [String: [ToldEvent]] = [:]
    /// When it was last looked through for what matters no more.
    private var sweptOn = Int64.min
    /// Days from one such time to the next.
    private static let sweeping: Int64 = 15
    /// Who was told of on the newest days, which limits a day count.
    private var recent: [String: Int64] = [:]
    /// Whether a rule may tell only so much a day.
    private let isLimited: Bool
    /// Days after which nothing that was told matters any more.
    private let reach: Int64

    init(_ settings: AlertSettings) {
        let cooldown = settings.rules.map(\.cooldown).max() ?? 0
        // The same event can be told of a month later, and what is looked at again is a week old.
        reach = min(ToldEvent.keptDays, max(45, cooldown / Timestamp.secondsPerDay + 1))
        isLimited = settings.rules.contains { $0.atMost != nil }
    }

    /// What a decision on these events rests upon: what was told of the same subjects, and what the limits of a day count.
    mutating func known(of events: [AlertEvent], on day: Int64) -> [String: [ToldEvent]] {
        recent = recent.filter { $0.value >= day - 1 }
        if sweptOn <= day - Self.sweeping {
            bySubject = bySubject.filter { day - reach <= $0.value.last?.at.day ?? .min }
            sweptOn = day
        }
        var known: [String: [ToldEvent]] = [:]
        for subject in Set(events.map(\.topic.key)).union(recent.keys) {
            guard let old = bySubject[subject]?.prefix(while: { $0.at.day < day - reach }).count else { continue }
            if old > 0 { bySubject[subject]?.removeFirst(old) }
            known[subject] = bySubject[subject]
        }
        return known
    }

    mutating func take(_ decided: [ToldEvent]) {
        for var event in decided {
            // What was decided on a day was sent before the next.
            event.isSent = !event.messages.isEmpty
            bySubject[event.subject, default: []].replace(event)
            if isLimited || event.kind == .weather { recent[event.subject] = event.at.day }
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
