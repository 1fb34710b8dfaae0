import RankKit

extension Chart {
    /// The chart as an element of a page, whose style gives its classes their colours. The same chart makes the same
    /// bytes on every machine.
    ///
    /// - Parameter id: unique in the page.
    func svg(id: String) -> String {
        var drawing = SVGDrawing(id: id, title: title, summary: summary)
        switch content {
        case .positions, .values: drawing.drawLines(of: self)
        case .stack(let columns, let parts): drawing.drawStack(columns, parts: parts, of: self)
        }
        return drawing.element
    }
}

/// A drawing of fixed size that a page scales: a plot with room for labels around it, and a legend below.
struct SVGDrawing {
    private let id: String
    private let title: String
    private let summary: String
    private var body = ""
    /// Where the next line of the legend goes; the drawing's height in the end.
    private var foot: Double

    static let width = 640.0
    static let left = 52.0
    static let right = 628.0
    static let top = 10.0
    static let bottom = 200.0
    /// Of a legend's line; a narrow page's larger letters fit as well.
    private static let lineHeight = 20.0
    /// Letters that fit beside each other; a narrow page's are larger.
    private static let longestLine = 66

    init(id: String, title: String, summary: String) {
        self.id = HTMLText.escaped(id)
        self.title = title
        self.summary = summary
        foot = Self.bottom
    }

    var element: String {
        let height = Self.number(foot + 6)
        return "<svg viewBox=\"0 0 \(Self.number(Self.width)) \(height)\" width=\"\(Self.number(Self.width))\" "
            + "role=\"img\" aria-labelledby=\"\(id)-title \(id)-desc\">\n"
            + "<title id=\"\(id)-title\">\(HTMLText.escaped(title))</title>\n"
            + "<desc id=\"\(id)-desc\">\(HTMLText.escaped(summary))</desc>\n" + body + "</svg>"
    }

    /// With one decimal at most.
    static func number(_ value: Double) -> String {
        let text = Figures.decimal(value.isFinite ? value : 0, places: 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    mutating func line(_ from: (x: Double, y: Double), _ to: (x: Double, y: Double), _ name: String) {
        body +=
            "<line class=\"\(name)\" x1=\"\(Self.number(from.x))\" y1=\"\(Self.number(from.y))\" "
            + "x2=\"\(Self.number(to.x))\" y2=\"\(Self.number(to.y))\"/>\n"
    }

    mutating func path(_ points: [(x: Double, y: Double)], _ name: String) {
        let steps = points.enumerated().map { index, point in
            (index == 0 ? "M" : "L") + Self.number(point.x) + " " + Self.number(point.y)
        }
        body += "<path class=\"\(name)\" d=\"\(steps.joined())\"/>\n"
    }

    mutating func dot(_ point: (x: Double, y: Double), _ name: String) {
        body += "<circle class=\"\(name)\" cx=\"\(Self.number(point.x))\" cy=\"\(Self.number(point.y))\" r=\"2.5\"/>\n"
    }

    mutating func box(x: Double, y: Double, width: Double, height: Double, _ name: String) {
        body +=
            "<rect class=\"\(name)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" "
            + "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\"/>\n"
    }

    enum Anchor: String { case start, middle, end }

    mutating func text(
        _ text: String, x: Double, y: Double, _ anchor: Anchor = .start, _ name: String = "tick"
    ) {
        body +=
            "<text class=\"\(name)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" "
            + "text-anchor=\"\(anchor.rawValue)\">\(HTMLText.escaped(text))</text>\n"
    }

    /// The axis of time, its dates and the events, whose meaning goes below.
    mutating func drawTime(_ scale: TimeScale, events: [NumberedEvent], at base: Double) {
        line((Self.left, base), (Self.right, base), "axis")
        // As many columns as letters of the largest size fit beside each other.
        for (tick, _) in TimeTicks.ticks(scale, columns: Self.longestLine - 4) {
            guard let share = scale.fraction(tick.at) else { continue }
            let x = Self.x(share)
            line((x, base), (x, base + 4), "axis")
            let anchor: Anchor = share < 0.06 ? .start : share > 0.94 ? .end : .middle
            text(tick.label, x: x, y: base + 17, anchor)
        }
        foot = base + 20
        guard !events.isEmpty else { return }
        for (index, event) in events.enumerated() {
            guard let share = scale.fraction(event.event.at) else { continue }
            line((Self.x(share), Self.top), (Self.x(share), base), "event")
            // Neighbours stand on two lines.
            text(event.mark, x: Self.x(share), y: foot + 13 + Double(index % 2) * 14, .middle, "label")
        }
        foot += events.count > 1 ? 32 : 18
        for event in events {
            note("\(event.mark) \(CivilTime.date(event.event.at)) \(event.event.label)")
        }
    }

    /// A line of the legend.
    mutating func note(_ words: String, indent: Double = 0) {
        foot += Self.lineHeight
        text(TerminalText.fitted(SafeText.escaped(words), to: Self.longestLine), x: Self.left + indent, y: foot - 5)
    }

    /// A line of the legend with what it explains drawn before it, at the height that is passed.
    mutating func key(_ words: String, _ draw: (inout SVGDrawing, Double) -> Void) {
        note(words, indent: 32)
        draw(&self, foot - 9)
    }

    /// Several short entries of a legend, as many on a line as fit.
    mutating func keys(_ entries: [(words: String, name: String)]) {
        let letter = 9.0
        var x = Self.left
        foot += Self.lineHeight
        for (words, name) in entries {
            let shown = TerminalText.fitted(SafeText.escaped(words), to: Self.longestLine - 4)
            let width = Double(TerminalText.width(shown)) * letter + 26
            if x > Self.left, x + width > Self.right {
                x = Self.left
                foot += Self.lineHeight
            }
            box(x: x, y: foot - 15, width: 12, height: 12, name)
            text(shown, x: x + 17, y: foot - 5)
            x += width
        }
    }

    static func x(_ share: Double) -> Double { left + share * (right - left) }
}
