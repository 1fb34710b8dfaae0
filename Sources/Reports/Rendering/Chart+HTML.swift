import RankKit

extension Chart {
    /// The drawing with its heading, and with what its marks mean below it.
    ///
    /// - Parameters:
    ///   - id: unique in the page.
    ///   - isRead: whether the figure carries what a script reads off it.
    func figure(id: String, isRead: Bool = false) -> String {
        let (heading, caption) = (heading ?? title, caption ?? summary)
        var text = isRead ? "<figure data-chart=\"\(HTMLText.escaped(reading))\">\n" : "<figure>\n"
        if !heading.isEmpty || !caption.isEmpty {
            let small = caption.isEmpty ? "" : "<span>\(HTMLText.escaped(caption))</span>"
            text += "<figcaption>\(HTMLText.escaped(heading))\(small)</figcaption>\n"
        }
        text += svg(id: id) + "\n" + list((rankedPlaces == nil ? keys.map(item) : []) + weatherItem, of: "keys")
        return text + (tellsEvents ? list(eventItems, of: "events") : "") + "</figure>\n"
    }

    private func list(_ items: [String], of name: String) -> String {
        guard !items.isEmpty else { return "" }
        return "<ul class=\"\(name)\">\n" + items.map { "<li>\($0)</li>\n" }.joined() + "</ul>\n"
    }

    private func item(_ key: Key) -> String {
        let words = HTMLText.escaped(": \(key.figure)")
        guard case .stack = content else {
            let letter = LinePlot.letter(of: key.index) ?? ""
            let line = "<line class=\"line-other \(SVGDrawing.hue(key.index))\" x1=\"1\" y1=\"6\" x2=\"27\" y2=\"6\"/>"
            return Self.swatch(line) + "<b>\(letter)</b> " + HTMLText.isolated(key.name) + words
        }
        let box =
            key.isUnknown
            ? "<path class=\"unknown\" d=\"M8 2H20M8 6H20M8 10H20\"/>"
            : "<rect class=\"part-\(key.index % 8)\" x=\"8\" width=\"12\" height=\"12\"/>"
        return Self.swatch(box) + HTMLText.isolated(key.name) + words
    }

    private var weatherItem: [String] {
        guard let weather, !weather.legend.isEmpty else { return [] }
        let box = "<rect \(SVGDrawing.band) x=\"8\" width=\"12\" height=\"12\"/>"
        return [Self.swatch(box) + HTMLText.escaped(weather.legend)]
    }

    static func swatch(_ shape: String) -> String {
        "<svg class=\"swatch\" viewBox=\"0 0 28 12\" width=\"28\" \(SVGDrawing.bare) aria-hidden=\"true\">\(shape)</svg> "
    }

    private var eventItems: [String] {
        numberedEvents.map { event in
            "<b>\(event.mark)</b> \(CivilTime.reportDate(event.event.at)) \(HTMLText.isolated(event.event.label))"
        } + (unmarked.map { [HTMLText.escaped($0)] } ?? [])
    }
}
