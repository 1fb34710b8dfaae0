import RankKit

/// `rankctl apps`: the apps ever seen.
package struct AppDirectoryReport: Sendable {
    package var directory: AppDirectory

    package init(_ directory: AppDirectory) { self.directory = directory }

    /// The whole report, its last line break included.
    package func render(as format: ReportFormat, style: TerminalStyle = .plain) -> String {
        switch format {
        case .table: table(style)
        case .json: json()
        case .csv: csv()
        }
    }

    private func table(_ style: TerminalStyle) -> String {
        guard !directory.rows.isEmpty else {
            let what = directory.text.map { "no app ever seen has “\($0)” in its name, developer or bundle id" }
            return StyledText(what ?? "no app was seen yet").wrapped(style).map { $0 + "\n" }.joined()
        }
        let table = Table(
            columns: [
                .init(""), .init("app", minimum: 16, priority: 5), .init("bundle id", minimum: 16, priority: 6),
                .init("developer", minimum: 10, priority: 1), .init("first seen", priority: 2),
                .init("last seen", priority: 3), .init("queries", .right), .init("best", .right),
            ],
            rows: directory.rows.map { row in
                .cells([
                    .of(row.app.mark), Cell(row.app.name ?? ""), Cell(row.app.bundleID.text),
                    Cell(row.app.developer ?? ""), Cell(CivilTime.date(row.firstSeen)),
                    Cell(CivilTime.date(.startOfDay(row.lastSeenDay))), Cell(Figures.grouped(row.queries)),
                    Cell(row.best?.position.description ?? "–", row.best == nil ? .faint : .strong),
                ])
            })
        var lines = table.lines(style) + [""]
        let rest = directory.count - directory.rows.count
        if rest > 0 {
            lines += StyledText(
                "and \(Figures.grouped(rest)) more: show them with --limit, or look for a text", .faint
            ).wrapped(style)
        }
        lines += StyledText(
            "queries: on how many the app ever was in the list; best: its best place on any", .faint
        ).wrapped(style)
        return lines.map { $0 + "\n" }.joined()
    }

    private func json() -> String {
        JSONWriter.document(generatedAt: directory.generatedAt) { writer in
            writer.member("count", directory.count)
            writer.key("apps")
            writer.array(directory.rows, linePerElement: true) { writer, row in
                writer.object { writer in
                    writer.members(of: row.app)
                    writer.member("firstSeenAt", row.firstSeen)
                    writer.member("lastSeenOn", CivilTime.date(.startOfDay(row.lastSeenDay)))
                    writer.member("queries", row.queries)
                    writer.member("best", row.best) { writer, best in
                        writer.member("position", best.position.number)
                        writer.member("at", best.at)
                    }
                }
            }
        }
    }

    private func csv() -> String {
        var writer = CSVWriter(header: [
            "bundleId", "alias", "appId", "appName", "developer", "mark", "firstSeenAt", "lastSeenOn", "queries",
            "bestPosition", "bestAt",
        ])
        for row in directory.rows {
            writer.record([
                .text(row.app.bundleID.text), .optional(row.app.alias),
                row.app.appID.map { .integer($0.number) } ?? .empty, .optional(row.app.name),
                .optional(row.app.developer), .optional(row.app.mark?.rawValue), .timestamp(row.firstSeen),
                .text(CivilTime.date(.startOfDay(row.lastSeenDay))), .integer(Int64(row.queries)),
                .optional(row.best?.position.number), .optional(row.best?.at),
            ])
        }
        return writer.text
    }
}
