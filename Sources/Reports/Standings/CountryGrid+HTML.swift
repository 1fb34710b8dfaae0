import Judging
import RankKit

extension CountryGrid {
    /// Cells that are drawn: more would be too much to send, and are told in figures alone.
    private static let mostDrawn = 400
    /// Queries that are shown; the table of the standings has pages.
    private static let mostRows = 200

    /// The grid as a part of a page, with a switch between lines and days in colour that needs no script, and what its marks
    /// mean.
    ///
    /// - Parameter label: what the region is called in which it scrolls where it is too wide.
    package func fragment(label: String, _ form: PageForm) -> String {
        let isDrawn = count <= Self.mostDrawn
        let head = columns.map { "<th scope=\"col\">\(HTMLText.escaped($0))</th>" }.joined()
        let body = rows.prefix(Self.mostRows).map { row in
            let cells = zip(columns, row.pairs).map { column, pair in
                // A phone shows each pair with the place that the heading names.
                pair.map { "<td data-of=\"\(HTMLText.escaped(column))\">\(cell($0, isDrawn: isDrawn, form))</td>" }
                    ?? "<td></td>"
            }
            return "<tr><th scope=\"row\" class=\"text\">\(HTMLText.isolated(row.query))</th>\(cells.joined())</tr>\n"
        }
        let more = rows.count - Self.mostRows
        let rest =
            more > 0 ? "<p>and \(Figures.counted(more, "more query", "more queries")): the table has them</p>\n" : ""
        return (isDrawn ? Self.drawings : "")
            + "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"\(HTMLText.escaped(label))\">\n"
            + "<table class=\"matrix\">\n<thead><tr><td></td>\(head)</tr></thead>\n<tbody>\n\(body.joined())</tbody>\n"
            + "</table>\n</div>\n" + rest + legend(isDrawn: isDrawn)
    }

    /// What the cells draw.
    private static let drawings = """
        <fieldset class="drawings"><legend class="quiet">What the cells draw</legend>
        <label><input type="radio" name="drawing" value="lines" checked> Lines</label>
        <label><input type="radio" name="drawing" value="days"> Days in colour</label>
        </fieldset>

        """

    private func cell(_ pair: Standings.Row, isDrawn: Bool, _ form: PageForm) -> String {
        let mark: AppMark = pair.mine ? .mine : .competitor
        let told = pair.isBack ? nil : pair.told
        let change = StyledText([
            Cell.mark(told, isMine: pair.mine).unlessConfirmed, .move(told?.change, of: mark),
        ])
        let trend = Sparkline(pair.trend)
        let drawing = isDrawn ? trend.svg + DayStrip(pair.trend).svg(words: trend.words) : ""
        let content =
            "<span class=\"quiet\">\(HTMLText.escaped("\(pair.query), \(pair.question.place): "))</span>"
            + drawing
            + "<b>\(HTMLText.inline(StyledText(StandingsReport.now(pair, at: until))))</b><span>\(HTMLText.inline(change))</span>"
        guard let address = form.address(.pair(pair.bundleID, pair.question)) else { return content }
        return "<a href=\"\(HTMLText.escaped(address))\">\(content)</a>"
    }

    private func legend(isDrawn: Bool) -> String {
        let pairs = rows.flatMap(\.pairs).compactMap(\.self)
        let told = pairs.filter { !$0.isBack }.map(\.told)
        var notes = [
            "▲ ▼: from the usual place before the newest move within \(Table.month) to the usual place since; no figure: no move, or "
                + "none that can be told"
        ]
        notes += judgementNotes(told, marksConfirmed: false, marksStorms: false)
        if pairs.contains(where: { $0.outcome.gap != nil && $0.lastGood != nil }) {
            notes.append("○ the last good place: the newest check failed or is in doubt")
        }
        if pairs.contains(where: { $0.isStale(at: until) }) {
            notes.append("a place with its age (3d): no good check since")
        }
        if pairs.contains(where: { $0.span.news > Standings.trendDays }) { notes.append(seldomNote) }
        let words = notes.map { "<p>\(HTMLText.escaped($0))</p>\n" }.joined()
        return (isDrawn ? DayStrip.legend : "") + "<div class=\"notes\">\n\(words)</div>\n"
    }
}

extension Cell {
    /// A mark that says more than that there was a move.
    fileprivate var unlessConfirmed: Cell { text == "●" ? .empty : self }
}
