import Judging
package import RankKit

/// `rankctl report results`: the list at a moment, and what changed since another.
package struct ResultsReport: ReportValue {
    package var results: Results

    package init(_ results: Results) { self.results = results }

    package var generatedAt: Timestamp { results.generatedAt }

    package static let shape = ReportShape<ResultsReport>(
        "results", command: ResultsRequest.about.command, Query.fields { $0.results.query },
        [
            .value("checkedAt", "When the good check began that the list is of.") { $0.results.checkedAt },
            .value("within", "How many places the list had.", .count) { $0.results.within },
            .optional(
                "comparedWith", "The earlier list; null where none is compared with.", Results.Earlier.shape
            ) { $0.results.earlier },
            .list(
                "results",
                "The places in order. Where lists are compared, the apps that left follow, in the order of their earlier "
                    + "places.", onLines: true, Results.Row.shape
            ) { $0.results.rows },
        ],
        csv: .each(
            "results", "one place, or one app that left", Query.columns,
            ["checkedAt", "position", "readable", "bundleId", "alias", "appId", "appName", "developer", "mark"],
            [.column("comparedWith", "comparedWith.checkedAt"), "was", "change"]))
}

extension Results.Earlier {
    fileprivate static let shape = ObjectShape<Results.Earlier>(
        fields: [
            .value("checkedAt", "When its check began.") { $0.checkedAt },
            .value("within", "How many places it had.", .count) { $0.within },
        ])
}

extension Results.Row {
    /// The app's fields are null, all of them, where the entry could not be read.
    fileprivate static let shape = ObjectShape<Results.Row>(
        fields: [
            .value("position", "null for an app that left.") { $0.position },
            .value(
                "readable",
                "Whether the entry in this place could be read; where it could not, nothing is known of the app there."
            ) { $0.app != nil },
            .value("bundleId", "The bundle identifier; null where the entry could not be read.") { $0.app?.bundleID },
            .value("alias", "The watchlist's name for the app.") { $0.app?.alias },
            .value("appId", "Apple's number.") { $0.app?.appID },
            .value("appName", "As the storefront calls it.") { $0.app?.name },
            .value("developer", "Who makes it.") { $0.app?.developer },
            .value("mark", "Whose the app is by the watchlist; null for one that it does not name.") { $0.app?.mark },
            .value("was", "The app's place in the earlier list.") { $0.was },
            .value(
                "change",
                "Since the earlier list; null where none is compared with, and for what cannot be compared: an entry "
                    + "that could not be read, or an app's second place."
            ) { $0.change },
        ])
}
