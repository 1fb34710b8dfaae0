package import History
import Judging
package import RankKit

/// `rankctl report competitors`: who an app meets on its queries.
package struct RivalsReport: ReportValue {
    package var rivals: Rivals

    package init(_ rivals: Rivals) { self.rivals = rivals }

    package var generatedAt: Timestamp { rivals.generatedAt }
    package var damaged: [DamagedLists] { rivals.damaged }

    package static let shape = ReportShape<RivalsReport>(
        "competitors", command: CompetitorsRequest.about.command, ReportedApp.fields { $0.rivals.app },
        [
            .value("since", "What overtaking is counted from.") { $0.rivals.since },
            .value("until", "The moment that the lists are of: now, or --until.") { $0.rivals.until },
            .value("queries", "How many of the app's queries have a good list.", .count) { $0.rivals.standings.count },
            DamagedLists.field(
                "Stretches of lists, by when the first and the last were asked for, that are kept and cannot be read: "
                    + "their queries are left out, or not compared. rankctl verify tells more."
            ) { $0.damaged },
            .list(
                "competitors",
                "Those that the watchlist lists, then my other apps, then the strongest of the others.", onLines: true,
                Rivals.Row.shape
            ) { $0.rivals.rows },
        ],
        csv: .each(
            "competitors", "one competitor", ["bundleId", "alias", "appId", "appName", "developer", "mark"],
            ["listed", "queries", "above", "top10", "sharedTop10", "best"],
            [.column("overtook", "overtook.count"), .column("fellBehind", "fellBehind.count")]))
}

extension Rivals.Row {
    fileprivate static let shape = ObjectShape<Rivals.Row>(
        fields: ReportedApp.fields { $0.app },
        [
            .value("listed", "Whether the watchlist lists it as a competitor of the app.") { $0.isListed },
            .value("queries", "On how many of the app's queries it is in the list.", .count) { $0.seen },
            .value("above", "On how many it stands above the app, which may be absent there.", .count) { $0.above },
            .value("top10", "On how many it is among the first ten.", .count) { $0.inTop },
            .value("sharedTop10", "On how many both are among the first ten.", .count) { $0.sharedTop },
            .value("best", "Its best place on them; null where it is in none of the lists.") { $0.best },
            meetings("overtook", "Where it stood below the app at since and stands above it now.") { $0.overtook },
            meetings("fellBehind", "Where it stood above the app at since and stands below it now.") {
                $0.fellBehind
            },
        ])

    /// In a column there is room for their number only: `overtook.count`.
    private static func meetings(
        _ key: String, _ meaning: String, _ get: @escaping @Sendable (Rivals.Row) -> [Rivals.Meeting]
    ) -> Field<Rivals.Row> {
        let list = Field<Rivals.Row>.list(key, meaning, Rivals.Meeting.shape, get)
        return Field(
            key, meaning, list.info.shape, write: list.write,
            cell: { path in
                guard path == ["count"] else { return nil }
                return { row in .integer(Int64(get(row).count)) }
            }, lines: list.lines)
    }
}

extension Rivals.Meeting {
    fileprivate static let shape = ObjectShape<Rivals.Meeting>(
        "meeting", "On which query, and where both stood before and stand now; null for not in the list.",
        Query.fields { $0.query },
        [
            .value("was", "The competitor's place at since.") { $0.was },
            .value("position", "The competitor's place now.") { $0.position },
            .value("appWas", "The app's place at since.") { $0.appWas },
            .value("appPosition", "The app's place now.") { $0.appPosition },
        ])
}
