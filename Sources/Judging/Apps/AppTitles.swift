package import History
package import RankKit

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
