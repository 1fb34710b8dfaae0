import History
import Judging
import RankKit

/// `rankctl report competitors`: who an app meets on its queries.
struct RivalsReport: ReportValue {
    var rivals: Rivals
    /// While some of the app's queries cannot be judged yet.
    var firstVerdict: FirstVerdict?

    init(_ rivals: Rivals) { self.rivals = rivals }

    var generatedAt: Timestamp { rivals.generatedAt }
    var damaged: [DamagedLists] { rivals.damaged }

    static let shape = ReportShape<RivalsReport>(
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
            [.column("overtook", "overtook.count"), .column("fellBehind", "fellBehind.count")]
        ).short(
            "bundleId", "appName", "developer", "mark", "queries", "above", "top10", "best", "overtook", "fellBehind"))
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

extension RivalsReport {
    /// Meetings that are told one by one.
    private static let mostMeetings = 20

    var document: Document {
        let app = rivals.app
        var document = Document(title: "Competitors of \(app.title)", generatedAt: generatedAt)
        document.asOf(rivals.until)
        let count = rivals.standings.count
        guard count > 0 else {
            document.paragraph(
                "\(app.title): none of its queries has a good list "
                    + (damaged.isEmpty ? "yet" : "that can be read"))
            document.damaged(damaged)
            return document
        }
        let ranked = rivals.standings.count { $0.now.position != nil }
        let top = rivals.standings.count { $0.now.position.map { $0.number <= Rivals.top } ?? false }
        document.paragraph(
            StyledText([
                .title(app, .strong),
                Cell(
                    " · in the list on \(Figures.grouped(ranked)) of its "
                        + "\(Figures.counted(count, "query", "queries")), "
                        + "in the top \(Rivals.top) on \(Figures.grouped(top))"),
            ]))
        document.paragraph(firstVerdict)
        document.table(table(of: count))
        document.list(meetings({ $0.overtook }, "overtook it"))
        document.list(meetings({ $0.fellBehind }, "fell behind it"))
        document.damaged(damaged)
        if rivals.unshown > 0 {
            document.notes(["and \(Figures.counted(rivals.unshown, "more app")) on these queries"])
        }
        document.legend()
        document.notes([provenance])
        return document
    }

    private func table(of count: Int) -> Table {
        var table = Table(
            columns: [
                .init("app", minimum: 16, priority: 6),
                .init("bundle id", priority: 4, isForWidePages: true),
                .init("above", .right, meaning: "queries on which it stands above the app"),
                .init("top \(Rivals.top)", .right, meaning: "queries on which it is in the top \(Rivals.top)"),
                .init("shared", .right, priority: 3, meaning: "queries on which both are in the top \(Rivals.top)"),
                .init("best", .right, priority: 4),
                .init(
                    "overtook", .right,
                    meaning: "queries on which it went past the app since \(CivilTime.minuteInZone(rivals.since))"),
                .init("fell behind", .right, priority: 2),
            ], indent: 2)
        let groups: [(String, [Rivals.Row])] = [
            ("competitors of the watchlist", rivals.rows.filter(\.isListed)),
            ("your other apps", rivals.rows.filter { !$0.isListed && $0.app.mark == .mine }),
            (
                "strongest of the others: candidates to add",
                rivals.rows.filter { !$0.isListed && $0.app.mark != .mine }
            ),
        ]
        for (title, rows) in groups where !rows.isEmpty {
            if !table.rows.isEmpty { table.rows.append(.blank) }
            table.rows.append(.heading(StyledText(title, .faint)))
            table.rows += rows.map { row in
                .cells([
                    .title(row.app, .strong), Cell(row.app.name == nil ? "" : row.app.bundleID.text, .faint),
                    Cell("\(row.above)/\(count)"), Cell("\(row.inTop)"), Cell("\(row.sharedTop)"),
                    Cell(row.best?.description ?? "–"), Self.number(row.overtook.count, .bad),
                    Self.number(row.fellBehind.count, .good),
                ])
            }
        }
        return table
    }

    private static func number(_ count: Int, _ ink: Ink) -> Cell {
        count > 0 ? Cell("\(count)", ink) : Cell("–", .faint)
    }

    /// Told of the listed competitors and my own apps; those of strangers are too many.
    private func meetings(_ told: (Rivals.Row) -> [Rivals.Meeting], _ what: String) -> [StyledText] {
        let all = rivals.rows.filter { $0.app.mark != nil }.flatMap { row in told(row).map { (row.app, $0) } }
        var lines = all.prefix(Self.mostMeetings).map { app, meeting in
            StyledText([
                .title(app, .strong), Cell(" \(what) on “"), .query(meeting.query, .strong),
                Cell(
                    "” \(meeting.query.whereAsked): \(Self.move(meeting.was, meeting.position)), "
                        + "\(rivals.app.mark == .mine ? "yours" : "its rival") "
                        + Self.move(meeting.appWas, meeting.appPosition)),
            ])
        }
        if all.count > Self.mostMeetings {
            lines.append(StyledText("and \(all.count - Self.mostMeetings) more", .faint))
        }
        return lines
    }

    private static func move(_ was: Position?, _ position: Position?) -> String {
        "\(was?.description ?? "absent") → \(position?.description ?? "absent")"
    }
}
