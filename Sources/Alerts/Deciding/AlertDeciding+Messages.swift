import RankKit

/// What is sent.
extension AlertDeciding {
    mutating func decision() -> AlertDecision {
        tellOfStorms()
        let messages = outbound()
        for (index, line) in lines.enumerated() {
            settle(line, messages.filter { $0.lines.contains(index) }.map(\.outgoing.message.id))
        }
        var decision = AlertDecision()
        decision.messages = messages.map(\.outgoing)
        // Most of what is known is not touched.
        for (_, events) in known.filter({ !$0.value.new.isEmpty }).sorted(by: { $0.key < $1.key }) {
            decision.told += events.new.sorted(by: ToldEvent.isEarlier)
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
        return channels.enumerated().map { number, entry in
            let (bundle, channels) = entry
            let message =
                situation.isCounted
                ? countedMessage(number, bundle.severity) : message(of: bundle.lines, to: channels, bundle.severity)
            let outgoing = AlertDecision.Outgoing(message: message, channels: channels, notBefore: bundle.notBefore)
            return (outgoing, Set(bundle.lines))
        }.sorted {
            let (one, other) = ($0.outgoing, $1.outgoing)
            return (one.channels.joined(separator: ","), one.message.id)
                < (other.channels.joined(separator: ","), other.message.id)
        }
    }

    /// Without a word, and under an id that no other message of this moment's decision has.
    private func countedMessage(_ number: Int, _ severity: AlertSeverity) -> AlertMessage {
        AlertMessage(
            id: "\(situation.now.secondsSinceEpoch) \(number)", at: situation.now, severity: severity, title: "",
            lines: [])
    }

    private func message(of indices: [Int], to channels: [String], _ severity: AlertSeverity) -> AlertMessage {
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
