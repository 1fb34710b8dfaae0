import History
import RankKit

/// How the service and its memory are: the value behind `rankctl status`.
package struct Status: Sendable {
    var generatedAt: Timestamp
    package var level: Level
    /// Why it is not fine; the gravest first.
    var reasons: [Reason] = []
    var daemon: HistoryWriter
    /// What the service left in the file about itself.
    var service = ServiceLife()
    var database: Database
    /// The oldest check that is kept.
    var historySince: Timestamp?
    var newestCheckAt: Timestamp?
    var lastPass: Pass?
    /// How far the pass is that is being made; `nil` where none is.
    var underWay: PassProgress?
    var nextDueAt: Timestamp?
    /// Since when something is due that is not asked because of a pause; `nil` if nothing is, or there is no pause.
    var dueSince: Timestamp?
    /// Distinct active queries.
    var queryCount: Int
    var overdueCount = 0
    /// The longest overdue first; the caller gives about ten of them.
    var overdue: [OverdueQuery] = []
    /// Queries whose newest checks failed, by the reason of the newest.
    var failures: [FailureStreak] = []
    var housekeptAt: Timestamp?
    /// What the clean-up did and has to do; `nil` if nobody looked.
    var upkeep: ServiceRecord.Upkeep?
    var requests: Requests
    /// Apple's endpoints, and whether they are being asked.
    var endpoints: [Endpoint] = []
    /// Queries whose newest list cannot be believed yet.
    var suspects: [SuspectQuery] = []
    /// Tracked apps that their storefronts are taken not to sell.
    var unknownApps: [UnknownApp] = []
    /// The apps that the watchlist in force has by several names.
    var namedTwice: [OneApp] = []
    /// `nil` if the watchlist wants no backups.
    var backups: BackupRecord?
    /// `nil` if no results ever waited for long until the file could be written.
    var waited: WaitedResults?
    /// Whether all of the watchlist is seen. Otherwise what counts all of it is not known: passes, requests, bytes, what
    /// the clean-up did.
    var isWhole = true

    struct SuspectQuery: Sendable, Hashable {
        var query: Query
        var reason: Suspicion
        /// How many places the list had.
        var within: Int
    }

    struct Endpoint: Sendable, Hashable {
        enum State: String, FieldWord, Hashable {
            case asking
            /// Apple turned requests away.
            case coolingDown = "cooling-down"
            /// Nobody could be reached several times in a row.
            case offline
            /// It answers nothing but errors.
            case failing
            /// Asked, but the last pass was a bad day of the store.
            case badDay = "bad-day"
        }

        var name: String
        var state: State
        /// When asking goes on; `nil` while it does.
        var until: Timestamp?
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

    struct Database: Sendable, Hashable {
        var path: String
        /// `nil` for whoever sees a part of the watchlist, as is `walBytes`.
        var bytes: Int64?
        var walBytes: Int64?
        var schemaVersion: Int
        /// What keeps it from being written, or soon will, as far as can be seen from outside.
        var trouble: Trouble?

        enum Trouble: String, FieldWord, Hashable {
            case noRoom = "no-room"
            /// Its file system has become read-only.
            case readOnly = "read-only"
            /// The write-ahead log is longer than it ever is unless a reader keeps it so.
            case longLog = "long-log"
        }
    }

    struct Pass: Sendable, Hashable {
        var startedAt: Timestamp
        /// `nil` while it runs, or where it was cut off.
        var finishedAt: Timestamp?
        var asked: Int
        var succeeded: Int
        var failed: Int
        /// Answered 403 or 429, or not asked because of a pause: without a check, and still due.
        var throttled: Int
        /// Answered with a list that cannot be believed yet.
        var suspect = 0
        /// Half of the lists collapsed.
        var badDay = false
    }

    struct OverdueQuery: Sendable, Hashable {
        var query: Query
        var dueSince: Timestamp
    }

    struct FailureStreak: Sendable, Hashable {
        var reason: Failure.Reason
        var queryCount: Int
        /// Failed checks since the last good one, of the query that has most of them.
        var mostInARow = 1
        /// What the newest of them said; may hold foreign text.
        var lastMessage: String
        var lastAt: Timestamp
    }

    /// Requests made, beside what the pace allows and what the watchlist wants.
    struct Requests: Sendable, Hashable {
        /// `nil` for whoever sees a part of the watchlist, as is `lastDay`.
        var lastHour: Int?
        var lastDay: Int?
        var perMinute: Int
        /// Requests a day that all cadences together want; `nil` if no watchlist was read.
        var wantedPerDay: Double?

        var budgetPerHour: Int { perMinute * 60 }
        var budgetPerDay: Int { perMinute * 60 * 24 }
    }
}
