import RankKit

/// A line of a report for a program that reads words.
package struct ToolLine: Sendable, Hashable {
    package let text: String
    /// What has to stand before it if a page begins with it, such as the titles of its table's columns.
    package let above: [String]

    init(_ text: String, above: [String] = []) {
        self.text = text
        self.above = above
    }
}

extension Document {
    /// Headings as Markdown has them, rows with bars between their cells, and charts in words.
    var toolLines: [ToolLine] {
        var lines = [ToolLine("# " + SafeText.escaped(title))]
        for block in withZone.resolved(\.shownColumns) {
            switch block {
            case .heading(let text): lines += [ToolLine(""), ToolLine("## " + SafeText.escaped(text))]
            case .paragraph(let text): lines.append(ToolLine(text.toolText))
            case .list(let items): lines += items.map { ToolLine("- " + $0.toolText) }
            case .table(let table): lines += [ToolLine("")] + table.toolLines + [ToolLine("")]
            case .chart(let chart): lines += chart.toolLines
            case .notes(let notes): lines += notes.map { ToolLine($0.toolText) }
            case .legend: break
            }
        }
        lines.append(ToolLine("made at \(CivilTime.minuteInZone(generatedAt))"))
        // Of several empty lines one is left.
        return lines.enumerated().filter { index, line in
            !line.text.isEmpty || index > 0 && !lines[index - 1].text.isEmpty
        }.map(\.element)
    }
}

extension StyledText {
    /// Without what is only drawn.
    fileprivate var toolText: String {
        cells.filter { $0.graphic == nil }.map { TerminalText.closed($0.text) }.joined()
    }
}

extension Table {
    /// Its titles stand again wherever a page begins within it. A column of drawings is left out: what it shows is in
    /// the columns beside it.
    fileprivate var toolLines: [ToolLine] {
        let shown = shownColumns.filter { !isDrawing($0) }
        guard !shown.isEmpty else { return [] }
        let titles = shown.map { columns[$0].title }
        let head = titles.allSatisfy(\.isEmpty) ? [] : [Self.line(titles)]
        var group: [String] = []
        var lines = head.map { ToolLine($0) }
        for row in rows {
            switch row {
            case .blank: group = []
            case .heading(let text):
                group = ["[\(text.toolText.trimmed)]"]
                lines.append(ToolLine(group[0], above: head))
            case .cells(let cells):
                let text = Self.line(shown.map { cells[$0].graphic == nil ? TerminalText.closed(cells[$0].text) : "" })
                lines.append(ToolLine(text, above: head + group))
            }
        }
        return lines
    }

    private func isDrawing(_ column: Int) -> Bool {
        var isDrawn = false
        for case .cells(let cells) in rows where !cells[column].text.isEmpty {
            guard cells[column].graphic != nil else { return false }
            isDrawn = true
        }
        return isDrawn
    }

    /// A bar in a cell would look like the end of the cell.
    private static func line(_ cells: [String]) -> String {
        cells.map { $0.trimmed.replacing("|", with: "¦") }.joined(separator: " | ")
    }
}

extension Chart {
    /// Lines that are told of.
    private static let mostLines = 12
    /// Moments that are told of each line.
    private var mostPoints: Int { size == .full ? 16 : 8 }

    /// What it shows, in words: each line at a few moments, the last reading of each stretch of time.
    fileprivate var toolLines: [ToolLine] {
        var lines = [heading ?? title, caption ?? summary].filter { !$0.isEmpty }.map { ToolLine(SafeText.escaped($0)) }
        let above = lines.first.map { [$0.text] } ?? []
        switch content {
        case .positions(let known):
            lines += told(
                known.map { line in
                    (line.name, line.points.compactMap { point in point.place.words.map { (point.at, $0) } })
                }, above)
        case .values(let known, _):
            lines += told(
                known.map { line in
                    (
                        line.name,
                        line.points.compactMap { point in
                            point.value.flatMap { $0.isFinite ? (point.at, figure($0)) : nil }
                        }
                    )
                }, above)
        case .stack: lines += keys.map { ToolLine("- \(SafeText.escaped($0.name)): \($0.figure)", above: above) }
        }
        if let weather, !weather.legend.isEmpty { lines.append(ToolLine(SafeText.escaped(weather.legend))) }
        guard tellsEvents else { return lines }
        lines += numberedEvents.map { event in
            ToolLine("- \(CivilTime.reportDate(event.event.at)): \(SafeText.escaped(event.event.label))", above: above)
        }
        return lines + (unmarked.map { [ToolLine($0)] } ?? [])
    }

    private func told(_ lines: [(name: String, points: [(at: Timestamp, words: String)])], _ above: [String])
        -> [ToolLine]
    {
        let left = lines.count - Self.mostLines
        return lines.prefix(Self.mostLines).map { line in
            let points = last(of: line.points).map { "\(CivilTime.reportDate($0.at)) \($0.words)" }
            let name = SafeText.escaped(line.name)
            return ToolLine(
                "- \(name): \(points.isEmpty ? "not known" : points.joined(separator: ", "))", above: above)
        } + (left > 0 ? [ToolLine("and \(Figures.counted(left, "more line")) of the chart")] : [])
    }

    /// The last point of each of a few stretches of the time that is shown.
    private func last(of points: [(at: Timestamp, words: String)]) -> [(at: Timestamp, words: String)] {
        let scale = TimeScale(span: span)
        var kept: [(column: Int, point: (at: Timestamp, words: String))] = []
        for point in points {
            guard let column = scale.column(point.at, of: mostPoints) else { continue }
            if kept.last?.column == column { kept.removeLast() }
            kept.append((column, point))
        }
        return kept.map(\.point)
    }

    private func figure(_ value: Double) -> String {
        Figures.decimal(value, places: value.magnitude < 100 ? 1 : 0) + unit
    }
}

extension Chart.PositionLine.Place {
    /// `nil` for what nobody knows.
    fileprivate var words: String? {
        switch self {
        case .ranked(let position): position.description
        case .absent(let within): ">\(within)"
        case .gap: nil
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { $0 != " " }), let last = lastIndex(where: { $0 != " " }) else {
            return ""
        }
        return String(self[first...last])
    }
}
