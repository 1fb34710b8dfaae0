package import RankKit

/// Up to where the checks were judged for messages.
package struct AlertMark: Sendable, Hashable {
    /// When the first judgement was: nothing older is news.
    package var since: Timestamp
    /// The newest check, in the order of recording, that was there at the last judgement; 0 if there was none.
    package var check: Int64
    package var judgedAt: Timestamp
    /// What began up to then may have been told already, before the history was restored from a backup: it is listed and
    /// not sent. `nil` where it was not restored.
    package var listedUntil: Timestamp?
    /// The name of the zone by whose days was judged: UTC's for newcomers in versions that kept none.
    package var zone: String

    package init(
        since: Timestamp, check: Int64, judgedAt: Timestamp, listedUntil: Timestamp? = nil,
        zone: String = ZoneDays.utc.name
    ) {
        self.zone = zone
        self.since = since
        self.check = check
        self.judgedAt = judgedAt
        self.listedUntil = listedUntil
    }
}

/// Something that happened, and what became of it. What its texts mean is known to whoever decides.
package struct OutboxEvent: Sendable, Hashable {
    /// By which it is told from all others. No second event has the same.
    package struct Identity: Sendable, Hashable {
        package var kind: String
        package var subject: String
        package var variant: String
        /// Days since 1970-01-01.
        package var onset: Int64

        package init(kind: String, subject: String, variant: String, onset: Int64) {
            self.kind = kind
            self.subject = subject
            self.variant = variant
            self.onset = onset
        }
    }

    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Nobody is told of it: it was so before anybody wanted to know, or no rule asks for it.
        case noted
        /// A message tells of it.
        case told
        /// It was over before the message was sent.
        case withdrawn
        /// A message told that it was over.
        case back
    }

    package var identity: Identity
    /// The moment of the check that confirmed it.
    package var confirmedAt: Timestamp
    package var decidedAt: Timestamp
    package var state: State
    package var facts: String
    /// The id of the message that tells of it.
    package var message: String?

    package init(
        identity: Identity, confirmedAt: Timestamp, decidedAt: Timestamp, state: State, facts: String,
        message: String? = nil
    ) {
        self.identity = identity
        self.confirmedAt = confirmedAt
        self.decidedAt = decidedAt
        self.state = state
        self.facts = facts
        self.message = message
    }
}

/// What is to be sent, and where to.
package struct OutboxMessage: Sendable, Hashable {
    package var id: String
    package var decidedAt: Timestamp
    /// As its sender reads it.
    package var content: String
    /// Names of channels.
    package var channels: [String]
    /// When it may be sent.
    package var dueAt: Timestamp
    /// Whether it is kept for people to read, and not sent: whoever restored a backup may have had it already.
    package var isListed: Bool

    package init(
        id: String, decidedAt: Timestamp, content: String, channels: [String], dueAt: Timestamp? = nil,
        isListed: Bool = false
    ) {
        self.id = id
        self.decidedAt = decidedAt
        self.content = content
        self.channels = channels
        self.dueAt = dueAt ?? decidedAt
        self.isListed = isListed
    }
}

/// A message that no channel was sent yet.
package struct UntriedMessage: Sendable, Hashable {
    package var id: String
    package var content: String
    /// The names of those to which it is due, sorted.
    package var channels: [String]
    /// When it may be sent; the latest, where that differs.
    package var dueAt: Timestamp

    package init(id: String, content: String, channels: [String], dueAt: Timestamp) {
        self.id = id
        self.content = content
        self.channels = channels
        self.dueAt = dueAt
    }
}

/// What one judgement comes to, written as a whole or not at all.
package struct OutboxDecision: Sendable, Hashable {
    package var mark: AlertMark
    package var messages: [OutboxMessage]
    /// Messages that no channel was sent yet and that say less now.
    package var shortened: [OutboxMessage]
    /// The ids of messages that no channel was sent yet and that have nothing left to say.
    package var withdrawn: [String]
    /// New ones, and known ones of which something else became.
    package var events: [OutboxEvent]

    package init(
        mark: AlertMark, messages: [OutboxMessage] = [], shortened: [OutboxMessage] = [], withdrawn: [String] = [],
        events: [OutboxEvent] = []
    ) {
        self.mark = mark
        self.messages = messages
        self.shortened = shortened
        self.withdrawn = withdrawn
        self.events = events
    }
}

/// A message on its way to one channel.
package struct OutboxDelivery: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        case due, delivered
        /// The other side does not take it, and would not take it later.
        case refused
        /// Tried as often as it is tried.
        case givenUp = "given-up"
        /// Too old to be sent by itself: the next one sums it up.
        case expired
        /// What it told of was over before it was sent.
        case withdrawn
        /// Kept for people to read: it may have been sent before the history was restored from a backup.
        case listed
        /// The watchlist has no such channel any more.
        case dropped
    }

    package var message: String
    package var channel: String
    package var state: State
    package var decidedAt: Timestamp
    /// When it is tried next; of no meaning unless it is due.
    package var dueAt: Timestamp
    /// Those that ended, and one that is under way.
    package var tries: Int
    package var triedAt: Timestamp?
    /// What the last try came to, in words of ours.
    package var answer: String?
    package var deliveredAt: Timestamp?
    package var content: String

    package init(
        message: String, channel: String, state: State, decidedAt: Timestamp, dueAt: Timestamp, tries: Int,
        triedAt: Timestamp? = nil, answer: String? = nil, deliveredAt: Timestamp? = nil, content: String
    ) {
        self.message = message
        self.channel = channel
        self.state = state
        self.decidedAt = decidedAt
        self.dueAt = dueAt
        self.tries = tries
        self.triedAt = triedAt
        self.answer = answer
        self.deliveredAt = deliveredAt
        self.content = content
    }
}

/// A way out as the watchlist in force names it, and how it is.
package struct OutboxChannel: Sendable, Hashable {
    package var name: String
    /// The watchlist's word for what it is.
    package var kind: String
    /// Another text for other settings, and nothing of a secret.
    package var settings: String
    /// When it was switched off because nobody is there any more; `nil` if it is on.
    package var offAt: Timestamp?
    /// Why nothing can be sent by it; `nil` if nothing is known against it.
    package var trouble: String?

    package init(
        name: String, kind: String, settings: String, offAt: Timestamp? = nil, trouble: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.settings = settings
        self.offAt = offAt
        self.trouble = trouble
    }
}
