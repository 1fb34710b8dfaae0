import Judging
import RankKit

extension SVGDrawing {
    /// Finer than this no eye tells apart.
    private static let columns = 288
    /// The line of absences is so far below the places, and above the axis of time.
    private static let floorGap = 18.0
    private static let floorHeight = 5.0

    private static func y(_ depth: Double, _ axis: ChartAxis, _ bottom: Double) -> Double {
        let end = axis.floor == nil ? bottom : bottom - floorGap
        return top + 4 + axis.fraction(depth) * (end - top - 8)
    }

    /// How many letters stand beside each other to the right of the plot.
    static func letters(of chart: Chart) -> Int {
        guard let axis = ChartAxis(of: chart), case let traces = chart.traces(columns: 2), traces.count > 1 else {
            return 0
        }
        let bottom = bottom(chart.size)
        return neighbours(traces, { y($0, axis, bottom) }, bottom - floorHeight).map(\.count).max() ?? 0
    }

    mutating func drawLines(of chart: Chart) {
        guard let axis = ChartAxis(of: chart) else { return note("no good check in this time") }
        let scale = TimeScale(span: chart.span)
        let (bottom, floor) = (bottom, bottom - Self.floorHeight)
        func y(_ depth: Double) -> Double { Self.y(depth, axis, bottom) }
        for stretch in chart.weather?.stretches(in: chart.span) ?? [] { band(stretch, on: scale) }
        for tick in Self.spaced(axis, y) {
            line((Self.left, y(tick.depth)), (right, y(tick.depth)), "grid")
            text(tick.label, x: Self.left - 6, y: y(tick.depth) + 4, .end)
        }
        if let name = axis.floor {
            line((Self.left, floor), (right, floor), "grid")
            text(name, x: Self.left - 6, y: floor + 4, .end)
        }
        let traces = chart.traces(columns: Self.columns)
        if chart.rankedPlaces != nil {
            // Mine and competitors stand out, and lie over the others.
            part("ranked") { drawing in
                for trace in traces.sorted(by: { $0.layer < $1.layer }) {
                    // The name at its end may be cut; a pointer is told all of it.
                    drawing.group(trace.name) { $0.draw(trace, y, hue: "", at: floor) }
                }
                drawing.nameEnds(of: traces, y, floor)
            }
        } else {
            for (index, trace) in traces.enumerated() {
                draw(trace, y, hue: traces.count > 1 ? " " + Self.hue(index) : "", at: floor)
            }
        }
        for column in traces.unknown.sorted() {
            line((x(column) - 1, bottom + 2), (x(column) + 1, bottom + 2), "gap")
        }
        if traces.count > 1, chart.rankedPlaces == nil { name(traces, y, floor) }
        drawTime(scale, events: chart.numberedEvents)
    }

    /// The ticks of which no two labels touch, the most worth having first.
    private static func spaced(_ axis: ChartAxis, _ y: (Double) -> Double) -> [ChartAxis.Tick] {
        var shown: [ChartAxis.Tick] = []
        for tick in axis.ticks where shown.allSatisfy({ abs(y($0.depth) - y(tick.depth)) >= 22 }) { shown.append(tick) }
        return shown
    }

    /// What the page's style knows the line with that number by, from 0.
    static func hue(_ index: Int) -> String { "hue-\(Ink.Hue(of: index).rawValue)" }

    private func x(_ column: Int) -> Double { x(Double(column) / Double(Self.columns - 1)) }

    private mutating func draw(_ trace: ChartTrace, _ y: (Double) -> Double, hue: String, at floor: Double) {
        for run in trace.runs {
            var points: [(x: Double, y: Double)] = []
            for column in run {
                guard let sample = trace.samples[column] else { continue }
                for depth in [sample.first, sample.highest, sample.lowest, sample.last] {
                    let point = (x: x(column), y: y(depth))
                    if points.last.map({ $0 == point }) != true { points.append(point) }
                }
            }
            if points.count == 1 {
                dot(points[0], "dot-" + trace.className + hue)
            } else {
                path(points, "line-" + trace.className + hue)
            }
        }
        // Only what my apps do is bad news, and of several lines each has its colour.
        let name = !hue.isEmpty ? "dot-other" + hue : trace.mark == .mine ? "absent" : "dot-" + trace.className
        for column in trace.absences.sorted() {
            box(x: x(column) - 1.2, y: floor - 2, width: 2.4, height: 4, name)
        }
    }

    /// Letters to the right of the plot, at the height of each line's end; those of neighbours beside each other.
    private mutating func name(_ traces: [ChartTrace], _ y: (Double) -> Double, _ floor: Double) {
        let groups = Self.neighbours(traces, y, floor)
        let heights = spread(groups.map { group in group.map(\.y).reduce(0, +) / Double(group.count) })
        for (group, height) in zip(groups, heights) {
            let words = group.compactMap { end in
                LinePlot.letter(of: end.index).map { (text: $0, name: Self.hue(end.index)) }
            }
            text(words, x: right + 7, y: height + 4, "label")
        }
    }

    /// The name of each line to the right of the plot, at the height of its end. Names that would touch are moved apart.
    private mutating func nameEnds(of traces: [ChartTrace], _ y: (Double) -> Double, _ floor: Double) {
        let names = Self.endNames(traces.map(\.name))
        let ends = zip(traces, names).compactMap { trace, name -> (name: String, className: String, y: Double)? in
            switch trace.end {
            case .at(let depth)?: (name, trace.className, y(depth))
            case .absent?: (name, trace.className, floor)
            case .gap?, nil: nil
            }
        }.sorted { $0.y < $1.y }
        for (end, height) in zip(ends, spread(ends.map(\.y))) {
            text(end.name, x: right + 7, y: height + 4, .start, "label end-\(end.className)")
        }
    }

    /// The lines by where they end, those together that end too close for their letters to stand below each other.
    static func neighbours(
        _ traces: [ChartTrace], _ y: (Double) -> Double, _ floor: Double
    ) -> [[(index: Int, y: Double)]] {
        var ends: [(index: Int, y: Double)] = []
        for (index, trace) in traces.enumerated() where LinePlot.letter(of: index) != nil {
            switch trace.end {
            case .at(let depth)?: ends.append((index, y(depth)))
            case .absent?: ends.append((index, floor))
            case .gap?, nil: continue
            }
        }
        var groups: [[(index: Int, y: Double)]] = []
        for end in ends.sorted(by: { ($0.y, $0.index) < ($1.y, $1.index) }) {
            if let last = groups.last?.last, end.y - last.y < lineHeight {
                groups[groups.count - 1].append(end)
            } else {
                groups.append([end])
            }
        }
        return groups
    }
}

extension ChartTrace {
    /// Mine over competitors, and these over the others.
    fileprivate var layer: Int {
        switch mark {
        case nil: 0
        case .competitor: 1
        case .mine: 2
        }
    }

    /// What the page's style knows it by, after `line-` and `dot-`.
    var className: String {
        switch mark {
        case .mine: "mine"
        case .competitor: "competitor"
        case nil: "other"
        }
    }
}
