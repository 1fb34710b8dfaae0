import GRDB
import RankKit

/// Messages of the last days that did not arrive, at the channels that the watchlist in force names.
package struct UndeliveredMessages: Sendable, Hashable {
    /// Messages that a channel refused, or that were given up.
    package var lost: Int
    /// Messages that wait because a channel is off or not usable.
    package var held: Int
    /// Messages that have not arrived for an hour, and not only since a first try just now, at channels that are on.
    package var late: Int
    /// What the last try of one of those came to, in words of ours.
    package var answer: String?
    package var mails: WaitingMails

    /// In seconds: what was decided earlier does not count.
    private static let remembered = 7 * Timestamp.secondsPerDay

    /// In seconds: what has not arrived for as long is late.
    package static let patience: Int64 = 3_600

    /// What waited for quiet hours was decided long before its first try. So many tries that count take more than half an
    /// hour.
    private static let patientTries = 4

    /// None.
    package init() {
        (lost, held, late) = (0, 0, 0)
        mails = WaitingMails()
    }

    /// - Parameter path: the history's file.
    init(asOf now: Timestamp, at path: String, in database: Database) throws {
        mails = WaitingMails(beside: path, now: now)
        let lost: [OutboxDelivery.State] = [.refused, .givenUp]
        let row = try Row.fetchOne(
            database,
            SQLRequest(
                literal: """
                    SELECT count(DISTINCT iif(state IN \(lost.map(\.rawValue)), number, NULL)),
                        count(DISTINCT iif(state = \(OutboxDelivery.State.due.rawValue)
                            AND (off_at IS NOT NULL OR trouble IS NOT NULL), number, NULL))
                    FROM alert_message
                    JOIN alert_delivery AS delivery ON delivery.message = number
                    JOIN alert_channel ON alert_channel.name = delivery.channel
                    WHERE decided_at >= \((now - Self.remembered).secondsSinceEpoch)
                    """))
        self.lost = try row?[0] ?? 0
        held = try row?[1] ?? 0
        let late = try Row.fetchOne(
            database,
            SQLRequest(
                literal: """
                    SELECT count(DISTINCT number), max(tried_at), answer
                    FROM alert_message
                    JOIN alert_delivery AS delivery ON delivery.message = number
                    JOIN alert_channel ON alert_channel.name = delivery.channel
                    WHERE decided_at BETWEEN \((now - Self.remembered).secondsSinceEpoch)
                            AND \((now - Self.patience).secondsSinceEpoch)
                        AND state = \(OutboxDelivery.State.due.rawValue) AND answer IS NOT NULL
                        AND (tries >= \(Self.patientTries)
                            OR tried_at <= \((now - Self.patience).secondsSinceEpoch))
                        AND off_at IS NULL AND trouble IS NULL
                    """))
        self.late = try late?[0] ?? 0
        answer = try late?[2]
    }
}
