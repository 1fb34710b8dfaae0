import RankKit

/// A report before it takes a form: what is said and in what order, for any width and any reader.
package struct Document: Sendable {
    enum Block: Sendable {
        case heading(String)
        case paragraph(StyledText)
        /// Lines of the same kind, one below the other.
        case list([StyledText])
        case table(Table)
        case chart(Chart)
        /// What explains or limits the part before: small print.
        case notes([StyledText])
        /// What the titles of the columns mean, as small print: of those that are shown and no others.
        case legend
    }

    /// What the report is about; a terminal does not show it.
    package var title: String
    var generatedAt: Timestamp
    var blocks: [Block] = []
    /// Which of the blocks says what moment the report is of.
    private(set) var momentBlock: Int?
    /// Headings whose part a page that tells the same in brief may fold.
    private(set) var details: Set<String> = []

    /// - Parameter isDetail: whether a page that tells the same in brief may show only the heading until somebody opens it.
    mutating func heading(_ text: String, isDetail: Bool = false) {
        blocks.append(.heading(text))
        if isDetail { details.insert(text) }
    }

    mutating func paragraph(_ text: StyledText?) {
        if let text { blocks.append(.paragraph(text)) }
    }

    mutating func paragraph(_ text: String, _ ink: Ink = .plain) {
        blocks.append(.paragraph(StyledText(text, ink)))
    }

    /// Says when the first verdicts come, where there are pairs that cannot be judged yet.
    mutating func paragraph(_ verdict: FirstVerdict?) {
        if let verdict { paragraph(verdict.words, .faint) }
    }

    /// Says what moment the report is of, where that is not the one in which it is made.
    mutating func asOf(_ moment: Timestamp) {
        guard moment < generatedAt else { return }
        momentBlock = blocks.count
        paragraph("as of \(CivilTime.minuteInZone(moment))", .strong)
    }

    /// The same for a page that says above it what moment it is of.
    package var withoutMoment: Document {
        var document = self
        if let momentBlock { document.blocks.remove(at: momentBlock) }
        document.momentBlock = nil
        return document
    }

    /// A paragraph of short lines, apart from what comes before; nothing if there are none.
    mutating func list(_ lines: [StyledText]) {
        if !lines.isEmpty { blocks.append(.list(lines)) }
    }

    mutating func table(_ table: Table) { blocks.append(.table(table)) }

    mutating func chart(_ chart: Chart) { blocks.append(.chart(chart)) }

    mutating func notes(_ lines: [StyledText]) {
        if !lines.isEmpty { blocks.append(.notes(lines)) }
    }

    mutating func notes(_ lines: [String]) { notes(lines.map { StyledText($0, .faint) }) }

    mutating func legend() { blocks.append(.legend) }

    /// The blocks with small print in place of the legend, and one part of it on the next.
    ///
    /// - Parameter shown: the columns of a table that are shown.
    func resolved(_ shown: (Table) -> [Int]) -> [Block] {
        var resolved: [Block] = []
        for block in blocks {
            let block = if case .legend = block { legend(shown) } else { block }
            if case .notes(let lines) = block {
                if case .notes(let before)? = resolved.last {
                    resolved[resolved.count - 1] = .notes(before + lines)
                } else if !lines.isEmpty {
                    resolved.append(block)
                }
            } else {
                resolved.append(block)
            }
        }
        return resolved
    }

    private func legend(_ shown: (Table) -> [Int]) -> Block {
        var told: Set<String> = []
        var meanings: [(titles: [String], meaning: String)] = []
        for case .table(let table) in blocks where table.columns.contains(where: { $0.meaning != nil }) {
            for (title, meaning) in table.meanings(of: shown(table)) where told.insert(title).inserted {
                // Columns of one meaning are told together.
                if let same = meanings.firstIndex(where: { $0.meaning == meaning }) {
                    meanings[same].titles.append(title)
                } else {
                    meanings.append(([title], meaning))
                }
            }
        }
        let parts = meanings.map { "\($0.titles.joined(separator: ", ")): \($0.meaning)" }
        return .notes(parts.isEmpty ? [] : [StyledText(parts.joined(separator: "; "), .faint)])
    }
}

extension Document {
    /// The document in lines of at most the style's width, the last line break included.
    func text(_ style: TerminalStyle) -> String {
        var lines: [String] = []
        var before: Block?
        for block in withZone.withLeftOut(style).resolved({ $0.shownColumns(within: style.width - $0.indent) }) {
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
        var text = ""
        for line in lines {
            text += line
            text += "\n"
        }
        return text
    }

    /// The same with small print about the zone of its days and times, if that is another than UTC and nothing here has
    /// said so.
    var withZone: Document {
        let zone = ReportZone.days
        let isTold = blocks.contains { block in
            switch block {
            case .paragraph(let text): text.text.contains(zone.name)
            case .list(let lines), .notes(let lines): lines.contains { $0.text.contains(zone.name) }
            case .heading, .table, .chart, .legend: false
            }
        }
        guard !zone.isUTC, !isTold else { return self }
        var document = self
        document.notes(["days and times in \(zone.name)"])
        return document
    }

    /// The same with small print about the columns that a terminal of this width has no room for: who does not see them
    /// would not know of them.
    private func withLeftOut(_ style: TerminalStyle) -> Document {
        var titles: [String] = []
        for case .table(let table) in blocks {
            for title in table.leftOut(within: style.width - table.indent) where !titles.contains(title) {
                titles.append(title)
            }
        }
        guard !titles.isEmpty else { return self }
        let named = titles.prefix(Self.mostLeftOut).joined(separator: ", ")
        let more = titles.count > Self.mostLeftOut ? " and \(titles.count - Self.mostLeftOut) more" : ""
        let note = StyledText("no room in \(style.width) columns for: \(named)\(more)", .faint)
        var document = self
        if case .notes(let lines)? = blocks.last {
            document.blocks[blocks.count - 1] = .notes([note] + lines)
        } else {
            document.notes([note])
        }
        return document
    }

    /// Columns that are named; a table of days can have many.
    private static let mostLeftOut = 8

    /// A heading stands on what it heads, paragraphs on each other, and one on the chart without a heading.
    private static func standApart(_ before: Block, _ block: Block) -> Bool {
        switch (before, block) {
        case (.heading, _), (.paragraph, .paragraph): false
        case (.paragraph, .chart(let chart)): chart.heading != ""
        default: true
        }
    }
}
