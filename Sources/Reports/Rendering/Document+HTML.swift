import RankKit

extension Document {
    /// The document as one page that needs nothing else: no script, no foreign style or image.
    package var html: String {
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
        for (index, block) in blocks.enumerated() {
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
            }
        }
        return page + "</main>\n</body>\n</html>\n"
    }
}

extension Table {
    /// - Parameter label: what the region is called that scrolls where the table is too wide.
    fileprivate func html(label: String) -> String {
        let shown = shownColumns
        guard !shown.isEmpty else { return "" }
        var text =
            "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"\(HTMLText.escaped(label))\">\n<table>\n"
        if shown.contains(where: { !columns[$0].title.isEmpty }) {
            text += "<thead><tr>" + shown.map { header(columns[$0]) }.joined() + "</tr></thead>\n"
        }
        text += "<tbody>\n"
        for row in rows {
            switch row {
            case .blank: break
            case .heading(let heading):
                text += "<tr class=\"group\"><th colspan=\"\(shown.count)\" scope=\"rowgroup\">"
                text += HTMLText.inline(heading) + "</th></tr>\n"
            case .cells(let cells):
                text += "<tr>"
                for index in shown {
                    text += "<td\(Self.classes(columns[index]))>\(HTMLText.inline(cells[index]))</td>"
                }
                text += "</tr>\n"
            }
        }
        return text + "</tbody>\n</table>\n</div>\n"
    }

    /// A header that says nothing heads nothing.
    private func header(_ column: Column) -> String {
        guard !column.title.isEmpty else { return "<td></td>" }
        return "<th scope=\"col\"\(Self.classes(column))>\(HTMLText.escaped(column.title))</th>"
    }

    private static func classes(_ column: Column) -> String {
        if column.alignment == .right { return " class=\"right\"" }
        return column.goesBelow ? " class=\"wide\"" : ""
    }
}

extension Chart {
    fileprivate func figure(id: String) -> String {
        "<figure>\n<figcaption>\(HTMLText.escaped(title))<span>\(HTMLText.escaped(summary))</span></figcaption>\n"
            + svg(id: id) + "\n</figure>\n"
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
            case nil: escaped(cell.text)
            }
        guard !core.isEmpty, let name = cell.ink.className else { return core }
        return "<span class=\"\(name)\">\(core)</span>"
    }
}

extension Ink {
    /// The class in the page's style; `nil` for what needs none.
    fileprivate var className: String? {
        switch self {
        case .plain: nil
        case .good: "good"
        case .bad: "bad"
        case .caution: "caution"
        case .faint: "faint"
        case .strong: "strong"
        }
    }
}
