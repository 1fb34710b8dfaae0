import Foundation
import RankKit

/// A row of days as blocks, better is higher.
///
/// The axis is logarithmic, because from 2 to 1 is as far as from 100 to 50. It spans the series' own best and worst
/// position, yet at least a factor of four, so that a jitter of a few percent stays flat and a lasting move does not. A
/// row that needs no more than that factor lies as high as its places are good: #2 near the top, #104 near the bottom.
package struct Sparkline: Sendable, Hashable {
    /// Oldest first; `nil` for a day without a good check.
    var readings: [Standings.Reading?]

    package init(_ readings: [Standings.Reading?]) { self.readings = readings }

    /// No good check that day: never drawn as a place or an absence.
    package static let gap: Character = "·"
    /// Checked, and not in the list: below every place.
    static let absent: Character = "_"
    static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// The least that the axis spans, in doublings of the position.
    private static let leastSpan = 2.0

    /// The place that is drawn at the bottom if a row stays there: Apple's lists hold 200 apps.
    private static let deepest = 200.0

    /// One character a day; empty if no day has a good check.
    package var text: String {
        guard readings.contains(where: { $0 != nil }) else { return "" }
        return String(
            levels.map { level in
                switch level {
                case .gap: Self.gap
                case .absent: Self.absent
                case .place(let height):
                    Self.blocks[Int((height * Double(Self.blocks.count - 1)).rounded())]
                }
            })
    }

    enum Level {
        /// From 0, the bottom, to 1.
        case place(height: Double)
        case absent
        case gap
    }

    /// One a day.
    var levels: [Level] {
        let depths = readings.compactMap { $0?.position }.map(Self.depth)
        let best = depths.min() ?? 0
        let worst = depths.max() ?? 0
        let span = max(worst - best, Self.leastSpan)
        let top = Self.top(best, worst, span)
        return readings.map { reading in
            guard let reading else { return .gap }
            guard let position = reading.position else { return .absent }
            return .place(height: min(1, max(0, 1 - (Self.depth(position) - top) / span)))
        }
    }

    /// The depth of the upper end of an axis of `span`, from which both ends of the row can be seen.
    ///
    /// The row's middle is put on a block, where a jitter is rounded away, rather than between two, where any would show.
    private static func top(_ best: Double, _ worst: Double, _ span: Double) -> Double {
        let steps = Double(blocks.count - 1)
        let middle = (best + worst) / 2
        let share = (min(1, middle / log2(deepest)) * steps).rounded() / steps
        return max(worst - span, min(best, middle - span * share))
    }

    private static func depth(_ position: Position) -> Double { log2(Double(position.number)) }
}

extension Sparkline {
    /// A drawing the size of a few words; empty if the text is. What it shows is told in words as well, since the
    /// blocks of `text` mean nothing when they are read out.
    var svg: String {
        readings.contains { $0 != nil } ? Self.svg(levels, words: words) : ""
    }

    /// - Parameter words: the same for whoever does not see it.
    static func svg(_ levels: [Level], words: String) -> String {
        var body = ""
        var run: [(x: Double, y: Double)] = []
        func close() {
            if run.count == 1 {
                body +=
                    "<circle class=\"dot-mine\" cx=\"\(number(run[0].x))\" cy=\"\(number(run[0].y))\" r=\"2\"/>"
            } else if !run.isEmpty {
                let steps = run.enumerated().map { index, point in
                    (index == 0 ? "M" : "L") + number(point.x) + " " + number(point.y)
                }
                body += "<path class=\"line-mine\" d=\"\(steps.joined())\"/>"
            }
            run = []
        }
        for (index, level) in levels.enumerated() {
            let share = levels.count > 1 ? Double(index) / Double(levels.count - 1) : 0.5
            let x = margin + share * (width - 2 * margin)
            switch level {
            case .place(let height): run.append((x, margin + (1 - height) * (floor - 2 * margin)))
            case .absent:
                close()
                body += "<rect class=\"absent\" x=\"\(number(x - 1))\" y=\"\(number(floor))\" "
                body += "width=\"2\" height=\"2\"/>"
            case .gap: close()
            }
        }
        close()
        return "<svg class=\"spark\" viewBox=\"0 0 \(number(width)) \(number(height))\" "
            + "width=\"\(number(width))\" \(SVGDrawing.bare) role=\"img\" aria-label=\"\(HTMLText.escaped(words))\">\(body)</svg>"
    }

    private static let width = 120.0
    private static let height = 22.0
    /// Where absences are.
    private static let floor = 19.0
    private static let margin = 2.5

    private static func number(_ value: Double) -> String { SVGDrawing.number(value) }

    /// `from #24 to #12, between #10 and #26`.
    var words: String {
        let known = readings.compactMap(\.self)
        guard let first = known.first, let last = known.last else { return "" }
        func place(_ reading: Standings.Reading) -> String {
            reading.position.map(\.description) ?? "beyond \(reading.within)"
        }
        let ranked = known.compactMap(\.position)
        let ends = "from \(place(first)) to \(place(last))"
        guard let best = ranked.min(), let worst = ranked.max(), best != worst else { return ends }
        return ends + ", between \(best) and \(worst)"
    }
}
