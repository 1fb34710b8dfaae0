package import History
package import RankKit

/// The apps of the watchlist, by what lists and people call them.
package struct WatchedApps {
    package let all: [WatchedApp]
    private let byBundle: [BundleID: WatchedApp]

    package init(_ reader: HistoryReader) throws(HistoryError) {
        all = try reader.watchedApps()
        byBundle = Dictionary(all.map { ($0.bundleID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package subscript(bundleID: BundleID) -> WatchedApp? { byBundle[bundleID] }

    package func reported(_ app: NumberedApp) -> ReportedApp {
        let watched = byBundle[app.bundleID]
        return ReportedApp(
            bundleID: app.bundleID, appID: app.id, name: app.name, developer: app.developer, alias: watched?.alias,
            mark: watched.map { $0.isMine ? .mine : .competitor })
    }

    /// An app that may never have been seen.
    package func reported(
        _ bundleID: BundleID, namedIn country: Country?, _ reader: HistoryReader
    ) throws(HistoryError) -> ReportedApp {
        let numbered = try reader.apps(try reader.numbers(of: bundleID), namedIn: country).values
        if let app = numbered.max(by: { $0.number < $1.number }) { return reported(app) }
        let watched = byBundle[bundleID]
        return ReportedApp(
            bundleID: watched?.bundleID ?? bundleID, alias: watched?.alias,
            mark: watched.map { $0.isMine ? .mine : .competitor })
    }
}

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

/// What apps are called, each looked up once a country.
package struct AppTitles {
    private struct Key: Hashable {
        let bundleID: BundleID
        let country: Country?
    }
    private let watched: WatchedApps
    private let reader: HistoryReader
    private var known: [Key: ReportedApp] = [:]

    package init(_ watched: WatchedApps, _ reader: HistoryReader) {
        self.watched = watched
        self.reader = reader
    }

    /// - Parameter country: where names are wanted from; `nil` for any.
    package subscript(bundleID: BundleID, in country: Country?) -> ReportedApp {
        mutating get throws(HistoryError) {
            let key = Key(bundleID: bundleID, country: country)
            if let app = known[key] { return app }
            let app = try watched.reported(bundleID, namedIn: country, reader)
            known[key] = app
            return app
        }
    }
}
