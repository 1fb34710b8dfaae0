import Foundation
import RankKit

/// A decision that is being made.
struct AlertDeciding {
    private let situation: AlertDecision.Situation
    private var known: [String: [ToldEvent]] = [:]
    private var changed: [String: ToldEvent] = [:]
    private var withdrawn: [String] = []
    /// What is told, and how.
    private var lines: [Candidate] = []
    /// Moves of a shuffled store: who is told of that instead.
    private var storms: [Storm: AlertAdmission] = [:]
    private var weather: [AlertEvent] = []
    private let limits: AlertLimits

    /// An event with the terms on which it is told.
    struct Candidate {
        var event: AlertEvent
        var admission: AlertAdmission
        /// Of the other events that the same line tells.
        var others: [AlertEvent] = []
    }

    init(told: [ToldEvent], _ situation: AlertDecision.Situation) {
        self.situation = situation
        for event in told { known[event.subject, default: []].append(event) }
        limits = AlertLimits(situation, told: told)
    }

    // MARK: What is so

    mutating func take(_ event: AlertEvent) {
        if event.isBack { return takeBack(event) }
        if event.kind == .weather { weather.append(event) }
        if let told = told(of: event) {
            // Over its limit yesterday.
            guard !told.waiting.isEmpty, !told.isOver else { return }
            var admission = limits.admission(of: event)
            admission.channels = admission.channels.filter { told.waiting.contains($0.key) }
            admission.waiting.formIntersection(told.waiting)
            return tell(event, admission)
        }
        let heardOfTrouble = event.kind == .service ? endTurns(before: event) : []
        guard isNews(event) else { return note(event) }
        var admission = limits.admission(of: event)
        if ServiceTurn(event)?.isTrouble == false {
            // Who was told of no trouble need not hear that it is over.
            admission.channels = admission.channels.filter { heardOfTrouble.contains($0.key) }
            admission.waiting.formIntersection(heardOfTrouble)
        }
        if event.isOfStorm, AlertWants.moves.contains(event.kind), event.kind != .drift, let storm = Storm(event) {
            storms[storm, default: AlertAdmission()].add(admission)
            return note(event)
        }
        // Whoever heard of it by a keener rule need not hear of it again.
        let thing = event.thing
        let heard = Set(
            known[event.subject.key, default: []].filter {
                $0.thing == thing && abs($0.onset - event.onset) <= event.sameWithin
            }.flatMap(\.channels))
        admission.channels = admission.channels.filter { !heard.contains($0.key) }
        admission.waiting.subtract(heard)
        tell(event, admission)
    }

    private func told(of event: AlertEvent) -> ToldEvent? {
        guard let all = known[event.subject.key] else { return nil }
        let key = event.key
        return all.last { told in
            if told.isSame(as: event, of: key) { return true }
            // A drift goes on where a move led that was told.
            return event.kind == .drift && told.kind == .moved && told.way == event.way
                && told.sensitivity == event.sensitivity && event.onset - told.onset <= event.sameWithin
        }
    }

    private func isNews(_ event: AlertEvent) -> Bool {
        guard let start = situation.start else { return false }
        let first = max(start, event.watchedSince ?? start)
        return event.at.day >= first && (event.onset >= first || event.kind == .weather || event.kind == .appUnknown)
    }

    private mutating func note(_ event: AlertEvent) { remember(ToldEvent(event, at: situation.now)) }

    private mutating func remember(_ told: ToldEvent) {
        changed[told.event] = told
        var others = known[told.subject, default: []]
        others.removeAll { $0.key == told.key && $0.onset == told.onset }
        known[told.subject] = others + [told]
    }

    private mutating func tell(_ event: AlertEvent, _ admission: AlertAdmission) {
        // Remembered at once, so that nothing tells it twice within this decision.
        var told = told(of: event) ?? ToldEvent(event, at: situation.now)
        told.waiting = event.kind == .digest ? [] : admission.waiting.sorted()
        // It is looked for again on another day.
        if event.kind == .service { told.at = situation.now }
        remember(told)
        guard !admission.channels.isEmpty else { return }
        // A pair's move is one line, however many rules admit it.
        if event.isOfPair, let same = lines.firstIndex(where: { $0.isSameMove(as: event) }) {
            lines[same].admission.add(admission)
            lines[same].others.append(event)
            if event.precedence < lines[same].event.precedence {
                lines[same].others.append(lines[same].event)
                lines[same].event = event
                lines[same].others.removeAll { $0 == event }
            }
        } else {
            lines.append(Candidate(event: event, admission: admission))
        }
    }

