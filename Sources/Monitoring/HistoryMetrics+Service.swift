import History
import RankKit
import Reports

extension HistoryMetrics {
    static func addService(_ record: ServiceRecord, now: Timestamp, to text: inout PrometheusText) {
        text.add(.schemaVersion, Double(record.schemaVersion))
        let level = record.level(now: now)
        for each in [Status.Level.fine, .degraded, .down] { text.add(.level, each == level, each.rawValue) }
        switch record.writer {
        case .running: text.add(.running, true)
        case .nobody: text.add(.running, false)
        case .unknown: break
        }
        text.add(.queries, Double(record.queries.count))
        text.add(.queriesDue, Double(record.dueCount(now: now)))
        text.add(.queriesOverdue, Double(record.overdueCount(now: now)))
        text.add(.recentRequests, Double(record.usualLane?.requestsLastDay ?? 0))
        text.add(.recentRequestsLimit, Double(record.requestsPerMinute * 24 * 60))
        for lane in record.lanes { addPause(of: Endpoint.name(of: lane.source), lane.health, to: &text) }
        addPause(of: Endpoint.lookupName, record.lookupHealth, to: &text)
        if let pass = record.usualLane?.lastPass { addPass(pass, to: &text) }
        text.add(.historyBytes, Double(record.databaseBytes))
        text.add(.logBytes, Double(record.walBytes))
        if let backups = record.backups {
            text.add(.backupAge, Double(max(0, now - (backups.lastAt ?? backups.wantedSince))))
            text.add(.backupFailed, backups.failedAt != nil)
        }
    }

    private static func addPause(of endpoint: String, _ health: EndpointHealth, to text: inout PrometheusText) {
        for kind in [EndpointHealth.Pause.throttled, .offline, .failing] {
            text.add(.paused, health.pause == kind, endpoint, kind.rawValue)
        }
        if let until = health.pausedUntil { text.add(.pausedUntil, Double(until.secondsSinceEpoch), endpoint) }
    }

    private static func addPass(_ pass: PassResult, to text: inout PrometheusText) {
        text.add(.lastPassEnd, Double(pass.finishedAt.secondsSinceEpoch))
        text.add(.lastPassDuration, Double(max(0, pass.finishedAt - pass.startedAt)))
        text.add(.lastPassDue, Double(pass.due))
        text.add(.lastPassQueries, Double(pass.succeeded), "succeeded")
        text.add(.lastPassQueries, Double(pass.suspect), "suspect")
        text.add(.lastPassQueries, Double(pass.failed), "failed")
        text.add(.lastPassQueries, Double(pass.throttled), "throttled")
    }
}
