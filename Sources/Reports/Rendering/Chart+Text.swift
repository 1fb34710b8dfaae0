import RankKit

extension Chart {
    /// The chart in lines of at most the style's width.
    func lines(_ style: TerminalStyle) -> [String] {
        [heading ?? title].filter { !$0.isEmpty }.map { StyledText($0, .strong).line(style) }
            + [caption ?? summary].filter { !$0.isEmpty }.flatMap { StyledText($0).wrapped(style, indent: 2) }
            + body(width: style.width).map { $0.line(style) }
            + keyLines(width: style.width).map { $0.line(style) }
            + weatherLines.flatMap { $0.wrapped(style, indent: 2) }
            + (tellsEvents ? eventLines.flatMap { $0.wrapped(style, indent: 3) } : [])
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
        case .full, .high: max(6, min(16, width / 10 + 1))
        case .low: max(3, min(6, width / 20))
        }
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

    /// What a line's letter or a part's place in the stack stands for.
    struct Key {
        /// Of the line or part, from 0.
        let index: Int
        let name: String
        /// Its newest figure, and for a part the oldest as well.
        let figure: String
        /// Whether it is the part that is not known.
        var isUnknown = false
    }

    /// Of lines where there are several; of parts that are not always 0.
    var keys: [Key] {
        switch content {
        case .positions, .values:
            let traces = traces(columns: 1)
            guard traces.count > 1 else { return [] }
            return traces.enumerated().map { Key(index: $0, name: $1.name, figure: $1.latest) }
        case .stack(let columns, let parts):
            let known = columns.filter { $0.whole > 0 }
            guard let first = known.first, let last = known.last else { return [] }
            return parts.enumerated().filter { part, _ in known.contains { $0.count(of: part) > 0 } }.map {
                index, part in
                let (then, now) = (first.count(of: index), last.count(of: index))
                let counted = unit.isEmpty ? Figures.grouped(now) : Figures.counted(now, unit)
                return Key(
                    index: index, name: part.name,
                    figure: then == now ? counted : "\(Figures.grouped(then)) → \(counted)",
                    isUnknown: part.isUnknown)
            }
        }
    }

    /// What the glyphs or the letters mean, as many on a line as fit.
    private func keyLines(width: Int) -> [StyledText] {
        var lines: [StyledText] = []
        for entry in keys.map(cells) {
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

    private func cells(of key: Key) -> [Cell] {
        let sign: Cell =
            if case .stack = content {
                Cell(String(StackPlot.glyph(of: key.index, isUnknown: key.isUnknown)), .strong)
            } else {
                Cell(LinePlot.letter(of: key.index) ?? " ", .line(.init(of: key.index)))
            }
        return [sign, Cell(" \(key.name): "), Cell(key.figure, .faint)]
    }

    private var weatherLines: [StyledText] {
        guard let weather, !weather.legend.isEmpty else { return [] }
        return [StyledText([Cell("\(Weather.mark) ", .caution), Cell(weather.legend)])]
    }

    private var eventLines: [StyledText] {
        numberedEvents.map { event in
            StyledText([
                Cell(event.mark, .caution), Cell(" \(CivilTime.reportDate(event.event.at)) ", .faint),
                Cell(event.event.label),
            ])
        } + (unmarked.map { [StyledText($0, .faint)] } ?? [])
    }

    /// That there are more events than marks.
    var unmarked: String? {
        let count = events.count { span.contains($0.at) } - numberedEvents.count
        return count > 0 ? "\(Figures.counted(count, "earlier event")) not marked" : nil
    }
}
