import Foundation
import RankKit
import Reports

/// What each report costs over 1,000 pairs and a year of hourly checks: `rankctl` as a person starts it.
struct ViewBenchmark {
    let bench: Workbench
    let year: YearOfLists

    /// The rows of processor time, with the words after `rankctl report`: a row for each report of the catalogue.
    static func views(query: String, app: String) -> [(name: RowName, words: [String])] {
        let names = ExampleNames(app: app, queries: [query], countries: ["us"], version: version)
        // Where an example asks for less than a report can cost.
        let words = [
            "movers": ["--all"], "history": ["--app", app, "--query", query],
            "results": ["--query", query, "--compare", "7d"], "competitors": ["--app", app],
            "compare": ["--app", app], "release": [app, version], "digest": ["--since", "7d"],
        ]
        return ReportCatalogue.reports.filter { !$0.about.isTopLevel }.map { report in
            let name = report.about.name
            return (.view(name), [name] + (words[name] ?? report.examples(names).first?.arguments ?? []))
        }
    }

    static var names: [RowName] { views(query: "", app: "").map(\.name) + [.viewMemory] }

    /// Of the release that the year is given.
    private static let version = "2.0"
    private static let rounds = 3
    /// Milliseconds of processor time, and bytes.
    private static let goal = 300.0
    private static let memoryGoal = 64.0

    func rows(query: String, app: String, memory: CommandMemory) throws -> [Row] {
        try addDays(noting: app)
        let onFile = ["--database", year.path]
        let views = Self.views(query: query, app: app)
        var rows = try views.map { name, words in
            let times = try (0..<Self.rounds).map { _ in
                try bench.start("rankctl", ["report"] + words + onFile).usage().processorTime * 1e3
            }
            return Row(
                name: name, value: times.median ?? 0, unit: "ms", reference: nil, goal: .value(atMost: Self.goal))
        }
        let most = try memory.most(of: views.map { CommandMemory.Command(["report"] + $0.words + onFile) })
        rows.append(
            Row(name: .viewMemory, value: most / 1e6, unit: "MB", reference: nil, goal: .value(atMost: Self.memoryGoal))
        )
        return rows
    }

    /// What the clean-up would have derived of the stores' days, and a release to tell about.
    private func addDays(noting app: String) throws {
        let database = try PlainSQLite(year.path)
        let (first, last) = (year.start.day, year.end.day - 1)
        try database.execute(
            """
            INSERT OR REPLACE INTO country_day (country, day, queries, good, suspect, failed, compared, apps, entered,
                    dropped_out, lower_quartile, median, upper_quartile, ninth_decile)
                WITH RECURSIVE counted(day) AS (SELECT \(first) UNION ALL SELECT day + 1 FROM counted WHERE day < \(last))
                SELECT 'us', day, \(YearOfLists.queries), \(YearOfLists.queries * 24), 0, 0, \(YearOfLists.queries),
                    \(YearOfLists.queries * 190), 5000, 5000, 0, 1 + day % 3, 4 + day % 2, 12
                FROM counted;
            INSERT OR REPLACE INTO setting (name, value) VALUES ('country_days_through_day', \(last));
            INSERT OR REPLACE INTO note (ordinal, on_date, bundle_key, version, text, added, removed)
                SELECT 0, date((\(last) - 20) * 86400, 'unixepoch'), bundle_key, '\(Self.version)', 'a release', '', ''
                FROM watched_app WHERE bundle_id = '\(app)';
            """)
    }
}
