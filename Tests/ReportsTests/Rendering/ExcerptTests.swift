import JudgingStage
import RankKit
import Testing

@testable import Reports

/// What a page of several reports shows of each.
@Suite struct ExcerptTests {
    private var document: Document {
        var document = Document(title: "Report", generatedAt: noon)
        document.asOf(noon - 60)
        document.paragraph("summary")
        document.list([StyledText("first"), StyledText("second"), StyledText("third")])
        document.table(
            Table(
                columns: [.init("query")],
                rows: [
                    .heading(StyledText("us")), .cells([Cell("one")]), .cells([Cell("two")]), .cells([Cell("three")]),
                ]
                    + [.blank, .heading(StyledText("de")), .cells([Cell("four")])]))
        document.notes(["small print"])
        document.legend()
        return document
    }

    @Test func `it has the sentences, the first rows below each heading, and no small print`() {
        let text = document.excerpt(rows: 2).text(TerminalStyle(colour: false, width: 80))
        #expect(
            lines(text).map { $0.replacing(" ", with: "") }.filter { !$0.isEmpty }
                == ["summary", "first", "second", "third", "query", "us", "one", "two", "de", "four"])
    }

    @Test func `with no rows it has no tables`() {
        #expect(
            document.excerpt(rows: 0).text(TerminalStyle(colour: false, width: 80)).hasPrefix(
                "summary\n\nfirst\nsecond"))
        #expect(document.excerpt(rows: 1).hasTable && !document.excerpt(rows: 0).hasTable)
    }

    @Test func `a table that nothing else tells stays, with its first rows`() {
        var document = Document(title: "Report", generatedAt: noon)
        document.table(Table(columns: [.init("query")], rows: (1...9).map { .cells([Cell("row \($0)")]) }))
        let text = document.excerpt(rows: 0).text(TerminalStyle(colour: false, width: 80))
        #expect(text.contains("row 3") && !text.contains("row 4"))
    }

    @Test func `a long list says how much of it is left out`() {
        var document = Document(title: "Report", generatedAt: noon)
        document.list((1...7).map { StyledText("line \($0)") })
        let text = document.excerpt(rows: 1).text(TerminalStyle(colour: false, width: 80))
        #expect(text.contains("line 5\n") && !text.contains("line 6") && text.contains("and 2 more"))
    }

    @Test func `details are folded where a page tells them in brief, and only there`() {
        var document = Document(title: "Report", generatedAt: noon)
        document.paragraph("summary")
        document.heading("all moves", isDetail: true)
        document.paragraph("a move")
        let form = PageForm()
        let folded = document.fragment(form, overview: "<p>cards</p>\n", foldsDetails: true)
        #expect(folded.contains("<details>\n<summary><h2>all moves</h2>\n</summary>\n<p>a move</p>\n</details>"))
        #expect(!document.fragment(form).contains("<details>"))
    }
}
