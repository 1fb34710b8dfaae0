import JudgingStage
import Testing

@testable import Reports

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

    @Test func `where some cells have room beside the others, only those that are too long stand below`() {
        var table = Table(
            columns: [.init("when"), .init("details", minimum: 8, below: .overflow)],
            rows: [row("1 Nov", "short"), row("2 Nov", "longer than its column")])
        #expect(
            text(table, width: 20) == """
                when   details
                1 Nov  short
                2 Nov
                  longer than its
                  column
                """)
        // Without room for the shortest they all do.
        table.rows.removeLast()
        #expect(
            text(table, width: 10) == """
                when
                1 Nov
                  short
                """)
    }

    @Test func `a column that goes below yields before another shrinks`() {
        let columns: [Table.Column] = [
            .init("query", minimum: 4), .init("note", minimum: 8, priority: 0, below: .plain),
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
                    failed: no
                    answer
                  b
                """)
    }

    @Test func `what goes below wraps, behind its title where that is wanted`() {
        let columns: [Table.Column] = [
            .init("these", minimum: 4), .init("beside", minimum: 20, below: .titled), .init("pairs", .right),
        ]
        let table = Table(columns: columns, rows: [row("to gain", "its other queries, other apps", "13")], indent: 2)
        #expect(
            text(table, width: 24) == """
                  these    pairs
                  to gain     13
                    beside its other
                    queries, other apps
                """)
    }

    @Test func `what a row is about keeps its room while another column can drop out`() {
        let columns: [Table.Column] = [
            .init("query", minimum: 6, comfort: 13), .init("now", .right), .init("top 10", .right, priority: 1),
        ]
        let table = Table(columns: columns, rows: [row("habit tracker", "#12", "62k")])
        #expect(text(table, width: 26) == "query          now  top 10\nhabit tracker  #12     62k")
        #expect(text(table, width: 25) == "query          now\nhabit tracker  #12")
        #expect(text(table, width: 13) == "query     now\nhabit t…  #12")
    }

    @Test func `an app goes by its shorter name where one of the column has no room`() {
        let columns: [Table.Column] = [.init("app", minimum: 8, comfort: 12), .init("now", .right)]
        func app(_ name: String, _ alias: String?) -> Table.Row { .cells([Cell(name, brief: alias), Cell("#1")]) }
        let table = Table(
            columns: columns, rows: [app("Daylight: Habit Tracker", "daylight"), app("Habitly", "habitly")])
        #expect(
            text(table, width: 28).hasPrefix("app                      now\nDaylight: Habit Tracker   #1\nHabitly "))
        #expect(text(table, width: 27) == "app       now\ndaylight   #1\nhabitly    #1")
        let unnamed = Table(columns: columns, rows: [app("Daylight: Habit Tracker", nil), app("Habitly", "habitly")])
        #expect(text(unnamed, width: 19) == "app             now\nDaylight: Hab…   #1\nHabitly          #1")
    }

    @Test func `a name from right to left does not turn round the numbers behind it`() {
        let columns: [Table.Column] = [.init("app", minimum: 4), .init("was", .right), .init("now", .right)]
        let table = Table(columns: columns, rows: [row("مفكرة", "#14", "#9"), row("Habits", "#3", "#4")])
        #expect(text(table) == "app     was  now\nمفكرة\u{200E}   #14   #9\nHabits   #3   #4")
        #expect(text(table, width: 14).contains("…\u{200E}  #14"))
        #expect(TerminalText.width("مفكرة\u{200E}") == 5)
    }

    @Test func `a bar shows whatever is not 0, and is as long as its share`() {
        #expect(Cell(barOf: 8, most: 8, columns: 3).text == "███")
        #expect(Cell(barOf: 1, most: 1_000, columns: 3).text == "▏")
        #expect(Cell(barOf: 4, most: 8, columns: 3).text == "█▌")
        #expect(Cell(barOf: 0, most: 8, columns: 3) == .empty && Cell(barOf: 1, most: 0, columns: 3) == .empty)
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
