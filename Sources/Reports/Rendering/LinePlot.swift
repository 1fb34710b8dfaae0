import Judging
import RankKit

/// Lines of positions or values in characters: dots joined to lines, and letters at their ends where there are several.
struct LinePlot {
    private let frame: PlotFrame
    private let axis: ChartAxis
    private let traces: [ChartTrace]
    private let events: [NumberedEvent]
    private let weather: [ClosedRange<Timestamp>]
    private let labels: [Int: String]
    /// Rows above the line of absences; none where nothing was ever in a list.
    private let rows: Int

    private static let letters = Array("abcdefghijklmnopqrstuvwxyz")
    /// A line that ends further from the right edge, in columns, has its letter there rather than at the edge.
    private static let edge = 3
    /// Samples of a stretch that has a letter of its own.
    private static let shortestNamed = 4

    /// What a line is called by, from 0; those beyond have none.
    static func letter(of line: Int) -> String? { letters.indices.contains(line) ? String(letters[line]) : nil }

    /// `nil` if nothing is known.
    init?(of chart: Chart, width: Int, rows: Int) {
        guard let axis = ChartAxis(of: chart) else { return nil }
        self.axis = axis
        self.rows = axis.ticks.isEmpty ? 0 : rows
        labels = axis.ticks.isEmpty ? [:] : axis.labels(rows: rows)
        let titles = labels.values + [axis.floor].compactMap(\.self)
        let scale = TimeScale(span: chart.span)
        // How many letters stand beside each other depends on the rows alone.
        let widest = Self.ends(of: chart.traces(columns: 2), axis, rows: self.rows).values.map(\.count).max() ?? 0
        frame = PlotFrame(scale: scale, labels: titles, width: width, margin: widest > 0 ? widest + 1 : 0)
        traces = chart.traces(columns: frame.columns * 2)
        events = chart.numberedEvents
        weather = chart.weather?.stretches(in: chart.span) ?? []
    }

    var lines: [StyledText] {
        var canvas = DotCanvas(columns: frame.columns, rows: rows)
        for (index, trace) in traces.enumerated() { draw(trace, ink(of: index), on: &canvas) }
        if traces.count > 1 { for index in traces.indices { nameStretches(of: index, on: &canvas) } }
        var atEdge = Self.ends(of: traces, axis, rows: rows)
        for (row, indices) in atEdge {
            atEdge[row] = indices.filter { !endsEarly($0, in: row, on: &canvas) }
        }
        for event in events where event.event.kind == .version { draw(event, on: &canvas) }
        func line(_ label: String?, _ cells: [Cell], _ row: Int) -> StyledText {
            frame.row(label, cells + names(atEdge[row] ?? [], after: cells))
        }
        var lines = (0..<rows).map { line(labels[$0], canvas.row($0), $0) }
        if let floor = axis.floor { lines.append(line(floor, floorRow, rows)) }
        return lines + frame.foot(gaps: gaps, events: events, weather: weather)
    }

    // MARK: Names

    /// The lines by the row that each ends in, the best first; that of absences is the one below the others.
    private static func ends(of traces: [ChartTrace], _ axis: ChartAxis, rows: Int) -> [Int: [Int]] {
        guard traces.count > 1 else { return [:] }
        var ends: [Int: [(index: Int, depth: Double)]] = [:]
        for (index, trace) in traces.enumerated() where letter(of: index) != nil {
            switch trace.end {
            case .at(let depth)?: ends[axis.row(depth, of: rows), default: []].append((index, depth))
            case .absent?: ends[rows, default: []].append((index, 0))
            case .gap?, nil: continue
            }
        }
        return ends.mapValues { $0.sorted { ($0.depth, $0.index) < ($1.depth, $1.index) }.map(\.index) }
    }

    /// Puts a line's letter behind each stretch of it that ends before the right edge, where there is room.
    private func nameStretches(of index: Int, on canvas: inout DotCanvas) {
        guard let letter = Self.letter(of: index)?.first else { return }
        for run in traces[index].runs where run.count >= Self.shortestNamed {
            guard let last = run.last, let sample = traces[index].samples[last] else { continue }
            let (column, row) = (last / 2 + 1, y(sample.last) / 4)
            guard column + Self.edge < frame.columns, canvas.isEmpty(column: column, row: row) else { continue }
            canvas.put(letter, column: column, row: row, ink(of: index))
        }
    }

    /// Whether a line has its letter behind its end already, which is far from the right edge.
    private func endsEarly(_ index: Int, in row: Int, on canvas: inout DotCanvas) -> Bool {
        guard row < rows, let last = traces[index].runs.last?.last, last / 2 + 1 < frame.columns else { return false }
        return canvas.glyph(column: last / 2 + 1, row: row) == Self.letter(of: index)?.first
    }

    /// Letters to the right of the plot.
    private func names(_ indices: [Int], after cells: [Cell]) -> [Cell] {
        guard !indices.isEmpty else { return [] }
        let used = cells.reduce(0) { $0 + $1.width }
        return [Cell(String(repeating: " ", count: frame.columns + 1 - used))]
            + indices.map { Cell(Self.letter(of: $0) ?? "", ink(of: $0)) }
    }

    private func ink(of index: Int) -> Ink {
        guard traces.count == 1 else { return .line(.init(of: index)) }
        return switch traces[index].mark {
        case .mine: .line(.blue)
        case .competitor: .line(.orange)
        case nil: .plain
        }
    }

    // MARK: Lines

    private func draw(_ trace: ChartTrace, _ ink: Ink, on canvas: inout DotCanvas) {
        for run in trace.runs {
            var before: (x: Int, y: Int)?
            var isOneDot = true
            for column in run {
                guard let sample = trace.samples[column] else { continue }
                for depth in [sample.first, sample.highest, sample.lowest, sample.last] {
                    let point = (x: column, y: y(depth))
                    canvas.line(from: before ?? point, to: point, ink)
                    if let before, before != point { isOneDot = false }
                    before = point
                }
            }
            if isOneDot, let only = before, traces.count == 1 {
                // A single dot is too small to be seen.
                canvas.put("•", column: only.x / 2, row: only.y / 4, ink)
            }
        }
    }

    /// In dots from the top.
    private func y(_ depth: Double) -> Int { axis.dot(depth, rows: rows) }

    private func draw(_ event: NumberedEvent, on canvas: inout DotCanvas) {
        guard let column = frame.column(event.event.at) else { return }
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
            let letter = traces.count > 1 ? Self.letter(of: index)?.first : nil
            canvas.put(letter ?? Sparkline.absent, column: column, row: 0, ink(of: index))
        }
        return canvas.row(0)
    }

    /// Columns in which some line is unknown although it was asked for, and no line is known.
    private var gaps: Set<Int> {
        let unknown = traces.unknown
        return Set((0..<frame.columns).filter { unknown.contains($0 * 2) || unknown.contains($0 * 2 + 1) })
            .subtracting(traces.flatMap { trace in trace.covered.map { $0 / 2 } })
    }
}
