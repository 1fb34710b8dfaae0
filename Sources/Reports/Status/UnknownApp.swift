package import RankKit

/// A tracked app that the storefront of a country is taken not to sell.
package struct UnknownApp: Sendable, Hashable {
    package var bundleID: BundleID
    package var country: Country
    /// The first of the empty answers.
    package var since: Timestamp
    /// The newest of them.
    package var lastAskedAt: Timestamp
    /// How many there were, 2 or more.
    package var answers: Int

    package init(bundleID: BundleID, country: Country, since: Timestamp, lastAskedAt: Timestamp, answers: Int) {
        self.bundleID = bundleID
        self.country = country
        self.since = since
        self.lastAskedAt = lastAskedAt
        self.answers = answers
    }

    /// `nil` if `presence` does not say so.
    init?(_ app: StorefrontApp, _ presence: AppPresence) {
        guard presence.isUnknown, let since = presence.emptySince, let last = presence.emptyAt else { return nil }
        self.init(
            bundleID: app.bundleID, country: app.country, since: since, lastAskedAt: last,
            answers: presence.emptyAnswers)
    }

    /// For people.
    package var note: String {
        let times = answers == 2 ? "twice" : "\(answers) times"
        return "the \(country.code.uppercased()) store sells no app \(bundleID) "
            + "(looked up \(times), last \(CivilTime.date(lastAskedAt))): check the bundleId"
    }
}
