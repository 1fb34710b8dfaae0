package import History
package import RankKit

/// What apps are called, each looked up once a country.
package struct AppTitles {
    private struct Key: Hashable {
        let bundleID: BundleID
        let country: Country?
        /// `nil` for what is called the same at all times that are asked about.
        let moment: Timestamp?
    }
    private let watched: WatchedApps
    private let reader: HistoryReader
    private var known: [Key: ReportedApp] = [:]
    private var renamed: Set<BundleID> = []

    package init(_ watched: WatchedApps, _ reader: HistoryReader) {
        self.watched = watched
        self.reader = reader
    }

    /// - Parameter apps: those that may have been called otherwise at one of the times that are asked about.
    package mutating func rename(_ apps: Set<BundleID>) { renamed = apps }

    /// - Parameters:
    ///   - country: where names are wanted from; `nil` for any.
    ///   - moment: when it was called so; `nil` for now.
    package subscript(bundleID: BundleID, in country: Country?, at moment: Timestamp? = nil) -> ReportedApp {
        mutating get throws(HistoryError) {
            let key = Key(
                bundleID: bundleID, country: country, moment: renamed.contains(bundleID) ? moment : nil)
            if let app = known[key] { return app }
            let app = try watched.reported(bundleID, namedIn: country, at: key.moment, reader)
            known[key] = app
            return app
        }
    }
}
