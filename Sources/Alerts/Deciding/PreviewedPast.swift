import Foundation
import RankKit

/// How the past is looked at.
struct PreviewedPast: Sendable {
    let settings: AlertSettings
    /// The watchlist's sensitivity.
    let usual: Sensitivity
    /// The first day; what was so before it is noted, not told.
    let since: Int64
    /// The last moment that is looked at.
    let until: Timestamp
    let zone: TimeZone
    /// Whether the messages are only counted.
    var isCounted: Bool

    /// What would have been sent.
    struct Told: Sendable {
        var count = 0
        /// In order of time; none if they are only counted.
        var messages: [AlertDecision.Outgoing] = []

        /// With what else would have been sent.
        func joined(with other: Told, isCounted: Bool) -> Told {
            let all = isCounted ? [] : messages + other.messages
            // Of one moment as they were decided.
            let sorted = all.enumerated().sorted {
                ($0.element.message.at, $0.offset) < ($1.element.message.at, $1.offset)
            }
            return Told(count: count + other.count, messages: sorted.map(\.element))
        }
    }

    /// Those that some rule goes by.
    var sensitivities: Set<Sensitivity> { settings.sensitivities(usual: usual) }

    /// - Parameters:
    ///   - newcomers: in order of confirmation, as are the others.
    ///   - others: of moves those that were judged as keenly as one of `sensitivities`.
    func told(of newcomers: [AlertEvent], _ others: [AlertEvent]) -> Told {
        let days = ZoneDays(zone)
        var memory = PreviewMemory(settings, days)
        var told = Told()
        func decide(_ events: [AlertEvent], start: Int64?, at moment: Timestamp) {
            var situation = AlertDecision.Situation(
                settings: settings, usual: usual, start: start, now: moment, zone: zone)
            situation.isCounted = isCounted
            let decision = AlertDecision(events, known: memory.known(of: events, on: days.day(of: moment)), situation)
            memory.take(decision.told)
            told.count += decision.messages.count
            if !isCounted { told.messages += decision.messages }
        }
        var (newcomers, others) = (PastEvents(newcomers), PastEvents(others))
        let old = newcomers.take(before: since) + others.take(before: since)
        decide(Self.events(old, on: since - 1), start: nil, at: days.start(of: since))
        for day in since...max(since, days.day(of: until)) {
            func look(_ events: inout PastEvents, at moment: Timestamp) {
                // What turned back days ago matters only where something is told that it may be the end of.
                let due = events.waiting.enumerated().filter { index, event in
                    index >= events.old || !event.isBack || memory.mayTurnBack(event.topic.key)
                }.map(\.element)
                let told = Self.events(due, on: day)
                if !told.isEmpty { decide(told, start: since, at: moment) }
                // What was told, or noted, is not looked at again. A storm is, for the moves that are confirmed later, and
                // what turned back, for what is told of it later.
                // The same goes for what there was more to tell of on a later day.
                events.waiting.removeAll { event in
                    event.kind != .weather && !event.isBack && !memory.hasMore(of: event.topic.key)
                        && !event.later.contains { $0.day > day }
                }
            }
            others.turn(to: day, before: day + 1)
            // On a day with nothing new, what waits is looked at when it ends.
            let last = others.new.filter { $0.on == day }.map(\.at).max() ?? min(until, days.end(of: day))
            let morning = NewcomerTurn(zone: days).moment(after: day - 1)
            func tellNewcomers() {
                // A date that never was has no morning of its own.
                guard morning <= until, days.day(of: morning) == day else { return }
                newcomers.turn(to: day, before: day)
                look(&newcomers, at: morning)
            }
            if morning <= last { tellNewcomers() }
            look(&others, at: last)
            if morning > last { tellNewcomers() }
        }
        return told
    }

    /// What there was to be told of these on a day, in order of confirmation.
    private static func events(_ all: some Collection<AlertEvent>, on day: Int64) -> [AlertEvent] {
        var events = all.compactMap { $0.later.isEmpty ? $0 : $0.asOf(day) }
        events.sortByTime()
        return events
    }
}

/// What was confirmed, and what of it is to be looked at.
private struct PastEvents {
    private var rest: ArraySlice<AlertEvent>
    var waiting: [AlertEvent] = []
    /// How many of them have been looked at before.
    private(set) var old = 0
    /// The others, in order of confirmation.
    var new: ArraySlice<AlertEvent> { waiting[old...] }

    /// - Parameter events: in order of confirmation.
    init(_ events: [AlertEvent]) {
        // What could not be seen at once is few.
        let late = events.filter { $0.seenOn != nil }.sorted { $0.firstDay < $1.firstDay }
        guard !late.isEmpty else {
            rest = events[...]
            return
        }
        var all: [AlertEvent] = []
        all.reserveCapacity(events.count)
        var next = late[...]
        for event in events where event.seenOn == nil {
            while let first = next.first, first.firstDay <= event.on { all.append(next.removeFirst()) }
            all.append(event)
        }
        rest = (all + next)[...]
    }

    /// Takes the next that could first be seen before a day.
    mutating func take(before day: Int64) -> ArraySlice<AlertEvent> {
        let taken = rest.prefix { $0.seenOn ?? $0.on < day }
        rest = rest.dropFirst(taken.count)
        return taken
    }

    /// Adds to what waits what was confirmed before `end`, and drops what is too old on `day`.
    mutating func turn(to day: Int64, before end: Int64) {
        waiting.removeAll { $0.on < day - AlertEvents.reach }
        old = waiting.count
        waiting += take(before: end)
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
    private let days: ZoneDays
    /// Days after which nothing that was told matters any more.
    private let reach: Int64

    init(_ settings: AlertSettings, _ days: ZoneDays) {
        self.days = days
        // The same event can be told of a month later, and what is looked at again is a week old.
        reach = max(45, settings.cooldownDays)
        isLimited = settings.rules.contains { $0.atMost != nil }
    }

    /// What a decision on these events rests upon: what was told of the same subjects, and what the limits of a day count.
    mutating func known(of events: [AlertEvent], on day: Int64) -> [String: [ToldEvent]] {
        recent = recent.filter { $0.value >= day - 1 }
        let oldest = days.start(of: day - reach)
        if sweptOn <= day - Self.sweeping {
            bySubject = bySubject.filter { $0.value.contains { oldest <= $0.at } }
            sweptOn = day
        }
        var known: [String: [ToldEvent]] = [:]
        func look(up subject: String) {
            guard known[subject] == nil, var told = bySubject[subject] else { return }
            if let first = told.first, first.at < oldest {
                told = Array(told.drop { $0.at < oldest })
                bySubject[subject] = told
            }
            known[subject] = told
        }
        for event in events { look(up: event.topic.key) }
        for subject in recent.keys { look(up: subject) }
        return known
    }

    mutating func take(_ decided: [ToldEvent]) {
        for var event in decided {
            // What was decided on a day was sent before the next.
            event.sentTo = Set(event.channels)
            bySubject[event.subject, default: []].replace(event)
            if isLimited || event.kind == .weather { recent[event.subject] = days.day(of: event.at) }
        }
    }

    /// Whether something was told of a subject, or noted, that may turn out to be over.
    func mayTurnBack(_ subject: String) -> Bool { bySubject[subject]?.contains { !$0.isOver && !$0.isBack } ?? false }

    func hasMore(of subject: String) -> Bool { bySubject[subject]?.contains { !$0.waiting.isEmpty } ?? false }
}
