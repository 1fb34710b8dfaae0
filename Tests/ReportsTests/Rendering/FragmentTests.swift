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

    @Test func `what small print says of the command line leads to where a page has it`() {
        let document = document {
            $0.notes([
                "3 pairs hidden: show them with --all, or --no <b>", "who passed: rankctl report movers --since 30d",
            ])
        }
        let form = PageForm(hint: { hint in
            switch hint {
            case .option("all"): "/?all=true&b"
            case .option("since"): "/#option-since"
            case .report("movers"): "/reports/movers"
            default: nil
            }
        })
        let text = document.fragment(form)
        #expect(text.contains("with <a href=\"/?all=true&amp;b\">all</a>, or no &lt;b&gt;</span>"))
        #expect(
            text.contains(
                "passed: <a href=\"/reports/movers\">movers</a> <a href=\"/#option-since\">since</a> 30d</span>"))
        #expect(document.html.contains("show them with --all, or --no"))
    }

    @Test func `a name that looks like an option stays a name`() throws {
        let app = try #require(BundleID("com.me"))
        let document = document {
            $0.paragraph(StyledText([Cell("--all").about(.app(app)), Cell(" and a--all")]))
        }
        let text = document.fragment(PageForm(hint: { _ in "/hint" }, address: { _ in "/app" }))
        #expect(text.contains("<a href=\"/app\">--all</a> and a--all"))
    }

    @Test func `a document names the apps of its rows, its headings and its sentences`() throws {
        let names = ["com.a", "com.b", "com.c", "com.d"]
        let apps = try names.map { try #require(BundleID($0)) }
        let cells = apps.map { Cell("name").about(.app($0)) }
        let document = document {
            $0.paragraph(StyledText([cells[0]]))
            $0.table(
                Table(
                    columns: [Table.Column("app")],
                    rows: [.heading(StyledText([cells[1]])), .cells([cells[2]]), .blank]))
            $0.notes([StyledText([cells[3], cells[0]])])
        }
        #expect(document.apps == Set(apps))
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
