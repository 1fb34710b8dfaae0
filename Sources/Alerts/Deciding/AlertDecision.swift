package import Foundation
package import RankKit

/// What is to be sent of what the history shows, and what is to be remembered of it.
///
/// Pure: the same events, memory and moment give the same messages under the same ids. Each event is decided once. A
/// message that was decided is known by what is told of its events.
package struct AlertDecision: Sendable, Hashable {
    package var messages: [Outgoing] = []
    /// New, or changed: each replaces the one with its `key` and `onset`. By subject, then in order of the decisions.
    package var told: [ToldEvent] = []
    /// Events that turned back before they were sent (`AlertMessage.Line.event`): their lines are not to be sent.
    package var withdrawn: [String] = []

    package struct Outgoing: Sendable, Hashable {
        package var message: AlertMessage
        /// Names, sorted.
        package var channels: [String]
        /// When it may be sent, if not at once.
        package var notBefore: Timestamp?

        package init(message: AlertMessage, channels: [String], notBefore: Timestamp? = nil) {
            self.message = message
            self.channels = channels
            self.notBefore = notBefore
        }
    }

    /// What is known when a decision is made.
    package struct Situation: Sendable {
        package var settings: AlertSettings
        /// The watchlist's sensitivity.
        package var usual: Sensitivity
        /// The day of the first decision of all: what began before is no news. `nil` for that first decision, which
        /// tells nothing and notes what is so.
        package var start: Int64?
        package var now: Timestamp
        /// The watchlist's.
        package var zone: TimeZone
        /// Whether the messages are only counted: then they have no title and no lines.
        var isCounted = false

        package init(
            settings: AlertSettings, usual: Sensitivity = .normal, start: Int64?, now: Timestamp, zone: TimeZone
        ) {
            self.settings = settings
            self.usual = usual
            self.start = start
            self.now = now
            self.zone = zone
        }
    }

    /// Nothing is to be sent, and nothing to be remembered.
    init() {}

    /// Lines of a message at most.
    package static let mostLines = 10

    /// - Parameters:
    ///   - events: of some days, in order of confirmation; what was decided before may be among them.
    ///   - told: what was decided before, of the last `ToldEvent.keptDays`.
    package init(_ events: [AlertEvent], told: [ToldEvent], _ situation: Situation) {
        self.init(events, known: Dictionary(grouping: told, by: \.subject), situation)
    }

    /// - Parameter known: what was decided before by the key of its subject.
    init(_ events: some Sequence<AlertEvent>, known: [String: [ToldEvent]], _ situation: Situation) {
        var deciding = AlertDeciding(known: known, situation)
        for event in events { deciding.take(event) }
        self = deciding.decision()
    }
}