    // MARK: What is no longer so

    /// Ends the turns of the service before this one: what waits of them is told no more.
    ///
    /// - Returns: the channels that heard of trouble last.
    private mutating func endTurns(before event: AlertEvent) -> Set<String> {
        var heard: [String: ServiceTurn] = [:]
        for told in known[event.subject.key, default: []] where told.kind == .service {
            if told.isSent, let turn = ServiceTurn(told) {
                for channel in told.channels where (heard[channel]?.number ?? 0) < turn.number { heard[channel] = turn }
            }
            guard !told.isOver else { continue }
            var over = told
            (over.isOver, over.waiting) = (true, [])
            if !told.isSent, !told.channels.isEmpty { withdrawn.append(told.event) }
            remember(over)
        }
        return Set(heard.filter { $0.value.isTrouble }.keys)
    }

    private mutating func takeBack(_ back: AlertEvent) {
        let matching = known[back.subject.key, default: []].filter { told in
            !told.isOver && !told.isBack && told.sensitivity == back.sensitivity && told.kind.canTurnBack
                && told.isSameWay(as: back) && abs(told.onset - back.onset) <= back.sameWithin
        }
        guard !matching.isEmpty else { return }
        var admission = AlertAdmission()
        for told in matching {
            var over = told
            over.isOver = true
            over.waiting = []
            if told.isSent {
                let terms = limits.terms(of: told)
                for channel in told.channels { admission.add(channel, terms) }
                admission.rules.formUnion(told.rules)
            } else if !told.channels.isEmpty {
                withdrawn.append(told.event)
                lines.removeAll { $0.event.key == told.key && $0.event.onset == told.onset }
            } else {
                lines.removeAll { $0.event.key == told.key && $0.event.onset == told.onset }
            }
            remember(over)
        }
        noteReturn(back, of: matching)
        let isTold = known[back.subject.key, default: []].contains { $0.event == back.line && !$0.messages.isEmpty }
        if !isTold, !limits.isMuted(back), !admission.channels.isEmpty {
            lines.append(Candidate(event: back, admission: admission))
        }
    }

    /// The way back may look like a move of its own by the next readings: that is the same story.
    private mutating func noteReturn(_ back: AlertEvent, of told: [ToldEvent]) {
        guard case .pair = back.subject, let from = told.compactMap(\.from).first ?? told.first?.to else { return }
        let isUp = told.contains { $0.knownWayIsUp }
        var opposite = back
        (opposite.kind, opposite.variant, opposite.top) = (.moved, "", nil)
        opposite.way = isUp ? .down : .up
        opposite.onset = back.at.day
        var noted = ToldEvent(opposite, at: situation.now)
        (noted.from, noted.to, noted.isOver) = (nil, from, true)
        remember(noted)
    }

    // MARK: What is sent

    mutating func decision() -> AlertDecision {
        tellOfStorms()
        let messages = outbound()
        let told = messages.map { (message: $0, events: Set($0.message.events)) }
        for line in lines { settle(line, told) }
        var decision = AlertDecision()
        decision.messages = messages
        decision.told = changed.values.sorted { ($0.at, $0.event) < ($1.at, $1.event) }
        decision.withdrawn = withdrawn.sorted()
        return decision
    }

    /// On a day when a store shuffled its moves are one message about that.
    private mutating func tellOfStorms() {
        for (storm, admission) in storms.sorted(by: { ($0.key.onset, $0.key.country) < ($1.key.onset, $1.key.country) })
        {
            let event = weather.first { Storm($0) == storm } ?? storm.event
            var admission = admission
            let heard = Set(told(of: event)?.channels ?? [])
            admission.channels = admission.channels.filter { !heard.contains($0.key) }
            admission.waiting = []
            guard !admission.channels.isEmpty, !limits.isMuted(event) else { continue }
            if let same = lines.firstIndex(where: { $0.event.line == event.line }) {
                lines[same].admission.add(admission)
            } else {
                lines.append(Candidate(event: event, admission: admission))
            }
        }
    }

