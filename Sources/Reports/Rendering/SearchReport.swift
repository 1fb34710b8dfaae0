package import Judging
package import RankKit

/// `rankctl search`: what the store answers now.
package struct SearchReport: ReportView {
    package var query: Query
    /// When the request began.
    package var generatedAt: Timestamp
    package var results: ResultList
    /// The apps of the watchlist; others have no mark.
    package var marks: [BundleID: AppMark]

    package init(query: Query, generatedAt: Timestamp, results: ResultList, marks: [BundleID: AppMark] = [:]) {
        self.query = query
        self.generatedAt = generatedAt
        self.results = results
        self.marks = marks
    }

    /// One place of the list; `app` is `nil` where the entry could not be read.
    struct Entry {
        var position: Int
        var app: SeenApp?
        var details: AppDetails?
        var mark: AppMark?
    }

    func entries() -> [Entry] {
        results.places.enumerated().map { index, app in
            Entry(
                position: index + 1, app: app, details: app?.details(), mark: app.flatMap { marks[$0.bundleID] })
        }
    }
}
