import RankKit

extension Chart {
    /// The chart as an element of a page, whose style gives its classes their colours. The same chart makes the same
    /// bytes on every machine.
    ///
    /// - Parameter id: unique in the page.
    func svg(id: String) -> String {
        var drawing = SVGDrawing(id: id, title: title, summary: summary, size: size, letters: letters)
        switch content {
        case .positions, .values: drawing.drawLines(of: self)
        case .stack(let columns, let parts): drawing.drawStack(columns, parts: parts, of: self)
        }
        return drawing.element
    }

    /// Where the plot ends, in the drawing's own units.
    var right: Double { SVGDrawing.right(letters: letters) }

    /// Of the longest label to the right of the plot.
    private var letters: Int {
        switch content {
        case .positions(let lines) where rankedPlaces != nil:
            SVGDrawing.endNames(lines.map(\.name)).map { TerminalText.width($0) }.max() ?? 0
        case .positions, .values: SVGDrawing.letters(of: self)
        case .stack(let columns, let parts):
            Self.namedParts(columns, parts).map { TerminalText.width($0.name) }.max() ?? 0
        }
    }
}

/// A drawing of fixed size that a page scales: a plot with room for labels around it. What its marks mean stands below it
/// in the page.
struct SVGDrawing {
    private let id: String
    private let title: String
    private let summary: String
    private var body = ""
    /// Where the plot ends, and the axis of time is.
    let bottom: Double
    /// Where labels to the right of the plot begin.
    let right: Double
    /// Where the drawing ends.
    private var foot: Double

    static let width = 640.0
    static let left = 52.0
    static let top = 10.0
    /// Letters that fit beside each other along the axis on a narrow page, where they are largest.
    private static let longestLine = 52
    /// Labels closer than this, from middle to middle, touch where letters are largest.
    static let lineHeight = 18.0
    /// Of an event's mark.
    private static let markWidth = 36.0

    /// - Parameter letters: of the longest label to the right of the plot.
    init(id: String, title: String, summary: String, size: Chart.Size = .full, letters: Int = 0) {
        self.id = HTMLText.escaped(id)
        self.title = title
        self.summary = summary
        bottom = Self.bottom(size)
        right = Self.right(letters: letters)
        foot = bottom
    }

    static func right(letters: Int) -> Double { width - 12 - (letters > 0 ? 6 + Double(letters) * 11 : 0) }

    /// Apps' names as they stand where their lines end. Of those that begin alike, what tells them apart is shown.
    static func endNames(_ names: [String]) -> [String] {
        let names = names.map(SafeText.escaped)
        var shown = names.map { TerminalText.fitted($0, to: longestEndName) }
        for alike in Dictionary(grouping: names.indices, by: { shown[$0] }).values where alike.count > 1 {
            let common = commonLetters(alike.map { names[$0] })
            for index in alike {
                let rest = names[index].dropFirst(common).drop { !$0.isLetter && !$0.isNumber }
                if !rest.isEmpty { shown[index] = TerminalText.fitted("…" + rest, to: longestEndName) }
            }
        }
        return shown
    }

    /// How many letters names begin with that are the same in all, up to the beginning of a word.
    private static func commonLetters(_ names: [String]) -> Int {
        let same = names[0].prefix(names.map { zip(names[0], $0).prefix { $0 == $1 }.count }.min() ?? 0)
        // Some scripts write no spaces.
        let words = same.lastIndex { !$0.isLetter && !$0.isNumber }.map { same[...$0].count }
        return words ?? same.count
    }

    /// Columns of such a name.
    private static let longestEndName = 14

    static func bottom(_ size: Chart.Size) -> Double {
        switch size {
        case .low: 130
        case .full: 220
        case .high: 280
        }
    }

    /// What it looks like where the page's style is lost, as in a mail that is forwarded: outlines in the text's colour.
    static let bare = "fill=\"none\" stroke=\"currentColor\""