    private func outbound() -> [AlertDecision.Outgoing] {
        struct Bundle: Hashable {
            var lines: [Int]
            var severity: AlertSeverity
            var notBefore: Timestamp?
        }
        var channels: [Bundle: [String]] = [:]
        for channel in Set(lines.flatMap { $0.admission.channels.keys }).sorted() {
            var byTime: [Timestamp?: [Int]] = [:]
            for (index, line) in lines.enumerated() {
                guard let terms = line.admission.channels[channel] else { continue }
                byTime[terms.notBefore, default: []].append(index)
            }
            for (notBefore, indices) in byTime {
                let severity = indices.compactMap { lines[$0].admission.channels[channel]?.severity }.max() ?? .normal
                channels[Bundle(lines: indices, severity: severity, notBefore: notBefore), default: []].append(channel)
            }
        }
        return channels.map { bundle, channels in
            let told = bundle.lines.map { lines[$0] }.sorted()
            return AlertDecision.Outgoing(
                message: AlertWords.message(
                    of: told.map(\.event), to: channels, severity: bundle.severity, at: situation.now),
                channels: channels, notBefore: bundle.notBefore)
        }.sorted {
            ($0.channels.joined(separator: ","), $0.message.id) < ($1.channels.joined(separator: ","), $1.message.id)
        }
    }

    private mutating func settle(
        _ line: Candidate, _ outgoing: [(message: AlertDecision.Outgoing, events: Set<String>)]
    ) {
        let name = line.event.line
        let messages = outgoing.filter { message, events in
            events.contains(name) && !Set(message.channels).isDisjoint(with: line.admission.channels.keys)
        }.map(\.message.message.id)
        for event in [line.event] + line.others {
            var told = told(of: event) ?? ToldEvent(event, at: situation.now)
            told.messages = Array(Set(told.messages + messages)).sorted()
            told.channels = Array(Set(told.channels + line.admission.channels.keys)).sorted()
            told.rules = Array(Set(told.rules).union(line.admission.rules)).sorted()
            told.at = situation.now
            remember(told)
        }
    }
}

extension AlertDeciding.Candidate: Comparable {
    static func == (left: Self, right: Self) -> Bool { left.event == right.event }

    /// Mine before competitors, the biggest first.
    static func < (left: Self, right: Self) -> Bool {
        let (a, b) = (left.event, right.event)
        if a.isMine != b.isMine { return a.isMine }
        if a.size != b.size { return a.size > b.size }
        return (a.line) < (b.line)
    }

    func isSameMove(as other: AlertEvent) -> Bool {
        event.isOfPair && event.subject == other.subject && !event.isBack
            && abs(event.onset - other.onset) <= max(event.sameWithin, other.sameWithin)
    }
}

extension AlertEvent {
    /// Which event a line tells.
    package var line: String { "\(key)\t\(onset)" }

    var isOfPair: Bool {
        guard case .pair = subject else { return false }
        return AlertWants.moves.contains(kind)
    }

    var isOfRivals: Bool { if case .rivals = subject { true } else { false } }

    /// Of what happened to one pair the most telling comes first.
    var precedence: Int {
        switch kind {
        case .entered, .left: top.map { $0 } ?? 0
        case .moved: 1_000
        default: 2_000
        }
    }
}

extension AlertKind {
    var canTurnBack: Bool {
        switch self {
        case .moved, .entered, .left, .overtaken, .overtook: true
        default: false
        }
    }
}

extension ToldEvent {
    var knownWayIsUp: Bool { way == .up || way == .entered }

    /// Whether it went the way of what `back` says is over: the way back may be an event of its own.
    func isSameWay(as back: AlertEvent) -> Bool {
        guard !back.isOfRivals else { return kind == back.kind }
        guard kind != .overtaken, kind != .overtook else { return false }
        return knownWayIsUp == (back.way == .up || back.way == .entered)
    }
}
