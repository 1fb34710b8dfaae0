import Reports
import Testing

@Suite struct TableTests {
    private func text(_ table: Table, width: Int = 80) -> String {
        table.lines(TerminalStyle(colour: false, width: width)).joined(separator: "\n")
    }

    private let columns: [Table.Column] = [
        .init("query", minimum: 6), .init("now", .right), .init("best", .right, priority: 1),
        .init("trend", minimum: 3, priority: 2, cut: .beginning),
    ]

    private func row(_ texts: String...) -> Table.Row { .cells(texts.map { Cell($0) }) }

    private var small: Table {
        Table(columns: columns, rows: [row("habit tracker", "#12", "#4", "▁▂▃▄▅"), row("日本語", ">142", "", "")])
    }

    @Test func `an empty table is its header`() {
        #expect(text(Table(columns: columns)) == "query  now  best  trend")
    }

    @Test func `numbers stand right, wide characters take two columns, no line ends in a space`() {
        #expect(
            text(small) == """
                query           now  best  trend
                habit tracker   #12    #4  ▁▂▃▄▅
                日本語         >142
                """)
    }

    @Test func `the column of lowest priority shrinks and drops out first`() {
        #expect(
            text(small, width: 29) == """
                query        now  best  trend
                habit tra…   #12    #4  ▁▂▃▄▅
                日本語      >142
                """)
        #expect(
            text(small, width: 22) == """
                query       now  trend
                habit tr…   #12  ▁▂▃▄▅
                日本語     >142
                """)
        #expect(
            text(small, width: 14) == """
                query      now
                habit t…   #12
                日本語    >142
                """)
    }

    @Test func `where nothing may drop out columns are cut rather than wrapped`() {
        for width in 1...12 {
            for line in lines(text(small, width: width)) { #expect(TerminalText.width(line) <= width) }
        }
    }

    @Test func `a column without a single cell is left out`() {
        var table = small
        table.rows = [row("a", "#1", "", "▁")]
        #expect(text(table) == "query  now  trend\na       #1  ▁")
    }

    @Test func `a column that goes below yields before another shrinks`() {
        let columns: [Table.Column] = [
            .init("query", minimum: 4), .init("note", minimum: 8, priority: 0, goesBelow: true),
        ]
        let table = Table(
            columns: columns, rows: [row("habit tracker", "failed: no answer"), row("b", "")], indent: 2)
        #expect(
            text(table, width: 26) == """
                  query          note
                  habit tracker  failed: …
                  b
                """)
        #expect(
            text(table, width: 20) == """
                  query
                  habit tracker
                    failed: no answ…
                  b
                """)
    }

    @Test func `headings and blank lines stand between the rows`() {
        let table = Table(
            columns: [.init("query"), .init("now", .right)],
            rows: [.heading(StyledText("Habits")), row("a", "#1"), .blank, .heading(StyledText("Streaks"))], indent: 2)
        #expect(text(table) == "  query  now\nHabits\n  a       #1\n\nStreaks")
    }

    @Test func `without titles there is no header`() {
        #expect(text(Table(columns: [.init(""), .init("")], rows: [row("a", "b")])) == "a  b")
    }
}
