import Foundation
import History
import Judging
import RankKit

/// A decided event as the history keeps it.
extension ToldEvent {
    private struct Stored: Codable {
        var key: String
        /// Whose day the onset is; `nil` for UTC, by which all days were counted before there was a choice.
        var zone: String?
        var thing: String
        var sameWithin: Int64
        var way: String?
        var sensitivity: String?
        var from: Int?
        var to: Int?
        var messages: [String]
        var channels: [String]
        var waiting: [String]
        var rules: [String]
        var isOver: Bool
        /// `nil` in what was written before it was kept.
        var overOn: Int64?
        /// `nil` in what was written before it was kept.
        var overAt: Int64?
        /// When it was decided upon last: an event that waited is told later than it was noted.
        var at: Int64?
        /// The newest day of a drift; `nil` in what was written before there was such a thing.
        var slidOn: Int64?
    }

    // A look reads a thousand of them.
    private static let decoder = JSONDecoder()

    /// - Parameter confirmedAt: the moment of the check that confirmed it, where it is decided now.
    func stored(confirmedAt: Timestamp?) -> OutboxEvent {
        let facts = Stored(
            key: key, zone: zone, thing: thing, sameWithin: sameWithin, way: way?.rawValue,
            sensitivity: sensitivity?.rawValue,
            from: from, to: to, messages: messages, channels: channels, waiting: waiting, rules: rules,
            isOver: isOver, overOn: overOn, overAt: overAt?.secondsSinceEpoch, at: at.secondsSinceEpoch, slidOn: slidOn)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Numbers here are whole and texts are Unicode, so there is nothing that JSON cannot hold.
        let text = (try? encoder.encode(facts)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        return OutboxEvent(
            identity: .init(kind: kind.rawValue, subject: subject, variant: key, onset: onset),
            confirmedAt: confirmedAt ?? at, decidedAt: at, state: state, facts: text, message: messages.last)
    }

    private var state: OutboxEvent.State {
        if messages.isEmpty { return .noted }
        guard isOver else { return .told }
        return isSent ? .back : .withdrawn
    }

    /// - Parameter sent: the channels of the messages that were given to a way out, by their ids.
    /// - Returns: `nil` for what another version wrote.
    init?(_ event: OutboxEvent, sent: [String: Set<String>]) {
        guard let kind = AlertKind(rawValue: event.identity.kind),
            let facts = try? Self.decoder.decode(Stored.self, from: Data(event.facts.utf8))
        else { return nil }
        self.init(
            key: facts.key, onset: event.identity.onset, zone: facts.zone, thing: facts.thing,
            subject: event.identity.subject,
            kind: kind, sameWithin: facts.sameWithin, way: facts.way.flatMap(MoveDirection.init),
            sensitivity: facts.sensitivity.flatMap(Sensitivity.init), from: facts.from, to: facts.to,
            at: facts.at.map(Timestamp.init(secondsSinceEpoch:)) ?? event.decidedAt, messages: facts.messages,
            channels: facts.channels, waiting: facts.waiting,
            rules: facts.rules,
            sentTo: facts.messages.reduce(into: []) { $0.formUnion(sent[$1] ?? []) }, isOver: facts.isOver,
            overOn: facts.overOn, overAt: facts.overAt.map(Timestamp.init(secondsSinceEpoch:)), slidOn: facts.slidOn)
    }
}
