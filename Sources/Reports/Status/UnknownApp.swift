import RankKit

/// A tracked app that the storefront of a country is taken not to sell.
struct UnknownApp: Sendable, Hashable {
    var bundleID: BundleID
    var country: Country
    /// The first of the empty answers.
    var since: Timestamp
    /// The newest of them.
    var lastAskedAt: Timestamp
    /// How many there were, 2 or more.
    var answers: Int
    /// Whether lists or a look-up had shown it before: it has left the store.
    var wasListed = false
}

extension UnknownApp {
    /// `nil` if `presence` does not say so.
    init?(_ app: StorefrontApp, _ presence: AppPresence) {
        guard presence.isUnknown, let since = presence.emptySince, let last = presence.emptyAt else { return nil }
        self.init(
            bundleID: app.bundleID, country: app.country, since: since, lastAskedAt: last,
            answers: presence.emptyAnswers, wasListed: presence.wasListed)
    }

    /// For people.
    var note: String {
        let times = answers == 2 ? "twice" : "\(answers) times"
        let lookedUp = "looked up \(times), last \(CivilTime.reportDate(lastAskedAt))"
        if wasListed {
            return
                "the \(country.code.uppercased()) store no longer has the app \(bundleID) (in none of its lists any more, "
                + "\(lookedUp))"
        }
        return "the \(country.code.uppercased()) store sells no app \(bundleID) "
            + "(\(lookedUp)): check the bundleId"
    }
}
