package import History
package import Judging
package import RankKit

/// The page to read each morning: the value behind `rankctl report digest`.
package struct Digest: Sendable {
    package var generatedAt: Timestamp
    package var since: Timestamp
    /// `generatedAt`, or an earlier moment.
    package var until: Timestamp
    /// Pairs of mine, and how many of them have no reading that is fresh enough to compare.
    package var pairs: Int
    /// What moved, entered and left, and the weather: over a week at least, as a day is too short to tell from noise.
    package var movers: Movers
    /// The first come first; `unshown` more are left out.
    package var newcomers: [Newcomer]
    package var unshownNewcomers: Int
    /// Lists that cannot be read, and may have shown more of them.
    package var damaged: [DamagedLists] = []
    /// Versions that have become known, mine first, then in order of time.
    package var versions: [Version]
    /// The watchlist's notes of these days.
    package var notes: [DayNote]
    /// The active queries in the watchlist's order.
    package var checks: [QueryChecks]
    /// Requests made in these days; `nil` if the digest is about some pairs only, since a pass records how many it made
    /// and not for which queries.
    package var requests: Int?
    /// How the service is now; its queries are those of the digest.
    package var status: Status

    /// How far back without `--since`, in days.
    package static let defaultDays: Int64 = 1
    /// Candidates that are named.
    static let mostNewcomers = 8

    package struct Version: Sendable, Hashable {
        package var app: ReportedApp
        package var release: AppRelease

        package init(app: ReportedApp, release: AppRelease) {
            self.app = app
            self.release = release
        }
    }

    package struct DayNote: Sendable, Hashable {
        package var note: Note
        /// `nil` for a note about no app.
        package var app: ReportedApp?

        package init(note: Note, app: ReportedApp?) {
            self.note = note
            self.app = app
        }
    }

    package init(
        generatedAt: Timestamp, since: Timestamp, until: Timestamp? = nil, pairs: Int, movers: Movers,
        newcomers: [Newcomer] = [], unshownNewcomers: Int = 0, versions: [Version] = [], notes: [DayNote] = [],
        checks: [QueryChecks] = [], requests: Int? = 0, status: Status
    ) {
        self.generatedAt = generatedAt
        self.since = since
        self.until = until ?? generatedAt
        self.pairs = pairs
        self.movers = movers
        self.newcomers = newcomers
        self.unshownNewcomers = unshownNewcomers
        self.versions = versions
        self.notes = notes
        self.checks = checks
        self.requests = requests
        self.status = status
    }

    /// Requests that the pace would have allowed in these days; `nil` if those made are not known.
    package var budget: Int? {
        guard requests != nil else { return nil }
        let minutes = Double(max(0, until - since)) / 60
        return Int((minutes * Double(status.requests.perMinute)).rounded())
    }

    /// Checks without an answer that can be relied on, by reason: the most frequent first.
    package var reasons: [Reason] {
        var reasons: [Gap: Reason] = [:]
        for query in checks {
            for trouble in query.troubles {
                reasons[trouble.gap, default: Reason(gap: trouble.gap)].add(trouble)
            }
        }
        return reasons.values.sorted { ($1.checks, $0.gap.reason) < ($0.checks, $1.gap.reason) }
    }

    package struct Reason: Sendable, Hashable {
        package var gap: Gap
        package var checks = 0
        package var queries = 0

        mutating func add(_ trouble: QueryChecks.Trouble) {
            checks += trouble.count
            queries += 1
        }
    }

    /// The queries with such checks: those with the most first.
    package var troubled: [QueryChecks] {
        checks.enumerated().filter { !$0.element.troubles.isEmpty }.sorted {
            let (left, right) = ($0.element.failed + $0.element.suspect, $1.element.failed + $1.element.suspect)
            return (-left, $0.offset) < (-right, $1.offset)
        }.map(\.element)
    }
}
