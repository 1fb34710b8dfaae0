import GRDB
import RankKit

/// Messages of the last days that did not arrive, at the channels that the watchlist in force names.
package struct UndeliveredMessages: Sendable, Hashable {
    /// Messages that a channel refused, or that were given up.
    package var lost: Int
    /// Messages that wait because a channel is off or not usable.
    package var held: Int

    /// In seconds: what was decided earlier does not count.
    private static let remembered = 7 * Timestamp.secondsPerDay

    init(asOf now: Timestamp, in database: Database) throws {
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
        self.lost = row?[0] ?? 0
        held = row?[1] ?? 0
    }
}
