import GRDB
package import RankKit

extension HistoryReader {
    /// Up to where the checks were judged; `nil` before the first judgement.
    package func alertMark() throws(HistoryError) -> AlertMark? {
        try read { try AlertMark(in: $0) }
    }

    /// The number of the newest check in the order of recording; 0 if there is none.
    package func newestCheckNumber() throws(HistoryError) -> Int64 {
        try read { try Int64.fetchOne($0, sql: "SELECT max(id) FROM check_log") ?? 0 }
    }

    /// What happened, was decided or was told last on `day` (in days since 1970-01-01) or later, and what became of it: in
    /// the order of decision.
    ///
    /// - Parameters:
    ///   - day: `nil` for no kinds but those of `own`.
    ///   - own: the day of kinds that have another one.
    ///   - toldDay: the day of what a message told and what turned back after that, of all kinds; `nil` for none but what
    ///     `day` and `own` ask for.
    package func outboxEvents(
        since day: Int64?, own: [String: Int64] = [:], toldSince toldDay: Int64? = nil
    ) throws(HistoryError) -> [OutboxEvent] {
        func isSince(_ day: Int64) -> SQL {
            let moment = Timestamp.startOfDay(day).secondsSinceEpoch
            return "(onset >= \(day) OR event.decided_at >= \(moment) OR message.decided_at >= \(moment))"
        }
        var wanted = Dictionary(grouping: own, by: \.value).map { day, kinds -> SQL in
            "(kind IN \(kinds.map(\.key)) AND \(isSince(day)))"
        }
        if let day { wanted.append("(kind NOT IN \(Array(own.keys)) AND \(isSince(day)))") }
        if let toldDay {
            let told: [OutboxEvent.State] = [.told, .back]
            wanted.append("(state IN \(told.map(\.rawValue)) AND \(isSince(toldDay)))")
        }
        guard !wanted.isEmpty else { return [] }
        return try read { database in
            try Row.fetchAll(
                database,
                SQLRequest(
                    literal: """
                        SELECT kind, subject, variant, onset, confirmed_at, event.decided_at, state, facts, message.id
                        FROM alert_event AS event LEFT JOIN alert_message AS message ON message.number = event.message
                        WHERE \(wanted.joined(operator: .or))
                        ORDER BY event.decided_at, kind, subject, variant, onset
                        """)
            ).map(OutboxEvent.init)
        }
    }

    /// The longest cadence of any query that is asked, in seconds; `nil` if there is none.
    package func longestCadence() throws(HistoryError) -> Int64? {
        try read { database in
            try Row.fetchOne(database, sql: "SELECT max(cadence_seconds) FROM query WHERE retired_at IS NULL")
                .flatMap { try $0.cadenceIfAny(0) }
        }
    }

    /// The channels of the messages of `since` or later that were given to a way out at least once, by the messages' ids:
    /// all of a message's channels, as it is not withdrawn any more once one of them was sent it, but those that the
    /// watchlist gave up before. What is only listed may have been sent by an earlier history.
    package func triedMessages(since: Timestamp) throws(HistoryError) -> [String: Set<String>] {
        try read { database in
            var channels: [String: Set<String>] = [:]
            let rows = try Row.fetchCursor(
                database,
                SQLRequest(
                    literal: """
                        SELECT id, channel FROM alert_message JOIN alert_delivery ON message = number
                        WHERE decided_at >= \(since.secondsSinceEpoch)
                            AND state <> \(OutboxDelivery.State.withdrawn.rawValue)
                            AND (state <> \(OutboxDelivery.State.dropped.rawValue) OR tried_at IS NOT NULL)
                            AND EXISTS (
                                SELECT 1 FROM alert_delivery AS sent
                                WHERE sent.message = number
                                    AND (tried_at IS NOT NULL OR state = \(OutboxDelivery.State.listed.rawValue)))
                        """))
            while let row = try rows.next() { try channels[row[0], default: []].insert(row[1]) }
            return channels
        }
    }

    /// The messages that no channel was sent yet and that are due to one, oldest first.
    package func untriedMessages() throws(HistoryError) -> [UntriedMessage] {
        try read { database in
            let rows = try Row.fetchAll(
                database,
                SQLRequest(
                    literal: """
                        SELECT number, id, content, due_at, channel
                        FROM alert_message JOIN alert_delivery ON message = number
                        WHERE state = \(OutboxDelivery.State.due.rawValue)
                            AND NOT EXISTS (
                                SELECT 1 FROM alert_delivery AS other WHERE other.message = number AND tried_at IS NOT NULL)
                        ORDER BY number, channel
                        """))
            var messages: [UntriedMessage] = []
            for row in rows {
                let (id, due): (String, Timestamp) = try (row[1], row[3])
                if messages.last?.id != id {
                    try messages.append(UntriedMessage(id: id, content: row[2], channels: [], dueAt: due))
                }
                try messages[messages.count - 1].channels.append(row[4])
                messages[messages.count - 1].dueAt = max(messages[messages.count - 1].dueAt, due)
            }
            return messages
        }
    }

    /// What is or was on its way, newest first.
    ///
    /// - Parameter limit: messages at most, with all their channels.
    package func deliveries(
        since: Timestamp? = nil, of message: String? = nil, limit: Int
    ) throws(HistoryError) -> [OutboxDelivery] {
        try read { database in
            try Row.fetchAll(
                database,
                SQLRequest(
                    literal: """
                        WITH wanted AS (
                            SELECT number, id, decided_at, content FROM alert_message
                            WHERE (\(since?.secondsSinceEpoch) IS NULL OR decided_at >= \(since?.secondsSinceEpoch))
                                AND (\(message) IS NULL OR id = \(message))
                            ORDER BY number DESC LIMIT \(limit))
                        SELECT wanted.id, channel, state, wanted.decided_at, due_at, tries, tried_at, answer, delivered_at,
                            wanted.content
                        FROM wanted JOIN alert_delivery AS delivery ON delivery.message = wanted.number
                        ORDER BY wanted.number DESC, channel
                        """)
            ).map(OutboxDelivery.init)
        }
    }

    /// The ways out of the watchlist in force, by name.
    package func outboxChannels() throws(HistoryError) -> [OutboxChannel] {
        try read { database in
            try Row.fetchAll(
                database, sql: "SELECT name, kind, settings, off_at, trouble FROM alert_channel ORDER BY name"
            )
            .map { row in
                try OutboxChannel(
                    name: row[0], kind: row[1], settings: row[2],
                    offAt: row[3], trouble: row[4])
            }
        }
    }
}

extension OutboxDelivery {
    fileprivate init(_ row: Row) throws {
        let word: String = try row[2]
        guard let state = State(rawValue: word) else { throw DatabaseError(message: "a delivery is “\(word)”") }
        try self.init(
            message: row[0], channel: row[1], state: state, decidedAt: row[3],
            dueAt: row[4], tries: row.count(5),
            triedAt: row[6], answer: row[7],
            deliveredAt: row[8], content: row[9])
    }
}
