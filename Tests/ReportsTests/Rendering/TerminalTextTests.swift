import Testing

@testable import Reports

@Suite struct TerminalTextTests {
    @Test(
        arguments: [
            ("", 0), ("abc", 3), ("피트니스", 8), ("日本語", 6), ("ｆｕｌｌ", 8), ("ﾊﾝｶｸ", 4), ("é", 1), ("e\u{301}", 1), ("क्षि", 2),
            ("👩‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2), ("🏴\u{E0067}\u{E0062}\u{E007F}", 2),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("▲3 · #12 … “ ”", 14), ("▁▂▃▄▅▆▇█", 8), ("⠁⡸⣿", 3), ("ａ\u{FE0F}", 2),
            ("שלום", 4),
            ("a\u{200D}b", 2), ("🀄", 2), ("𠀀", 2),
        ] as [(String, Int)])
    func `width counts terminal columns`(text: String, columns: Int) {
        #expect(TerminalText.width(text) == columns)
    }

    @Test(
        arguments: [
            ("habit tracker", 13, "habit tracker"), ("habit tracker", 12, "habit track…"), ("habit", 1, "…"),
            ("habit", 0, ""),
            ("피트니스", 8, "피트니스"), ("피트니스", 7, "피트니…"), ("피트니스", 6, "피트…"), ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, "👩‍👩‍👧‍👦…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
        ] as [(String, Int, String)])
    func `what does not fit ends in an ellipsis, never in half a character`(text: String, columns: Int, shown: String) {
        #expect(TerminalText.fitted(text, to: columns) == shown)
        #expect(TerminalText.width(shown) <= columns)
    }

    @Test func `cutting the beginning keeps the end`() {
        #expect(TerminalText.fitted("▁▂▃▄▅", to: 3, cut: .beginning) == "▃▄▅")
        #expect(TerminalText.fitted("▁▂", to: 3, cut: .beginning) == "▁▂")
    }

    @Test func `padding counts columns on both sides`() {
        #expect(TerminalText.padded("日本", to: 6) == "日本  ")
        #expect(TerminalText.padded("日本", to: 6, alignment: .right) == "  日本")
        #expect(TerminalText.padded("日本語", to: 3) == "日本語")
    }

    @Test func `sentences break at blanks, their rest is indented, and a wide word stays whole`() {
        #expect(TerminalText.broken("short", to: 10) == "short")
        #expect(
            TerminalText.broken("one two three\n  four five six", to: 10)
                == "one two\n  three\n  four\n    five\n    six")
        #expect(TerminalText.broken("a https://example.com/long b", to: 10) == "a\n  https://example.com/long\n  b")
    }
}
