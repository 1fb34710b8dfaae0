import RankKit

extension StandingsReport {
    func table(_ style: TerminalStyle) -> String {
        guard !standings.rows.isEmpty else { return Self.empty.wrapped(style).map { $0 + "\n" }.joined() }
        let blocks = shownBlocks()
        var table = Table(columns: Self.columns, indent: 2)
        for (index, block) in blocks.enumerated() {
            if index > 0 { table.rows.append(.blank) }
            table.rows.append(.heading(heading(of: block, width: style.width)))
            table.rows += block.map { .cells(cells(of: $0)) }
        }
        var lines = summary().wrapped(style, indent: 2)
        if !blocks.isEmpty { lines += [""] + table.lines(style) }
        lines.append("")
        for line in notes { lines += line.wrapped(style, indent: 2) }
        for line in footer(blocks.flatMap(\.self)) { lines += line.wrapped(style, indent: 2) }
        return lines.map { $0 + "\n" }.joined()
    }

    private static let empty = StyledText(
        """
        No tracked pair to report. Add one with “rankctl watch add” and run “rankd --once”, or loosen --app, --query, \
        --country and --tag where they are given.
        """)

    /// The rows of each app, in the order of its first row.
    private func shownBlocks() -> [[Standings.FoldedRow]] {
        var order: [BundleID] = []
        var rows: [BundleID: [Standings.Row]] = [:]
        for row in standings.rows where row.mine || options.competitors {
            if rows[row.bundleID] == nil { order.append(row.bundleID) }
            rows[row.bundleID, default: []].append(row)
        }
        return order.map { Standings.folded(rows[$0] ?? []) }
    }

    private func heading(of block: [Standings.FoldedRow], width: Int) -> StyledText {
        guard let first = block.first?.row else { return StyledText([]) }
        let name = block.lazy.compactMap(\.row.appName).first ?? first.alias
        let role = Cell(first.mine ? " · mine" : " · competitor", .faint)
        guard let name else { return StyledText([Cell(first.bundleID.text, .strong), role]) }
        let identifier = Cell(" · \(first.bundleID)", .faint)
        let left = max(width - identifier.width - role.width, 12)
        return StyledText([Cell(name, .strong).fitted(to: left), identifier, role])
    }

    /// The note's minimum holds the reason of most failures; a reason cut in half explains nothing.
    private static let columns: [Table.Column] = [
        .init("query", minimum: 12), .init("in"), .init("on"), .init("now", .right), .init("1d", .right),
        .init("7d", .right, priority: 4), .init("30d", .right, priority: 3), .init("best", .right, priority: 2),
        .init("trend", minimum: 7, priority: 1, cut: .beginning), .init("age", .right, priority: 5),
        .init("note", minimum: 40, priority: 0, goesBelow: true),
    ]

    private func cells(of folded: Standings.FoldedRow) -> [Cell] {
        let row = folded.row
        let twinAge = folded.twin?.age(at: standings.generatedAt)
        let age = [row.age(at: standings.generatedAt), twinAge].compactMap(\.self).max { $0.seconds < $1.seconds }
        return [
            Cell(row.query), Cell(row.country.code),
            Cell(row.platform.displayName + (folded.twin.map { "+" + $0.platform.displayName } ?? "")),
            Self.now(row), Self.change(row.change1d), Self.change(row.change7d), Self.change(row.change30d),
            Cell(row.best?.position.description ?? ""), Cell(Sparkline(row.trend).text),
            Cell(age?.short ?? "", .faint), note(row),
        ]
    }

    /// A place of the newest check stands alone; one that only the last good check vouches for is marked `○`.
    private static func now(_ row: Standings.Row) -> Cell {
        switch row.state {
        case .ranked, .absent:
            if let position = row.position { return Cell(position.description, .strong) }
            return row.within.map { Cell(">\($0)") } ?? Cell("–", .faint)
        case .failed, .suspect, .pending:
            guard let reading = row.lastGood else { return Cell("–", .faint) }
            return Cell("○ " + (reading.position?.description ?? ">\(reading.within)"), .caution)
        }
    }

