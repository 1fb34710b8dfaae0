/// What a message can be about: the words of `when` in a rule.
package enum AlertKind: String, Sendable, Hashable, CaseIterable {
    /// A move beyond the pair's own noise.
    case moved
    /// A pair came into the list, or among its first places.
    case entered
    /// A pair went out of the list, or out of its first places.
    case left
    /// A named competitor stands above one of mine, and did not before.
    case overtaken
    /// One of mine stands above a named competitor, and did not before.
    case overtook
    /// A slow rise or slide over a month.
    case drift
    /// An app that the watchlist does not name has come among the first places to stay.
    case newcomer
    /// A version of an app.
    case release
    case price
    /// What an app is called.
    case name
    /// The store of a country shuffled, or had a bad day.
    case weather
    /// The App Store knows no such app.
    case appUnknown = "app-unknown"
    /// rankd is degraded, down or well again.
    case service
    /// The digest, at its time.
    case digest
}

/// How much a message matters: what ways out with such a thing make of it.
package enum AlertSeverity: String, Sendable, Hashable, CaseIterable, Comparable {
    case low
    case normal
    case high

    package static func < (left: AlertSeverity, right: AlertSeverity) -> Bool {
        left.turn < right.turn
    }

    private var turn: Int {
        switch self {
        case .low: 0
        case .normal: 1
        case .high: 2
        }
    }
}
