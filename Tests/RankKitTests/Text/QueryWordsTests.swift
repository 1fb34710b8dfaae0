import RankKit
import Testing

/// Which names carry the words of a query.
@Suite struct QueryWordsTests {
    private func carries(_ name: String, _ query: String) throws -> Bool {
        try #require(QueryWords(query)).areIn(name)
    }

    @Test func `every word is needed, in any order and whole`() throws {
        #expect(try carries("Habit Tracker – Daily", "habit tracker"))
        #expect(try carries("Tracker: a habit a day", "habit tracker"))
        #expect(try !carries("Habits Tracker", "habit tracker"))
        #expect(try !carries("Habit Hero", "habit tracker"))
        #expect(try !carries("Habitual", "habit"))
    }

    @Test func `case, accents, width and apostrophes do not count`() throws {
        #expect(try carries("POKÉMON Go", "pokemon go"))
        #expect(try carries("pokemon", "Pokémon"))
        #expect(try carries("ＴＩＭＥＲ plus", "timer"))
        #expect(try carries("What’s Up", "whats up"))
        #expect(try carries("Whats Up", "what's up"))
    }

    @Test func `anything but letters and digits parts words`() throws {
        #expect(try carries("To-Do List+", "to do list"))
        #expect(try carries("2048: Merge", "2048"))
        #expect(try !carries("20480", "2048"))
    }

    @Test func `scripts without spaces are found within a name`() throws {
        #expect(try carries("毎日の日記帳アプリ", "日記"))
        #expect(try carries("홈피트니스앱", "피트니스"))
        #expect(try carries("แอปออกกำลังกาย", "ออกกำลังกาย"))
        #expect(try !carries("家計簿", "日記"))
        #expect(try carries("日記 Diary", "diary 日記"))
        #expect(try !carries("日記 Diaries", "diary 日記"))
    }

    @Test func `a text without letters and digits has no words`() {
        #expect(QueryWords("++ !") == nil)
        #expect(QueryWords("") == nil)
    }
}
