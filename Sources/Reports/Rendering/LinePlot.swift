import RankKit

/// Lines of positions or values in characters: dots joined to lines, and letters on them where there are several.
struct LinePlot {
    private let frame: PlotFrame
    private let axis: ChartAxis
    private let traces: [ChartTrace]
    private let events: [NumberedEvent]
    private let labels: [Int: String]
    /// Rows above the line of absences; none where nothing was ever in a list.
    private let rows: Int

    /// What lines are called by; those beyond have none.
    static let letters = Array("abcdefghijklmnopqrstuvwxyz")
    /// Between two letters of the same line, in columns.
    private static let letterStep = 24

    /// `nil` where nothing is known.
    init?(of chart: Chart, width: Int, rows: Int) {
        guard let axis = ChartAxis(of: chart) else { return nil }
        self.axis = axis
        self.rows = axis.ticks.isEmpty ? 0 : rows
        labels = axis.ticks.isEmpty ? [:] : axis.labels(rows: rows)
        frame = PlotFrame(
            scale: TimeScale(span: chart.span), labels: labels.values + [axis.floor].compactMap(\.self), width: width)
        traces = chart.traces(columns: frame.columns * 2)
        events = chart.numberedEvents
    }

    var lines: [StyledText] {
        var canvas = DotCanvas(columns: frame.columns, rows: rows)
        let paths = traces.map { draw($0, on: &canvas) }
        for (index, path) in paths.enumerated() { mark(path, of: index, on: &canvas) }
        for event in events where event.event.kind == .version { draw(event, on: &canvas) }
        var lines = (0..<rows).map { frame.row(labels[$0], canvas.row($0)) }
        if let floor = axis.floor { lines.append(frame.row(floor, floorRow)) }
        return lines + frame.foot(gaps: gaps, events: events)
    }

    private typealias Dot = (x: Int, y: Int)

    /// - Returns: for each stretch of the line, where it runs.
    private func draw(_ trace: ChartTrace, on canvas: inout DotCanvas) -> [[Dot]] {
        trace.runs.map { run in
            var path: [Dot] = []
            for column in run {
                guard let sample = trace.samples[column] else { continue }
                let ends = [sample.first, sample.highest, sample.lowest, sample.last].map { (x: column, y: y($0)) }
                for (start, end) in zip(path.suffix(1) + ends, ends) {
                    canvas.line(from: start, to: end, trace.ink)
                    path += Self.between(start, end)
                }
                if path.isEmpty || ends.count == 1 { path += ends }
            }
            if let only = path.first, path.allSatisfy({ $0 == only }), traces.count == 1 {
                // A single dot is too small to be seen.
                canvas.put("•", column: only.x / 2, row: only.y / 4, trace.ink)
            }
            return path
        }
    }

    private static func between(_ start: Dot, _ end: Dot) -> [Dot] {
        let width = end.x - start.x
        guard width > 0 else { return [end] }
        return (1...width).map { step in
            (start.x + step, start.y + Int((Double((end.y - start.y) * step) / Double(width)).rounded()))
        }
    }

    private func y(_ depth: Double) -> Int { Int((axis.fraction(depth) * Double(rows * 4 - 1)).rounded()) }

    /// Letters at distances along the line, and one at least on each stretch of it.
    private func mark(_ path: [[Dot]], of index: Int, on canvas: inout DotCanvas) {
        guard traces.count > 1, index < Self.letters.count else { return }
        let offset = index * Self.letterStep / max(1, min(traces.count, Self.letters.count))
        for run in path {
            var marked = false
            var seen = -1
            for dot in run where dot.x / 2 != seen {
                seen = dot.x / 2
                if seen % Self.letterStep == offset { marked = put(index, at: dot, on: &canvas) || marked }
            }
            if !marked {
                // The middle, else wherever no other line's letter stands.
                let middle = run.count / 2
                let order = run[middle...] + run[..<middle]
                for dot in order where put(index, at: dot, on: &canvas) { break }
            }
        }
    }

    private func put(_ index: Int, at dot: Dot, on canvas: inout DotCanvas) -> Bool {
        let (column, row) = (dot.x / 2, dot.y / 4)
        guard !canvas.hasGlyph(column: column, row: row) else { return false }
        canvas.put(Self.letters[index], column: column, row: row, traces[index].ink)
        return true
    }

    private func draw(_ event: NumberedEvent, on canvas: inout DotCanvas) {
        guard let column = frame.scale.column(event.event.at, of: frame.columns) else { return }
        for row in 0..<rows where canvas.isEmpty(column: column, row: row) {
            canvas.put("┊", column: column, row: row, .faint)
        }
    }

    /// Where each line was absent; lines that were so at once take turns.
    private var floorRow: [Cell] {
        var canvas = DotCanvas(columns: frame.columns, rows: 1)
        for column in 0..<frame.columns {
            let absent = traces.indices.filter { index in
                (column * 2...column * 2 + 1).contains { traces[index].absences.contains($0) }
            }
            guard !absent.isEmpty else { continue }
            let index = absent[column % absent.count]
            let glyph = traces.count > 1 && index < Self.letters.count ? Self.letters[index] : Sparkline.absent
            canvas.put(glyph, column: column, row: 0, traces[index].ink)
        }
        return canvas.row(0)
    }

    /// Columns in which some line is unknown although it was asked for, and no line is known.
    private var gaps: Set<Int> {
        Set(
            (0..<frame.columns).filter { column in
                let halves = column * 2...column * 2 + 1
                return halves.contains { half in traces.contains { $0.gaps.contains(half) } }
                    && !halves.contains { half in
                        traces.contains { trace in
                            trace.absences.contains(half) || trace.samples[half]?.isDrawn ?? false
                        }
                    }
            })
    }
}
