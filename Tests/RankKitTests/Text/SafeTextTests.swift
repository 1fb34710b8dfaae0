import RankKit
import Testing

@Suite struct SafeTextTests {
    @Test func `ordinary names stay as they are`() {
        for name in [
            "", "Habit Hero: Daily Routine", "피트니스", "日本語", "cafe\u{301}", "Ünïcödé – “quotes” · №1", "C:\\new",
            "😀 ♥ ▲",
        ] {
            #expect(SafeText.escaped(name).unicodeScalars.elementsEqual(name.unicodeScalars))
        }
    }

    @Test(
        arguments: [
            ("\u{1B}]0;owned\u{7}", "\\u{1B}]0;owned\\u{7}"),
            ("\u{1B}[2Jgone", "\\u{1B}[2Jgone"),
            ("a\rb", "a\\u{D}b"),
            ("a\r\nb", "a\\u{D}\\u{A}b"),
            ("a\nb\tc\u{0}", "a\\u{A}b\\u{9}c\\u{0}"),
            ("\u{7F}\u{9B}2J", "\\u{7F}\\u{9B}2J"),
            ("\u{202E}gpj.exe", "\\u{202E}gpj.exe"),
            ("\u{200E}\u{200F}\u{61C}", "\\u{200E}\\u{200F}\\u{61C}"),
            ("\u{202A}\u{2066}\u{2069}", "\\u{202A}\\u{2066}\\u{2069}"),
            ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
            ("zero\u{200B}width\u{FEFF}", "zero\\u{200B}width\\u{FEFF}"),
            ("\u{E000}\u{F8FF}\u{10FFFD}", "\\u{E000}\\u{F8FF}\\u{10FFFD}"),
            ("\u{FFFF}\u{1FFFE}\u{378}", "\\u{FFFF}\\u{1FFFE}\\u{378}"),
            ("\u{3164}\u{115F}\u{34F}", "\\u{3164}\\u{115F}\\u{34F}"),
        ] as [(String, String)])
    func `what acts or hides becomes visible`(hostile: String, shown: String) {
        #expect(SafeText.escaped(hostile) == shown)
    }

    @Test(arguments: [
        "👩‍👩‍👧‍👦", "❤️‍🔥", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "👍🏽", "1️⃣", "☎\u{FE0E}",
        "葛\u{E0100}", "می\u{200C}خواهم", "क्\u{200D}ष", "\u{6DD}",
    ])
    func `joiners, selectors and tags stay where they belong`(text: String) {
        #expect(SafeText.escaped(text).unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test(
        arguments: [
            ("pay\u{200D}pal", "pay\\u{200D}pal"),
            ("\u{200C}", "\\u{200C}"),
            ("می\u{200C}", "می\\u{200C}"),
            ("👩\u{200D}", "👩\\u{200D}"),
            ("\u{FE0F}a", "\\u{FE0F}a"),
            ("a\u{FE0F}\u{FE0F}", "a\u{FE0F}\\u{FE0F}"),
            ("a\u{E0067}", "a\\u{E0067}"),
        ] as [(String, String)])
    func `joiners, selectors and tags elsewhere become visible`(text: String, shown: String) {
        #expect(SafeText.escaped(text).unicodeScalars.elementsEqual(shown.unicodeScalars))
    }

    @Test func `no control character survives, wherever it stands`() {
        for value in 0...0x9F as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isControl = value < 0x20 || (0x7F...0x9F).contains(value)
            guard isControl else { continue }
            #expect(SafeText.isUnsafe(scalar))
            #expect(!SafeText.escaped("a\(scalar)b").unicodeScalars.contains(scalar))
        }
    }

    @Test func `escaping twice changes nothing more`() {
        let once = SafeText.escaped("a\u{1B}[2J\u{202E}👩‍👩‍👧‍👦\u{200D}")
        #expect(SafeText.escaped(once).unicodeScalars.elementsEqual(once.unicodeScalars))
    }
}
