package import History
package import RankKit

/// How the service and its memory are: the value behind `rankctl status`.
package struct Status: Sendable {
    package var generatedAt: Timestamp
    package var level: Level
    package var daemon: Daemon
    package var database: Database
    /// The oldest check that is kept.
    package var historySince: Timestamp?
    package var newestCheckAt: Timestamp?
    package var lastPass: Pass?
    package var nextDueAt: Timestamp?
    /// Distinct active queries.
    package var queryCount: Int
    package var overdueCount: Int
    /// The longest overdue first; the caller gives about ten of them.
    package var overdue: [OverdueQuery]
    /// Queries whose newest checks failed, by the reason of the newest.
    package var failures: [FailureStreak]
    package var housekeptAt: Timestamp?
    /// `nil` if the watchlist wants no backups.
    package var backups: BackupRecord?
    /// What the clean-up did and has to do; `nil` if nobody looked.
    package var upkeep: ServiceRecord.Upkeep?
    package var requests: Requests
    /// Apple's endpoints, and whether they are being asked.
    package var endpoints: [Endpoint]
    /// Queries whose newest list cannot be believed yet.
    package var suspects: [SuspectQuery]
    /// Tracked apps that their storefronts are taken not to sell.
    package var unknownApps: [UnknownApp]

    package init(
        generatedAt: Timestamp, level: Level, daemon: Daemon, database: Database, historySince: Timestamp? = nil,
        newestCheckAt: Timestamp? = nil, lastPass: Pass? = nil, nextDueAt: Timestamp? = nil, queryCount: Int,
        overdueCount: Int = 0, overdue: [OverdueQuery] = [], failures: [FailureStreak] = [],
        housekeptAt: Timestamp? = nil, upkeep: ServiceRecord.Upkeep? = nil, requests: Requests,
        endpoints: [Endpoint] = [], suspects: [SuspectQuery] = [], unknownApps: [UnknownApp] = [],
        backups: BackupRecord? = nil
    ) {
        self.generatedAt = generatedAt
        self.level = level
        self.daemon = daemon
        self.database = database
        self.historySince = historySince
        self.newestCheckAt = newestCheckAt
        self.lastPass = lastPass
        self.nextDueAt = nextDueAt
        self.queryCount = queryCount
        self.overdueCount = overdueCount
        self.overdue = overdue
        self.failures = failures
        self.housekeptAt = housekeptAt
        self.upkeep = upkeep
        self.requests = requests
        self.endpoints = endpoints
        self.suspects = suspects
        self.unknownApps = unknownApps
        self.backups = backups
    }

    package struct SuspectQuery: Sendable, Hashable {
        package var query: String
        package var country: Country
        package var platform: Platform
        package var reason: Suspicion
        /// How many places the list had.
        package var within: Int

        package init(query: String, country: Country, platform: Platform, reason: Suspicion, within: Int) {
            self.query = query
            self.country = country
            self.platform = platform
            self.reason = reason
            self.within = within
        }
    }

    package struct Endpoint: Sendable, Hashable {
        package enum State: String, FieldWord, Hashable {
            case asking
            /// Apple turned requests away.
            case coolingDown = "cooling-down"
            /// Nobody could be reached several times in a row.
            case offline
            /// Asked, but half of the lists of the last pass had collapsed.
            case badDay = "bad-day"
        }

        package var name: String
        package var state: State
        /// When asking goes on; `nil` while it does.
        package var until: Timestamp?

        package init(name: String, state: State, until: Timestamp? = nil) {
            self.name = name
            self.state = state
            self.until = until
        }
    }

    package enum Level: String, FieldWord, Hashable {
        case fine, degraded, down

        /// What `rankctl status` exits with.
        package var exitCode: Int32 {
            switch self {
            case .fine: 0
            case .degraded: 1
            case .down: 2
            }
        }
    }

    package enum Daemon: Sendable, Hashable {
        case running(pid: Int32)
        case notRunning
    }

    package struct Database: Sendable, Hashable {
        package var path: String
        package var bytes: Int64
        package var walBytes: Int64
        package var schemaVersion: Int
        /// What keeps it from being written, or soon will, as far as can be seen from outside.
        package var trouble: Trouble?

        package enum Trouble: String, FieldWord, Hashable {
            case noRoom = "no-room"
            /// Its file system has become read-only.
            case readOnly = "read-only"
            /// The write-ahead log is longer than it ever is unless a reader keeps it so.
            case longLog = "long-log"
        }

        package init(path: String, bytes: Int64, walBytes: Int64, schemaVersion: Int, trouble: Trouble? = nil) {
            self.trouble = trouble
            self.path = path
            self.bytes = bytes
            self.walBytes = walBytes
            self.schemaVersion = schemaVersion
        }
    }

    package struct Pass: Sendable, Hashable {
        package var startedAt: Timestamp
        /// `nil` while it runs, or where it was cut off.
        package var finishedAt: Timestamp?
        package var asked: Int
        package var succeeded: Int
        package var failed: Int
        /// Answered 403 or 429, or not asked because of a pause: without a check, and still due.
        package var throttled: Int
        /// Answered with a list that cannot be believed yet.
        package var suspect: Int
        /// Half of the lists collapsed.
        package var badDay: Bool

        package init(
            startedAt: Timestamp, finishedAt: Timestamp?, asked: Int, succeeded: Int, failed: Int, throttled: Int,
            suspect: Int = 0, badDay: Bool = false
        ) {
            self.suspect = suspect
            self.badDay = badDay
            self.startedAt = startedAt
            self.finishedAt = finishedAt
            self.asked = asked
            self.succeeded = succeeded
            self.failed = failed
            self.throttled = throttled
        }
    }

    package struct OverdueQuery: Sendable, Hashable {
        package var query: String
        package var country: Country
        package var platform: Platform
        package var dueSince: Timestamp

        package init(query: String, country: Country, platform: Platform, dueSince: Timestamp) {
            self.query = query
            self.country = country
            self.platform = platform
            self.dueSince = dueSince
        }
    }

    package struct FailureStreak: Sendable, Hashable {
        package var reason: Failure.Reason
        package var queryCount: Int
        /// Failed checks since the last good one, of the query that has most of them.
        package var mostInARow: Int
        /// What the newest of them said; may hold foreign text.
        package var lastMessage: String
        package var lastAt: Timestamp

        package init(
            reason: Failure.Reason, queryCount: Int, mostInARow: Int = 1, lastMessage: String, lastAt: Timestamp
        ) {
            self.reason = reason
            self.queryCount = queryCount
            self.mostInARow = mostInARow
            self.lastMessage = lastMessage
            self.lastAt = lastAt
        }
    }

    /// Requests made, beside what the pace allows and what the watchlist wants.
    package struct Requests: Sendable, Hashable {
        package var lastHour: Int
        package var lastDay: Int
        package var perMinute: Int
        /// Requests a day that all cadences together want; `nil` if no watchlist was read.
        package var wantedPerDay: Double?

        package init(lastHour: Int, lastDay: Int, perMinute: Int, wantedPerDay: Double? = nil) {
            self.lastHour = lastHour
            self.lastDay = lastDay
            self.perMinute = perMinute
            self.wantedPerDay = wantedPerDay
        }

        package var budgetPerHour: Int { perMinute * 60 }
        package var budgetPerDay: Int { perMinute * 60 * 24 }
    }
}
