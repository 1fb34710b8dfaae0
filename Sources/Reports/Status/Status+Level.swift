import History
import RankKit

extension Status {
    /// Down where nothing at all was learnt since the last of the overdue queries fell due; degraded where one is
    /// overdue, or something fails.
    static func level(_ record: ServiceRecord, overdue: [ServiceRecord.Overdue], now: Timestamp) -> Level {
        guard let last = overdue.last else {
            let isWell =
                record.failing.isEmpty && record.suspects.isEmpty && record.searchHealth.pause == nil
                && record.trouble == nil && record.backups?.isLate(at: now) != true
            return isWell ? .fine : .degraded
        }
        let newest = record.queries.compactMap(\.attempts.lastGood).max()
        return newest.map { $0 >= last.dueSince } ?? false ? .degraded : .down
    }
}

extension ServiceRecord {
    /// A query that waits, and since when.
    typealias Overdue = (query: Query, dueSince: Timestamp)

    /// The queries that have waited for a good check for longer than a pass over everything takes, and half an hour
    /// more; the longest waiting first.
    func overdue(now: Timestamp) -> [Overdue] {
        let patience = Int64(queries.count * 60 / max(1, requestsPerMinute)) + 1_800
        return queries.compactMap { watched -> Overdue? in
            guard let begun = watched.since else { return nil }
            let slotEnd = watched.attempts.lastGood.map {
                Slot.containing($0, cadences: watched.scheduled.cadences).end
            }
            let since = max(begun, slotEnd ?? begun)
            guard since + patience < now else { return nil }
            return (watched.scheduled.query, since)
        }.sorted { $0.dueSince < $1.dueSince }
    }
}
