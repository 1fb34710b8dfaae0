import History
import Judging
import RankKit

/// The apps ever seen: the value behind `rankctl apps`.
struct AppDirectory: Sendable {
    var generatedAt: Timestamp
    /// What they were looked for by; `nil` for all.
    var text: String?
    var rows: [Row]
    /// How many there are, shown or not.
    var count: Int

    struct Row: Sendable, Hashable {
        var app: ReportedApp
        /// `nil` for who sees a part of the history alone, as the next.
        var firstSeen: Timestamp?
        /// By the days of the zone that the watchlist had then.
        var lastSeenDay: Int64?
        /// On how many queries it ever was in the list.
        var queries: Int
        var best: Extreme?
    }
}

extension AppDirectory {
    /// Reads the first `limit` apps that `text` finds.
    init(
        matching text: String?, limit: Int, from reader: HistoryReader, now: Timestamp
    ) throws(HistoryError) {
        let watched = try WatchedApps(reader)
        let (entries, count) = try reader.directory(matching: text, limit: limit)
        self.init(
            generatedAt: now, text: text,
            rows: entries.map { entry in
                let known = watched[entry.bundleID]
                return Row(
                    app: ReportedApp(
                        bundleID: entry.bundleID, appID: entry.appID, name: entry.name, developer: entry.developer,
                        alias: known?.alias, mark: known.map { $0.isMine ? .mine : .competitor }),
                    firstSeen: entry.firstSeen, lastSeenDay: entry.lastSeenDay, queries: entry.queries,
                    best: entry.best)
            }, count: count)
    }
}

/// `rankctl apps`: the apps ever seen.
struct AppDirectoryReport: ReportValue {
    var directory: AppDirectory

    init(_ directory: AppDirectory) { self.directory = directory }

    var generatedAt: Timestamp { directory.generatedAt }

    var document: Document {
        var document = Document(title: "Apps ever seen", generatedAt: generatedAt)
        guard !directory.rows.isEmpty else {
            let what = directory.text.map { "no app ever seen has “\($0)” in its name, developer or bundle id" }
            document.paragraph(what ?? "no app was seen yet")
            return document
        }
        let table = Table(
            columns: [
                .init(""), .init("app", minimum: 16, comfort: 24),
                .init("bundle id", priority: 4, isForWidePages: true),
                .init("developer", minimum: 10, priority: 1), .init("first seen", priority: 2),
                .init("last seen", priority: 3),
                .init("queries", .right, meaning: "how many have ever had the app in the list"),
                .init("best", .right, meaning: "its best place on any query"),
            ],
            rows: directory.rows.map { row in
                .cells([
                    .of(row.app.mark), Cell(row.app.name ?? "").about(.app(row.app.bundleID)),
                    Cell(row.app.bundleID.text).about(.app(row.app.bundleID)),
                    Cell(row.app.developer ?? ""), Cell(row.firstSeen.map { CivilTime.reportDate($0) } ?? ""),
                    Cell(row.lastSeenDay.map { CivilTime.date(.startOfDay($0)) } ?? ""),
                    Cell(Figures.grouped(row.queries)),
                    Cell(row.best?.position.description ?? "–", row.best == nil ? .faint : .strong),
                ])
            })
        document.table(table)
        let rest = directory.count - directory.rows.count
        document.notes(
            (rest > 0 ? ["and \(Figures.grouped(rest)) more: show them with --limit, or look for a text"] : [])
                + markNotes(directory.rows.map(\.app.mark)))
        document.legend()
        return document
    }

    static let shape = ReportShape<AppDirectoryReport>(
        "apps", command: AppsRequest.about.command,
        [
            .value("count", "How many there are in all.", .count) { $0.directory.count },
            .list("apps", "As many as were asked for.", onLines: true, AppDirectory.Row.shape) { $0.directory.rows },
        ],
        csv: .each(
            "apps", "one app",
            [
                "bundleId", "alias", "appId", "appName", "developer", "mark", "firstSeenAt", "lastSeenOn", "queries",
                "best.position", "best.at",
            ]
        ).short("bundleId", "appName", "developer", "mark", "lastSeenOn", "queries", "bestPosition"))
}

extension AppDirectory.Row {
    fileprivate static let shape = ObjectShape<AppDirectory.Row>(
        fields: ReportedApp.fields { $0.app },
        [
            .value(
                "firstSeenAt",
                "The first check that showed it. null with a token that has tags, as the next: others' queries may have "
                    + "shown it."
            ) { $0.firstSeen },
            .value("lastSeenOn", "The last day, of the watchlist's zone, on which a check showed it.") {
                $0.lastSeenDay.map { DateValue($0) }
            },
            .value("queries", "On how many the app ever was in the list.", .count) { $0.queries },
            .optional("best", "Its best place on any.", Extreme.shape) { $0.best },
        ])
}
