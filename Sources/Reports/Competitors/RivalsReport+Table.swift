import Judging
import RankKit

extension RivalsReport {
    /// Meetings that are told one by one.
    private static let mostMeetings = 20

    package var document: Document {
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
                Cell(app.title, .strong),
                Cell(
                    " · in the list on \(Figures.grouped(ranked)) of its "
                        + "\(Figures.counted(count, "query", "queries")), "
                        + "in the top \(Rivals.top) on \(Figures.grouped(top))"),
            ]))
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
                .init("bundle id", minimum: 12, priority: 1, isForWidePages: true),
                .init("above", .right, meaning: "on how many queries it stands above"),
                .init("top \(Rivals.top)", .right, meaning: "on how many it is there"),
                .init("shared", .right, priority: 3, meaning: "on how many both are in the top \(Rivals.top)"),
                .init("best", .right, priority: 4),
                .init(
                    "overtook", .right, meaning: "on how many it went past since \(CivilTime.minute(rivals.since)) UTC"),
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
                    Cell(row.app.title, .strong), Cell(row.app.name == nil ? "" : row.app.bundleID.text, .faint),
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
                Cell(app.title, .strong), Cell(" \(what) on “"), Cell(meeting.query.text, .strong),
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
