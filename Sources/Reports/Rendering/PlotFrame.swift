import RankKit

/// What the plots of every content have in common: labels on the left, an axis of time below, and events below that.
struct PlotFrame {
    /// Columns of the labels.
    let gutter: Int
    /// Columns of the plot itself.
    let columns: Int
    private let scale: TimeScale
    /// The column of a moment; `nil` outside.
    private let place: (Timestamp) -> Int?

    /// Narrower than this nothing is legible.
    static let fewestColumns = 8
    /// Events on lines below one another; more are not marked.
    private static let mostEventLines = 3

    /// - Parameters:
    ///   - width: of the whole, in columns.
    ///   - margin: columns to the right of the plot.
    init(scale: TimeScale, labels: [String], width: Int, margin: Int = 0) {
        let columns = max(Self.fewestColumns, width - Self.gutter(labels) - 2 - margin)
        self.init(scale: scale, labels: labels, columns: columns) { scale.column($0, of: columns) }
    }

    init(scale: TimeScale, labels: [String], columns: Int, place: @escaping (Timestamp) -> Int?) {
        gutter = Self.gutter(labels)
        self.columns = columns
        self.scale = scale
        self.place = place
    }

    static func gutter(_ labels: [String]) -> Int { labels.map(TerminalText.width).max() ?? 0 }

    func column(_ moment: Timestamp) -> Int? { place(moment) }

    func row(_ label: String?, _ cells: [Cell]) -> StyledText {
        let text = TerminalText.padded(label ?? "", to: gutter, alignment: .right)
        return StyledText([Cell(text + (label == nil ? " │" : " ┤"), .faint)] + cells)
    }

    /// The axis, its dates, the days of weather and the marks of the events.
    ///
    /// - Parameters:
    ///   - gaps: columns of which nothing is known although they were asked for.
    ///   - weather: stretches within the plot's span.
    func foot(
        gaps: Set<Int>, events: [NumberedEvent], weather: [ClosedRange<Timestamp>] = []
    ) -> [StyledText] {
        let indent = String(repeating: " ", count: gutter + 1)
        let ticks = TimeTicks.ticks(scale, columns: columns, place: place)
        var axis: [Character] = (0..<columns).map { gaps.contains($0) ? Sparkline.gap : "─" }
        var dates = String(repeating: " ", count: gutter + 2)
        for (tick, start) in ticks {
            if let column = place(tick.at) { axis[column] = "┬" }
            dates += String(repeating: " ", count: max(0, gutter + 2 + start - dates.count)) + tick.label
        }
        return [StyledText(indent + "└" + String(axis), .faint), StyledText(dates, .faint)]
            + marks(of: weather).map { StyledText(indent + " " + $0, .caution) }
            + marks(of: events).map { StyledText(indent + " " + $0, .caution) }
    }

    /// One line, where there is any.
    private func marks(of weather: [ClosedRange<Timestamp>]) -> [String] {
        var marked: Set<Int> = []
        for stretch in weather {
            guard let first = place(stretch.lowerBound), let last = place(stretch.upperBound) else { continue }
            marked.formUnion(first...max(first, last))
        }
        guard let end = marked.max() else { return [] }
        return [String((0...end).map { marked.contains($0) ? Chart.Weather.mark : " " })]
    }

    private func marks(of events: [NumberedEvent]) -> [String] {
        var lines: [String] = []
        for event in events {
            guard let column = place(event.event.at) else { continue }
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
