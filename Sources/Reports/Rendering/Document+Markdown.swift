import RankKit

extension Document {
    /// The document as GitHub's Markdown, the last line break included. Source: GitHub Flavored Markdown, tables.
    var markdown: String {
        var parts = ["# " + MarkdownText.escaped(title)]
        for block in withZone.resolved(\.shownColumns) {
            switch block {
            case .heading(let text): parts.append("## " + MarkdownText.escaped(text))
            case .paragraph(let text): parts.append(MarkdownText.block(text))
            case .list(let items): parts.append(items.map { "- " + MarkdownText.block($0) }.joined(separator: "\n"))
            case .table(let table): parts += table.markdown
            case .chart(let chart): parts.append(MarkdownText.fenced(chart.lines(Self.chartStyle)))
            case .notes(let notes):
                parts.append(notes.map { "<sub>" + MarkdownText.inline($0) + "</sub>" }.joined(separator: "<br>\n"))
            case .legend: break
            }
        }
        parts.append("<sub>\(CivilTime.iso8601(generatedAt))</sub>")
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// What fits a mail and a wiki's column.
    private static let chartStyle = TerminalStyle(colour: false, width: 80)
}

extension Table {
    /// One table for each group of rows: Markdown has no headings within.
    fileprivate var markdown: [String] {
        let shown = shownColumns
        guard !shown.isEmpty else { return [] }
        let head =
            line(shown.map { MarkdownText.escaped(columns[$0].title) }) + "\n"
            + line(shown.map { columns[$0].alignment == .right ? "---:" : "---" })
        var parts: [String] = []
        var body: [String] = []
        func close() {
            if !body.isEmpty { parts.append(([head] + body).joined(separator: "\n")) }
            body = []
        }
        for row in rows {
            switch row {
            case .blank: close()
            case .heading(let text):
                close()
                parts.append("**" + MarkdownText.escaped(text.text) + "**")
            case .cells(let cells): body.append(line(shown.map { MarkdownText.inline(StyledText([cells[$0]])) }))
            }
        }
        close()
        return parts
    }

    private func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}

/// Text that shows as it is where Markdown is rendered, and does nothing.
package enum MarkdownText {
    /// What could begin a construct within a line gets a backslash or becomes an entity. Text is made safe for a terminal
    /// first, so it has no line breaks.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in SafeText.escaped(text).unicodeScalars {
            switch scalar {
            case "\\", "`", "*", "_", "[", "]", "|", "~": result += "\\\(scalar)"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            // An address or a name after an at sign would be made a link.
            case "@": result += "&#64;"
            case ":" where result.hasSuffix("http") || result.hasSuffix("https"): result += "&#58;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// What would make the line a heading, a list or a rule does not.
    static func block(_ text: StyledText) -> String {
        let line = inline(text)
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        if !digits.isEmpty, let next = line.dropFirst(digits.count).first, next == "." || next == ")" {
            return digits + "\\" + line.dropFirst(digits.count)
        }
        guard let first = line.first, "#-+=".contains(first) else { return line }
        return "\\" + line
    }

    /// What is strong is bold; the other inks say nothing that the words do not.
    static func inline(_ text: StyledText) -> String {
        text.cells.map { cell in
            // Blocks and underscores as they are.
            if cell.graphic != nil { return "`\(cell.text)`" }
            let shown = escaped(cell.text)
            let core = shown.trimmingSpaces
            guard cell.ink == .strong, !core.isEmpty else { return shown }
            return shown.replacing(core, with: "**\(core)**", maxReplacements: 1)
        }.joined()
    }

    /// A block whose fence is longer than any in it, so that nothing in it can end it.
    ///
    /// - Parameter kind: of what is in it.
    package static func fenced(_ lines: [String], as kind: String = "text") -> String {
        let longest = lines.flatMap { $0.split(whereSeparator: { $0 != "`" }) }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return ([fence + kind] + lines + [fence]).joined(separator: "\n")
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        guard let first = firstIndex(where: { $0 != " " }), let last = lastIndex(where: { $0 != " " }) else {
            return ""
        }
        return String(self[first...last])
    }
}
