/// What narrows or shapes a rule, by its word in the watchlist, and the kinds of message that it means anything for.
package enum AlertOption: String, Sendable, Hashable, CaseIterable {
    case way, places, top, apps, queries, countries, platforms, tags, whose, sensitivity, atMost, cooldown, at, on

    /// In the order of `AlertKind`.
    package var kinds: [AlertKind] {
        switch self {
        case .way, .places: [.moved, .drift]
        case .top: [.entered, .left, .newcomer]
        case .apps: Self.ofPairs + Self.ofApps
        case .queries, .platforms: Self.ofPairs + [.newcomer]
        case .tags: Self.ofPairs
        case .countries:
            Self.ofPairs + [.newcomer] + Self.ofApps.filter { $0 != .appUnknown } + [.weather, .appUnknown]
        case .whose: [.moved, .entered, .left, .drift] + Self.ofApps
        case .sensitivity: Self.ofPairs
        case .atMost, .cooldown: AlertKind.allCases.filter { $0 != .digest }
        case .at, .on: [.digest]
        }
    }

    /// The option that a key of a rule or a mute is a spelling of.
    package init?(key: String) {
        let plurals = [
            "app": "apps", "query": "queries", "country": "countries", "platform": "platforms", "tag": "tags",
        ]
        self.init(rawValue: plurals[key] ?? key)
    }

    /// What happens to an app on a query.
    private static let ofPairs: [AlertKind] = [.moved, .entered, .left, .overtaken, .overtook, .drift]
    /// What happens to an app in the store.
    private static let ofApps: [AlertKind] = [.release, .price, .name, .appUnknown]
}
