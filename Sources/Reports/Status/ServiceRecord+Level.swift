package import History
package import RankKit

extension ServiceRecord {
    /// How the service is doing, as `rankctl status` says where it does not ask systemd.
    package func level(now: Timestamp) -> Status.Level {
        let overdue = overdue(now: now)
        return Status.level(
            self, overdue: overdue, reasons: Status.reasons(self, overdue: overdue, unit: nil, now: now), now: now)
    }

    /// How many queries have waited too long for a good check, as `rankctl status` counts them.
    package func overdueCount(now: Timestamp) -> Int { overdue(now: now).count }

    /// How many queries rankd would ask at `now` if nothing else kept it.
    package func dueCount(now: Timestamp) -> Int {
        Schedule.due(queries.map(\.scheduled), attempts: attempts, now: now).count
    }
}
