import Judging
package import RankKit

/// `rankctl apps`: the apps ever seen.
package struct AppDirectoryReport: ReportView {
    package var directory: AppDirectory

    package init(_ directory: AppDirectory) { self.directory = directory }

    package var generatedAt: Timestamp { directory.generatedAt }

    package var document: Document {
        var document = Document(title: "Apps ever seen", generatedAt: generatedAt)
        guard !directory.rows.isEmpty else {
            let what = directory.text.map { "no app ever seen has “\($0)” in its name, developer or bundle id" }
            document.paragraph(what ?? "no app was seen yet")
            return document
        }
        let table = Table(
            columns: [
                .init(""), .init("app", minimum: 16, comfort: 24),
                .init("bundle id", minimum: 12, priority: 4, isForWidePages: true),
                .init("developer", minimum: 10, priority: 1), .init("first seen", priority: 2),
                .init("last seen", priority: 3),
                .init("queries", .right, meaning: "on how many the app ever was in the list"),
                .init("best", .right, meaning: "its best place on any"),
            ],
            rows: directory.rows.map { row in
                .cells([
                    .of(row.app.mark), Cell(row.app.name ?? ""), Cell(row.app.bundleID.text),
                    Cell(row.app.developer ?? ""), Cell(CivilTime.date(row.firstSeen)),
                    Cell(CivilTime.date(.startOfDay(row.lastSeenDay))), Cell(Figures.grouped(row.queries)),
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

    package func write(to writer: inout JSONWriter) {
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

    package var csv: CSVWriter {
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
        return writer
    }
}
