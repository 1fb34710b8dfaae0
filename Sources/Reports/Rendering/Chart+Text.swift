import RankKit

extension Chart {
    /// The chart in lines of at most the style's width.
    func lines(_ style: TerminalStyle) -> [String] {
        [StyledText(title, .strong).line(style)]
            + (summary.isEmpty ? [] : StyledText(summary).wrapped(style, indent: 2))
            + body(width: style.width).map { $0.line(style) }
            + keys(width: style.width).map { $0.line(style) } + eventLines.flatMap { $0.wrapped(style, indent: 3) }
    }

    private func body(width: Int) -> [StyledText] {
        let rows = rowCount(width: width)
        if case .stack(let columns, let parts) = content {
            return StackPlot(columns, parts: parts, of: self, width: width, rows: rows)?.lines ?? nothingKnown
        }
        return LinePlot(of: self, width: width, rows: rows)?.lines ?? nothingKnown
    }

    private var nothingKnown: [StyledText] { [StyledText("  no good check in this time", .faint)] }

    /// Wide charts are higher too, within what a screen holds beside them.
    private func rowCount(width: Int) -> Int {
        switch size {
        case .full: max(6, min(16, width / 10 + 1))
        case .low: max(3, min(6, width / 20))
        }
    }
}

/// What the plots of every content have in common: labels on the left, an axis of time below, and events below that.
struct PlotFrame {
    let scale: TimeScale
    /// Columns of the labels.
    let gutter: Int
    /// Columns of the plot itself.
    let columns: Int

    /// Narrower than this nothing is legible.
    static let fewestColumns = 8
    /// Events on lines below one another; more are not marked.
    private static let mostEventLines = 3

    init(scale: TimeScale, labels: [String], width: Int) {
        self.scale = scale
        gutter = labels.map(TerminalText.width).max() ?? 0
        columns = max(Self.fewestColumns, width - gutter - 2)
    }

    func row(_ label: String?, _ cells: [Cell]) -> StyledText {
        let text = TerminalText.padded(label ?? "", to: gutter, alignment: .right)
        return StyledText([Cell(text + (label == nil ? " │" : " ┤"), .faint)] + cells)
    }

    /// The axis, its dates and the marks of the events.
    ///
    /// - Parameter gaps: columns of which nothing is known although they were asked for.
    func foot(gaps: Set<Int>, events: [NumberedEvent]) -> [StyledText] {
        let indent = String(repeating: " ", count: gutter + 1)
        let ticks = TimeTicks.ticks(scale, columns: columns)
        var axis: [Character] = (0..<columns).map { gaps.contains($0) ? Sparkline.gap : "─" }
        var dates = String(repeating: " ", count: gutter + 2)
        for (tick, start) in ticks {
            if let column = scale.column(tick.at, of: columns) { axis[column] = "┬" }
            dates += String(repeating: " ", count: max(0, gutter + 2 + start - dates.count)) + tick.label
        }
        return [StyledText(indent + "└" + String(axis), .faint), StyledText(dates, .faint)]
            + marks(of: events).map { StyledText(indent + " " + $0, .caution) }
    }

    private func marks(of events: [NumberedEvent]) -> [String] {
        var lines: [String] = []
        for event in events {
            guard let column = scale.column(event.event.at, of: columns) else { continue }
            let start = min(column, columns - event.mark.count)
            let free = lines.firstIndex { $0.isEmpty || $0.count < start }
            if free == nil, lines.count == Self.mostEventLines { continue }
            let line = free ?? lines.endIndex
            if free == nil { lines.append("") }
            lines[line] += String(repeating: " ", count: start - lines[line].count) + event.mark
        }
        return lines
    }
}

/// An event as the line below the axis and the legend call it.
struct NumberedEvent {
    let event: Chart.Event
    /// `v1` for a version, `n2` for a note, `w3` for weather.
    let mark: String
}

extension Chart {
    /// More are too many to look up.
    private static let mostEvents = 20

    /// The newest that lie in the span, oldest first.
    var numberedEvents: [NumberedEvent] {
        events.filter { span.contains($0.at) }.sorted { $0.at < $1.at }.suffix(Self.mostEvents).enumerated()
            .map { index, event in
                let letter =
                    switch event.kind {
                    case .version: "v"
                    case .note: "n"
                    case .weather: "w"
                    }
                return NumberedEvent(event: event, mark: letter + String(index + 1))
            }
    }

    /// What the glyphs or the letters mean, as many on a line as fit.
    private func keys(width: Int) -> [StyledText] {
        let entries: [[Cell]]
        switch content {
        case .positions, .values:
            let traces = traces(columns: 1)
            entries = traces.count > 1 ? traces.enumerated().map { Self.key(of: $1, at: $0) } : []
        case .stack(let columns, let parts): entries = StackPlot.keys(of: parts, in: columns)
        }
        var lines: [StyledText] = []
        for entry in entries {
            let text = StyledText(entry, yielding: 1)
            if let last = lines.last, last.width + 3 + text.width <= width {
                lines[lines.count - 1].cells += [Cell("   ")] + entry
                lines[lines.count - 1].yielding = nil
            } else {
                lines.append(text)
            }
        }
        return lines
    }

    private static func key(of trace: ChartTrace, at index: Int) -> [Cell] {
        let letter = index < LinePlot.letters.count ? String(LinePlot.letters[index]) : " "
        return [Cell(letter, trace.ink), Cell(" " + trace.name), Cell(" " + trace.latest, .faint)]
    }

    private var eventLines: [StyledText] {
        let numbered = numberedEvents
        let unmarked = events.count { span.contains($0.at) } - numbered.count
        return numbered.map { event in
            StyledText([
                Cell(event.mark, .caution), Cell(" \(CivilTime.date(event.event.at)) ", .faint),
                Cell(event.event.label),
            ])
        } + (unmarked > 0 ? [StyledText("\(Figures.counted(unmarked, "earlier event")) not marked", .faint)] : [])
    }
}

extension ChartTrace {
    /// Its name says the same without colour.
    var ink: Ink {
        switch mark {
        case .mine: .strong
        case .competitor: .caution
        case nil: .plain
        }
    }
}
