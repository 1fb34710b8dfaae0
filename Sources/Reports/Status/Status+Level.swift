import History
import RankKit

extension Status {
    /// Down where nothing at all was learnt since the last of the queries that wait for long fell due; degraded for
    /// any reason.
    static func level(
        _ record: ServiceRecord, overdue: [ServiceRecord.Overdue], reasons: [Reason], now: Timestamp
    ) -> Level {
        let long = overdue.last { $0.dueSince + record.passSeconds(of: $0.query.source) + ServiceRecord.patience < now }
        if let long {
            // Another source that answers says nothing of this one.
            let newest = record.queries.filter { $0.scheduled.query.source == long.query.source }
                .compactMap(\.attempts.lastGood).max()
            if newest.map({ $0 < long.dueSince }) ?? true { return .down }
        }
        return reasons.isEmpty ? .fine : .degraded
    }
}

extension ServiceRecord {
    /// A query that waits, and since when.
    typealias Overdue = (query: Query, dueSince: Timestamp)

    /// How long a pass over everything of a source takes, in seconds: over what is not shown to whoever asks, too, since what is shown
    /// waits for it.
    func passSeconds(of source: Source) -> Int64 {
        let queries = lanes.first { $0.source == source }?.queriesOfAll ?? 0
        return Int64(queries * 60 / max(1, requestsPerMinute))
    }

    /// For how many seconds more no query is missed that is asked rarely.
    static let patience: Int64 = 1_800
    /// The same of one that is asked every few minutes.
    private static let leastPatience: Int64 = 300

    /// The queries that have waited for a good check for longer than a pass over everything takes, and their own
    /// cadence more: five minutes at least and half an hour at most. The longest waiting first.
    func overdue(now: Timestamp) -> [Overdue] {
        queries.compactMap { watched -> Overdue? in
            guard let since = watched.wantedSince else { return nil }
            let patience = min(Self.patience, max(Self.leastPatience, watched.scheduled.shortestCadence))
            guard since + passSeconds(of: watched.scheduled.query.source) + patience < now else { return nil }
            return (watched.scheduled.query, since)
        }.sorted { $0.dueSince < $1.dueSince }
    }

    /// Since when something is due that is not asked because its source's lane is paused; `nil` if nothing is.
    func dueSincePause(now: Timestamp) -> Timestamp? {
        let paused = Set(lanes.filter { $0.health.pause != nil }.map(\.source))
        guard !paused.isEmpty else { return nil }
        return queries.compactMap { watched in
            guard paused.contains(watched.scheduled.query.source), let since = watched.wantedSince else { return nil }
            let due = max(since, watched.retryAt(asOf: now) ?? since)
            return due <= now ? due : nil
        }.min()
    }
}

extension ServiceRecord.WatchedQuery {
    /// Since when, or from when on, another good check is wanted; `nil` if the query is not watched.
    fileprivate var wantedSince: Timestamp? {
        guard let since else { return nil }
        let slotEnd = attempts.lastGood.map { Slot.containing($0, cadences: scheduled.cadences).end }
        return max(since, slotEnd ?? since)
    }

    /// When it is asked again after a failed check; `nil` if nothing failed.
    fileprivate func retryAt(asOf now: Timestamp) -> Timestamp? {
        // A failure that lies in the future is a clock that was set back.
        guard attempts.failuresInARow > 0, let failed = attempts.lastFailed, failed <= now else { return nil }
        return failed
            + Schedule.retryDelay(afterFailures: attempts.failuresInARow, cadence: scheduled.shortestCadence)
    }
}
