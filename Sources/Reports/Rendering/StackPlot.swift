import RankKit

/// How a whole is made up over time in characters: the first part on top, each in a glyph of its own.
struct StackPlot {
    private let frame: PlotFrame
    private let slots: [StackSlot]
    private let counts: [[Int]]
    private let rows: Int
    /// The largest whole.
    private let most: Int
    private let events: [NumberedEvent]

    /// From dense to light, so that better parts weigh more; told apart without colour.
    private static let glyphs: [Character] = ["█", "▓", "▒", "░", "≡", "=", "-", "."]

    static func glyph(of part: Int) -> Character { glyphs[part % glyphs.count] }

    /// `nil` where nothing is known.
    init?(_ columns: [Chart.StackColumn], parts: [String], of chart: Chart, width: Int, rows: Int) {
        most = columns.map(\.whole).max() ?? 0
        guard most > 0 else { return nil }
        let scale = TimeScale(span: StackSlot.span(of: columns, in: chart.span))
        counts = columns.map(\.counts)
        frame = PlotFrame(scale: scale, labels: [Figures.grouped(most), "0"], width: width)
        slots = StackSlot.slots(of: columns)
        self.rows = rows
        events = chart.numberedEvents
    }

    var lines: [StyledText] {
        var canvas = DotCanvas(columns: frame.columns, rows: rows)
        var gaps: Set<Int> = []
        for slot in slots {
            guard let first = frame.scale.column(slot.from, of: frame.columns + 1),
                let end = frame.scale.column(slot.through, of: frame.columns + 1)
            else { continue }
            // Bars that are wide enough stand apart.
            let last = end - first >= 4 ? end - 2 : max(first, end - 1)
            let cells = Self.cells(counts[slot.index], rows: rows, most: most)
            if cells.isEmpty { gaps.formUnion(first...last) }
            for column in first...last {
                for (index, part) in cells.enumerated() {
                    canvas.put(Self.glyph(of: part), column: column, row: rows - cells.count + index, .plain)
                }
            }
        }
        return (0..<rows).map { row in
            let label = row == 0 ? Figures.grouped(most) : row == rows - 1 ? "0" : nil
            return frame.row(label, canvas.row(row))
        } + frame.foot(gaps: gaps, events: events)
    }

    /// The part in each row from the top down: shares rounded so that they add up to the whole's height, by the
    /// largest remainder.
    static func cells(_ counts: [Int], rows: Int, most: Int) -> [Int] {
        let known = counts.map { max(0, $0) }
        let whole = known.reduce(0, +)
        guard whole > 0, most > 0 else { return [] }
        let height = max(1, Int((Double(whole) / Double(most) * Double(rows)).rounded()))
        let exact = known.map { Double($0) / Double(whole) * Double(height) }
        var heights = exact.map { Int($0.rounded(.down)) }
        let missing = height - heights.reduce(0, +)
        let order = exact.indices.sorted { left, right in
            let (first, second) = (exact[left] - Double(heights[left]), exact[right] - Double(heights[right]))
            return (second, left) < (first, right)
        }
        for part in order.prefix(max(0, missing)) { heights[part] += 1 }
        return heights.enumerated().flatMap { part, height in Array(repeating: part, count: height) }
    }

    /// What each glyph stands for, with its count then and now.
    static func keys(of parts: [String], in columns: [Chart.StackColumn]) -> [[Cell]] {
        let known = columns.filter { !$0.counts.isEmpty }
        guard let first = known.first, let last = known.last else { return [] }
        return parts.enumerated().map { part, name in
            let now = last.counts.indices.contains(part) ? last.counts[part] : 0
            let then = first.counts.indices.contains(part) ? first.counts[part] : 0
            let figures = (then == now ? "" : Figures.grouped(then) + "→") + Figures.grouped(now)
            return [Cell(String(glyph(of: part)), .strong), Cell(" " + name), Cell(" " + figures, .faint)]
        }
    }
}

extension Chart.StackColumn {
    var whole: Int { counts.reduce(0) { $0 + max(0, $1) } }
}

/// The time that a column of a stack stands for.
struct StackSlot {
    let index: Int
    let from: Timestamp
    let through: Timestamp

    /// Each column lasts until the next, and not longer than one and a half times as long as usual.
    static func slots(of columns: [Chart.StackColumn]) -> [StackSlot] {
        let usual = usualLength(of: columns)
        return columns.indices.map { index in
            let from = columns[index].at
            let latest = from + usual * 3 / 2
            let through = index + 1 < columns.count ? min(columns[index + 1].at, latest) : from + usual
            return StackSlot(index: index, from: from, through: max(from, through))
        }
    }

    /// The chart's span, and as much more as the last column lasts.
    static func span(of columns: [Chart.StackColumn], in span: ClosedRange<Timestamp>) -> ClosedRange<Timestamp> {
        let shown = columns.filter { span.contains($0.at) }
        guard let first = shown.first, let last = shown.last else { return span }
        return first.at...max(last.at + usualLength(of: columns), first.at)
    }

    private static func usualLength(of columns: [Chart.StackColumn]) -> Int64 {
        let steps = zip(columns.dropFirst(), columns).map { $0.at - $1.at }.filter { $0 > 0 }.sorted()
        return steps.isEmpty ? Timestamp.secondsPerDay : steps[steps.count / 2]
    }
}
