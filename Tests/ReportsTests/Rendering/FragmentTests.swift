import RankKit
import Testing

@testable import Reports

@Suite struct FragmentTests {
    private func document(_ build: (inout Document) -> Void) -> Document {
        var document = Document(title: "Ranks", generatedAt: Timestamp(secondsSinceEpoch: 1_795_000_000))
        build(&document)
        return document
    }

    @Test func `each heading begins a section of its own`() {
        let text = document {
            $0.paragraph("before")
            $0.heading("one <b>")
            $0.paragraph("first")
        }.fragment(PageForm(headingLevel: 3, prefix: "p-"))
        #expect(
            text == """
                <section id="p-0">
                <p>before</p>
                </section>
                <section id="p-1">
                <h3>one &lt;b&gt;</h3>
                <p>first</p>
                </section>

                """)
    }

    @Test func `what a cell is about is linked in a fragment alone`() throws {
        let app = try #require(BundleID("com.me"))
        let document = document { $0.paragraph(StyledText([Cell("Me & you", .strong).about(.app(app))])) }
        let form = PageForm(ornament: { _, name in "[\(name.count)]" }, address: { _ in "/a?b=1&c=\"" })
        #expect(
            document.fragment(form).contains(
                "[8]<a href=\"/a?b=1&amp;c=&quot;\"><span class=\"strong\">Me &amp; you</span></a>"))
        #expect(document.html.contains("<p><span class=\"strong\">Me &amp; you</span></p>"))
    }

    @Test func `a chart carries what is read off it, in a fragment alone`() throws {
        let start = Timestamp(secondsSinceEpoch: 1_795_000_000)
        let chart = Chart(
            title: "t", summary: "", span: start...start + 100,
            content: .positions([
                .init(
                    name: "\u{202E}\"a\"", mark: nil,
                    points: [
                        .init(at: start, place: .ranked(try #require(Position(14))), within: 187),
                        .init(at: start + 50, place: .absent(within: 90)), .init(at: start + 100, place: .gap),
                    ])
            ]))
        let text = document { $0.chart(chart) }.fragment(PageForm())
        #expect(text.contains(#"&quot;at&quot;:[0,50,100]"#))
        #expect(text.contains(#"&quot;say&quot;:[14,0,null]"#))
        #expect(text.contains(#"&quot;of&quot;:[187,90,null]"#))
        #expect(text.contains(#"\\u{202E}\&quot;a\&quot;"#))
        #expect(!document { $0.chart(chart) }.html.contains("data-chart"))
    }
}
