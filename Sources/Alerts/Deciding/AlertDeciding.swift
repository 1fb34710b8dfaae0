import Foundation
import RankKit

/// A decision that is being made.
struct AlertDeciding {
    private let situation: AlertDecision.Situation
    /// What was decided, by the key of its subject.
    private var known: [String: KnownEvents]
    private var withdrawn: [String] = []
    /// What is told, and how.
    private var lines: [AlertCandidate] = []
    /// Moves of a shuffled store: who is told of that instead.
    private var storms: [Storm: AlertAdmission] = [:]
    private var weather: [AlertEvent] = []
    private let limits: AlertLimits
    /// Those that some rule goes by.
    private let sensitivities: Set<Sensitivity>

    /// - Parameter known: what was decided before, by the key of its subject.
    init(known: [String: [ToldEvent]], _ situation: AlertDecision.Situation) {
        self.situation = situation
        self.known = known.mapValues { KnownEvents($0) }
        limits = AlertLimits(situation, known: known)
        sensitivities = situation.settings.sensitivities(usual: situation.usual)
    }

    // MARK: What is so

    mutating func take(_ event: AlertEvent) {
        if event.isBack { return takeBack(event) }
        if event.kind == .weather { weather.append(event) }
        let new = NewEvent(event, at: situation.now)
        if event.kind == .drift { noteLonger(new) }
        if let told = told(of: new) {
            // Over its limit yesterday.
            guard !told.waiting.isEmpty, !told.isOver, !isOld(told) else { return }
            var admission = limits.admission(of: event)
            admission.channels = admission.channels.filter { told.waiting.contains($0.key) }
            admission.waiting.formIntersection(told.waiting)
            admission.leaveOut(heard(of: told, admission))
            return admit(new, told, admission)
        }
        let heardOfTrouble = ServiceTurn(event) == nil ? [] : endTurns(before: event)
        guard isNews(event) else { return remember(new.told) }
        var admission = limits.admission(of: event)
        if ServiceTurn(event)?.isTrouble == false {
            // Who was told of no trouble need not hear that it is over.
            admission.channels = admission.channels.filter { heardOfTrouble.contains($0.key) }
            admission.waiting.formIntersection(heardOfTrouble)
        }
        if event.storm != nil { return admit(new, new.told, admission) }
        admission.leaveOut(heard(of: new.told, admission))
        tell(new, new.told, admission)
    }

    /// Has the event told, or the storm of its day in its place.
    ///
    /// - Parameter told: what is known of the event.
    private mutating func admit(_ new: NewEvent, _ told: ToldEvent, _ admission: AlertAdmission) {
        guard let storm = new.event.storm else { return tell(new, told, admission) }
        storms[storm, default: AlertAdmission()].add(admission)
        // Over its limit it is what the storm is told by on another day.
        var told = told
        told.waiting = admission.waiting.sorted()
        remember(told)
    }

    private func events(of subject: String) -> [ToldEvent] { known[subject]?.all ?? [] }

    /// The channels that were told of it, perhaps by another rule and as something else.
    ///
    /// - Parameter admission: what waits until the morning is told in place of what waits there already, if all who wait
    ///   may hear it at once.
    private mutating func heard(of event: ToldEvent, _ admission: AlertAdmission) -> Set<String> {
        var heard: Set<String> = []
        let atOnce = Set(admission.channels.filter { $0.value.notBefore == nil }.keys)
        for told in events(of: event.subject) where told.tells(of: event) {
            if told.isOver {
                heard.formUnion(told.sentTo)
            } else if !told.isSent, !told.channels.isEmpty, atOnce.isSuperset(of: told.channels),
                !lines.contains(where: { $0.isOf(told) })
            {
                withdrawn.append(told.event)
                var replaced = told
                (replaced.messages, replaced.channels, replaced.rules) = ([], [], [])
                remember(replaced)
            } else {
                heard.formUnion(told.channels)
            }
        }
        return heard
    }

    private func told(of new: NewEvent) -> ToldEvent? {
        let event = new.event
        return events(of: new.told.subject).last { told in
            guard !told.isLeftBehind(by: new.told) else { return false }
            if told.isSame(as: new.told) || told.isWay(of: new.told) { return true }
            // A drift goes on where a move led that was told.
            return event.kind == .drift && told.kind == .moved && told.way == event.way
                && told.sensitivity == event.sensitivity && event.onset - told.onset <= event.sameWithin
        }
    }

    /// A drift that goes on is met for longer than other events, and waits for no longer.
    private func isOld(_ told: ToldEvent) -> Bool {
        told.kind == .drift && situation.now.day - told.at.day > AlertEvents.reach
    }

