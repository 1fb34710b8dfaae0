import Judging
package import RankKit

/// `rankctl report results`: the list at a moment, and what changed since another.
package struct ResultsReport: ReportView {
    package var results: Results

    package init(_ results: Results) { self.results = results }

    package var generatedAt: Timestamp { results.generatedAt }

    package func write(to writer: inout JSONWriter) {
        writer.members(of: results.query)
        writer.member("checkedAt", results.checkedAt)
        writer.member("within", results.within)
        writer.member("comparedWith", results.earlier) { writer, earlier in
            writer.member("checkedAt", earlier.checkedAt)
            writer.member("within", earlier.within)
        }
        writer.key("results")
        writer.array(results.rows, linePerElement: true) { writer, row in
            writer.object { writer in
                writer.member("position", row.position?.number)
                writer.member("readable", row.app != nil)
                writer.member("bundleId", row.app?.bundleID.text)
                writer.member("alias", row.app?.alias)
                writer.member("appId", row.app?.appID?.number)
                writer.member("appName", row.app?.name)
                writer.member("developer", row.app?.developer)
                writer.member("mark", row.app?.mark?.rawValue)
                writer.member("was", row.was?.number)
                writer.member("change", row.change)
            }
        }
    }

    package var csv: CSVWriter {
        var writer = CSVWriter(header: [
            "query", "country", "platform", "source", "language", "checkedAt", "position", "readable", "bundleId",
            "alias", "appId", "appName", "developer", "mark", "comparedWith", "was", "change",
        ])
        for row in results.rows {
            writer.record(
                CSVWriter.fields(of: results.query) + [
                    .timestamp(results.checkedAt), .optional(row.position?.number), .bool(row.app != nil),
                    .optional(row.app?.bundleID.text), .optional(row.app?.alias),
                    row.app?.appID.map { .integer($0.number) } ?? .empty, .optional(row.app?.name),
                    .optional(row.app?.developer), .optional(row.app?.mark?.rawValue),
                    .optional(results.earlier?.checkedAt), .optional(row.was?.number), .change(row.change),
                ])
        }
        return writer
    }
}
