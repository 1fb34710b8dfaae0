import Judging
import RankKit

extension WhatChanged {
    /// The cards as a part of a page; the whole table stands elsewhere.
    package func fragment(_ form: PageForm) -> String {
        let items = cards.map { "<li>\(html($0, form))</li>\n" }.joined()
        let more =
            rest > 0 ? "<p class=\"more\">and \(Figures.counted(rest, "more move")), in the table below</p>\n" : ""
        return "<ul class=\"cards\">\n\(items)</ul>\n\(more)"
    }

    private func html(_ card: Card, _ form: PageForm) -> String {
        guard let first = card.moves.first else { return "" }
        let body = card.common.map { several(card, $0, form) } ?? one(first, form)
        let causes = card.causes.map { "<li>\(HTMLText.escaped($0.words(today: today)))</li>" }.joined()
        return body + (causes.isEmpty ? "" : "<ul class=\"chips\" aria-label=\"What is known of why\">\(causes)</ul>")
    }

    /// The app with its icon, where there are several.
    private func app(_ row: Standings.Row, _ form: PageForm) -> String {
        hasSeveralApps ? "<p class=\"whose\">\(HTMLText.inline(StandingsReport.app(of: row), form))</p>" : ""
    }

    private func one(_ move: Standings.FoldedRow, _ form: PageForm) -> String {
        let row = move.row
        let pair = Cell.Subject.pair(row.bundleID, row.question)
        let place = Self.joined([
            HTMLText.inline(Cell.storefront(of: row.question)),
            HTMLText.escaped(device(of: move)),
        ])
        let usual = "<b>\(HTMLText.inline(Cell.usual(row.judgement)))</b>"
        return app(row, form)
            + "<p><b>\(HTMLText.inline(Cell(row.query).about(pair), form))</b> <span class=\"faint\">\(place)</span></p>"
            + Sparkline(row.trend).svg
            + "<p class=\"moved\">\(usual) \(HTMLText.inline(Cell.move(row.judgement?.change, of: .mine))) "
            + "\(HTMLText.inline(Self.when(row.judgement, today: today)))</p>"
    }

    private func several(_ card: Card, _ common: Common, _ form: PageForm) -> String {
        let rows = card.moves.map(\.row)
        let way = card.moves[0].way
        let verb = (card.isConfirmed ? "" : "likely ") + (way?.past ?? "moved")
        let head: String
        switch common {
        case .country(let country):
            let queries = Set(rows.map(\.query)).count
            head =
                "<b>\(Figures.counted(queries, "query", "queries"))</b> \(verb) in \(country.code.uppercased())"
        case .query(let query):
            let countries = Set(rows.map(\.country)).count
            head =
                "<b>\(HTMLText.isolated(query))</b> \(verb) in \(Figures.counted(countries, "country", "countries"))"
        }
        let hasSeveralLanguages = Set(rows.map(\.language)).count > 1
        func languages(_ row: Standings.Row) -> String {
            hasSeveralLanguages ? String(row.question.storefront.dropFirst(row.country.code.count)) : ""
        }
        let links = card.moves.prefix(Self.mostNamed).map { move in
            let row = move.row
            // Two that differ in language alone must not look the same.
            let name = if case .query = common { row.question.storefront } else { row.query + languages(row) }
            let device = device(of: move)
            let cell = Cell(name + (device.isEmpty ? "" : " · " + device)).about(.pair(row.bundleID, row.question))
            return "<li>\(HTMLText.inline(cell, form)) \(HTMLText.inline(Cell.usual(row.judgement)))</li>"
        }
        let more = rows.count - Self.mostNamed
        let last = more > 0 ? "<li>and \(Figures.grouped(more)) more</li>" : ""
        return app(rows[0], form) + "<p>\(head)\(HTMLText.inline(Self.size(of: rows, way)))</p>"
            + "<ul class=\"names\">\(links.joined())\(last)</ul>"
    }

    /// Moves that a card of several names.
    private static let mostNamed = 3

    /// `, about 20 places each`: the median, of those that stood in the list before and since.
    private static func size(of rows: [Standings.Row], _ way: MoveDirection?) -> Cell {
        let places = rows.compactMap { row -> Double? in
            guard case .places(let places)? = row.judgement?.change else { return nil }
            return Double(abs(places))
        }
        guard places.count == rows.count, let median = Robust.median(places) else { return .empty }
        let number = Int(median.rounded())
        return Cell(", about \(Figures.counted(number, "place")) each", way?.isUp == true ? .good : .bad)
    }

    /// `real since 23 Nov`.
    private static func when(_ judgement: MoveJudgement?, today: Int64) -> Cell {
        let day = judgement?.since.map { DayNames.short($0, today: today) } ?? ""
        return switch judgement {
        case .real(let move) where move.isSlow: Cell("slowly, in many small steps", .faint)
        case .real: Cell("real since \(day)", .faint)
        case .entered, .left: Cell("since \(day)", .faint)
        case .unconfirmed: Cell("likely, since \(day): the next checks will confirm it or not", .caution)
        case .withinNoise, .notJudged, nil: .empty
        }
    }

    private static func joined(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: " · ")
    }
}

extension WhatChanged.Cause {
    fileprivate func words(today: Int64) -> String {
        switch self {
        case .store: "the store shuffled"
        case .list: "the whole list moved"
        case .app: "it fell alone"
        case .release(let release):
            (release.version.map { "version \($0)" } ?? "your note") + ", \(DayNames.short(release.day, today: today))"
        }
    }
}

extension StandingsReport {
    /// `Since 23 Nov: 2 real losses, 3 real gains. Otherwise as before.`, as a paragraph of a page: a query's iPhone and iPad
    /// count once where they moved alike, as on a card. Empty where no verdict of the time can be told.
    package func headline() -> String {
        let summary = standings.summary
        guard tellsNews, summary.news.isTold else { return "" }
        let moves = newMoves
        let back = moves.count(where: \.row.isBack)
        let others = moves.filter { !$0.row.isBack }
        let gains = others.count { $0.isConfirmed && $0.way?.isUp == true }
        let likely = others.count { !$0.isConfirmed }
        let losses = others.count - gains - likely
        let told = [
            losses > 0 ? Cell(Figures.counted(losses, "real loss", "real losses"), .bad) : nil,
            gains > 0 ? Cell(Figures.counted(gains, "real gain"), .good) : nil,
            likely > 0 ? Cell(Figures.counted(likely, "likely move"), .caution) : nil,
            back > 0 ? Cell(back == 1 ? "1 back where it was" : "\(Figures.grouped(back)) back where they were") : nil,
        ].compactMap(\.self)
        let unknown = summary.news.notJudged + summary.news.uncompared + summary.stale
        let rest = told.isEmpty || summary.news.steady + summary.news.month == 0 ? "" : " Otherwise as before."
        let gaps = unknown > 0 ? " Of \(Figures.counted(unknown, "pair")) there is no verdict." : ""
        let cells =
            [Cell("Since \(newsSince): ")] + (told.isEmpty ? [Cell("no real move")] : told.listed)
            + [Cell("." + (unknown > 0 ? "" : rest) + gaps)]
        return "<p class=\"lead\">\(HTMLText.inline(StyledText(cells)))</p>\n"
    }
}
