import GRDB
import RankKit

extension AlertMark {
    init?(in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT since, check_id, judged_at, listed_until FROM alert_mark")
        guard let row = try Row.fetchOne(statement) else { return nil }
        try self.init(
            since: row[0], check: row[1],
            judgedAt: row[2],
            listedUntil: row[3], zone: Setting.judgedZone.text(in: database) ?? ZoneDays.utc.name)
    }

    func write(in database: Database) throws {
        try database.execute(
            literal: """
                INSERT INTO alert_mark (one, since, check_id, judged_at, listed_until)
                VALUES (1, \(since.secondsSinceEpoch), \(check), \(judgedAt.secondsSinceEpoch),
                    \(listedUntil?.secondsSinceEpoch))
                ON CONFLICT DO UPDATE SET since = excluded.since, check_id = excluded.check_id,
                    judged_at = excluded.judged_at, listed_until = excluded.listed_until
                """)
        try Setting.judgedZone.set(zone, in: database)
    }
}

extension OutboxEvent {
    /// A look may have hundreds of them, and nobody else writes meanwhile.
    private static let write = """
        INSERT INTO alert_event (kind, subject, variant, onset, confirmed_at, decided_at, state, facts, message)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT number FROM alert_message WHERE id = ?))
        ON CONFLICT DO UPDATE SET state = excluded.state, facts = excluded.facts,
            message = coalesce(excluded.message, message)
        """

    /// A known one keeps its moments.
    func write(in database: Database) throws {
        try database.cachedStatement(sql: Self.write).execute(
            arguments: [
                identity.kind, identity.subject, identity.variant, identity.onset, confirmedAt.secondsSinceEpoch,
                decidedAt.secondsSinceEpoch, state.rawValue, facts, message,
            ])
    }

    init(_ row: Row) throws {
        let word: String = try row[6]
        guard let state = State(rawValue: word) else { throw DatabaseError(message: "an event is “\(word)”") }
        try self.init(
            identity: Identity(kind: row[0], subject: row[1], variant: row[2], onset: row.day(3)),
            confirmedAt: row[4], decidedAt: row[5],
            state: state, facts: row[7], message: row[8])
    }
}

extension OutboxMessage {
    /// One that is known already tells of the same events: it stays as it is where a channel was sent it, and is sent after
    /// all where it was withdrawn before.
    func insert(in database: Database) throws {
        try database.execute(
            literal: """
                INSERT INTO alert_message (id, decided_at, content)
                VALUES (\(id), \(decidedAt.secondsSinceEpoch), \(content))
                ON CONFLICT (id) DO UPDATE SET decided_at = excluded.decided_at, content = excluded.content
                WHERE NOT EXISTS (SELECT 1 FROM alert_delivery WHERE message = number AND tried_at IS NOT NULL)
                """)
        let state: OutboxDelivery.State = isListed ? .listed : .due
        for channel in channels {
            try database.execute(
                literal: """
                    INSERT INTO alert_delivery (message, channel, state, due_at)
                    SELECT number, \(channel), \(state.rawValue), \(dueAt.secondsSinceEpoch)
                    FROM alert_message WHERE id = \(id)
                    ON CONFLICT DO UPDATE SET state = excluded.state, due_at = excluded.due_at
                    WHERE state = \(OutboxDelivery.State.withdrawn.rawValue) AND tried_at IS NULL
                    """)
        }
    }

    /// Nothing where a channel was sent it, or may have been.
    func replaceUnsent(in database: Database) throws {
        try database.execute(
            literal: """
                UPDATE alert_message SET content = \(content)
                WHERE id = \(id) AND NOT EXISTS (
                    SELECT 1 FROM alert_delivery WHERE message = number AND tried_at IS NOT NULL)
                """)
    }

    /// Whether one of these messages was given to a way out, whatever came of it.
    static func isAnyTried(_ ids: [String], in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            SQLRequest(
                literal: """
                    SELECT EXISTS (
                        SELECT 1 FROM alert_message JOIN alert_delivery ON message = number
                        WHERE id IN \(ids) AND tried_at IS NOT NULL)
                    """)) ?? false
    }

    static func withdraw(_ id: String, in database: Database) throws {
        try database.execute(
            literal: """
                UPDATE alert_delivery SET state = \(OutboxDelivery.State.withdrawn.rawValue)
                WHERE message = (SELECT number FROM alert_message WHERE id = \(id))
                    AND state = \(OutboxDelivery.State.due.rawValue) AND tried_at IS NULL
                """)
    }
}

