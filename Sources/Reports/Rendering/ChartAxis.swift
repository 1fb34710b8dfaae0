import Foundation
import RankKit

/// The vertical axis of a drawing of lines: from a depth at its top to a greater one at its bottom, with labels.
///
/// Positions are logarithmic, because from 2 to 1 is as far as from 100 to 50, and inverted: better is higher. They span
/// what is drawn, yet at least a factor of four around its middle (never beyond position 1), so that a jitter of a few
/// percent stays flat. Values are linear.
struct ChartAxis {
    struct Tick {
        let depth: Double
        let label: String
    }

    let top: Double
    let bottom: Double
    /// The first are the most worth having.
    let ticks: [Tick]
    /// The best and the worst place that are drawn: where another tick falls into the row of one, a label of that would
    /// stand beside what it is not.
    var ends: [Tick] = []
    /// What the line of absences is called; `nil` if there is none.
    let floor: String?

    /// The least that an axis of positions spans, in doublings.
    private static let leastSpan = 2.0

    func fraction(_ depth: Double) -> Double {
        guard bottom > top else { return 0.5 }
        return min(1, max(0, (depth - top) / (bottom - top)))
    }

    /// The height of `depth` in a drawing of `rows` rows, in dots from the top.
    func dot(_ depth: Double, rows: Int) -> Int { Int((fraction(depth) * Double(rows * 4 - 1)).rounded()) }

    /// The row in which `depth` is drawn.
    func row(_ depth: Double, of rows: Int) -> Int { dot(depth, rows: rows) / 4 }

    /// The labels for `rows` rows of which no two stand on the same or on neighbouring ones, each on the row in which its
    /// value is drawn.
    func labels(rows: Int, apart: Int = 2) -> [Int: String] {
        var labels: [Int: String] = [:]
        for tick in ticks {
            let row = row(tick.depth, of: rows)
            if !((row - apart + 1)...(row + apart - 1)).contains(where: { labels[$0] != nil }) {
                labels[row] = tick.label
            }
        }
        // Of two in one row the best counts.
        for end in ends {
            let row = row(end.depth, of: rows)
            if labels[row] != nil { labels[row] = end.label }
        }
        return labels
    }
}

extension ChartAxis {
    /// `nil` if nothing is known of any line.
    init?(of chart: Chart) {
        switch chart.content {
        case .positions(let lines):
            if let places = chart.rankedPlaces {
                self.init(firstPlaces: places, of: lines, in: chart.span)
            } else {
                self.init(positions: lines, in: chart.span)
            }
        case .values(let lines, let range):
            self.init(values: lines.flatMap(\.points), in: chart.span, range: range, unit: chart.unit)
        case .stack: return nil
        }
    }

    /// The first places, one as far from the next as any other.
    private init?(firstPlaces places: Int, of lines: [Chart.PositionLine], in span: ClosedRange<Timestamp>) {
        let points = lines.lazy.flatMap(\.points).filter { span.contains($0.at) }.map(\.place)
        guard points.contains(where: { if case .gap = $0 { false } else { true } }) else { return nil }
        (top, bottom) = (1, Double(places))
        ticks = (1...max(1, places)).map { Tick(depth: Double($0), label: "#\($0)") }
        floor = points.contains { if case .absent = $0 { true } else { false } } ? ">\(places)" : nil
    }

    private init?(positions lines: [Chart.PositionLine], in span: ClosedRange<Timestamp>) {
        var best: Position?
        var worst: Position?
        var within: Int?
        for point in lines.lazy.flatMap(\.points) where span.contains(point.at) {
            switch point.place {
            case .ranked(let position):
                best = min(best ?? position, position)
                worst = max(worst ?? position, position)
            case .absent(let count): within = min(within ?? count, count)
            case .gap: break
            }
        }
        guard best != nil || within != nil else { return nil }
        // What is true of every absence, however short its list was.
        floor = within.map { ">\($0)" }
        guard let best, let worst else {
            (top, bottom, ticks) = (0, 0, [])
            return
        }
        let (high, low) = (log2(Double(best.number)), log2(Double(worst.number)))
        let missing = max(0, Self.leastSpan - (low - high))
        let start = max(0, high - missing / 2)
        let end = max(low, start + Self.leastSpan)
        top = start
        bottom = end
        ticks = Self.places.compactMap { place in
            let depth = log2(Double(place))
            // Rounding must not lose the end of the axis itself.
            let slack = 1e-9
            return depth < start - slack || depth > end + slack ? nil : Tick(depth: depth, label: "#\(place)")
        }
        ends = [worst, best].map { Tick(depth: log2(Double($0.number)), label: $0.description) }
    }

    /// By worth.
    private static let places = [1, 5, 20, 100, 10, 50, 2, 200, 3, 30, 7, 70, 15, 150, 40, 4, 6, 300, 500, 1000]

    private init?(
        values points: [Chart.ValueLine.Point], in span: ClosedRange<Timestamp>, range: ClosedRange<Double>?,
        unit: String
    ) {
        let known = points.compactMap { point in
            span.contains(point.at) && (point.value?.isFinite ?? false) ? point.value : nil
        }
        guard let least = known.min(), let most = known.max() else { return nil }
        var (low, high) = (least, most)
        if let range, range.lowerBound.isFinite, range.upperBound.isFinite, range.lowerBound < range.upperBound {
            // A figure outside is drawn, not cut off.
            (low, high) = (min(low, range.lowerBound), max(high, range.upperBound))
        } else if low >= 0, low < high / 2 {
            low = 0
        }
        if low == high {
            let margin = max(1, low.magnitude / 10)
            (low, high) = (low - margin, high + margin)
        }
        let step = Self.step(for: high - low)
        guard step.isFinite, step > 0 else { return nil }
        if range == nil {
            low = (low / step).rounded(.down) * step
            high = (high / step).rounded(.up) * step
        }
        (top, bottom, floor) = (-high, -low, nil)
        let places = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3
        let steps = Int(((high - low) / step + 1e-9).rounded(.down))
        let first = (low / step - 1e-9).rounded(.up) * step
        let all = (0...max(0, min(steps, 20))).map { first + Double($0) * step }
            .filter { $0 <= high + step * 1e-9 }
            .map { Tick(depth: -$0, label: Figures.decimal($0, places: places) + unit) }
        // The ends first, then from the bottom up.
        ticks = [all.first, all.last].compactMap(\.self) + all.dropFirst().dropLast()
    }

    /// 1, 2, 2.5 or 5 times a power of ten, so that about four of them make up `length`.
    private static func step(for length: Double) -> Double {
        let wanted = length / 4
        let power = pow(10, log10(wanted).rounded(.down))
        return ([1, 2, 2.5, 5, 10].first { $0 * power >= wanted * (1 - 1e-9) } ?? 10) * power
    }
}
