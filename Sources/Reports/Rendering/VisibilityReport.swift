import Judging
package import RankKit

/// `rankctl report visibility`: how visible apps are on the user's queries.
package struct VisibilityReport: ReportView {
    package var history: VisibilityHistory

    package init(_ history: VisibilityHistory) { self.history = history }

    package var generatedAt: Timestamp { history.generatedAt }

    package func write(to writer: inout JSONWriter) {
        writer.member("day", CivilTime.date(.startOfDay(history.days.upperBound)))
        writer.member("since", CivilTime.date(.startOfDay(history.days.lowerBound)))
        writer.member("leastCoverage", VisibilityHistory.leastCoverage)
        writer.key("visibility")
        writer.array(history.rows.flatMap { row in row.series.map { (row, $0) } }, linePerElement: true) {
            writer, element in
            let (row, series) = element
            writer.object { writer in
                writer.member("queriesOf", row.series.first?.app.bundleID.text)
                writer.member("country", row.country.code)
                writer.member("platform", row.platform.rawValue)
                writer.members(of: series.app)
                writer.member("queries", row.queries)
                writer.member("weighted", row.isWeighted)
                writer.members(of: series.now)
                writer.key("change")
                writer.object { writer in
                    writer.member("7d", series.change7d?.points)
                    writer.member("30d", series.change30d?.points)
                }
                writer.key("days")
                writer.array(zip(history.days, series.points)) { writer, element in
                    writer.object { writer in
                        writer.member("day", CivilTime.date(.startOfDay(element.0)))
                        writer.members(of: element.1)
                    }
                }
            }
        }
    }

    /// A row an app, country, platform and day.
    package var csv: CSVWriter {
        var writer = CSVWriter(header: [
            "day", "queriesOf", "country", "platform", "bundleId", "alias", "appId", "appName", "mark", "queries",
            "weighted", "score", "coverage", "counted",
        ])
        for row in history.rows {
            for series in row.series {
                for (day, point) in zip(history.days, series.points) {
                    writer.record([
                        .text(CivilTime.date(.startOfDay(day))), .optional(row.series.first?.app.bundleID.text),
                        .text(row.country.code), .text(row.platform.rawValue), .text(series.app.bundleID.text),
                        .optional(series.app.alias), series.app.appID.map { .integer($0.number) } ?? .empty,
                        .optional(series.app.name), .optional(series.app.mark?.rawValue),
                        .integer(Int64(row.queries)), .bool(row.isWeighted), point.score.map { .number($0) } ?? .empty,
                        .number(point.coverage), .integer(Int64(point.counted)),
                    ])
                }
            }
        }
        return writer
    }
}

extension JSONWriter {
    fileprivate mutating func members(of point: VisibilityHistory.Point) {
        member("score", point.score)
        member("coverage", point.coverage)
        member("counted", point.counted)
    }
}
