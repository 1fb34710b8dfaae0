import Algorithms
import Judging
import RankKit

extension StandingsReport {
    /// The rows of each app, in the order of its first row.
    func shownBlocks() -> [[Standings.FoldedRow]] {
        var order: [BundleID] = []
        var rows: [BundleID: [Standings.Row]] = [:]
        for row in standings.rows where row.mine || options.competitors {
            if rows[row.bundleID] == nil { order.append(row.bundleID) }
            rows[row.bundleID, default: []].append(row)
        }
        return order.map { Standings.folded(rows[$0] ?? []) }
    }

    private func heading(of block: [Standings.FoldedRow]) -> StyledText {
        guard let first = block.first?.row else { return StyledText([]) }
        let name = block.lazy.compactMap(\.row.appName).first ?? first.alias
        let role = Cell(first.mine ? " · mine" : " · competitor", .faint)
        guard let name else {
            return StyledText([Cell(first.bundleID.text, .strong).about(.app(first.bundleID)), role])
        }
        let identifier = Cell(" · \(first.bundleID)", .faint)
        return StyledText([Cell(name, .strong).about(.app(first.bundleID)), identifier, role], yielding: 0)
    }

    /// - Parameters:
    ///   - wanted: which rows of all blocks, counted from 0.
    ///   - withNotes: whether it is told why the newest checks came to nothing.
    func table(of blocks: [[Standings.FoldedRow]], in wanted: Range<Int> = 0..<(.max), withNotes: Bool) -> Table {
        var table = Table(columns: Self.columns, indent: 2, foldsOnPhones: true)
        var first = 0
        for block in blocks {
            let shown = (first..<first + block.count).clamped(to: wanted)
            if !shown.isEmpty {
                if !table.rows.isEmpty { table.rows.append(.blank) }
                table.rows.append(.heading(heading(of: block)))
                table.rows += block[shown.lowerBound - first..<shown.upperBound - first].map {
                    .cells(cells(of: $0, note: withNotes ? note($0.row) : .empty))
                }
            }
            first += block.count
        }
        return table
    }

    /// All rows in the order that is asked for, each with its app.
    func sortedTable(of lines: [Standings.FoldedRow], first limit: Int, withNotes: Bool) -> Table {
        var columns = Self.columns
        columns.insert(.init("app", minimum: 8, comfort: 14, sorting: .init(.app)), at: 1)
        return Table(
            columns: columns,
            rows: options.listed(lines, by: \.row).prefix(limit).map { line in
                var cells = cells(of: line, note: withNotes ? note(line.row) : .empty)
                cells.insert(Self.app(of: line.row), at: 1)
                return .cells(cells)
            }, indent: 2, foldsOnPhones: true)
    }

    /// The note's minimum holds the reason of most failures; a reason cut in half explains nothing.
    private static let columns: [Table.Column] =
        [
            .init("query", minimum: 12, comfort: 24, sorting: .init(.query)), .init("in", sorting: .init(.country)),
            .init("on", sorting: .init(.platform)), .init("now", .right, sorting: .init(.now)), .init(""),
            .init("1d", .right, meaning: Table.rawMeaning, sorting: .init(.day)),
            .init("7d", .right, priority: 8, meaning: Table.rawMeaning, sorting: .init(.week)),
            .init("30d", .right, priority: 6, meaning: Table.rawMeaning, sorting: .init(.month)),
            .init("best", .right, priority: 3, sorting: .init(.best)),
        ]
        + zip(QueryDifficulty.columns, [StandingsOrder.topTen, .own, .named]).map { column, order in
            var column = column
            column.sorting = .init(order)
            return column
        } + [
            .init("trend", minimum: 7, priority: 5, cut: .beginning),
            .init("age", .right, priority: 7, sorting: .init(.age)),
            .init("note", minimum: 40, priority: 0, below: .plain),
        ]

    private func cells(of folded: Standings.FoldedRow, note: Cell) -> [Cell] {
        let row = folded.row
        let twinAge = folded.twin?.age(at: standings.until)
        let age = [row.age(at: standings.until), twinAge].compactMap(\.self).max { $0.seconds < $1.seconds }
        let mark: AppMark = row.mine ? .mine : .competitor
        let place = [
            .query(row.question), .storefront(of: row.question), Cell(folded.platforms), Self.now(row).about(row.pair),
            .mark(row.judgement, isMine: row.mine), .move(row.change1d, of: mark), .move(row.change7d, of: mark),
            .move(row.change30d, of: mark), Cell(row.best?.position.description ?? ""),
        ]
        return place + QueryDifficulty.cells(row.difficulty, own: row.ratingCount) + [
            Cell(Sparkline(row.trend)).about(row.pair), Cell(age?.short ?? "", .faint), note,
        ]
    }

    /// A place of the newest check stands alone; one that only the last good check vouches for is marked `○`.
    static func now(_ row: Standings.Row) -> Cell {
        switch row.state {
        case .ranked, .absent:
            if let position = row.position { return Cell(position.description, .strong) }
            return row.within.map { Cell(">\($0)") } ?? Cell("–", .faint)
        case .failed, .suspect, .pending:
            guard let reading = row.lastGood else { return Cell("–", .faint) }
            return Cell("○ " + (reading.position?.description ?? ">\(reading.within)"), .caution)
        }
    }

    /// The same, with its age where that is too old to say anything about `moment`.
    static func now(_ row: Standings.Row, at moment: Timestamp) -> [Cell] {
        guard let good = row.lastGood, row.isStale(at: moment) else { return [now(row)] }
        return [now(row), Cell(" " + RelativeAge(of: good.checkedAt, at: moment).short, .caution)]
    }

    func note(_ row: Standings.Row) -> Cell {
        guard row.state == .failed || row.state == .suspect else {
            // Where no query can be judged, it is said once above the table.
            guard let firstVerdict, firstVerdict.isOfNewQueries else { return .empty }
            return Cell(firstVerdict.words(of: row.question) ?? "", .faint)
        }
        let age = row.checkedAt.map { " " + RelativeAge(of: $0, at: standings.until).phrase } ?? ""
        return Cell("\(row.state.rawValue)\(age)" + (row.why.map { ": \($0)" } ?? ""), .caution)
    }
}

extension StandingsReport {
    /// The competitors that have rows, each with the number of lists it is looked for in.
    package var competitors: Document {
        var document = Document(title: "Competitors", generatedAt: generatedAt)
        let rows = standings.rows.filter { !$0.mine }
        guard !rows.isEmpty else { return document }
        document.heading("Competitors")
        let lists = Dictionary(grouping: rows, by: \.bundleID)
        document.list(
            rows.map(\.bundleID).uniqued().compactMap { app in
                guard let rows = lists[app], let named = rows.first(where: { $0.appName != nil }) ?? rows.first else {
                    return nil
                }
                return StyledText([
                    Self.app(of: named), Cell(" · looked for in \(Figures.counted(rows.count, "list"))", .faint),
                ])
            })
        return document
    }
}

extension Standings.Row {
    /// What a page of its own is about.
    var pair: Cell.Subject { .pair(bundleID, question) }

    /// Of the last good check, as it is that one's position that is shown.
    fileprivate func age(at now: Timestamp) -> RelativeAge? {
        lastGood.map { RelativeAge(of: $0.checkedAt, at: now) }
    }

    /// Why the newest check is no reading, in words.
    var why: String? { outcome.gap?.words(detail) }
}

extension Standings.FoldedRow {
    /// `iPhone+iPad`.
    var platforms: String { row.platform.displayName + (twin.map { "+" + $0.platform.displayName } ?? "") }
}
