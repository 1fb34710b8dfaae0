package import RankKit

/// Whose an app is, as the watchlist says.
package enum AppMark: String, Sendable, Hashable, CaseIterable {
    case mine, competitor
}

/// An app by what the store, the watchlist and people call it.
package struct ReportedApp: Sendable, Hashable {
    package var bundleID: BundleID
    /// `nil` until the app has been seen in any answer.
    package var appID: AppID?
    package var name: String?
    package var developer: String?
    package var alias: String?
    /// `nil` for one that the watchlist does not name.
    package var mark: AppMark?
    /// Whether nothing is known of it but what entries without a number of Apple's called it: it was never tracked, and
    /// nothing can be said of it by itself.
    package var isNameOnly = false

    package init(
        bundleID: BundleID, appID: AppID? = nil, name: String? = nil, developer: String? = nil, alias: String? = nil,
        mark: AppMark? = nil
    ) {
        self.bundleID = bundleID
        self.appID = appID
        self.name = name
        self.developer = developer
        self.alias = alias
        self.mark = mark
    }

    /// The shortest that says which app it is.
    package var title: String { name ?? alias ?? bundleID.text }
}
