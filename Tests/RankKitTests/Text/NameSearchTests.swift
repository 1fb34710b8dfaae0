import RankKit
import Testing

@Suite struct NameSearchTests {
    @Test(arguments: [
        ("Café Timer", "CAFE"), ("Straße", "strasse"), ("Anna Novák", "novak"), ("Ｆｏｃｕｓ", "focus"), ("習慣", "慣"),
        ("abc", ""), ("aab", "ab"),
    ]) func `case, accents and width make no difference`(text: String, part: String) {
        #expect(NameSearch.contains(NameSearch.fold(text), NameSearch.fold(part)))
    }

    @Test func `what is not there is not found`() {
        #expect(!NameSearch.contains("timer", "timers"))
        #expect(!NameSearch.contains("", "a"))
        #expect(!NameSearch.contains("focus", "fous"))
    }
}
