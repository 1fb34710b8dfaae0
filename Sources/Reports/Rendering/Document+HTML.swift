import RankKit

extension Document {
    /// What the page allows itself, for whoever sends it with a header.
    package static let pagePolicy = PageStyle.policy

    /// The document as one page that needs nothing else: no script, no foreign style or image.
    var html: String {
        var page = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(PageStyle.policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(HTMLText.escaped(title))</title>
            <style>\(PageStyle.css)</style>
            </head>
            <body>
            <main>
            <h1>\(HTMLText.escaped(title))</h1>
            <p class="made">\(CivilTime.minuteInZone(generatedAt))</p>

            """
        var part = Part(title)
        for (index, block) in resolved(\.shownColumns).enumerated() { page += html(block, index, .standalone, &part) }
        return page + "</main>\n</body>\n</html>\n"
    }

    /// What stands below one heading.
    private struct Part {
        var heading: String
        private var tables: [String: Int] = [:]

        init(_ heading: String) { self.heading = heading }

        /// What the next table is called: of several below the same heading, the later ones by their numbers too.
        mutating func label(_ form: PageForm) -> String {
            guard form.isPart else { return heading }
            let number = tables[heading, default: 0] + 1
            tables[heading] = number
            return number == 1 ? heading : "\(heading), \(number)"
        }
    }

    /// The document as sections of a page, one for each of its headings and one for what stands before the first: a
    /// page that is open replaces those that have changed.
    ///
    /// - Parameters:
    ///   - overview: a section that stands below the first.
    ///   - foldsDetails: whether that tells in brief what the document has in detail, which is folded then.
    package func fragment(_ form: PageForm, overview: String = "", foldsDetails: Bool = false) -> String {
        var part = Part(title)
        var sections: [(heading: String?, text: String)] = []
        for (index, block) in resolved(\.shownColumns).enumerated() {
            let text = html(block, index, form, &part)
            if case .heading(let heading) = block, foldsDetails, details.contains(heading) {
                sections.append((text, ""))
            } else if case .heading = block {
                sections.append((nil, text))
            } else {
                if sections.isEmpty { sections.append((nil, "")) }
                sections[sections.count - 1].text += text
            }
        }
        return sections.enumerated().map { number, section in
            let body =
                section.heading.map { "<details>\n<summary>\($0)</summary>\n\(section.text)</details>\n" }
                ?? section.text
            return "<section id=\"\(form.prefix)\(number)\">\n\(body)</section>\n" + (number == 0 ? overview : "")
        }.joined()
    }

    /// - Parameters:
    ///   - index: of the block in the document.
    ///   - part: where in the document it stands, which a heading changes.
    private func html(_ block: Block, _ index: Int, _ form: PageForm, _ part: inout Part) -> String {
        switch block {
        case .heading(let text):
            part.heading = text
            return "<h\(form.headingLevel)>\(HTMLText.escaped(text))</h\(form.headingLevel)>\n"
        case .paragraph(let text): return "<p>\(HTMLText.prose(text, form))</p>\n"
        case .list(let items):
            return "<ul>\n" + items.map { "<li>\(HTMLText.prose($0, form))</li>\n" }.joined() + "</ul>\n"
        case .table(let table): return table.html(label: part.label(form), form)
        case .chart(let chart): return chart.figure(id: "\(form.prefix)chart-\(index)", isRead: form.isPart)
        case .notes(let notes):
            return "<div class=\"notes\">\n" + notes.map { "<p>\(HTMLText.prose($0, form))</p>\n" }.joined()
                + "</div>\n"
        case .legend: return ""
        }
    }
}

/// Text that shows as it is in a page, in elements and in quoted attributes.
package enum HTMLText {
    package static func escaped(_ text: String) -> String {
        let safe = SafeText.escaped(text)
        guard safe.utf8.contains(where: isSpecial) else { return safe }
        var result = ""
        for scalar in safe.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
        default: false
        }
    }

    static func inline(_ text: StyledText, _ form: PageForm = .standalone) -> String {
        text.cells.map { inline($0, form) }.joined()
    }

    /// The same for sentences: what they say of the command line leads to where the pages have it.
    static func prose(_ text: StyledText, _ form: PageForm) -> String {
        text.cells.map { cell in
            guard form.isPart, cell.subject == nil, cell.graphic == nil, cell.brief == nil else {
                return inline(cell, form)
            }
            // What leads nowhere is no option here either: the page's own form calls it by its name.
            let named = cell.namingParameters { name, before in
                before != "'" && form.addressOfHint(.option(name)) != nil
            }
            return inked(prose(named.text, form.addressOfHint), cell)
        }.joined()
    }

    /// - Parameter address: where the page is for what `text` says of the command line; `nil` if there is none.
    package static func prose(_ text: String, _ address: (PageForm.Hint) -> String?) -> String {
        guard text.contains("--") || text.contains("rankctl"), !TerminalText.turns(text) else { return isolated(text) }
        var (html, rest) = ("", text.startIndex)
        for match in text.matches(of: /(--|rankctl report )([a-z][a-z-]*)/) {
            guard text[..<match.range.lowerBound].last.map({ " (".contains($0) }) ?? true else { continue }
            let name = String(match.output.2)
            guard let address = address(match.output.1 == "--" ? .option(name) : .report(name)) else { continue }
            html += escaped(String(text[rest..<match.range.lowerBound]))
            html += "<a href=\"\(escaped(address))\">\(escaped(name))</a>"
            rest = match.range.upperBound
        }
        return html + escaped(String(text[rest...]))
    }

    static func inline(_ cell: Cell, _ form: PageForm = .standalone) -> String {
        let text = core(cell)
        guard !text.isEmpty, let subject = cell.subject, let address = form.address(subject) else {
            return inked(text, cell)
        }
        // What is drawn repeats the link of its row: whoever goes from link to link meets that once.
        let skipped = cell.graphic == nil ? "" : " tabindex=\"-1\""
        return form.ornament(subject, cell.text)
            + "<a href=\"\(escaped(address))\"\(skipped)>\(inked(text, cell))</a>"
    }

    private static func core(_ cell: Cell) -> String {
        switch cell.graphic {
        case .sparkline(let sparkline): sparkline.svg
        case .bar(let share): bar(share)
        case nil: whole(cell)
        }
    }

    private static func inked(_ text: String, _ cell: Cell) -> String {
        guard !text.isEmpty, let name = cell.ink.className else { return text }
        return "<span class=\"\(name)\">\(text)</span>"
    }
}

extension HTMLText {
    /// On a phone by its shorter name.
    private static func whole(_ cell: Cell) -> String {
        guard let brief = cell.brief, TerminalText.width(brief) < cell.width else { return isolated(cell.text) }
        return "<span class=\"full\">\(isolated(cell.text))</span><span class=\"brief\">\(isolated(brief))</span>"
    }

    /// A name that is written from right to left does not turn round what stands beside it.
    package static func isolated(_ text: String) -> String {
        let shown = escaped(text)
        return TerminalText.turns(text) ? "<bdi dir=\"ltr\">\(shown)</bdi>" : shown
    }

    /// The number that it stands for is beside it.
    private static func bar(_ share: Double) -> String {
        let width = SVGDrawing.number(share * 160)
        return "<svg class=\"bar\" viewBox=\"0 0 160 12\" width=\"160\" aria-hidden=\"true\">"
            + "<rect class=\"dot-mine\" width=\"\(width)\" height=\"12\"/></svg>"
    }
}

extension Ink {
    /// The class in the page's style; `nil` for what needs none.
    fileprivate var className: String? {
        switch self {
        case .plain, .line: nil
        case .good: "good"
        case .bad: "bad"
        case .caution: "caution"
        case .faint: "faint"
        case .strong: "strong"
        }
    }
}
