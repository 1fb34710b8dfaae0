package import History
package import RankKit

/// The apps of the watchlist, by what lists and people call them.
package struct WatchedApps: Sendable {
    package let all: [WatchedApp]
    private let byBundle: [BundleID: WatchedApp]
    /// The numbers of those that came under several bundle identifiers.
    private let renamed: [BundleID: Set<DenseID>]
    private let byNumber: [DenseID: WatchedApp]
    /// Those of which the watchlist has none any more, and the history no number.
    private let former: Set<BundleID>

    package init(_ reader: HistoryReader) throws(HistoryError) {
        former = try reader.formerAppsWithoutNumber()
        all = try reader.watchedApps()
        let byBundle = Dictionary(all.map { ($0.bundleID, $0) }, uniquingKeysWith: { first, _ in first })
        let renamed = try reader.numbersOfRenamedWatchedApps()
        byNumber = Dictionary(
            all.flatMap { app in (renamed[app.bundleID] ?? []).map { ($0, app) } },
            uniquingKeysWith: { first, _ in first })
        (self.byBundle, self.renamed) = (byBundle, renamed)
    }

    /// The number is the app, whatever it was called at the time. Where it has two names on the watchlist, the one of
    /// that time is meant.
    private func watched(_ app: NumberedApp) -> WatchedApp? {
        if let named = byBundle[app.bundleID], renamed[app.bundleID]?.contains(app.number) ?? true { return named }
        return byNumber[app.number]
    }

    package subscript(bundleID: BundleID) -> WatchedApp? { byBundle[bundleID] }

    package func reported(_ app: NumberedApp) -> ReportedApp {
        let watched = watched(app)
        return ReportedApp(
            bundleID: app.bundleID, appID: app.id, name: app.name, developer: app.developer, alias: watched?.alias,
            mark: watched.map { $0.isMine ? .mine : .competitor })
    }

    /// An app that may never have been seen.
    ///
    /// - Parameter moment: when it was called so; `nil` for now.
    package func reported(
        _ bundleID: BundleID, namedIn country: Country?, at moment: Timestamp? = nil, _ reader: HistoryReader
    ) throws(HistoryError) -> ReportedApp {
        let numbered = try reader.apps(
            try reader.numbers(of: bundleID, at: moment), namedIn: country, at: moment
        ).values
        if let app = numbered.max(by: { $0.number < $1.number }) { return reported(app) }
        return reported(bundleID)
    }

    /// An app of which nothing is known but its bundle identifier.
    package func reported(_ bundleID: BundleID) -> ReportedApp {
        let watched = byBundle[bundleID]
        var app = ReportedApp(
            bundleID: watched?.bundleID ?? bundleID, alias: watched?.alias,
            mark: watched.map { $0.isMine ? .mine : .competitor })
        app.isNameOnly = watched == nil && !former.contains(bundleID)
        return app
    }
}
