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

    @Test func `a sign behind a letter tells programming languages apart`() throws {
        let names = ["C Compiler", "C++ Compiler", "C# Compiler", "C♯ Compiler"]
        func carrying(_ query: String) throws -> [Int] {
            try names.indices.filter { try carries(names[$0], query) }
        }
        #expect(try carrying("c") == [0])
        #expect(try carrying("c++") == [1])
        #expect(try carrying("C#") == [2, 3])
        #expect(try carrying("compiler") == [0, 1, 2, 3])
        #expect(try carries("C++17 Reference", "c++ 17") && !carries("C++17 Reference", "c"))
    }

    @Test func `a sign behind a word, before one or between two changes little`() throws {
        #expect(try carries("Habit+ Tracker", "habit tracker"))
        #expect(try carries("Disney+", "disney+") && !carries("Disney", "disney+"))
        #expect(try carries("#1 Habit Tracker", "1 habit"))
        #expect(try carries("a+b", "a b"))
    }

    @Test func `kana of half width with voicing marks are those of full width`() throws {
        #expect(try carries("ﾊﾋﾞｯﾄ", "ハビット"))
        #expect(try carries("ハビットトラッカー", "ﾊﾋﾞｯﾄ"))
        #expect(try carries("毎日のﾊﾟｽﾞﾙ", "パズル"))
        #expect(try carries("Café ﾊﾋﾞｯﾄ", "cafe ハビット"))
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
