import Foundation
import JudgingStage
import RankKit
import Testing

@testable import Reports

/// One document in the forms that people read.
struct DocumentTests {
    private let noon = Timestamp(secondsSinceEpoch: 1_795_000_000)

    private func document(_ build: (inout Document) -> Void) -> Document {
        var document = Document(title: "Ranks <of> & *mine*", generatedAt: noon)
        build(&document)
        return document
    }

    private var sample: Document {
        document { document in
            document.paragraph("two lines of prose", .good)
            document.heading("in us")
            document.table(
                Table(
                    columns: [.init("query"), .init("now", .right), .init("never")],
                    rows: [
                        .heading(StyledText("Mine | yours", .strong)),
                        .cells([Cell("a|b `c` <d> & [e](f)"), Cell("#12", .strong), .empty]),
                        .blank, .heading(StyledText("Theirs")),
                        .cells([Cell("\u{202E}x\u{1B}[31m"), Cell(">200"), .empty]),
                    ]))
            document.list([StyledText("- first"), StyledText("2. second")])
            document.notes(["small print"])
        }
    }

    @Test func `a terminal shows blocks apart, and a table on its heading`() {
        let plain = document { document in
            document.paragraph("one")
            document.paragraph("two")
            document.heading("in us")
            document.table(
                Table(
                    columns: [.init("query"), .init("now", .right)],
                    rows: [.cells([Cell("timer"), Cell("#2")]), .cells([Cell("clock"), Cell("#12")])]))
            document.list([StyledText("first"), StyledText("second")])
            document.notes(["small print"])
        }
        #expect(
            plain.text(TerminalStyle(colour: false, width: 60)) == """
                one
                two

                in us
                query  now
                timer   #2
                clock  #12

                first
                second

                small print

                """)
    }

    @Test func `Markdown has a table for each group, and no name can act in it`() {
        let text = sample.markdown
        #expect(text.hasPrefix("# Ranks &lt;of&gt; &amp; \\*mine\\*\n\ntwo lines of prose\n\n## in us\n\n"))
        #expect(text.contains("**Mine \\| yours**\n\n| query | now |\n| --- | ---: |\n"))
        #expect(text.contains("| a\\|b \\`c\\` &lt;d&gt; &amp; \\[e\\](f) | **#12** |\n\n**Theirs**"))
        #expect(text.contains("- \\- first\n- 2\\. second\n\n<sub>small print</sub>"))
        #expect(!text.contains("\u{202E}") && !text.contains("\u{1B}"))
    }

    @Test func `a page escapes every name, and its tables have headers`() {
        let page = sample.html
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
        #expect(page.contains("<h1>Ranks &lt;of&gt; &amp; *mine*</h1>"))
        #expect(page.contains("<thead><tr><th scope=\"col\">query</th><th scope=\"col\" class=\"right\">now</th></tr>"))
        #expect(
            page.contains(
                "<th scope=\"row\">a|b `c` &lt;d&gt; &amp; [e](f)</th><td class=\"right\"><span class=\"strong\">#12"))
        #expect(
            page.contains(
                "<th colspan=\"2\" scope=\"rowgroup\"><span><span class=\"strong\">Mine | yours</span></span></th>"))
        #expect(!page.contains("\u{202E}") && !page.contains("\u{1B}") && !page.contains("<d>"))
    }

    @Test func `a page runs no script and loads nothing`() {
        let page = sample.html
        #expect(page.contains("default-src 'none'; style-src 'sha256-"))
        for foreign in ["<script", "<img", "<link", "src=", "href=", "@import", "url(", "style=\""] {
            #expect(!page.contains(foreign), "\(foreign)")
        }
    }

    @Test func `the policy knows the page's style by its digest`() throws {
        let page = sample.html
        let start = try #require(page.firstRange(of: "<style>")).upperBound
        let end = try #require(page.firstRange(of: "</style>")).lowerBound
        #expect(try Base64Digest.sha256(Array(page[start..<end].utf8)) == PageStyle.digest)
    }

    @Test func `columns that have no room are named, those that stand below or elsewhere are not`() {
        let wide = document { document in
            document.table(
                Table(
                    columns: [
                        .init("query"), .init("±", .right), .init("±", .right, priority: 1),
                        .init("", .right, priority: 2), .init("note", below: .plain),
                    ]
                        + (1...10).map { .init("day \($0)", .right, priority: 10 + $0) },
                    rows: [
                        .cells(
                            [Cell("timer"), Cell("▲2"), Cell("▲1"), Cell("x"), Cell("a sentence of its own")]
                                + (1...10).map { Cell("#\($0)") })
                    ]))
        }
        func note(_ width: Int) -> String? {
            let text = wide.text(TerminalStyle(colour: false, width: width)).replacing("\n  ", with: " ")
            return lines(text).first { $0.hasPrefix("no room") }
        }
        #expect(note(200) == nil && note(100) == nil)
        // Two columns have no room: one has no title, and another of the other's title is there.
        #expect(note(80) == nil)
        #expect(note(78) == "no room in 78 columns for: day 1")
        #expect(
            note(23) == "no room in 23 columns for: day 1, day 2, day 3, day 4, day 5, day 6, day 7, day 8 and 1 more")
        #expect(!wide.html.contains("no room") && !wide.markdown.contains("no room"))
    }

    @Test func `columns in a row are named from the first to the last that has no room`() {
        let columns = (1...9).map { (day: Int) in
            Table.Column("\(day)", .right, priority: day, inRow: "\(day) May")
        }
        let table = Table(
            columns: [.init("query")] + columns, rows: [.cells([Cell("timer")] + (1...9).map { Cell("#\($0)") })])
        #expect(table.leftOut(within: 80) == [])
        #expect(table.leftOut(within: 40) == ["1 May"])
        #expect(table.leftOut(within: 20) == ["1 May–6 May"])
    }

    @Test func `the legend tells of the columns that are shown and of no others`() {
        let page = document { document in
            document.table(
                Table(
                    columns: [
                        .init("query"), .init("now", .right),
                        .init("own", .right, priority: 1, meaning: "its own ratings"),
                        .init("best", .right, priority: 2, meaning: "the best place"),
                        .init("never", meaning: "nothing is there"),
                    ], rows: [.cells([Cell("timer"), Cell("#2"), Cell("340"), Cell("#1"), .empty])]))
            document.legend()
            document.notes(["small print"])
        }
        func text(_ width: Int) -> String { page.text(TerminalStyle(colour: false, width: width)) }
        #expect(text(60).hasSuffix("\n\nown: its own ratings; best: the best place\nsmall print\n"))
        #expect(text(18).hasSuffix("#1\n\nbest: the best\n  place\nno room in 18\n  columns for: own\nsmall print\n"))
        #expect(text(12) == "query  now\ntimer   #2\n\nno room in\n  12 columns\n  for: own,\n  best\nsmall print\n")
        #expect(page.markdown.contains("<sub>own: its own ratings; best: the best place</sub><br>\n<sub>small print"))
        #expect(page.html.contains("<p><span class=\"faint\">own: its own ratings; best: the best place</span></p>"))
        #expect(!page.html.contains("nothing is there"))
    }

    @Test func `a page's rows have headers, and what heads some of them a body of its own`() {
        let page = document { document in
            document.table(
                Table(
                    columns: [.init(""), .init("now", .right), .init("app", namesRow: true)],
                    rows: [
                        .heading(StyledText("Mine")), .cells([Cell("●"), Cell("#2"), Cell("Habits")]), .blank,
                        .heading(StyledText("Theirs")), .cells([Cell("○"), Cell("#3"), Cell("Streaks")]),
                    ]))
        }.html
        #expect(page.contains("<tr><td>●</td><td class=\"right\">#2</td><th scope=\"row\">Habits</th></tr>"))
        #expect(
            page.components(separatedBy: "<tbody>\n<tr class=\"group\"><th colspan=\"3\" scope=\"rowgroup\">").count
                == 3)
        #expect(page.components(separatedBy: "</tbody>").count == 3)
    }

    @Test func `sentences stand below their rows in a page, where a phone shows them`() {
        let why = "the top 10 has no more ratings than the app"
        let page = document { document in
            document.table(
                Table(
                    columns: [.init("query"), .init("why", below: .plain)],
                    rows: [.cells([Cell("timer"), Cell(why, .good)]), .cells([Cell("clock"), .empty])]))
        }.html
        #expect(
            page.contains(
                "<tr><th scope=\"row\">timer</th></tr>\n<tr class=\"below\"><td colspan=\"1\"><span>"
                    + "<span class=\"good\">\(why)</span></span></td></tr>\n<tr><th scope=\"row\">clock</th></tr>"))
        #expect(!page.contains("<th scope=\"col\">why</th>"))
    }

    @Test func `a phone shows the shorter name, and a name from right to left turns nothing round`() {
        let page = document { document in
            document.table(
                Table(
                    columns: [.init("app"), .init("bundle id", isForWidePages: true)],
                    rows: [.cells([Cell("Daylight: Habit Tracker", brief: "daylight"), Cell("com.day")])]))
            document.paragraph(StyledText([Cell("مفكرة"), Cell(" · mine")]))
        }.html
        #expect(
            page.contains("<span class=\"full\">Daylight: Habit Tracker</span><span class=\"brief\">daylight</span>"))
        #expect(page.contains("<td class=\"long\">com.day</td>"))
        #expect(page.contains("<p><bdi dir=\"ltr\">مفكرة</bdi> · mine</p>"))
    }

    @Test func `what a chart's marks mean stands below it as text`() {
        let line = Chart.ValueLine(name: "<us>", points: [.init(at: noon, value: 1), .init(at: noon + 9, value: 2)])
        var chart = Chart(
            title: "Visibility", summary: "aloud", span: noon...(noon + 9),
            content: .values([line, line], range: nil),
            events: [.init(at: noon, kind: .version, label: "2.1 & on")])
        func page() -> String { document { $0.chart(chart) }.html }
        #expect(page().contains("<figcaption>Visibility<span>aloud</span></figcaption>"))
        #expect(page().contains("<b>b</b> &lt;us&gt;: 2.0</li>"))
        #expect(page().contains("<li><b>v1</b> 2026-11-18 2.1 &amp; on</li>"))
        chart.heading = ""
        chart.caption = ""
        chart.tellsEvents = false
        #expect(!page().contains("<figcaption>") && !page().contains("&amp; on"))
        // What is not shown is still told to those who cannot see the drawing.
        #expect(
            page().contains("<title id=\"chart-0-title\">Visibility</title>\n<desc id=\"chart-0-desc\">aloud</desc>"))
    }

    /// Source: WCAG 2.2, contrast ratio and relative luminance.
    @Test func `every ink of a page can be read on both grounds`() throws {
        let page = sample.html
        let schemes = page.components(separatedBy: "@media (prefers-color-scheme: dark)")
        for (scheme, text) in zip(["light", "dark"], schemes) {
            func colour(_ name: String) throws -> Double {
                let start = try #require(text.firstRange(of: "--\(name): #")).upperBound
                return try luminance(String(text[start...].prefix(6)))
            }
            for ground in try ["ground", "panel"].map(colour) {
                for name in ["text", "faint", "good", "bad", "caution"] + (0...5).map({ "hue-\($0)" }) {
                    let ink = try colour(name)
                    let ratio = (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05)
                    #expect(ratio >= 4.5, "\(name), \(scheme): \(ratio)")
                }
            }
        }
    }

    private func luminance(_ hexadecimal: String) throws -> Double {
        let number = try #require(Int(hexadecimal, radix: 16))
        let parts = [16, 8, 0].map { shift -> Double in
            let value = Double(number >> shift & 0xFF) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    @Test func `nothing at all is still a whole document`() {
        let empty = document { _ in }
        #expect(empty.text(.plain).isEmpty)
        #expect(empty.markdown.hasSuffix("Z</sub>\n"))
        #expect(empty.html.hasSuffix("</main>\n</body>\n</html>\n"))
    }
}
