import History
import Judging
import RankKit

/// The page to read each morning: the value behind `rankctl report digest`.
struct Digest: Sendable {
    var generatedAt: Timestamp
    var since: Timestamp
    /// `generatedAt`, or an earlier moment.
    var until: Timestamp
    /// Pairs of mine, and how many of them have no reading that is fresh enough to compare.
    var pairs: Int
    /// What moved, entered and left, and the weather: over a week at least, as a day is too short to tell from noise.
    var movers: Movers
    /// What the digest as of `since` told of; the rest is new.
    var told = ToldMoves()
    /// New losses of mine, with what stands beside each.
    var losses: [Fall] = []
    /// The same of the biggest losses that were told before.
    var earlierLosses: [Fall] = []
    /// The watchlist's apps that have come among the first ten of a list: mine, then competitors.
    var entered: [Newcomer]
    /// Others that have: candidates first, then those on most queries; `unshownNewcomers` more are left out.
    var newcomers: [Newcomer]
    var unshownNewcomers: Int
    /// The candidates among these.
    var unshownCandidates = 0
    /// Lists that cannot be read, and may have shown more of them.
    var damaged: [DamagedLists] = []
    /// Versions that have become known, mine first, then in order of time.
    var versions: [Version]
    /// The watchlist's notes of these days.
    var notes: [DayNote]
    /// Apps that came under another bundle identifier, in order of time.
    var renamed: [Renamed] = []
    /// The active queries in the watchlist's order.
    var checks: [QueryChecks]
    /// Requests made in these days; `nil` if the digest is about some pairs only, since a pass records how many it made
    /// and not for which queries.
    var requests: Int?
    /// How the service is now; its queries are those of the digest.
    var status: Status

    /// How far back without `--since`, in days.
    static let defaultDays: Int64 = 1
    /// Apps that the watchlist does not name, of those in `newcomers`.
    static let mostNewcomers = 500

    struct Version: Sendable, Hashable {
        var app: ReportedApp
        var release: AppRelease
    }

    struct Renamed: Sendable, Hashable {
        var app: ReportedApp
        var change: BundleChange
    }

    struct DayNote: Sendable, Hashable {
        var note: Note
        /// `nil` for a note about no app.
        var app: ReportedApp?
    }

    init(
        generatedAt: Timestamp, since: Timestamp, until: Timestamp? = nil, pairs: Int, movers: Movers,
        entered: [Newcomer] = [], newcomers: [Newcomer] = [], unshownNewcomers: Int = 0, versions: [Version] = [],
        notes: [DayNote] = [],
        checks: [QueryChecks] = [], requests: Int? = 0, status: Status
    ) {
        self.generatedAt = generatedAt
        self.since = since
        self.until = until ?? generatedAt
        self.pairs = pairs
        self.movers = movers
        self.entered = entered
        self.newcomers = newcomers
        self.unshownNewcomers = unshownNewcomers
        self.versions = versions
        self.notes = notes
        self.checks = checks
        self.requests = requests
        self.status = status
    }

    /// Requests that the pace would have allowed in these days; `nil` if those made are not known.
    var budget: Int? {
        guard requests != nil else { return nil }
        let minutes = Double(max(0, until - since)) / 60
        return Int((minutes * Double(status.requests.perMinute)).rounded())
    }

    /// Those of the others that are worth watching.
    var candidates: [Newcomer] { newcomers.filter(\.isCandidate) }

    /// Checks without an answer that can be relied on, by reason: the most frequent first.
    var reasons: [Reason] {
        var reasons: [Gap: Reason] = [:]
        for query in checks {
            for trouble in query.troubles {
                reasons[trouble.gap, default: Reason(gap: trouble.gap)].add(trouble)
            }
        }
        return reasons.values.sorted { ($1.checks, $0.gap.reason) < ($0.checks, $1.gap.reason) }
    }

    struct Reason: Sendable, Hashable {
        var gap: Gap
        var checks = 0
        var queries = 0

        mutating func add(_ trouble: QueryChecks.Trouble) {
            checks += trouble.count
            queries += 1
        }
    }

    /// The queries with such checks: those with the most first.
    var troubled: [QueryChecks] {
        checks.enumerated().filter { !$0.element.troubles.isEmpty }.sorted {
            let (left, right) = ($0.element.failed + $0.element.suspect, $1.element.failed + $1.element.suspect)
            return (-left, $0.offset) < (-right, $1.offset)
        }.map(\.element)
    }
}
