import RankKit

extension SVGDrawing {
    /// Bars that a page can show beside each other.
    private static let mostBars = 366

    mutating func drawStack(_ columns: [Chart.StackColumn], parts: [Chart.StackPart], of chart: Chart) {
        let shown = columns.filter { chart.span.contains($0.at) }
        let most = shown.map(\.whole).max() ?? 0
        guard most > 0, let bars = StackBars(of: shown.map(\.at), columns: Self.mostBars) else {
            return note("no good check in this time")
        }
        let height = bottom - Self.top
        for (count, y) in [(most, Self.top), (0, bottom)] {
            line((Self.left, y), (right, y), "grid")
            text(Figures.grouped(count), x: Self.left - 6, y: y + 4, .end)
        }
        for (bar, index) in bars.newest.enumerated() {
            let shares = bars.shares(of: bar)
            let whole = x(shares.through) - x(shares.from)
            let width = whole > 6 ? whole - 1.5 : whole
            guard let index, !shown[index].counts.isEmpty else {
                line((x(shares.from), bottom + 2), (x(shares.from) + width, bottom + 2), "gap")
                continue
            }
            let column = shown[index]
            guard column.whole > 0 else { continue }
            group(Self.words(column, parts)) { drawing in
                var y = drawing.bottom - height * Double(column.whole) / Double(most)
                for (part, count) in column.counts.enumerated() where count > 0 {
                    let size = height * Double(count) / Double(most)
                    let x = drawing.x(shares.from)
                    if parts[part].isUnknown {
                        drawing.hatch(x: x, y: y, width: width, height: size)
                    } else {
                        drawing.box(x: x, y: y, width: width, height: size, "part-\(part % 8)")
                    }
                    y += size
                }
            }
        }
        name(shown, parts, most: most)
        drawTime(TimeScale(span: bars.span), events: chart.numberedEvents)
    }

    /// `2026-11-20: 4–10 5, 11–30 9`.
    private static func words(_ column: Chart.StackColumn, _ parts: [Chart.StackPart]) -> String {
        let counts = Chart.namedParts([column], parts).map {
            "\($0.name) \(Figures.grouped(column.count(of: $0.part)))"
        }
        return "\(CivilTime.reportDate(column.at)): \(counts.joined(separator: ", "))"
    }

    /// The parts of the last bar, beside it.
    private mutating func name(_ columns: [Chart.StackColumn], _ parts: [Chart.StackPart], most: Int) {
        guard let last = columns.last, last.whole > 0 else { return }
        let named = Chart.namedParts(columns, parts)
        let unit = (bottom - Self.top) / Double(most)
        var y = bottom - unit * Double(last.whole)
        var middles: [Double] = []
        for (part, _) in named {
            let size = unit * Double(last.count(of: part))
            middles.append(y + size / 2)
            y += size
        }
        for (name, height) in zip(named, spread(middles)) {
            text(name.name, x: right + 7, y: height + 4, .start, "label")
        }
    }
}

extension Chart {
    /// The parts of the last column that is known, from the top down.
    static func namedParts(_ columns: [StackColumn], _ parts: [StackPart]) -> [(part: Int, name: String)] {
        guard let last = columns.last(where: { $0.whole > 0 }) else { return [] }
        return parts.enumerated().filter { last.count(of: $0.offset) > 0 }.map { ($0.offset, $0.element.name) }
    }
}
