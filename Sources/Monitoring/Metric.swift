/// Every family of figures that rankd and rankweb give to Prometheus. The raw values are names that people's boards and
/// rules are made of: they are a contract.
///
/// Names and units follow https://prometheus.io/docs/practices/naming/: base units, the unit at the end. All of them are
/// gauges. What is counted from the history falls again when failures are thinned or lists are pruned, and a counter
/// must never fall. So checks and requests are those of the last 24 hours.
package enum Metric: String, Sendable, CaseIterable {
    // The program that answers.
    case buildInfo = "rankd_build_info"
    case readable = "rankd_history_readable"

    // rankd alone.
    case startTime = "rankd_start_time_seconds"
    case activity = "rankd_activity"
    case passQueries = "rankd_pass_queries"
    case passQueriesDone = "rankd_pass_queries_done"
    case waitingResults = "rankd_waiting_results"

    // The service.
    case schemaVersion = "rankd_schema_version"
    case level = "rankd_service_level"
    case running = "rankd_service_running"
    case queries = "rankd_queries"
    case queriesDue = "rankd_queries_due"
    case queriesOverdue = "rankd_queries_overdue"
    case recentChecks = "rankd_recent_checks"
    case goodCheckAge = "rankd_good_check_age_seconds"
    case shortestCadence = "rankd_shortest_cadence_seconds"
    case recentRequests = "rankd_recent_requests"
    case recentRequestsLimit = "rankd_recent_requests_limit"
    case paused = "rankd_endpoint_paused"
    case pausedUntil = "rankd_endpoint_paused_until_timestamp_seconds"
    case lastPassEnd = "rankd_last_pass_end_timestamp_seconds"
    case lastPassDuration = "rankd_last_pass_duration_seconds"
    case lastPassDue = "rankd_last_pass_due"
    case lastPassQueries = "rankd_last_pass_queries"
    case historyBytes = "rankd_history_bytes"
    case logBytes = "rankd_history_log_bytes"
    case diskFree = "rankd_disk_free_bytes"
    case diskSize = "rankd_disk_size_bytes"
    case backupAge = "rankd_backup_age_seconds"
    case backupFailed = "rankd_backup_failed"

    // Pairs.
    case pairs = "rankd_pairs"
    case pairsLeftOut = "rankd_pairs_left_out"
    case ranked = "rankd_ranked"
    case position = "rankd_position"
    case positionTime = "rankd_position_timestamp_seconds"
}

extension Metric {
    /// What it says, for people.
    package var help: String {
        switch self {
        case .buildInfo: "Always 1; the version of the program that answers is a label."
        case .readable: "1 if the history can be read. If it is 0, rankd gives nothing that comes from the history."
        case .startTime: "When rankd was started."
        case .activity: "1 for what rankd is doing: idle, asking, paused or stalled (the history cannot be read)."
        case .passQueries: "Queries of the pass that runs; 0 between passes."
        case .passQueriesDone: "How many of them are done."
        case .waitingResults: "Results that wait in memory because the history cannot be written."
        case .schemaVersion: "The version of the history's tables."
        case .level: "1 for the level that rankctl status gives: fine, degraded or down."
        case .running: "1 if rankd runs; missing if that is unknown."
        case .queries: "Queries of the watchlist."
        case .queriesDue: "Queries that can be asked now."
        case .queriesOverdue: "Queries that have waited too long for a good check."
        case .recentChecks: "Checks of the last 24 hours by outcome and reason."
        case .goodCheckAge:
            "Seconds since the newest good check in a country, or since the country was added if there is none."
        case .shortestCadence: "How often the country's most frequent query is asked."
        case .recentRequests: "Requests to Apple in the passes that ended in the last 24 hours."
        case .recentRequestsLimit: "Requests that the pace allows in 24 hours."
        case .paused:
            "1 while Apple is not asked: throttled (Apple wants fewer requests), offline, or failing (Apple answers nothing but errors)."
        case .pausedUntil: "When the pause ends; missing if there is none."
        case .lastPassEnd: "When the last pass ended."
        case .lastPassDuration: "How long the last pass took."
        case .lastPassDue: "Queries that were due in the last pass."
        case .lastPassQueries: "Queries of the last pass by how they went; throttled ones stay due."
        case .historyBytes: "Size of the history's file."
        case .logBytes: "Size of the history's write-ahead log."
        case .diskFree: "Free space on the disk of the history."
        case .diskSize: "Size of the disk of the history."
        case .backupAge: "Seconds since the last backup, or since backups were switched on; missing if they are off."
        case .backupFailed: "1 if the newest try to make a backup failed; missing if backups are off."
        case .pairs: "Pairs of a query and an app of mine."
        case .pairsLeftOut: "Pairs of mine without figures of their own: only the watchlist's first 2000 have them."
        case .ranked: "1 if the app was in the list of the newest good check, 0 if it was not."
        case .position: "Position in the list of the newest good check; missing if the app was not in it."
        case .positionTime: "When the newest good check began; it is older than the newest check if that failed."
        }
    }

    /// The labels of its samples.
    package var labels: [String] {
        switch self {
        case .buildInfo: ["version"]
        case .activity: ["activity"]
        case .level: ["level"]
        case .recentChecks: ["outcome", "reason"]
        case .goodCheckAge, .shortestCadence: ["country"]
        case .paused: ["endpoint", "kind"]
        case .pausedUntil: ["endpoint"]
        case .lastPassQueries: ["outcome"]
        case .ranked, .position, .positionTime:
            ["app", "bundle_id", "query", "country", "platform", "source", "language"]
        default: []
        }
    }
}