    var element: String {
        let height = Self.number(foot + 6)
        return
            "<svg class=\"chart\" viewBox=\"0 0 \(Self.number(Self.width)) \(height)\" width=\"\(Self.number(Self.width))\" "
            + "font-size=\"11\" \(Self.bare) role=\"img\" aria-labelledby=\"\(id)-title \(id)-desc\">\n"
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

    /// Lines across, where a box would say that something is known.
    mutating func hatch(x: Double, y: Double, width: Double, height: Double) {
        let rows = stride(from: Self.hatchStep / 2, to: max(height, Self.hatchStep), by: Self.hatchStep)
        let lines = rows.map { row in
            "M\(Self.number(x)) \(Self.number(y + min(row, height)))H\(Self.number(x + width))"
        }
        body += "<path class=\"unknown\" d=\"\(lines.joined())\"/>\n"
    }

    /// From one line of a hatch to the next.
    private static let hatchStep = 4.0

    /// The look of a stretch of time behind what is drawn over it.
    static let band = "class=\"caution\" fill=\"currentColor\" fill-opacity=\"0.18\" stroke=\"none\""
    /// A day of a year is narrower than can be seen.
    private static let narrowestBand = 3.0

    /// A stretch of time, over the whole height of the plot.
    mutating func band(_ stretch: ClosedRange<Timestamp>, on scale: TimeScale) {
        guard let first = scale.fraction(stretch.lowerBound), let last = scale.fraction(stretch.upperBound) else {
            return
        }
        let width = max(Self.narrowestBand, x(last) - x(first))
        let middle = (x(first) + x(last)) / 2
        let start = min(max(Self.left, middle - width / 2), right - width)
        body +=
            "<rect \(Self.band) x=\"\(Self.number(start))\" y=\"\(Self.number(Self.top))\" "
            + "width=\"\(Self.number(width))\" height=\"\(Self.number(bottom - Self.top))\"/>\n"
    }

    enum Anchor: String { case start, middle, end }

    mutating func text(
        _ text: String, x: Double, y: Double, _ anchor: Anchor = .start, _ name: String = "tick"
    ) {
        body +=
            "<text class=\"\(name)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" "
            + "text-anchor=\"\(anchor.rawValue)\" stroke=\"none\" fill=\"currentColor\">\(HTMLText.escaped(text))</text>\n"
    }

    /// Words in inks of their own.
    mutating func text(_ words: [(text: String, name: String)], x: Double, y: Double, _ name: String) {
        let spans = words.map { "<tspan class=\"\($0.name)\">\(HTMLText.escaped($0.text))</tspan>" }.joined()
        body +=
            "<text class=\"\(name)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" stroke=\"none\" "
            + "fill=\"currentColor\">\(spans)</text>\n"
    }

    /// What was drawn in `draw`, of a class of its own.
    mutating func part(_ name: String, _ draw: (inout SVGDrawing) -> Void) {
        body += "<g class=\"\(name)\">\n"
        draw(&self)
        body += "</g>\n"
    }

    /// What was drawn in `draw` as one thing that says its name where a pointer rests on it.
    mutating func group(_ name: String, _ draw: (inout SVGDrawing) -> Void) {
        body += "<g><title>\(HTMLText.escaped(name))</title>\n"
        draw(&self)
        body += "</g>\n"
    }

    /// The axis of time, its dates and the marks of the events.
    mutating func drawTime(_ scale: TimeScale, events: [NumberedEvent]) {
        line((Self.left, bottom), (right, bottom), "axis")
        for (tick, _) in TimeTicks.ticks(scale, columns: Self.longestLine) {
            guard let share = scale.fraction(tick.at) else { continue }
            let x = x(share)
            line((x, bottom), (x, bottom + 4), "axis")
            let anchor: Anchor = share < 0.08 ? .start : share > 0.92 ? .end : .middle
            text(tick.label, x: x, y: bottom + 19, anchor)
        }
        foot = bottom + 22
        guard !events.isEmpty else { return }
        var ends: [Double] = []
        for event in events {
            guard let share = scale.fraction(event.event.at) else { continue }
            line((x(share), Self.top), (x(share), bottom), "event")
            // Neighbours stand on two lines.
            let row = ends.firstIndex { $0 < x(share) } ?? min(ends.count, 1)
            if row == ends.count { ends.append(0) }
            ends[row] = x(share) + Self.markWidth
            text(event.mark, x: x(share), y: foot + 14 + Double(row) * 16, .middle, "label")
        }
        foot += 2 + 16 * Double(max(1, ends.count))
    }

    /// That there is nothing to draw.
    mutating func note(_ words: String) {
        foot = 30
        text(words, x: Self.left, y: 22)
    }

    func x(_ share: Double) -> Double { Self.left + share * (right - Self.left) }

    /// Heights of labels from the top down that are as near to `wanted` as they can be without touching, within the plot.
    func spread(_ wanted: [Double]) -> [Double] {
        var heights = wanted
        for index in heights.indices.dropFirst() {
            heights[index] = max(heights[index], heights[index - 1] + Self.lineHeight)
        }
        var limit = bottom
        for index in heights.indices.reversed() {
            heights[index] = min(heights[index], limit)
            limit = heights[index] - Self.lineHeight
        }
        return heights
    }
}
