/// The objects of a watchlist, and the keys that each may have.
package enum WatchlistObject: Sendable, Hashable, CaseIterable {
    case root
    /// What an alias of `apps` stands for.
    case app
    case defaults
    /// An element of `watch`.
    case line
    /// An element of a line's `queries`, where it is more than its text.
    case query
    /// An element of `notes`.
    case note
    case service
    case backup
    case retention
    case alerts
    /// What a name of a channel stands for.
    case channel
    /// An element of the rules of `alerts`.
    case rule
    /// An element of the mutes of `alerts`.
    case mute

    /// Whether a watchlist may have `alerts`: the one place that decides it.
    package static let takesAlerts = true

    /// Those that a watchlist may hold.
    package static var accepted: [WatchlistObject] {
        allCases.filter { takesAlerts || ![.alerts, .channel, .rule, .mute].contains($0) }
    }

    /// In the order in which mistakes list them.
    package var keys: [String] {
        switch self {
        case .root: Self.rootKeys
        case .app: Self.declarationKeys
        case .defaults: Self.defaultsKeys
        case .line: Self.lineKeys
        case .query: Self.queryObjectKeys
        case .note: Self.noteKeys
        case .service: Self.serviceKeys
        case .backup: Self.backupKeys
        case .retention: Self.retentionKeys
        case .alerts: Self.alertsKeys
        case .channel: Self.channelKeys
        case .rule: Self.ruleKeys
        case .mute: Self.muteKeys
        }
    }

    /// The keys of a line that name queries. A line has one of them.
    static let queryKeys = ["query", "queries", "keyword", "keywords"]
    /// The keys of a line that name apps. A line has one of them.
    static let appKeys = ["app", "apps", "bundleId", "bundleIds"]

    /// The spellings of one setting, of which a line has one.
    static let countryKeys = ["country", "countries"]
    static let platformKeys = ["platform", "platforms"]
    static let tagKeys = ["tag", "tags"]

    private static let settingKeys = ["every", "at", "timeZone", "language", "tag", "tags"]
    private static let placeKeys = ["country", "countries", "platform", "platforms", "source"]

    private static let rootKeys =
        ["apps", "defaults", "watch", "notes", "sensitivity"] + (takesAlerts ? ["alerts"] : []) + ["service"]
    private static let declarationKeys = ["bundleId", "competitors"]
    private static let defaultsKeys = placeKeys + settingKeys
    private static let lineKeys = queryKeys + appKeys + placeKeys + settingKeys + ["popularity"]
    private static let queryObjectKeys = ["query", "keyword"] + settingKeys + ["popularity"]
    private static let noteKeys = ["on", "app", "bundleId", "version", "text", "added", "removed"]
    private static let serviceKeys = ["requestsPerMinute", "parallelism", "backup", "retention"]
    private static let backupKeys = ["every", "keep", "directory"]
    private static let retentionKeys = ["lists", "failures"]
    private static let alertsKeys = ["channels", "to", "rules", "mutes", "sensitivity", "quietHours"]
    private static let channelKeys =
        AlertChannel.kinds + ["secret", "chat", "topic", "token", "from", "timeout", "privateHosts"]
    private static let ruleKeys =
        ["name", "when", "way", "places", "top", "app", "apps", "query", "queries", "country", "countries"]
        + ["platform", "platforms", "tag", "tags", "whose", "to", "severity", "quietHours", "atMost", "cooldown"]
        + ["sensitivity", "at", "on"]
    private static let muteKeys = ["app", "query", "country", "tag", "when", "until"]
}

/// What texts and numbers of a watchlist may be.
package enum WatchlistLimits {
    /// Of an alias, in bytes.
    package static let longestAlias = 64
    /// Of a search text, in bytes: far beyond what Apple's search box takes.
    package static let longestTerm = 400
    /// Of a tag, in bytes.
    package static let longestTag = 100
    package static let popularity: ClosedRange<Double> = 0...100
    package static let requestsPerMinute = 1...100_000
}
