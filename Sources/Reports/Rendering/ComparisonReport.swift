package import History
import Judging
package import RankKit

/// `rankctl report compare`: queries down, my app and its competitors across.
package struct ComparisonReport: ReportView {
    package var comparison: Comparison

    package init(_ comparison: Comparison) { self.comparison = comparison }

    package var generatedAt: Timestamp { comparison.generatedAt }
    package var damaged: [DamagedLists] { comparison.damaged }

    // MARK: Table

    /// Columns of an app's name above its positions.
    private static let longestTitle = 16

    package var document: Document {
        var document = Document(title: "Comparison", generatedAt: generatedAt)
        guard let app = comparison.apps.first, !comparison.rows.isEmpty else {
            document.paragraph(NoSuchPair.report)
            return document
        }
        document.title = "\(app.title) and its competitors"
        document.table(table)
        document.damaged(damaged)
        var notes: [String] = []
        if comparison.apps.count == 1 {
            notes.append(
                "the watchlist lists no competitors of \(app.title): add one with “rankctl watch add LINK --as ALIAS "
                    + "--competitor-of \(app.alias ?? app.bundleID.text)”")
        }
        if comparison.rows.contains(where: { $0.leader != nil }) { notes.append("◆ the best of them") }
        if comparison.rows.contains(where: \.isOutdated) {
            notes.append("○ the last good list: the newest check failed or is suspect")
        }
        document.notes(notes)
        document.legend()
        document.notes([provenance])
        return document
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
    private var table: Table {
        let columns = comparison.apps.enumerated().flatMap { index, app in
            let title = TerminalText.fitted(Cell(app.alias ?? app.title).text, to: Self.longestTitle)
            let place = Table.Column(title, .right, priority: index == 0 ? nil : 100 - index)
            // A competitor's change goes before any of the places does.
            guard let since = comparison.since else { return [place] }
            let meaning = "the change since \(CivilTime.minute(since)) UTC"
            return [place, .init("±", .right, priority: 50 - index, meaning: meaning)]
        }
        var table = Table(
            columns: [.init("query", minimum: 12, comfort: 24)] + columns + [.init("age", .right, priority: 1)],
            indent: 2)
        for block in blocks() {
            guard let first = block.first else { continue }
            if !table.rows.isEmpty { table.rows.append(.blank) }
            table.rows.append(.heading(StyledText(first.query.whereAsked, .strong)))
            table.rows += block.map { .cells(cells(of: $0)) }
        }
        return table
    }

    private func cells(of row: Comparison.Row) -> [Cell] {
        let leader = row.leader
        let places = row.positions.enumerated().flatMap { index, position in
            let place = Self.cell(position, row, isLeader: index == leader)
            guard comparison.since != nil else { return [place] }
            let change = row.changes.isEmpty ? nil : row.changes[index]
            return [place, .move(change, of: comparison.apps[index].mark)]
        }
        let age = row.checkedAt.map { RelativeAge(of: $0, at: comparison.generatedAt).short } ?? ""
        return [Cell(row.query.text)] + places + [Cell((row.isOutdated ? "○ " : "") + age, .faint)]
    }

    private static func cell(_ position: Position?, _ row: Comparison.Row, isLeader: Bool) -> Cell {
        guard let within = row.within else { return Cell("–", .faint) }
        guard let position else { return Cell(">\(within)", .faint) }
        return isLeader ? Cell("◆ \(position)", .strong) : Cell(position.description)
    }

    // MARK: Data

    package func write(to writer: inout JSONWriter) {
        writer.key("apps")
        writer.array(comparison.apps, linePerElement: true) { writer, app in
            writer.object { $0.members(of: app) }
        }
        writer.damagedLists(damaged)
        writer.key("compare")
        writer.array(comparison.rows, linePerElement: true) { writer, row in
            writer.object { writer in
                writer.members(of: row.query)
                writer.member("checkedAt", row.checkedAt)
                writer.member("within", row.within)
                writer.member("outdated", row.isOutdated)
                writer.member("leader", row.leader.map { comparison.apps[$0].bundleID.text })
                writer.key("positions")
                writer.array(row.places(of: comparison.apps)) { writer, place in
                    writer.object { writer in
                        writer.member("bundleId", place.0.bundleID.text)
                        writer.member("position", place.1?.number)
                        writer.member("change", place.2)
                    }
                }
            }
        }
    }

    package var csv: CSVWriter {
        var writer = CSVWriter(header: [
            "query", "country", "platform", "source", "language", "checkedAt", "within", "outdated", "bundleId",
            "alias",
            "appName", "mark", "position", "leader", "change",
        ])
        for row in comparison.rows {
            for (index, app) in comparison.apps.enumerated() {
                writer.record(
                    CSVWriter.fields(of: row.query) + [
                        .optional(row.checkedAt), .optional(row.within), .bool(row.isOutdated),
                        .text(app.bundleID.text), .optional(app.alias), .optional(app.name),
                        .optional(app.mark?.rawValue), .optional(row.positions[index]?.number),
                        .bool(row.leader == index), .change(row.changes.isEmpty ? nil : row.changes[index]),
                    ])
            }
        }
        return writer
    }
}

extension Comparison.Row {
    /// Each app with its place and what became of it.
    fileprivate func places(of apps: [ReportedApp]) -> [(ReportedApp, Position?, Standings.Change?)] {
        apps.indices.map { (apps[$0], positions[$0], changes.isEmpty ? nil : changes[$0]) }
    }
}
