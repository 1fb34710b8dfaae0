extension Table {
    /// The columns in which anything stands.
    var shownColumns: [Int] {
        let widths = naturalWidths()
        return columns.indices.filter { widths[$0] > 0 }
    }

    /// The width of each column so that a row fits into `available` columns; `nil` for one that is not shown.
    func columnWidths(within available: Int) -> [Int?] {
        let natural = naturalWidths()
        var shown = columns.indices.filter { natural[$0] > 0 }
        for index in shown where columns[index].goesBelow {
            let others = shown.filter { $0 != index }
            let needed = total(others.map { natural[$0] } + [least(index, natural)])
            if needed > available { shown = others }
        }
        while true {
            let widths = shrunk(shown, natural: natural, available: available)
            if let widths { return widths }
            // Where nothing may drop out there is a floor of one column each, and below that the rightmost goes.
            let victim = shown.filter { columns[$0].priority != nil }.min { rank($0) < rank($1) }
            if let victim {
                shown.removeAll { $0 == victim }
            } else if total(shown.map { _ in 1 }) > available, shown.count > 1 {
                shown.removeLast()
            } else {
                return squeezed(shown, natural: natural, available: available)
            }
        }
    }

    /// What the widest cell of each column takes, its title included; 0 where all cells are empty.
    private func naturalWidths() -> [Int] {
        var widths = columns.map { _ in 0 }
        for case .cells(let cells) in rows {
            for (index, cell) in cells.enumerated() { widths[index] = max(widths[index], cell.width) }
        }
        let hasRows = widths.contains { $0 > 0 }
        return zip(columns, widths).map { column, width in
            width == 0 && hasRows ? 0 : max(width, TerminalText.width(column.title))
        }
    }

    /// The shown columns shrunk as far as their minimums let them, lowest priority first; `nil` where that is not
    /// enough.
    private func shrunk(_ shown: [Int], natural: [Int], available: Int) -> [Int?]? {
        var widths: [Int?] = columns.map { _ in nil }
        for index in shown { widths[index] = natural[index] }
        var excess = total(shown.map { natural[$0] }) - available
        for index in shown.sorted(by: { rank($0) < rank($1) }) where excess > 0 {
            let given = min(excess, natural[index] - least(index, natural))
            widths[index] = natural[index] - given
            excess -= given
        }
        return excess > 0 ? nil : widths
    }

    /// Columns that may not drop out, cut below their minimums, the widest first.
    private func squeezed(_ shown: [Int], natural: [Int], available: Int) -> [Int?] {
        var widths = columns.map { _ in 0 }
        for index in shown { widths[index] = min(natural[index], columns[index].minimum ?? .max) }
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

    /// A title is not cut as long as another column can yield.
    private func least(_ index: Int, _ natural: [Int]) -> Int {
        guard let minimum = columns[index].minimum else { return natural[index] }
        return min(natural[index], max(minimum, TerminalText.width(columns[index].title)))
    }

    private func rank(_ index: Int) -> Int { columns[index].priority ?? .max }
}
