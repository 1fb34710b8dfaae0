package import Judging
package import RankKit

/// `rankctl search`: what the store answers now.
package struct SearchReport: ReportValue {
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
    struct Entry: Sendable {
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

    package static let shape = ReportShape<SearchReport>(
        "search", command: "rankctl search",
        Query.fields { $0.query },
        [.list("results", "The places of the list, the first one first.", onLines: true, Entry.shape) { $0.entries() }],
        csv: .each(
            "results", "one place",
            [
                "position", "readable", "bundleId", "appId", "appName", "developer", "rating", "ratingCount", "mark",
            ]))
}

extension SearchReport.Entry {
    fileprivate static let shape = ObjectShape<SearchReport.Entry>(fields: [
        .value("position", "1 is the first place.", .integer(minimum: 1)) { $0.position },
        .value("readable", "Whether the entry could be read.") { $0.app != nil },
        .value("bundleId", "The bundle identifier.") { $0.app?.bundleID },
        .value("appId", "Apple's number.") { $0.app?.id },
        .value("appName", "As the storefront calls it.") { $0.details?.name },
        .value("developer", "Who makes it.") { $0.details?.developer },
        .value("rating", "The average of its ratings.", .optional(.number(minimum: 0))) { $0.details?.rating },
        .value("ratingCount", "How many ratings it has.", .optional(.count)) { $0.details?.ratingCount },
        .value("mark", "Whose the app is by the watchlist; null for one that it does not name.") { $0.mark },
    ])
}
