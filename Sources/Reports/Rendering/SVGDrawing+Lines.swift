import RankKit

extension SVGDrawing {
    /// Finer than this no eye tells apart.
    private static let columns = 288
    /// The line of absences is so far below the places.
    private static let floorGap = 16.0

    mutating func drawLines(of chart: Chart) {
        guard let axis = ChartAxis(of: chart) else { return note("no good check in this time") }
        let scale = TimeScale(span: chart.span)
        let end = axis.floor == nil ? Self.bottom : Self.bottom - Self.floorGap
        func y(_ depth: Double) -> Double { Self.top + 4 + axis.fraction(depth) * (end - Self.top - 8) }
        for tick in Self.spaced(axis, y) {
            line((Self.left, y(tick.depth)), (Self.right, y(tick.depth)), "grid")
            text(tick.label, x: Self.left - 6, y: y(tick.depth) + 4, .end)
        }
        if let floor = axis.floor {
            line((Self.left, Self.bottom - 5), (Self.right, Self.bottom - 5), "grid")
            text(floor, x: Self.left - 6, y: Self.bottom - 1, .end)
        }
        let traces = chart.traces(columns: Self.columns)
        for (index, trace) in traces.enumerated() {
            draw(
                trace, y, hue: Self.hue(index, of: traces), letter: traces.count > 1 ? Self.letter(index) : nil,
                share: Double(index) / Double(traces.count))
        }
        for column in traces.reduce(into: Set<Int>(), { $0.formUnion($1.gaps) }).sorted()
        where !traces.contains(where: { $0.absences.contains(column) || $0.samples[column]?.isDrawn ?? false }) {
            line((Self.x(column) - 1, Self.bottom + 2), (Self.x(column) + 1, Self.bottom + 2), "gap")
        }
        drawTime(scale, events: chart.numberedEvents, at: Self.bottom)
        guard traces.count > 1 else { return }
        for (index, trace) in traces.enumerated() {
            key([Self.letter(index), trace.name, trace.latest].joined(separator: " ")) { drawing, y in
                drawing.line(
                    (Self.left, y), (Self.left + 24, y), "line-" + trace.className + Self.hue(index, of: traces))
            }
        }
    }

    /// The ticks of which no two labels touch, the most worth having first.
    private static func spaced(_ axis: ChartAxis, _ y: (Double) -> Double) -> [ChartAxis.Tick] {
        var shown: [ChartAxis.Tick] = []
        for tick in axis.ticks where shown.allSatisfy({ abs(y($0.depth) - y(tick.depth)) >= 22 }) { shown.append(tick) }
        return shown
    }

    /// How many colours the page's style has for lines of the same kind.
    private static let hues = 6

    /// Lines that do not differ by whose they are have a colour each.
    private static func hue(_ index: Int, of traces: [ChartTrace]) -> String {
        traces.count > 1 && Set(traces.map(\.mark)).count == 1 ? " hue-\(index % hues)" : ""
    }

    private static func letter(_ index: Int) -> String {
        index < LinePlot.letters.count ? String(LinePlot.letters[index]) : ""
    }

    private static func x(_ column: Int) -> Double { x(Double(column) / Double(columns - 1)) }

    private mutating func draw(
        _ trace: ChartTrace, _ y: (Double) -> Double, hue: String, letter: String?, share: Double
    ) {
        for run in trace.runs {
            var points: [(x: Double, y: Double)] = []
            for column in run {
                guard let sample = trace.samples[column] else { continue }
                for depth in [sample.first, sample.highest, sample.lowest, sample.last] {
                    let point = (x: Self.x(column), y: y(depth))
                    if points.last.map({ $0 == point }) != true { points.append(point) }
                }
            }
            if points.count == 1 {
                dot(points[0], "dot-" + trace.className + hue)
            } else {
                path(points, "line-" + trace.className + hue)
            }
            if let letter, !letter.isEmpty, !points.isEmpty {
                let point = points[min(points.count - 1, Int(Double(points.count) * (0.25 + share / 2)))]
                text(letter, x: point.x, y: point.y - 5, .middle, "label")
            }
        }
        // Only what my apps do is bad news.
        let name = trace.mark == .competitor ? "dot-competitor" : "absent"
        for column in trace.absences.sorted() {
            box(x: Self.x(column) - 1.2, y: Self.bottom - 7, width: 2.4, height: 4, name)
        }
    }

    mutating func drawStack(_ columns: [Chart.StackColumn], parts: [String], of chart: Chart) {
        let most = columns.map(\.whole).max() ?? 0
        guard most > 0 else { return note("no good check in this time") }
        let scale = TimeScale(span: StackSlot.span(of: columns, in: chart.span))
        let height = Self.bottom - Self.top
        for (count, y) in [(most, Self.top), (0, Self.bottom)] {
            line((Self.left, y), (Self.right, y), "grid")
            text(Figures.grouped(count), x: Self.left - 6, y: y + 4, .end)
        }
        for slot in StackSlot.slots(of: columns) {
            guard let from = scale.fraction(slot.from), let through = scale.fraction(slot.through) else { continue }
            let whole = Self.x(through) - Self.x(from)
            let width = whole > 6 ? whole - 2 : whole
            var y = Self.bottom - height * Double(columns[slot.index].whole) / Double(most)
            if columns[slot.index].whole == 0 {
                line((Self.x(from), Self.bottom + 2), (Self.x(from) + width, Self.bottom + 2), "gap")
            }
            for (part, count) in columns[slot.index].counts.enumerated() where count > 0 {
                let size = height * Double(count) / Double(most)
                box(x: Self.x(from), y: y, width: width, height: size, "part-\(part % 8)")
                y += size
            }
        }
        drawTime(scale, events: chart.numberedEvents, at: Self.bottom)
        let last = columns.last { !$0.counts.isEmpty }?.counts ?? []
        keys(
            parts.enumerated().map { part, name in
                (name + (last.indices.contains(part) ? " · " + Figures.grouped(last[part]) : ""), "part-\(part % 8)")
            })
    }
}

extension ChartTrace {
    /// What the page's style knows it by, after `line-` and `dot-`.
    var className: String {
        switch mark {
        case .mine: "mine"
        case .competitor: "competitor"
        case nil: "other"
        }
    }
}
