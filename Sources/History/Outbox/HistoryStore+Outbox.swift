import GRDB
package import RankKit

extension HistoryStore {
    /// Writes what a judgement came to, in one transaction with its mark.
    ///
    /// - Parameter known: the mark that the judgement went on from; `nil` for the first.
    /// - Returns: `false`, with nothing written, if the mark is another one by now, or a message that is to say less was
    ///   given to a way out meanwhile: then it has to be judged anew.
    /// - Throws: `HistoryError`.
    package func decide(_ decision: OutboxDecision, from known: AlertMark?) async throws -> Bool {
        try await write { database, isAgain in
            let mark = try AlertMark(in: database)
            if isAgain, mark == decision.mark { return true }
            guard mark == known else { return false }
            let lessened = decision.shortened.map(\.id) + decision.withdrawn
            guard try !OutboxMessage.isAnyTried(lessened, in: database) else { return false }
            for message in decision.shortened { try message.replaceUnsent(in: database) }
            for id in decision.withdrawn { try OutboxMessage.withdraw(id, in: database) }
            // One that was withdrawn may be told after all.
            for message in decision.messages { try message.insert(in: database) }
            for event in decision.events { try event.write(in: database) }
            try decision.mark.write(in: database)
            return true
        }
    }

    /// Makes `channels` the ways out that there are.
    ///
    /// One whose settings are others than before is on again, whatever was against it. What was to go to one that is gone
    /// is dropped.
    package func adopt(_ channels: [OutboxChannel]) async throws {
        try await write { database in
            let names = channels.map(\.name)
            let known = try Row.fetchAll(database, sql: "SELECT name, settings FROM alert_channel")
            let unchanged = try known.filter { row in
                try channels.contains { try $0.name == row[0] as String && $0.settings == row[1] as String }
            }.map { try $0[0] as String }
            try database.execute(literal: "DELETE FROM alert_channel WHERE name NOT IN \(names)")
            try database.execute(
                literal: """
                    UPDATE alert_delivery SET state = \(OutboxDelivery.State.dropped.rawValue)
                    WHERE state = \(OutboxDelivery.State.due.rawValue) AND channel NOT IN \(names)
                    """)
            for channel in channels {
                try database.execute(
                    literal: """
                        INSERT INTO alert_channel (name, kind, settings, trouble)
                        VALUES (\(channel.name), \(channel.kind), \(channel.settings), \(channel.trouble))
                        ON CONFLICT DO UPDATE SET kind = excluded.kind,
                            trouble = iif(
                                settings = excluded.settings AND off_at IS NOT NULL,
                                coalesce(excluded.trouble, trouble), excluded.trouble),
                            off_at = iif(settings = excluded.settings, off_at, NULL), settings = excluded.settings
                        """)
            }
            try ChannelHold.forget(on: { !unchanged.contains($0) }, in: database)
        }
    }

    /// Forgets up to where the checks were judged: the next judgement is a first one, and tells nothing of what is past.
    package func forgetAlertMark() async throws {
        try await write { try $0.execute(sql: "DELETE FROM alert_mark") }
    }

    /// Has what waits to be sent kept for people to read instead, if the history was restored from a backup since: what
    /// was judged last in it is older than the newest message that is known to be sent.
    ///
    /// - Parameter newest: when that message was decided.
    package func listDeliveries(decidedUpTo newest: Timestamp) async throws {
        try await write { database in
            guard let mark = try AlertMark(in: database), mark.judgedAt < newest else { return }
            try database.execute(
                literal: """
                    UPDATE alert_delivery SET state = \(OutboxDelivery.State.listed.rawValue)
                    WHERE state = \(OutboxDelivery.State.due.rawValue) AND message IN (
                        SELECT number FROM alert_message WHERE decided_at <= \(newest.secondsSinceEpoch))
                    """)
        }
    }

    /// Begins the next try of a delivery to `channel`, in the order of `ChannelQueue`.
    ///
    /// What is too old by then is not tried any more. The try is noted before it is made, and is due again after
    /// `lease`: so a process that is killed in it tries again. A try whose end was not noted does not count: whoever is
    /// killed often gives no message up for that. Nor does one that is made before it is due.
    ///
    /// - Parameters:
    ///   - oldest: what was decided before it is summed up in a later message instead.
    ///   - lease: in seconds.
    /// - Returns: `nil` if nothing is to be tried now, or the channel is off.
    package func beginTry(
        on channel: String, at now: Timestamp, oldest: Timestamp, lease: Int64
    ) async throws -> OutboxTry? {
        try await write { database in
            guard try OutboxChannel.isOn(channel, in: database) else { return nil }
            try OutboxDelivery.expire(on: channel, before: oldest, in: database)
            guard let turn = try OutboxDelivery.queue(on: channel, at: now, in: database).turn(at: now),
                let row = try OutboxDelivery.tried(turn.message, on: channel, in: database)
            else { return nil }
            let missed = try OutboxDelivery.sumUp(on: channel, in: turn.message, database)
            // One that was begun and has no answer never ended.
            let (counted, isUnended) = try (row[3] as Int, row[4] as Bool)
            let tries = isUnended || turn.before != nil ? max(counted, 1) : counted + 1
            try database.execute(
                literal: """
                    UPDATE alert_delivery
                    SET tries = \(tries), tried_at = \(now.secondsSinceEpoch), answer = NULL,
                        due_at = \(now.secondsSinceEpoch + lease)
                    WHERE message = \(turn.message) AND channel = \(channel)
                    """)
            return try OutboxTry(
                message: row[0], channel: channel, content: row[1],
                decidedAt: row[2], tries: tries, dueAt: turn.before, missed: missed)
        }
    }

