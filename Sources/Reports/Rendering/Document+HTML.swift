import RankKit

extension Document {
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
            <p class="made">\(CivilTime.minute(generatedAt)) UTC</p>

            """
        var part = title
        for (index, block) in resolved(\.shownColumns).enumerated() {
            switch block {
            case .heading(let text):
                part = text
                page += "<h2>\(HTMLText.escaped(text))</h2>\n"
            case .paragraph(let text): page += "<p>\(HTMLText.inline(text))</p>\n"
            case .list(let items):
                page += "<ul>\n" + items.map { "<li>\(HTMLText.inline($0))</li>\n" }.joined() + "</ul>\n"
            case .table(let table): page += table.html(label: part)
            case .chart(let chart): page += chart.figure(id: "chart-\(index)")
            case .notes(let notes):
                page +=
                    "<div class=\"notes\">\n" + notes.map { "<p>\(HTMLText.inline($0))</p>\n" }.joined() + "</div>\n"
            case .legend: break
            }
        }
        return page + "</main>\n</body>\n</html>\n"
    }
}

/// Text that shows as it is in a page, in elements and in quoted attributes.
enum HTMLText {
    static func escaped(_ text: String) -> String {
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

    static func inline(_ text: StyledText) -> String { text.cells.map(inline).joined() }

    static func inline(_ cell: Cell) -> String {
        let core =
            switch cell.graphic {
            case .sparkline(let sparkline): sparkline.svg
            case .bar(let share): bar(share)
            case nil: whole(cell)
            }
        guard !core.isEmpty, let name = cell.ink.className else { return core }
        return "<span class=\"\(name)\">\(core)</span>"
    }
}

extension HTMLText {
    /// On a phone by its shorter name.
    private static func whole(_ cell: Cell) -> String {
        guard let brief = cell.brief, TerminalText.width(brief) < cell.width else { return isolated(cell.text) }
        return "<span class=\"full\">\(isolated(cell.text))</span><span class=\"brief\">\(isolated(brief))</span>"
    }

    /// A name that is written from right to left does not turn round what stands beside it.
    static func isolated(_ text: String) -> String {
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