extension OutboxChannel {
    static func isOn(_ name: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT off_at IS NULL FROM alert_channel WHERE name = ?"),
            arguments: [name]) ?? false
    }
}

extension OutboxDelivery {
    /// In seconds: no try is put off for longer. A due time that is further off was written by a clock that was ahead.
    static let longestWait: Int64 = 2 * Timestamp.secondsPerDay

    /// When it is due by a clock that shows `:now`: at once if it was decided or tried by a clock that was ahead.
    private static let dueByClock = """
        iif(due_at > :now + :longest OR tried_at > :now
            OR (tried_at IS NULL AND decided_at > :now AND due_at <= decided_at), :now, due_at)
        """

    /// What is to go to a channel, and what holds it up.
    static func queue(on channel: String, at now: Timestamp, in database: Database) throws -> ChannelQueue {
        let statement = try database.cachedStatement(
            sql: """
                SELECT number, \(dueByClock), tried_at, answer IS NULL
                FROM alert_delivery JOIN alert_message ON number = message
                WHERE channel = :channel AND state = 'due' ORDER BY number
                """)
        let rows = try Row.fetchAll(
            statement, arguments: ["channel": channel, "now": now.secondsSinceEpoch, "longest": longestWait])
        return try ChannelQueue(
            rows.map { row in
                try ChannelQueue.Entry(
                    message: row[0], dueAt: row[1],
                    triedAt: row[2], hasNoAnswer: row[3])
            }, hold: try ChannelHold.all(in: database)[channel], at: now)
    }

    /// What a try of a message begins with.
    static func tried(_ message: Int64, on channel: String, in database: Database) throws -> Row? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT message.id, message.content, message.decided_at, delivery.tries,
                    delivery.tried_at IS NOT NULL AND delivery.answer IS NULL
                FROM alert_delivery AS delivery JOIN alert_message AS message ON message.number = delivery.message
                WHERE delivery.message = ? AND delivery.channel = ?
                """)
        return try Row.fetchOne(statement, arguments: [message, channel])
    }

    static func nextDue(on channel: String, at now: Timestamp, in database: Database) throws -> Timestamp? {
        guard try OutboxChannel.isOn(channel, in: database) else { return nil }
        return try queue(on: channel, at: now, in: database).nextTry(at: now)
    }

    /// Whether something waits that was tried in vain.
    static func isAnyInVain(on channel: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            SQLRequest(
                literal: """
                    SELECT EXISTS (
                        SELECT 1 FROM alert_delivery
                        WHERE channel = \(channel) AND state = \(State.due.rawValue)
                            AND tried_at IS NOT NULL AND answer IS NOT NULL)
                    """)) ?? false
    }

    /// What somebody asked for again counts from then on, until it is tried.
    static func expire(on channel: String, before oldest: Timestamp, in database: Database) throws {
        try database.execute(
            literal: """
                UPDATE alert_delivery SET state = \(State.expired.rawValue)
                WHERE channel = \(channel) AND state = \(State.due.rawValue)
                    AND (tries > 0 OR due_at < \(oldest.secondsSinceEpoch))
                    AND message IN (
                        SELECT number FROM alert_message WHERE decided_at < \(oldest.secondsSinceEpoch))
                """)
    }

    /// Has `message` say that the expired ones before it were not sent: those that no other says so of, or it itself on
    /// an earlier try.
    ///
    /// - Returns: their contents, oldest first.
    static func sumUp(on channel: String, in message: Int64, _ database: Database) throws -> [String] {
        try database.execute(
            literal: """
                UPDATE alert_delivery SET summed_in = \(message)
                WHERE channel = \(channel) AND state = \(State.expired.rawValue) AND summed_in IS NULL
                """)
        return try String.fetchAll(
            database,
            SQLRequest(
                literal: """
                    SELECT content FROM alert_delivery JOIN alert_message ON number = message
                    WHERE channel = \(channel) AND summed_in = \(message) AND state = \(State.expired.rawValue)
                    ORDER BY number
                    """))
    }
}

extension OutboxDelivery.State {
    /// What is tried anew when somebody asks for it; what is due and was never tried only by its name, as it may wait for
    /// quiet hours to end.
    package static let retried: [Self] = [.due, .refused, .givenUp, .expired]
}