    /// That a drift goes on is no news, and has to be known while it does.
    private mutating func noteLonger(_ new: NewEvent) {
        guard var told = events(of: new.told.subject).last(where: { isDrift($0, going: new.told) }),
            told.slidOn ?? told.onset < new.event.at.day
        else { return }
        told.slidOn = new.event.at.day
        remember(told)
    }

    /// Whether it is that drift, perhaps as a watchlist before had it judged.
    private func isDrift(_ told: ToldEvent, going new: ToldEvent) -> Bool {
        told.isSame(as: new) || !isWanted(told.sensitivity) && told.isSameThing(as: new)
    }

    private func isWanted(_ sensitivity: Sensitivity?) -> Bool { sensitivity.map(sensitivities.contains) ?? true }

    private func isNews(_ event: AlertEvent) -> Bool {
        guard let start = situation.start else { return false }
        let first = max(start, event.watchedSince ?? start)
        return event.at.day >= first && (event.onset >= first || event.kind == .weather || event.kind == .appUnknown)
    }

    private mutating func remember(_ told: ToldEvent) {
        known[told.subject, default: KnownEvents()].remember(told)
    }

    /// - Parameter told: what is known of the event.
    private mutating func tell(_ new: NewEvent, _ told: ToldEvent, _ admission: AlertAdmission) {
        let event = new.event
        // Remembered at once, so that nothing tells it twice within this decision.
        var told = told
        told.waiting = event.kind == .digest ? [] : admission.waiting.sorted()
        // It is looked for again on another day.
        if event.kind == .service { told.at = situation.now }
        remember(told)
        guard !admission.channels.isEmpty else { return }
        addLine(new, admission)
    }

    /// What happened once is one line, however many rules admit it.
    private mutating func addLine(_ new: NewEvent, _ admission: AlertAdmission) {
        if let same = lines.firstIndex(where: { $0.tells(of: new) }) {
            lines[same].add(new, admission)
        } else {
            lines.append(AlertCandidate(new, admission))
        }
    }

    // MARK: What is no longer so

    /// Ends the turns of the service before this one: what waits of them is told no more.
    ///
    /// - Returns: the channels that heard of trouble last.
    private mutating func endTurns(before event: AlertEvent) -> Set<String> {
        var heard: [String: ServiceTurn] = [:]
        for told in events(of: event.topic.key) where told.kind == .service {
            if let turn = ServiceTurn(told) {
                for channel in told.sentTo where (heard[channel]?.number ?? 0) < turn.number { heard[channel] = turn }
            }
            guard !told.isOver else { continue }
            var over = told
            (over.isOver, over.waiting) = (true, [])
            if !told.sentTo.isSuperset(of: told.channels) { withdrawn.append(told.event) }
            remember(over)
        }
        return Set(heard.filter { $0.value.isTrouble }.keys)
    }

    private mutating func takeBack(_ back: AlertEvent) {
        // What a watchlist before had judged otherwise turns back as what is judged now does.
        let matching = events(of: back.topic.key).filter { told in
            told.isEnded(by: back) && (told.sensitivity == back.sensitivity || !isWanted(told.sensitivity))
        }
        guard !matching.isEmpty else { return }
        var admission = AlertAdmission()
        for told in matching {
            var over = told
            over.isOver = true
            over.overOn = back.at.day
            over.waiting = []
            if told.isSent { admission.add(limits.ending(of: told)) }
            // Who was not sent it is not told.
            if !told.sentTo.isSuperset(of: told.channels) { withdrawn.append(told.event) }
            // Nobody was sent what is only decided now, perhaps by another day of its beginning.
            lines = lines.compactMap { $0.without(told) }
            remember(over)
        }
        for told in matching { handOn(told) }
        noteReturn(back, of: matching)
        let new = NewEvent(back, at: situation.now)
        admission.leaveOut(heard(of: new.told, admission))
        if !limits.isMuted(back), !admission.channels.isEmpty { addLine(new, admission) }
    }

    /// What another event's line told and is so still is told, in that one's place, to whoever was not sent that.
    private mutating func handOn(_ told: ToldEvent) {
        let unsent = Set(told.channels).subtracting(told.sentTo)
        guard !unsent.isEmpty else { return }
        for var other in events(of: told.subject) where told.tells(of: other) && !other.isOver && !other.isBack {
            let those: Set<String>
            if other.messages.isEmpty {
                those = unsent
            } else {
                guard !Set(other.messages).isDisjoint(with: told.messages) else { continue }
                those = unsent.intersection(other.channels).subtracting(other.sentTo)
                // Either may be the one whose line it is.
                if !those.isEmpty { withdrawn.append(other.event) }
                other.channels.removeAll(where: those.contains)
                if other.channels.isEmpty { (other.messages, other.rules) = ([], []) }
            }
            guard !those.isEmpty else { continue }
            other.waiting = Set(other.waiting).union(those).sorted()
            remember(other)
        }
    }

