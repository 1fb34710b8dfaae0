import RankKit

extension Sparkline {
    /// A drawing the size of a few words; empty where the text is. What it shows is told in words as well, since the
    /// blocks of `text` mean nothing when they are read out.
    var svg: String {
        let known = readings.compactMap(\.self)
        guard !known.isEmpty else { return "" }
        var body = ""
        var run: [(x: Double, y: Double)] = []
        func close() {
            if run.count == 1 {
                body +=
                    "<circle class=\"dot-mine\" cx=\"\(Self.number(run[0].x))\" cy=\"\(Self.number(run[0].y))\" r=\"2\"/>"
            } else if !run.isEmpty {
                let steps = run.enumerated().map { index, point in
                    (index == 0 ? "M" : "L") + Self.number(point.x) + " " + Self.number(point.y)
                }
                body += "<path class=\"line-mine\" d=\"\(steps.joined())\"/>"
            }
            run = []
        }
        for (index, level) in levels.enumerated() {
            let share = readings.count > 1 ? Double(index) / Double(readings.count - 1) : 0.5
            let x = Self.margin + share * (Self.width - 2 * Self.margin)
            switch level {
            case .place(let height): run.append((x, Self.margin + (1 - height) * (Self.floor - 2 * Self.margin)))
            case .absent:
                close()
                body += "<rect class=\"absent\" x=\"\(Self.number(x - 1))\" y=\"\(Self.number(Self.floor))\" "
                body += "width=\"2\" height=\"2\"/>"
            case .gap: close()
            }
        }
        close()
        return "<svg class=\"spark\" viewBox=\"0 0 \(Self.number(Self.width)) \(Self.number(Self.height))\" "
            + "width=\"\(Self.number(Self.width))\" \(SVGDrawing.bare) role=\"img\" aria-label=\"\(HTMLText.escaped(words))\">\(body)</svg>"
    }

    private static let width = 120.0
    private static let height = 22.0
    /// Where absences are.
    private static let floor = 19.0
    private static let margin = 2.5

    private static func number(_ value: Double) -> String { SVGDrawing.number(value) }

    /// `from #24 to #12, between #10 and #26`.
    private var words: String {
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
