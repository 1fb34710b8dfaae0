extension Document {
    /// The document in lines of at most the style's width, the last line break included.
    package func text(_ style: TerminalStyle) -> String {
        var lines: [String] = []
        var before: Block?
        for block in resolved({ $0.shownColumns(within: style.width - $0.indent) }) {
            if let before, Self.standApart(before, block) { lines.append("") }
            switch block {
            case .heading(let text): lines.append(StyledText(text, .strong).line(style))
            case .paragraph(let text): lines += text.wrapped(style, indent: 2)
            case .list(let items): lines += items.flatMap { $0.wrapped(style, indent: 2) }
            case .table(let table): lines += table.lines(style)
            case .chart(let chart): lines += chart.lines(style)
            case .notes(let notes): lines += notes.flatMap { $0.wrapped(style, indent: 2) }
            case .legend: break
            }
            before = block
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// A heading stands on what it heads, paragraphs on each other, and one on the chart without a heading.
    private static func standApart(_ before: Block, _ block: Block) -> Bool {
        switch (before, block) {
        case (.heading, _), (.paragraph, .paragraph): false
        case (.paragraph, .chart(let chart)): chart.heading != ""
        default: true
        }
    }
}