    /// The way back may look like a move of its own by the next readings: that is the same story. One that goes on from
    /// there is another.
    private mutating func noteReturn(_ back: AlertEvent, of told: [ToldEvent]) {
        guard case .pair = back.subject, let from = told.compactMap(\.from).first ?? told.first?.to else { return }
        let isUp = told.contains { $0.knownWayIsUp }
        var opposite = back
        (opposite.kind, opposite.variant, opposite.top) = (.moved, "", nil)
        opposite.way = isUp ? .down : .up
        opposite.onset = back.at.day
        var noted = ToldEvent(opposite, at: situation.now)
        (noted.from, noted.to, noted.isOver, noted.overOn) = (nil, from, true, nil)
        remember(noted)
    }

    // MARK: What is sent

    mutating func decision() -> AlertDecision {
        tellOfStorms()
        let messages = outbound()
        for (index, line) in lines.enumerated() {
            settle(line, messages.filter { $0.lines.contains(index) }.map(\.outgoing.message.id))
        }
        var decision = AlertDecision()
        decision.messages = messages.map(\.outgoing)
        for subject in known.keys.sorted() {
            guard let new = known[subject]?.new, !new.isEmpty else { continue }
            decision.told += new.sorted(by: ToldEvent.isEarlier)
        }
        decision.withdrawn = withdrawn.sorted()
        return decision
    }

    /// On a day when a store shuffled its moves are one message about that.
    private mutating func tellOfStorms() {
        for (storm, admission) in storms.sorted(by: { ($0.key.onset, $0.key.country) < ($1.key.onset, $1.key.country) })
        {
            let event = weather.first { Storm($0) == storm } ?? storm.event
            let new = NewEvent(event, at: situation.now)
            var admission = admission
            let heard = Set(told(of: new)?.channels ?? [])
            admission.channels = admission.channels.filter { !heard.contains($0.key) }
            admission.waiting = []
            guard !admission.channels.isEmpty, !limits.isMuted(event) else { continue }
            if let same = lines.firstIndex(where: { $0.new.line == new.line }) {
                lines[same].add(admission)
            } else {
                lines.append(AlertCandidate(new, admission))
            }
        }
    }

    /// Messages with the indices of the lines that they tell.
    private func outbound() -> [(outgoing: AlertDecision.Outgoing, lines: Set<Int>)] {
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
            let message = message(of: bundle.lines, to: channels, bundle.severity)
            let outgoing = AlertDecision.Outgoing(message: message, channels: channels, notBefore: bundle.notBefore)
            return (outgoing, Set(bundle.lines))
        }.sorted {
            let (one, other) = ($0.outgoing, $1.outgoing)
            return (one.channels.joined(separator: ","), one.message.id)
                < (other.channels.joined(separator: ","), other.message.id)
        }
    }

    private func message(of indices: [Int], to channels: [String], _ severity: AlertSeverity) -> AlertMessage {
        guard !situation.isCounted else {
            return AlertMessage(
                id: AlertWords.id(of: indices.map { lines[$0].new.line }, to: channels), at: situation.now,
                severity: severity, title: "", lines: [])
        }
        let told = indices.sorted { lines[$0] < lines[$1] }
        return AlertWords.message(
            of: told.map { lines[$0].event }, to: channels, severity: severity, at: situation.now)
    }

    /// - Parameter messages: the ids of those that tell the line.
    private mutating func settle(_ line: AlertCandidate, _ messages: [String]) {
        for new in [line.new] + line.others {
            var told = told(of: new) ?? new.told
            told.messages = told.messages.joined(with: messages)
            told.channels = told.channels.joined(with: line.admission.channels.keys)
            told.rules = told.rules.joined(with: line.admission.rules)
            told.at = situation.now
            remember(told)
            stopWaiting(for: told)
        }
    }

    /// What one rule told a channel, no other rule need tell it on another day.
    private mutating func stopWaiting(for told: ToldEvent) {
        for var other in events(of: told.subject) where !other.waiting.isEmpty && told.tells(of: other) {
            let count = other.waiting.count
            other.waiting.removeAll { told.channels.contains($0) }
            if other.waiting.count < count { remember(other) }
        }
    }
}

extension [String] {
    /// With the others, sorted, each once.
    fileprivate func joined(with others: some Collection<String>) -> [String] {
        isEmpty && others.count == 1 ? Array(others) : Set(self).union(others).sorted()
    }
}
