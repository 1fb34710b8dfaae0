import History
import RankKit
import Reports

/// The messages that no channel was sent yet, and what becomes of them by a decision.
///
/// A message that says less keeps its id, for nobody has it. One that says more is another one, under an id that follows
/// from all of its events, in place of the one before: so no id is ever sent with two contents.
struct WaitingMessages {
    private struct Entry {
        var message: AlertMessage
        var channels: [String]
        var dueAt: Timestamp
        var isShorter = false
    }

    private var entries: [Entry]
    /// The ids of those that are not to be sent.
    private(set) var withdrawn: [String] = []
    /// By the id of each that others say as well.
    private var names: [String: Set<String>] = [:]

    init(_ untried: [UntriedMessage]) {
        entries = untried.compactMap { untried in
            AlertMessage(stored: untried.content).map {
                Entry(message: $0, channels: untried.channels, dueAt: untried.dueAt)
            }
        }
    }

    /// Those that stay and say less than they did.
    var shortened: [OutboxMessage] {
        entries.filter(\.isShorter).map { entry in
            OutboxMessage(
                id: entry.message.id, decidedAt: entry.message.at, content: entry.message.stored, channels: [])
        }
    }

    /// Takes the lines of `events` out of all.
    mutating func withdraw(_ events: Set<String>) {
        guard !events.isEmpty else { return }
        entries = entries.compactMap { entry in
            guard !events.isDisjoint(with: entry.message.events) else { return entry }
            guard let rest = entry.message.without(events) else {
                withdrawn.append(entry.message.id)
                return nil
            }
            var entry = entry
            (entry.message, entry.isShorter) = (rest, true)
            return entry
        }
    }

    /// The messages of a decision, with what else waits until the same moment: what a channel gets at once is one message,
    /// whatever other channels get.
    mutating func joined(with new: [AlertDecision.Outgoing]) -> [AlertDecision.Outgoing] {
        var joined: [AlertDecision.Outgoing] = []
        for (dueAt, new) in Dictionary(grouping: new, by: \.notBefore) {
            guard let dueAt else {
                joined += new
                continue
            }
            joined += self.joined(with: new, at: dueAt)
        }
        return joined.sorted {
            ($0.channels.joined(separator: ","), $0.message.id) < ($1.channels.joined(separator: ","), $1.message.id)
        }
    }

    private mutating func joined(
        with new: [AlertDecision.Outgoing], at dueAt: Timestamp
    ) -> [AlertDecision.Outgoing] {
        let channels = Set(new.flatMap(\.channels))
        func isMet(_ entry: Entry) -> Bool { entry.dueAt == dueAt && !channels.isDisjoint(with: entry.channels) }
        let met = entries.filter(isMet)
        guard !met.isEmpty else { return new }
        entries.removeAll(where: isMet)
        withdrawn += met.map(\.message.id)
        let all = met + new.map { Entry(message: $0.message, channels: $0.channels, dueAt: dueAt) }
        // Channels that get the same share a message.
        let groups = Dictionary(grouping: Set(all.flatMap(\.channels)).sorted()) { channel in
            all.indices.filter { all[$0].channels.contains(channel) }
        }
        return groups.map { parts, channels in
            let message = AlertMessage(joining: parts.map { all[$0].message }, to: channels)
            for part in parts { names[all[part].message.id, default: []].insert(message.id) }
            return .init(message: message, channels: channels, notBefore: dueAt)
        }
    }

    /// Those of `told` that another message tells of by now, as it is.
    func renamed(_ told: [ToldEvent]) -> [ToldEvent] {
        told.compactMap { told in
            guard told.messages.contains(where: { names[$0] != nil }) else { return nil }
            var renamed = told
            renamed.messages = Set(told.messages.flatMap { names[$0] ?? [$0] }).sorted()
            return renamed
        }
    }
}

extension AlertMessage {
    /// What all of `messages` say, the newest last, for the same channels.
    fileprivate init(joining messages: [AlertMessage], to channels: [String]) {
        var seen: Set<String> = []
        let events = messages.flatMap(\.events).filter { seen.insert($0).inserted }
        var shown: [(first: Line, lines: [Line], title: String?)] = []
        for message in messages {
            for line in message.lines {
                if let same = shown.firstIndex(where: { $0.first.event == line.event }) {
                    shown[same].lines.append(line)
                } else {
                    let isFirst = line.event == message.lines.first?.event
                    shown.append((line, [line], isFirst ? message.headline : nil))
                }
            }
        }
        shown.sort { left, right in
            let (a, b) = (left.first, right.first)
            if a.isMine != b.isMine { return a.isMine }
            return a.size == b.size ? a.event < b.event : a.size > b.size
        }
        shown = Array(shown.prefix(AlertDecision.mostLines))
        let remarks = messages.compactMap(\.remark)
        let headline = shown.first.map { $0.title ?? $0.first.headline } ?? "something happened"
        self.init(
            id: AlertWords.id(of: events, to: channels),
            at: messages.map(\.at).max() ?? Timestamp(secondsSinceEpoch: 0),
            severity: messages.map(\.severity).max() ?? .normal, title: headline + Self.more(events.count),
            lines: shown.flatMap(\.lines), omitted: events.count - shown.count, events: events,
            remark: remarks.isEmpty ? nil : remarks.joined(separator: " "))
    }

    /// What the title says of the first event; `nil` if it cannot be told from the rest.
    private var headline: String? {
        let more = Self.more(events.count)
        return title.hasSuffix(more) ? String(title.dropLast(more.count)) : nil
    }

    /// The message without what it says of `events`; `nil` if it then says nothing.
    func without(_ events: Set<String>) -> AlertMessage? {
        var rest = self
        rest.events.removeAll(where: events.contains)
        guard !rest.events.isEmpty else { return nil }
        rest.lines.removeAll { events.contains($0.event) }
        let shown = Set(rest.lines.map(\.event))
        rest.omitted = rest.events.count { !shown.contains($0) }
        let more = Self.more(rest.events.count)
        if let first = lines.first?.event, !events.contains(first), let headline {
            // What it says first is still so.
            rest.title = headline + more
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