    /// Notes what a try came to.
    ///
    /// - Parameters:
    ///   - answer: in words of ours; cut to 200 bytes.
    ///   - rest: until when nothing goes to the channel, whatever became of the message; `nil` if it did not ask for that.
    package func end(
        _ attempt: OutboxTry, _ outcome: OutboxTry.Outcome, answer: String, rest: Timestamp? = nil, at now: Timestamp
    ) async throws {
        let answer = answer.cut(toBytes: 200)
        try await write { database in
            let (state, due, delivered): (OutboxDelivery.State, Timestamp, Timestamp?) =
                switch outcome {
                case .delivered: (.delivered, now, now)
                case .again(let due, _): (.due, due, nil)
                case .refused, .gone: (.refused, now, nil)
                case .givenUp: (.givenUp, now, nil)
                }
            try database.execute(
                literal: """
                    UPDATE alert_delivery
                    SET state = \(state.rawValue), due_at = \(due.secondsSinceEpoch), answer = \(answer),
                        delivered_at = \(delivered?.secondsSinceEpoch)
                    WHERE message = (SELECT number FROM alert_message WHERE id = \(attempt.message))
                        AND channel = \(attempt.channel) AND state = \(OutboxDelivery.State.due.rawValue)
                    """)
            let isTaken = try outcome == .delivered && OutboxDelivery.isAnyInVain(on: attempt.channel, in: database)
            try ChannelHold.set(
                newer: outcome.holdsNewer, all: rest, taken: isTaken ? now : nil, on: attempt.channel, in: database)
            if outcome == .gone {
                try database.execute(
                    literal: """
                        UPDATE alert_channel SET off_at = \(now.secondsSinceEpoch), trouble = \(answer)
                        WHERE name = \(attempt.channel)
                        """)
            }
        }
    }

    /// Has what did not arrive tried anew from `now` on, and switches the channels on that were switched off.
    ///
    /// - Parameter message: the id of the only one, which is sent then whatever it waits for; `nil` for all that were
    ///   refused or given up, or were tried and are still due.
    /// - Returns: how many deliveries will be tried.
    @discardableResult
    package func retryDeliveries(of message: String? = nil, at now: Timestamp) async throws -> Int {
        try await write { database in
            // As if it had waited behind all the others for long enough.
            let due = message == nil ? now : now - Self.pastHold
            try database.execute(
                literal: """
                    UPDATE alert_delivery
                    SET state = \(OutboxDelivery.State.due.rawValue), due_at = \(due.secondsSinceEpoch), tries = 0
                    WHERE state IN \(OutboxDelivery.State.retried.map(\.rawValue))
                        AND channel IN (SELECT name FROM alert_channel)
                        AND (\(message) IS NOT NULL
                            OR state <> \(OutboxDelivery.State.due.rawValue) OR tried_at IS NOT NULL)
                        AND (\(message) IS NULL
                            OR message = (SELECT number FROM alert_message WHERE id = \(message)))
                    """)
            let count = database.changesCount
            if count > 0 {
                try database.execute(
                    sql: "UPDATE alert_channel SET off_at = NULL, trouble = NULL WHERE off_at IS NOT NULL")
                try ChannelHold.forget(on: { _ in true }, in: database)
            }
            return count
        }
    }

    /// In seconds: what has been due for longer follows no older message that was tried since its last wait began, and
    /// counts as asked for again for as long.
    private static let pastHold = Timestamp.secondsPerDay + ChannelQueue.longestHold

    /// When something is to be sent to `channel` next; `nil` if nothing is, or the channel is off.
    package func nextDelivery(on channel: String, at now: Timestamp) async throws -> Timestamp? {
        try await read { try OutboxDelivery.nextDue(on: channel, at: now, in: $0) }
    }
}

/// A try to deliver a message to a channel.
package struct OutboxTry: Sendable, Hashable {
    /// The message's id.
    package var message: String
    package var channel: String
    package var content: String
    package var decidedAt: Timestamp
    /// Those that ended and were due, and this one if it is.
    package var tries: Int
    /// When it would be due, where it is tried before that so that a newer one does not overtake it, or as the channel took
    /// another one; else `nil`.
    package var dueAt: Timestamp?
    /// The contents of messages to this channel that are too old to be sent by themselves, oldest first.
    package var missed: [String]

    package enum Outcome: Sendable, Hashable {
        case delivered
        case again(at: Timestamp, holding: Held = .newer)
        /// It will not be taken later either.
        case refused
        /// Nobody is there any more: the channel is switched off.
        case gone
        case givenUp

        /// What is not sent to the channel before the message is due again.
        package enum Held: Sendable, Hashable {
            case nothing
            /// What was decided later; not for long, if it takes long.
            case newer
        }

        /// Until when what was decided later is held up.
        var holdsNewer: Timestamp? {
            switch self {
            case .again(let due, .newer): due
            case .again(_, .nothing), .delivered, .refused, .gone, .givenUp: nil
            }
        }
    }
}
