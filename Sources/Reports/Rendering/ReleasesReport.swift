import History
package import Judging
package import RankKit

/// `rankctl report release APP`: which releases of an app are known.
package struct ReleasesReport: ReportView {
    package var releases: Releases

    package init(_ releases: Releases) { self.releases = releases }

    package var generatedAt: Timestamp { releases.generatedAt }

    package var document: Document {
        var document = Document(title: "Releases of \(releases.app.title)", generatedAt: generatedAt)
        guard !releases.rows.isEmpty else {
            document.paragraph("\(releases.app.title): no version is known, neither from a note nor from an answer")
            return document
        }
        document.paragraph(
            StyledText([
                Cell(releases.app.title, .strong),
                Cell(" · " + Figures.counted(releases.rows.count, "release")),
            ]))
        var table = Table(
            columns: [
                .init("version"), .init("on"), .init("known from"),
                .init("queries", .right, priority: 2, meaning: "how many the note names as gained or given up"),
                .init("note", minimum: 30, priority: 3, below: .plain),
            ], indent: 2)
        table.rows = releases.rows.map { row in
            let release = row.release
            let words = release.added.count + release.removed.count
            return .cells([
                Cell(release.version ?? "–", .strong), Cell(CivilTime.date(.startOfDay(row.day))),
                Cell(Self.source(release), .faint), Cell(words > 0 ? "\(words)" : ""), Cell(release.text),
            ])
        }
        document.table(table)
        document.legend()
        document.notes(["rankctl report release APP VERSION says what a release did"])
        return document
    }

    private static func source(_ release: AppRelease) -> String {
        switch release.source {
        case .note: "note"
        case .sighting: release.releasedAt == nil ? "first seen" : "Apple's date"
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.key("app")
        writer.object { $0.members(of: releases.app) }
        writer.key("releases")
        writer.array(releases.rows, linePerElement: true) { writer, row in
            writer.object { $0.members(of: row.release, on: row.day) }
        }
    }

    package var csv: CSVWriter {
        var writer = CSVWriter(header: [
            "bundleId", "version", "on", "at", "source", "releasedAt", "seenAt", "text", "added", "removed",
        ])
        for row in releases.rows {
            let release = row.release
            writer.record([
                .text(release.bundleID.text), .optional(release.version), .text(CivilTime.date(.startOfDay(row.day))),
                .timestamp(release.at), .text(release.source.rawValue), .optional(release.releasedAt),
                .optional(release.seenAt), .text(release.text), .text(release.added.joined(separator: "; ")),
                .text(release.removed.joined(separator: "; ")),
            ])
        }
        return writer
    }
}

extension JSONWriter {
    /// - Parameter day: in UTC, counted from 1970-01-01.
    mutating func members(of release: AppRelease, on day: Int64) {
        member("version", release.version)
        member("on", CivilTime.date(.startOfDay(day)))
        member("at", release.at)
        member("source", release.source.rawValue)
        member("releasedAt", release.releasedAt)
        member("seenAt", release.seenAt)
        member("text", release.text)
        key("added")
        array(release.added) { $0.string($1) }
        key("removed")
        array(release.removed) { $0.string($1) }
    }
}
