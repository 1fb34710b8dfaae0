import Foundation
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
        #expect(page.contains("<td>a|b `c` &lt;d&gt; &amp; [e](f)</td><td class=\"right\"><span class=\"strong\">#12"))
        #expect(page.contains("<th colspan=\"2\" scope=\"rowgroup\"><span class=\"strong\">Mine | yours</span></th>"))
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

    @Test func `nothing at all is still a whole document`() {
        let empty = document { _ in }
        #expect(empty.text(.plain).isEmpty)
        #expect(empty.markdown.hasSuffix("Z</sub>\n"))
        #expect(empty.html.hasSuffix("</main>\n</body>\n</html>\n"))
    }
}
