import RankKit

/// How a whole is made up over time in characters: a bar of the same width for each moment, the first part on top, each
/// in a glyph of its own and named behind the last bar.
struct StackPlot {
    private let frame: PlotFrame
    private let bars: StackBars
    /// One for each bar; empty if nothing is known.
    private let counts: [[Int]]
    private let parts: [Chart.StackPart]
    /// What stands for each part.
    private let partGlyphs: [Character]
    private let rows: Int
    /// The largest whole.
    private let most: Int
    private let events: [NumberedEvent]

    /// From dense to light, so that better parts weigh more; told apart without colour.
    private static let glyphs: [Character] = ["█", "▓", "▒", "░", "≡", "=", "-", "."]

    /// Unlike all of these.
    private static let hatch: Character = "╱"

    static func glyph(of part: Int, isUnknown: Bool) -> Character {
        isUnknown ? hatch : glyphs[part % glyphs.count]
    }

    /// `nil` if nothing is known.
    init?(_ columns: [Chart.StackColumn], parts: [Chart.StackPart], of chart: Chart, width: Int, rows: Int) {
        let shown = columns.filter { chart.span.contains($0.at) }
        most = shown.map(\.whole).max() ?? 0
        let labels = [Figures.grouped(most), "0"]
        let names = shown.last { $0.whole > 0 }.map { last in
            parts.indices.filter { last.count(of: $0) > 0 }.map { TerminalText.width(parts[$0].name) + 1 }.max() ?? 0
        }
        let room = max(PlotFrame.fewestColumns, width - PlotFrame.gutter(labels) - 2)
        // On a narrow terminal the legend has to do.
        let margin = names.map { $0 * 3 < room ? $0 : 0 } ?? 0
        guard most > 0, let bars = StackBars(of: shown.map(\.at), columns: room - margin) else { return nil }
        self.bars = bars
        self.parts = margin > 0 ? parts : []
        partGlyphs = parts.enumerated().map { Self.glyph(of: $0, isUnknown: $1.isUnknown) }
        counts = bars.newest.map { $0.map { shown[$0].counts } ?? [] }
        frame = PlotFrame(
            scale: TimeScale(span: bars.span), labels: labels, columns: bars.columns, place: bars.column)
        self.rows = rows
        events = chart.numberedEvents
    }

    var lines: [StyledText] {
        var canvas = DotCanvas(columns: frame.columns, rows: rows)
        var gaps: Set<Int> = []
        for (bar, counts) in counts.enumerated() {
            let cells = Self.cells(counts, rows: rows, most: most)
            if counts.isEmpty { gaps.formUnion(bars.columns(of: bar)) }
            for column in bars.columns(of: bar) {
                for (index, part) in cells.enumerated() {
                    canvas.put(partGlyphs[part], column: column, row: rows - cells.count + index, .plain)
                }
            }
        }
        let names = names
        return (0..<rows).map { row in
            let label = row == 0 ? Figures.grouped(most) : row == rows - 1 ? "0" : nil
            let cells = canvas.row(row)
            guard let name = names[row] else { return frame.row(label, cells) }
            let used = cells.reduce(0) { $0 + $1.width }
            let space = String(repeating: " ", count: max(1, frame.columns + 1 - used))
            return frame.row(label, cells + [Cell(space), Cell(name, .faint)])
        } + frame.foot(gaps: gaps, events: events)
    }

    /// What the last bar's parts are called, each in the middle of its rows.
    private var names: [Int: String] {
        let cells = counts.last.map { Self.cells($0, rows: rows, most: most) } ?? []
        var names: [Int: String] = [:]
        for part in parts.indices {
            guard let first = cells.firstIndex(of: part), let last = cells.lastIndex(of: part) else { continue }
            names[rows - cells.count + (first + last) / 2] = parts[part].name
        }
        return names
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
}

extension Chart.StackColumn {
    var whole: Int { counts.reduce(0) { $0 + max(0, $1) } }

    func count(of part: Int) -> Int { counts.indices.contains(part) ? counts[part] : 0 }
}

/// Where the bars of a stack stand: evenly, one for each step of time or, where there are more of them than columns, one
/// for as many steps as it takes.
struct StackBars {
    /// For each bar the newest moment that falls into it, by its index; `nil` if there is none.
    let newest: [Int?]
    /// Where the first begins and the last ends.
    let span: ClosedRange<Timestamp>
    /// Of the whole, spaces between the bars included.
    let columns: Int
    /// From the beginning of a bar to that of the next.
    private let pitch: Int
    private let width: Int
    private let length: Int64

    /// Few bars are not made wider, in columns.
    private static let widest = 12
    /// From so many columns on, one of them is a space.
    private static let spaced = 4

    /// - Parameters:
    ///   - moments: oldest first.
    ///   - columns: that may be used.
    init?(of moments: [Timestamp], columns: Int) {
        guard let first = moments.first, let last = moments.last else { return nil }
        let step = Self.step(of: moments)
        let (seconds, overflows) = last.secondsSinceEpoch.subtractingReportingOverflow(first.secondsSinceEpoch)
        guard !overflows, columns > 0 else { return nil }
        let steps = seconds / step + 1
        let folded = (steps + Int64(columns) - 1) / Int64(columns)
        length = step * folded
        let count = (steps + folded - 1) / folded
        // The last bar is a whole one: the newest count.
        let start = Timestamp(secondsSinceEpoch: first.secondsSinceEpoch - (count * folded - steps) * step)
        span = start...Timestamp(secondsSinceEpoch: start.secondsSinceEpoch + count * length)
        pitch = max(1, min(Self.widest, columns / Int(count)))
        width = pitch < Self.spaced ? pitch : pitch - 1
        self.columns = pitch * Int(count) - (pitch - width)
        var newest: [Int?] = Array(repeating: nil, count: Int(count))
        for (index, moment) in moments.enumerated() {
            newest[min(Int(count) - 1, Int((moment - start + step / 2) / length))] = index
        }
        self.newest = newest
    }

    /// The columns of a bar, without the space behind it.
    func columns(of bar: Int) -> Range<Int> { bar * pitch..<bar * pitch + width }

    /// The middle of the bar into which `moment` falls; `nil` outside.
    func column(_ moment: Timestamp) -> Int? {
        guard span.contains(moment) else { return nil }
        return min(newest.count - 1, Int((moment - span.lowerBound) / length)) * pitch + (width - 1) / 2
    }

    /// Where a bar begins and ends, as shares of the whole, without the space between bars.
    func shares(of bar: Int) -> (from: Double, through: Double) {
        (Double(bar) / Double(newest.count), Double(bar + 1) / Double(newest.count))
    }

    /// The usual distance of two moments, in seconds.
    private static func step(of moments: [Timestamp]) -> Int64 {
        let steps = zip(moments.dropFirst(), moments).map { $0 - $1 }.filter { $0 > 0 }.sorted()
        return steps.isEmpty ? Timestamp.secondsPerDay : steps[steps.count / 2]
    }
}
