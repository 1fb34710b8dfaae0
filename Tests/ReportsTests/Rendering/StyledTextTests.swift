import Testing

@testable import Reports

@Suite struct StyledTextTests {
    private func plain(_ width: Int) -> TerminalStyle { TerminalStyle(colour: false, width: width) }

    @Test func `prose breaks at spaces and hangs`() {
        let text = StyledText([Cell("mine: "), Cell("12 up", .good), Cell(", 5 down")])
        #expect(text.wrapped(plain(80)) == ["mine: 12 up, 5 down"])
        #expect(text.wrapped(plain(12), indent: 2) == ["mine: 12 up,", "  5 down"])
    }

    @Test(arguments: ["12 up, 5 down", "12 up,  5 down", " 12 up, 5 down ", "", " ", "مفكرة عادات", "12 up,\u{A0}5"])
    func `prose that fits is one line, with one space for several, in one ink or more`(words: String) {
        for style in [plain(80), TerminalStyle(colour: true, width: 80)] {
            for ink in [Ink.plain, .good] {
                let (whole, parted) = (StyledText(words, ink), StyledText([Cell(words, ink), Cell("", ink)]))
                #expect(whole.wrapped(style) == parted.wrapped(style))
            }
        }
        #expect(StyledText("12 up,  5 down ").wrapped(plain(80)) == ["12 up, 5 down"])
    }

    @Test func `a time of day stays with its zone`() {
        let text = StyledText([Cell("as of 2026-11-20 "), Cell("12:00", .strong), Cell(" UTC, calm")])
        #expect(text.wrapped(plain(25)) == ["as of 2026-11-20", "12:00 UTC, calm"])
        #expect(text.wrapped(plain(80)) == ["as of 2026-11-20 12:00 UTC, calm"])
        #expect(StyledText("12:00 of UTC").wrapped(plain(8)) == ["12:00 of", "UTC"])
    }

    @Test func `a word longer than the line is cut`() {
        #expect(StyledText("short unbreakable").wrapped(plain(8)) == ["short", "unbreak…"])
    }

    @Test func `neighbours of one ink are painted as one`() {
        let text = StyledText([Cell("12 up", .good), Cell(", 5")])
        let style = TerminalStyle(colour: true, width: 80)
        #expect(text.wrapped(style) == ["\u{1B}[38;5;28m12 up\u{1B}[0m, 5"])
    }

    @Test func `a cell cannot hold a control character`() {
        #expect(Cell("\u{1B}[2J\r\n\u{202E}").text == "\\u{1B}[2J\\u{D}\\u{A}\\u{202E}")
    }

    @Test func `a name from right to left is closed where it ends, and not between its words`() {
        let text = StyledText([Cell("مفكرة عادات", .strong), Cell(" 12 → 9")])
        #expect(text.line(plain(80)) == "مفكرة عادات\u{200E} 12 → 9")
        #expect(text.wrapped(plain(80)) == ["مفكرة عادات\u{200E} 12 → 9"])
        #expect(StyledText("Habits 12 → 9").line(plain(80)) == "Habits 12 → 9")
    }

    @Test func `a line is cut at the width of the terminal`() {
        #expect(StyledText([Cell("Habits"), Cell(" · com.me.habits")]).line(plain(10)) == "Habits · …")
    }
}
