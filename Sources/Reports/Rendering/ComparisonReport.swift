import RankKit

/// `rankctl report compare`: queries down, my app and its competitors across.
package struct ComparisonReport: Sendable {
    package var comparison: Comparison

    package init(_ comparison: Comparison) { self.comparison = comparison }

    /// The whole report, its last line break included.
    package func render(as format: ReportFormat, style: TerminalStyle = .plain) -> String {
        switch format {
        case .table: table(style)
        case .json: json()
        case .csv: csv()
        }
    }

    // MARK: Table

    /// Columns of an app's name above its positions.
    private static let longestTitle = 16

    private func table(_ style: TerminalStyle) -> String {
        guard let app = comparison.apps.first, !comparison.rows.isEmpty else {
            return StyledText("no query fits these options").wrapped(style).map { $0 + "\n" }.joined()
        }
        var lines: [String] = []
        for block in blocks() {
            guard let first = block.first else { continue }
            lines.append(StyledText(first.query.whereAsked, .strong).line(style))
            lines += table(of: block).lines(style) + [""]
        }
        if comparison.apps.count == 1 {
            lines += StyledText(
                "the watchlist lists no competitors of \(app.title): add one with “rankctl watch add LINK --as ALIAS "
                    + "--competitor-of \(app.alias ?? app.bundleID.text)”", .faint
            ).wrapped(style)
        }
        if comparison.rows.contains(where: { $0.leader != nil }) {
            lines.append(StyledText("◆ the best of them", .faint).line(style))
        }
        if comparison.rows.contains(where: \.isOutdated) {
            lines += StyledText("○ the last good list: the newest check failed or is suspect", .faint).wrapped(style)
        }
        lines += StyledText(provenance, .faint).wrapped(style)
        return lines.map { $0 + "\n" }.joined()
    }

    /// One country and platform at a time, in order of first mention.
    private func blocks() -> [[Comparison.Row]] {
        var order: [String] = []
        var blocks: [String: [Comparison.Row]] = [:]
        for row in comparison.rows {
            let key = row.query.whereAsked
            if blocks[key] == nil { order.append(key) }
            blocks[key, default: []].append(row)
        }
        return order.compactMap { blocks[$0] }
    }

    /// The app's own column stays on a narrow terminal; competitors' drop out from the right.
    private func table(of rows: [Comparison.Row]) -> Table {
        let columns = comparison.apps.enumerated().map { index, app in
            Table.Column(
                TerminalText.fitted(Cell(app.alias ?? app.title).text, to: Self.longestTitle), .right,
                priority: index == 0 ? nil : 100 - index)
        }
        return Table(
            columns: [.init("query", minimum: 12)] + columns + [.init("age", .right, priority: 1)],
            rows: rows.map { row in
                let leader = row.leader
                let cells = row.positions.enumerated().map { index, position in
                    Self.cell(position, row, isLeader: index == leader)
                }
                let age = row.checkedAt.map { RelativeAge(of: $0, at: comparison.generatedAt).short } ?? ""
                return .cells([Cell(row.query.text)] + cells + [Cell((row.isOutdated ? "○ " : "") + age, .faint)])
            }, indent: 2)
    }

    private static func cell(_ position: Position?, _ row: Comparison.Row, isLeader: Bool) -> Cell {
        guard let within = row.within else { return Cell("–", .faint) }
        guard let position else { return Cell(">\(within)", .faint) }
        return isLeader ? Cell("◆ \(position)", .strong) : Cell(position.description)
    }

    // MARK: Data

    private func json() -> String {
        JSONWriter.document(generatedAt: comparison.generatedAt) { writer in
            writer.key("apps")
            writer.array(comparison.apps, linePerElement: true) { writer, app in
                writer.object { $0.members(of: app) }
            }
            writer.key("compare")
            writer.array(comparison.rows, linePerElement: true) { writer, row in
                writer.object { writer in
                    writer.members(of: row.query)
                    writer.member("checkedAt", row.checkedAt)
                    writer.member("within", row.within)
                    writer.member("outdated", row.isOutdated)
                    writer.member("leader", row.leader.map { comparison.apps[$0].bundleID.text })
                    writer.key("positions")
                    writer.array(zip(comparison.apps, row.positions)) { writer, place in
                        writer.object { writer in
                            writer.member("bundleId", place.0.bundleID.text)
                            writer.member("position", place.1?.number)
                        }
                    }
                }
            }
        }
    }

    private func csv() -> String {
        var writer = CSVWriter(header: [
            "query", "country", "platform", "source", "language", "checkedAt", "within", "outdated", "bundleId",
            "alias",
            "appName", "mark", "position", "leader",
        ])
        for row in comparison.rows {
            for (index, app) in comparison.apps.enumerated() {
                writer.record(
                    CSVWriter.fields(of: row.query) + [
                        .optional(row.checkedAt), .optional(row.within), .bool(row.isOutdated),
                        .text(app.bundleID.text), .optional(app.alias), .optional(app.name),
                        .optional(app.mark?.rawValue), .optional(row.positions[index]?.number),
                        .bool(row.leader == index),
                    ])
            }
        }
        return writer.text
    }
}
