extension Table {
    /// The table as an element of a page, in a region that scrolls where it is too wide.
    ///
    /// - Parameter label: what the region is called.
    func html(label: String, _ form: PageForm = .standalone) -> String {
        let shown = shownColumns
        guard !shown.isEmpty else { return "" }
        let below = shown.filter(standsBelow)
        let beside = shown.filter { !below.contains($0) }
        var text =
            "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"\(HTMLText.escaped(label))\">\n"
        text += folds(form) ? "<table class=\"folding\">\n" : "<table>\n"
        if beside.contains(where: { !columns[$0].title.isEmpty }) {
            text += "<thead><tr>" + beside.map { header(columns[$0], form) }.joined() + "</tr></thead>\n"
        }
        let naming = beside.first { columns[$0].namesRow } ?? beside.first { namesRow(columns[$0]) }
        text += "<tbody>\n"
        for (number, row) in rows.enumerated() {
            switch row {
            case .blank: break
            case .heading(let heading):
                // What a heading is about is a body of its own.
                if number > 0 { text += "</tbody>\n<tbody>\n" }
                text += "<tr class=\"group\"><th colspan=\"\(beside.count)\" scope=\"rowgroup\"><span>"
                text += HTMLText.inline(heading, form) + "</span></th></tr>\n"
            case .cells(let cells):
                text += "<tr>" + beside.map { cell(cells[$0], $0, isNaming: $0 == naming, form) }.joined() + "</tr>\n"
                for index in below where !cells[index].text.isEmpty {
                    text += "<tr class=\"below\"><td colspan=\"\(beside.count)\"><span>"
                    text += HTMLText.inline(columns[index].textBelow(cells[index]), form) + "</span></td></tr>\n"
                }
            }
        }
        return text + "</tbody>\n</table>\n</div>\n"
    }

    /// A page that stands alone is printed or mailed, and scrolls.
    private func folds(_ form: PageForm) -> Bool { foldsOnPhones && form.isPart }

    /// Sentences are no column of a page: on a narrow one they would lie beyond its edge.
    private static let sentence = 32

    private func standsBelow(_ index: Int) -> Bool {
        guard columns[index].below != .never else { return false }
        return rows.contains { row in
            if case .cells(let cells) = row { cells[index].width > Self.sentence } else { false }
        }
    }

    /// A header that says nothing heads nothing.
    private func header(_ column: Column, _ form: PageForm) -> String {
        guard !column.title.isEmpty else { return "<td></td>" }
        let title = HTMLText.escaped(column.title)
        guard let own = column.sorting, let sorting = form.sorting(own.word) else {
            return "<th scope=\"col\"\(Self.classes(column))>\(title)</th>"
        }
        let order =
            sorting.isReversed.map { $0 == own.startsDescending ? "ascending" : "descending" }
            .map { " aria-sort=\"\($0)\"" } ?? ""
        return "<th scope=\"col\"\(Self.classes(column))\(order)>"
            + "<a href=\"\(HTMLText.escaped(sorting.address))\">\(title)</a></th>"
    }

    /// Where no column is said to: the first that is text and has a title.
    private func namesRow(_ column: Column) -> Bool { !column.title.isEmpty && column.alignment == .left }

    private func cell(_ cell: Cell, _ index: Int, isNaming: Bool, _ form: PageForm) -> String {
        let content = HTMLText.inline(cell, form)
        // The style puts a folded row's cells in order by what they are, and names the numbers of its second line.
        let place = folds(form) ? " data-of=\"\(HTMLText.escaped(columns[index].title))\"" : ""
        // A header that says nothing is none.
        guard !isNaming || form.isPart && content.isEmpty else {
            return "<th scope=\"row\"\(Self.classes(columns[index]))\(place)>\(content)</th>"
        }
        return "<td\(Self.classes(columns[index]))\(place)>\(content)</td>"
    }

    /// Text that can shrink in a terminal can wrap on a phone.
    private static func classes(_ column: Column) -> String {
        let names = [
            column.alignment == .right ? "right" : column.minimum != nil ? "text" : nil,
            column.isForWidePages ? "long" : nil,
        ].compactMap(\.self)
        return names.isEmpty ? "" : " class=\"\(names.joined(separator: " "))\""
    }
}
