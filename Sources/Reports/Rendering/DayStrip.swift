import RankKit

/// A row of days, each in the colour of the band that its place lies in: where a line shows which way, this shows how good.
struct DayStrip: Sendable, Hashable {
    /// Oldest first; `nil` for a day without a good check, which has no colour.
    var readings: [Reading?]

    init(_ readings: [Reading?]) { self.readings = readings }

    /// Bands that have a colour, each with the class of it in the page's style.
    private static let colours: [(band: Distribution.Band, part: Int)] = [
        (.first, 0), (.to3, 1), (.to10, 2), (.to30, 3), (.to50, 4), (.to100, 5), (.to200, 6), (.absent, 7),
    ]

    private static func part(_ band: Distribution.Band) -> Int {
        colours.first { $0.band == band }?.part ?? 6
    }

    /// A drawing the size of a sparkline; empty if no day has a good check.
    ///
    /// - Parameter words: the same for whoever does not see it.
    func svg(words: String) -> String {
        guard readings.contains(where: { $0 != nil }) else { return "" }
        let width = 120 / Double(readings.count)
        let parts = readings.map { $0.map { Self.part(Distribution.Band($0)) } }
        var (body, first) = ("", 0)
        for index in parts.indices.dropFirst() + [parts.endIndex] {
            // Days of one colour that stand beside each other are one rectangle.
            if index < parts.endIndex, parts[index] == parts[first] { continue }
            if let part = parts[first] {
                body += "<rect class=\"part-\(part)\" x=\"\(SVGDrawing.number(Double(first) * width))\" "
                body += "width=\"\(SVGDrawing.number(Double(index - first) * width))\" height=\"14\"/>"
            }
            first = index
        }
        return
            "<svg class=\"days\" viewBox=\"0 0 120 14\" width=\"120\" \(SVGDrawing.bare) preserveAspectRatio=\"none\" "
            + "role=\"img\" aria-label=\"\(HTMLText.escaped(words))\">\(body)</svg>"
    }

    /// What the colours mean, as a list of a page.
    static var legend: String {
        let items = colours.map { band, part in
            let box = Chart.swatch("<rect class=\"part-\(part)\" x=\"8\" width=\"12\" height=\"12\"/>")
            return "<li>\(box)\(band.title)</li>"
        }
        return "<ul class=\"keys days\" aria-label=\"Colours of the days\">\(items.joined())</ul>\n"
    }
}
