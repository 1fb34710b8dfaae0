import RankKit
import Testing

@Suite struct SearchTextTests {
    @Test(arguments: [
        ("Café Timer", "CAFE"), ("Straße", "strasse"), ("Anna Novák", "novak"), ("Ｆｏｃｕｓ", "focus"), ("習慣", "慣"),
        ("abc", ""), ("aab", "ab"),
    ]) func `case, accents and width make no difference`(text: String, part: String) {
        #expect(SearchText.contains(SearchText.fold(text), SearchText.fold(part)))
    }

    @Test func `what is not there is not found`() {
        #expect(!SearchText.contains("timer", "timers"))
        #expect(!SearchText.contains("", "a"))
        #expect(!SearchText.contains("focus", "fous"))
    }
}
