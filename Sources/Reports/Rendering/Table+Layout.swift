import Algorithms

extension Table {
    /// How the columns share the width.
    struct Layout {
        /// Of each column; `nil` for one that is not shown.
        var widths: [Int?]
        /// Whether the column's cells go by their shorter names.
        var isBrief: [Bool]
    }

    /// What the cells of each column take.
    private struct Needs {
        /// The widest cell, the title included; 0 if all cells are empty.
        var natural: [Int]
        /// The same by the shorter names.
        var brief: [Int]
    }

    /// How far columns are made to shrink.
    private enum Floor { case comfort, minimum }

    /// The columns in which anything stands.
    var shownColumns: [Int] {
        let natural = needs().natural
        return columns.indices.filter { natural[$0] > 0 }
    }

    /// What the titles mean that `columns` show, in their order.
    func meanings(of shown: [Int]) -> [(title: String, meaning: String)] {
        shown.compactMap { index in columns[index].meaning.map { (columns[index].title, $0) } }
    }

    /// Columns that have a width where a row has to fit into `available` columns.
    func shownColumns(within available: Int) -> [Int] {
        let widths = layout(within: available).widths
        return columns.indices.filter { widths[$0] != nil }
    }

    /// The titles of the columns that have no room where a row has to fit into `available` columns, and whose cells stand
    /// nowhere else. A title that another column shows is not among them.
    func leftOut(within available: Int) -> [String] {
        let shown = shownColumns(within: available)
        let hidden = shownColumns.filter { !shown.contains($0) && columns[$0].below == .never }
        let told = Set(shown.map { columns[$0].title })
        let titles = hidden.filter { columns[$0].inRow == nil }.map { columns[$0].title }
            .filter { !$0.isEmpty && !told.contains($0) }
        let rows = hidden.filter { columns[$0].inRow != nil }.chunked { $0 + 1 == $1 }.compactMap { row -> String? in
            guard let first = row.first, let last = row.last, let name = columns[first].inRow else { return nil }
            return first == last ? name : "\(name)–\(columns[last].inRow ?? "")"
        }
        return titles + rows
    }

    /// The width of each column so that a row fits into `available` columns.
    func layout(within available: Int) -> Layout {
        let needs = needs()
        var shown = columns.indices.filter { needs.natural[$0] > 0 }
        for index in shown where columns[index].below != .never {
            let others = shown.filter { $0 != index }
            // What overflows makes do with the room that the others leave when they shrink, and when what repeats
            // another column drops out.
            let overflows = columns[index].below == .overflow
            let beside = others.filter { !overflows || !columns[$0].isForWidePages }.map {
                overflows ? least($0, needs, .comfort) : needs.natural[$0]
            }
            let needed = total(beside + [least(index, needs, .comfort)])
            if needed > available { shown = others }
        }
        while true {
            if let widths = shrunk(shown, needs, available, to: .comfort) { return brief(widths, needs) }
            guard let victim = shown.filter({ columns[$0].priority != nil }).min(by: { rank($0) < rank($1) }) else {
                break
            }
            shown.removeAll { $0 == victim }
        }
        if let widths = shrunk(shown, needs, available, to: .minimum) { return brief(widths, needs) }
        // Where nothing may drop out there is a floor of one column each, and below that the rightmost goes.
        while total(shown.map { _ in 1 }) > available, shown.count > 1 { shown.removeLast() }
        return brief(squeezed(shown, needs, available), needs)
    }

    private func needs() -> Needs {
        var widest = columns.map { _ in 0 }
        var brief = widest
        for case .cells(let cells) in rows {
            for (index, cell) in cells.enumerated() {
                widest[index] = max(widest[index], cell.width)
                let shorter = cell.brief.map(TerminalText.width) ?? cell.width
                brief[index] = max(brief[index], min(cell.width, shorter))
            }
        }
        let hasRows = widest.contains { $0 > 0 }
        func whole(_ widths: [Int]) -> [Int] {
            columns.indices.map { index in
                widest[index] == 0 && hasRows ? 0 : max(widths[index], TerminalText.width(columns[index].title))
            }
        }
        return Needs(natural: whole(widest), brief: whole(brief))
    }

    /// Shorter names where one of the whole ones does not fit, and no wider than they are.
    private func brief(_ widths: [Int?], _ needs: Needs) -> Layout {
        var layout = Layout(widths: widths, isBrief: columns.map { _ in false })
        for (index, width) in widths.enumerated() {
            guard let width, width < needs.natural[index], needs.brief[index] < needs.natural[index] else { continue }
            layout.isBrief[index] = true
            layout.widths[index] = min(width, needs.brief[index])
        }
        return layout
    }

    /// The shown columns shrunk as far as their floors let them, lowest priority first and of equals the rightmost;
    /// `nil` if that is not enough.
    private func shrunk(_ shown: [Int], _ needs: Needs, _ available: Int, to floor: Floor) -> [Int?]? {
        var widths: [Int?] = columns.map { _ in nil }
        for index in shown { widths[index] = needs.natural[index] }
        var excess = total(shown.map { needs.natural[$0] }) - available
        for index in shown.sorted(by: { (rank($0), -$0) < (rank($1), -$1) }) where excess > 0 {
            let given = min(excess, needs.natural[index] - least(index, needs, floor))
            widths[index] = needs.natural[index] - given
            excess -= given
        }
        return excess > 0 ? nil : widths
    }

    /// Columns that may not drop out, cut below their minimums, the widest first.
    private func squeezed(_ shown: [Int], _ needs: Needs, _ available: Int) -> [Int?] {
        var widths = columns.map { _ in 0 }
        for index in shown { widths[index] = min(needs.brief[index], columns[index].minimum ?? .max) }
        while total(shown.map { widths[$0] }) > available,
            let widest = shown.max(by: { widths[$0] < widths[$1] }), widths[widest] > 1
        {
            widths[widest] -= 1
        }
        return columns.indices.map { shown.contains($0) ? widths[$0] : nil }
    }

    private func total(_ widths: [Int]) -> Int {
        widths.reduce(0, +) + Self.gap * max(0, widths.count - 1)
    }

    /// A title is not cut as long as another column can yield, nor is a shorter name.
    private func least(_ index: Int, _ needs: Needs, _ floor: Floor) -> Int {
        let column = columns[index]
        guard let minimum = column.minimum else { return needs.brief[index] }
        let wanted = floor == .comfort ? max(minimum, column.comfort ?? minimum) : minimum
        return min(needs.brief[index], max(wanted, TerminalText.width(column.title)))
    }

    private func rank(_ index: Int) -> Int { columns[index].priority ?? .max }
}
