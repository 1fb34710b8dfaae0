import History
import RankKit

extension Status {
    /// Down where nothing at all was learnt since the last of the queries that wait for long fell due; degraded for
    /// any reason.
    static func level(
        _ record: ServiceRecord, overdue: [ServiceRecord.Overdue], reasons: [Reason], now: Timestamp
    ) -> Level {
        let long = overdue.last { $0.dueSince + record.passSeconds + ServiceRecord.patience < now }
        if let long {
            let newest = record.queries.compactMap(\.attempts.lastGood).max()
            if newest.map({ $0 < long.dueSince }) ?? true { return .down }
        }
        return reasons.isEmpty ? .fine : .degraded
    }
}

extension ServiceRecord {
    /// A query that waits, and since when.
    typealias Overdue = (query: Query, dueSince: Timestamp)

    /// How long a pass over everything takes, in seconds.
    var passSeconds: Int64 { Int64(queries.count * 60 / max(1, requestsPerMinute)) }

    /// For how many seconds more no query is missed that is asked rarely.
    static let patience: Int64 = 1_800
    /// The same of one that is asked every few minutes.
    private static let leastPatience: Int64 = 300

    /// The queries that have waited for a good check for longer than a pass over everything takes, and their own
    /// cadence more: five minutes at least and half an hour at most. The longest waiting first.
    func overdue(now: Timestamp) -> [Overdue] {
        queries.compactMap { watched -> Overdue? in
            guard let begun = watched.since else { return nil }
            let slotEnd = watched.attempts.lastGood.map {
                Slot.containing($0, cadences: watched.scheduled.cadences).end
            }
            let since = max(begun, slotEnd ?? begun)
            let patience = min(Self.patience, max(Self.leastPatience, watched.scheduled.shortestCadence))
            guard since + passSeconds + patience < now else { return nil }
            return (watched.scheduled.query, since)
        }.sorted { $0.dueSince < $1.dueSince }
    }
}