    private static func change(_ change: Standings.Change?) -> Cell {
        switch change {
        case .places(let places) where places > 0: Cell("▲\(places)", .good)
        case .places(let places) where places < 0: Cell("▼\(places.magnitude)", .bad)
        case .places: Cell("=", .faint)
        case .entered: Cell("▲ new", .good)
        case .left: Cell("▼ out", .bad)
        case nil: .empty
        }
    }

    private func note(_ row: Standings.Row) -> Cell {
        guard row.state == .failed || row.state == .suspect else { return .empty }
        let age = row.checkedAt.map { " " + RelativeAge(of: $0, at: standings.generatedAt).phrase } ?? ""
        return Cell("\(row.state.rawValue)\(age)" + (Self.why(row).map { ": \($0)" } ?? ""), .caution)
    }
}

extension StandingsReport {
    /// The reason in words; one that a newer rankd wrote stays as it is.
    private static func why(_ row: Standings.Row) -> String? {
        row.reason.map { explanation(of: $0) }
    }

    private func summary() -> StyledText {
        let summary = standings.summary
        guard summary.pairs > 0 else { return StyledText("mine: no pair among these") }
        let moves = [
            Self.count(summary.up, "up", .good), Self.count(summary.down, "down", .bad),
            Self.count(summary.entered, "entered", .good), Self.count(summary.left, "left", .bad),
            Self.count(summary.unchanged, "unchanged"),
            summary.compared > 0 ? Self.count(summary.uncompared, "not comparable yet") : nil,
        ]
        let faults = [
            summary.staleSince.flatMap {
                Self.count(summary.stale, "not checked since \(CivilTime.date($0))", .bad)
            },
            Self.count(summary.failed, "failed", .caution), Self.count(summary.suspect, "suspect", .caution),
            Self.count(summary.pending, "not checked yet"),
        ]
        var cells = [Cell("mine: ", .strong)]
        if summary.compared > 0 {
            cells += Self.list(moves)
        } else if summary.stale > 0 {
            cells.append(Cell(Figures.counted(summary.pairs, "pair")))
        } else {
            cells.append(Cell("\(Figures.counted(summary.pairs, "pair")), no earlier day to compare with yet"))
        }
        let faultCells = Self.list(faults)
        if !faultCells.isEmpty { cells += [Cell("; ")] + faultCells }
        if summary.compared > 0 { cells.append(Cell(" · since yesterday", .faint)) }
        return StyledText(cells)
    }

    private static func count(_ number: Int, _ what: String, _ ink: Ink = .plain) -> Cell? {
        number > 0 ? Cell("\(Figures.grouped(number)) \(what)", ink) : nil
    }

    private static func list(_ cells: [Cell?]) -> [Cell] {
        Array(cells.compactMap(\.self).map { [$0] }.joined(separator: [Cell(", ")]))
    }

    /// How many apps that are not sold are named.
    private static let namedUnknown = 5

    /// Also about competitors that are not shown: a slip of the pen is one there too.
    private var notes: [StyledText] {
        var seen: Set<UnknownApp> = []
        let unknown = standings.rows.compactMap(\.unknown).filter { seen.insert($0).inserted }
        let more = unknown.count - Self.namedUnknown
        return unknown.prefix(Self.namedUnknown).map { StyledText([Cell($0.note, .caution)]) }
            + (more > 0 ? [StyledText([Cell("and \(more) more such notes: see --format json", .caution)])] : [])
    }

    private func footer(_ shown: [Standings.FoldedRow]) -> [StyledText] {
        var lines: [String] = []
        if shown.contains(where: { ($0.row.state == .failed || $0.row.state == .suspect) && $0.row.lastGood != nil }) {
            lines.append("○ the last good position: the newest check failed or is suspect")
        }
        if shown.contains(where: \.differsInPast) {
            lines.append("iPhone+iPad: equal today; best and trend are the iPhone's")
        }
        let hidden = standings.rows.count { !$0.mine }
        if hidden > 0, !options.competitors {
            lines.append("\(Figures.counted(hidden, "pair")) of competitors hidden: show them with --competitors")
        }
        return (lines + [provenance]).map { StyledText($0, .faint) }
    }
}

extension Standings.Row {
    /// Of the last good check, as it is that one's position that is shown.
    fileprivate func age(at now: Timestamp) -> RelativeAge? {
        lastGood.map { RelativeAge(of: $0.checkedAt, at: now) }
    }
}
