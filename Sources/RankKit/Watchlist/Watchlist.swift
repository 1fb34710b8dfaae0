/// The validated plan: everything that a person decides.
package struct Watchlist: Sendable, Equatable {
    /// Every app that is tracked or declared, each once, in the order of first mention.
    package var apps: [WatchedApp]
    /// Every distinct query, each once, in the order of first mention.
    package var queries: [WatchedQuery]
    package var notes: [Note]
    package var service: ServiceSettings
    /// How keenly reports tell moves from wobble, unless they are asked otherwise.
    package var sensitivity: Sensitivity
    /// `defaults.timeZone`, an IANA name; `nil` means UTC.
    package var timeZone: String?
    /// `nil` if nothing is to be sent.
    package var alerts: AlertSettings?

    package init(
        apps: [WatchedApp] = [], queries: [WatchedQuery] = [], notes: [Note] = [],
        service: ServiceSettings = ServiceSettings(), sensitivity: Sensitivity = .normal, timeZone: String? = nil,
        alerts: AlertSettings? = nil
    ) {
        self.apps = apps
        self.queries = queries
        self.notes = notes
        self.service = service
        self.sensitivity = sensitivity
        self.timeZone = timeZone
        self.alerts = alerts
    }

    /// Whose days are counted and whose clock times are told by.
    package var days: ZoneDays { ZoneDays(kept: timeZone) }

    package var scheduledQueries: [ScheduledQuery] {
        queries.map { ScheduledQuery(query: $0.query, cadences: $0.cadences) }
    }

    package var pairCount: Int { queries.reduce(0) { $0 + $1.pairs.count } }
}

/// A tracked app: mine, or a competitor of one of mine.
package struct WatchedApp: Sendable, Hashable {
    package var bundleID: BundleID
    /// The name that the `apps` section gives it; `nil` for one that only a line of `watch` mentions.
    package var alias: String?
    /// `false` if any app lists it as a competitor.
    package var isMine: Bool
    /// The apps it names as its competitors.
    package var competitors: [BundleID]

    package init(bundleID: BundleID, alias: String? = nil, isMine: Bool = true, competitors: [BundleID] = []) {
        self.bundleID = bundleID
        self.alias = alias
        self.isMine = isMine
        self.competitors = competitors
    }
}

/// One distinct query with the apps tracked on it.
package struct WatchedQuery: Sendable, Hashable {
    package var query: Query
    /// The union of all lines that want the query: never empty, sorted by nothing but first mention.
    package var cadences: [Cadence]
    /// An estimate of how often the words are searched for, 0–100, as the user's own source gives it.
    package var popularity: Double?
    package var pairs: [WatchedPair]
    /// The JSON path of the line that first mentions the query: the one whose spelling is sent.
    package var declaredAt: String

    package init(
        query: Query, cadences: [Cadence], popularity: Double? = nil, pairs: [WatchedPair], declaredAt: String = ""
    ) {
        self.query = query
        self.cadences = cadences
        self.popularity = popularity
        self.pairs = pairs
        self.declaredAt = declaredAt
    }
}

/// An app tracked on a query: the unit of the watchlist.
package struct WatchedPair: Sendable, Hashable {
    package var bundleID: BundleID
    /// United over all lines, sorted, distinct.
    package var tags: [String]

    package init(bundleID: BundleID, tags: [String] = []) {
        self.bundleID = bundleID
        self.tags = tags
    }
}

/// Something a person did on a day, to be shown beside the history.
package struct Note: Sendable, Hashable {
    /// `YYYY-MM-DD`.
    package var on: String
    package var bundleID: BundleID?
    package var version: String?
    package var text: String
    /// Search texts that the change was meant to gain.
    package var added: [String]
    /// Search texts that the change gave up.
    package var removed: [String]

    package init(
        on: String, bundleID: BundleID? = nil, version: String? = nil, text: String, added: [String] = [],
        removed: [String] = []
    ) {
        self.on = on
        self.bundleID = bundleID
        self.version = version
        self.text = text
        self.added = added
        self.removed = removed
    }
}

/// How the service behaves.
package struct ServiceSettings: Sendable, Hashable {
    package var retention = Retention()
    /// Per endpoint, 1–100,000.
    package var requestsPerMinute: Int
    /// Searches in flight at once.
    package var parallelism: Int
    /// `nil` if the service makes no backups by itself.
    package var backup: BackupSettings?

    /// Each search may hold an answer of up to 16 MiB for a while.
    package static let permittedParallelism = 1...32

    package static let defaultRequestsPerMinute = 15
    package static let defaultParallelism = 4

    package init(
        requestsPerMinute: Int = Self.defaultRequestsPerMinute, parallelism: Int = Self.defaultParallelism,
        backup: BackupSettings? = nil
    ) {
        self.requestsPerMinute = requestsPerMinute
        self.parallelism = parallelism
        self.backup = backup
    }
}
