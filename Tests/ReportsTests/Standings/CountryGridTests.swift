import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// An app's pairs at a glance, as its page has them.
@Suite struct CountryGridTests {
    private static let form = PageForm(address: { subject in
        if case .pair(let app, let query) = subject { "/\(app)/\(query.text)/\(query.country)" } else { nil }
    })

    private func html(_ pairs: [Standings.Row]) -> String {
        CountryGrid(pairs, until: noon).fragment(label: "Queries", Self.form)
    }

    private func move(_ from: Int, _ to: Int, isSlow: Bool = false) throws -> LastingMove {
        LastingMove(
            from: try #require(Position(from)), to: try #require(Position(to)), since: noon.day - 2, strength: 3,
            isSlow: isSlow, weather: nil)
    }

    private func told(_ judgement: MoveJudgement?, month: MoveJudgement? = nil, mine: Bool = true) throws -> String {
        var pair = try row(mine: mine, position: 44)
        (pair.judgement, pair.monthMove) = (judgement, month)
        return try #require(html([pair]).components(between: "<td data-of", "</td>").first)
    }

    @Test func `a query is one row, with a cell for each place where it is asked`() throws {
        let html = html([
            try row("timer"), try row("timer", country: "de", position: 7), try row("notes", country: "de"),
            try row("timer", platform: .ipad, position: 3),
        ])
        #expect(html.components(between: "<th scope=\"col\">", "</th>") == ["us · iPhone", "de · iPhone", "us · iPad"])
        let rows = html.components(between: "<tr><th scope=\"row\"", "</tr>")
        #expect(rows.count == 2)
        #expect(rows[0].contains("/timer/de") && rows[0].contains("<span class=\"strong\">#7</span>"))
        // Nothing is asked there.
        #expect(rows[1].components(between: "<td>", "</td>") == ["", ""] && rows[1].contains("/notes/de"))
    }

    @Test func `queries that differ in their language alone have columns of their own`() throws {
        var other = try row("timer", country: "ch", position: 5)
        other.question = Query(text: "timer", country: other.country, platform: .iphone, language: "fr_ch")
        let grid = CountryGrid([try row("timer", country: "ch"), other], until: noon)
        #expect(grid.columns.count == 2 && grid.rows.count == 1 && grid.count == 2)
    }

    @Test func `a cell has the size of the pair's newest move, from usual place to usual place`() throws {
        #expect(try told(.real(move(24, 44))).contains("<span class=\"bad\">▼20</span>"))
        #expect(try told(.withinNoise, month: .real(move(60, 44))).contains("<span class=\"good\">▲16</span>"))
        #expect(try told(.withinNoise).contains("</b><span></span>"))
    }

    @Test func `what is likely and what drifts have their marks`() throws {
        #expect(try told(.unconfirmed(move(24, 44))).contains(">?</span>"))
        #expect(try told(.real(move(24, 44, isSlow: true))).contains("<span class=\"bad\">~</span>"))
    }

    @Test func `a competitor's fall is neither good nor bad`() throws {
        let cell = try told(.real(move(24, 44)), mine: false)
        #expect(cell.contains("▼20") && !cell.contains("bad"))
    }

    @Test func `a pair that came and went again has no move`() throws {
        var pair = try row(position: nil)
        pair.judgement = .left(from: try #require(Position(40)), since: noon.day - 2)
        #expect(html([pair]).contains("out</span>"))
        pair.newsFrom = reading(nil)
        #expect(pair.isBack)
        #expect(!html([pair]).contains("out</span>"))
    }

    @Test func `a failed check leaves the last good place, and says so`() throws {
        let html = html([row(try row(position: 9), became: .failed(.check(.timedOut)))])
        #expect(html.contains("<span class=\"caution\">○ #9</span>") && html.contains("<p>○ the last good place"))
    }

    @Test func `lines can be turned into days without a script, and both are told in words`() throws {
        var pair = try row()
        pair.trend = trend([1, 2, 2, nil, 12])
        let html = html([pair])
        #expect(html.contains("value=\"lines\" checked") && html.contains("value=\"days\""))
        let words = "aria-label=\"from #1 to #12, between #1 and #12\""
        #expect(html.components(between: words, "<").count == 2)
    }

    @Test func `more pairs than can be drawn are told in figures`() throws {
        let codes = ["us", "de", "gb", "fr", "it", "es", "jp", "cn", "br", "ca"]
        let pairs = try (0..<41).flatMap { number in
            try codes.map { code in
                var pair = try row("query \(number)", country: code)
                pair.trend = trend([1, 2])
                return pair
            }
        }
        let html = html(pairs)
        #expect(!html.contains("<svg") && !html.contains("<fieldset"))
        #expect(html.components(between: "<tr><th scope=\"row\"", "</tr>").count == 41)
    }

    @Test func `a name that looks like markup is text`() throws {
        #expect(html([try row("<b>bold & \"co\"</b>")]).contains("&lt;b&gt;bold &amp; &quot;co&quot;&lt;/b&gt;</th>"))
    }

    @Test func `a place that was not checked lately has its age beside it`() throws {
        var old = try row(position: 7)
        let good = reading(7, secondsAgo: 5 * day)
        (old.lastGood, old.checkedAt) = (good, good.checkedAt)
        #expect(html([old]).contains("<span class=\"caution\"> 5d</span>"))
        #expect(html([try row(position: 7)]).contains("#7</span></b>"))
    }

    @Test func `each link names its query and its place`() throws {
        #expect(html([try row("timer", country: "de")]).contains("timer, de · iPhone: </span>"))
    }
}
