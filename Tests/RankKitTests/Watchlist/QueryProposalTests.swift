import RankKit
import Testing

@Suite struct QueryProposalTests {
    private let neighbours = [
        "Forest: Focus Timer", "Focus Keeper: Pomodoro Timer", "Study Focus Timer", "Flow: Pomodoro Timer",
        "Session – Pomodoro Timer",
    ]

    private func texts(_ name: String, _ neighbours: [String]) -> [String] {
        QueryProposal.list(for: name, among: neighbours).map(\.text)
    }

    @Test func `queries come from the name, then from the names around it, and the brand stands last`() {
        let list = QueryProposal.list(for: "Pomelo – Focus Timer", among: neighbours)
        #expect(
            list.map { "\($0.text) \($0.names) \($0.origin)" }
                == ["focus timer 3 name", "pomodoro timer 3 neighbours", "pomelo 0 brand"], "\(list)")
    }

    @Test(arguments: [
        ("Pomelo – Focus Timer", "focus timer"), ("Pomelo: Focus Timer & Study Log", "focus timer & study log"),
        ("Habit Tracker", "habit tracker"), ("Streaks", "streaks"), ("Notes (Daily Journal)", "daily journal"),
        ("Pomelo | Focus, Timer", "pomelo"), ("Tick, the to-do list", "the to-do list"), ("習慣メモ", "習慣メモ"),
        ("One two three four five six seven", "one two three four five"),
    ])
    func `what is searched for is the part of a name that says what the app does`(name: String, text: String?) {
        let found = QueryProposal.searchText(for: name)
        // A sign between words is no word.
        #expect(found == text?.replacing(" & ", with: " "), "\(found ?? "none")")
    }

    @Test func `a name without a letter or a digit has nothing to search for`() {
        #expect(QueryProposal.searchText(for: "–– !") == nil)
        #expect(texts("–– !", neighbours).first == "pomodoro timer")
        #expect(texts("", []).isEmpty)
    }

    @Test func `fillers begin and end no query`() {
        let list = texts("The Habit Tracker for You", ["My Habit Tracker", "Habit Tracker and more", "Habit Tracker"])
        #expect(list.first == "habit tracker", "\(list)")
        #expect(!list.contains { $0.hasPrefix("the ") || $0.hasSuffix(" for") || $0.hasSuffix(" you") }, "\(list)")
    }

    @Test func `a stranger's own name is no query`() {
        let list = texts(
            "Pomelo: Focus Timer", ["Forest: Focus Timer", "Forest Two: Focus Timer", "Tide: Focus Timer"])
        #expect(list == ["focus timer", "pomelo"], "\(list)")
    }

    @Test func `a word stays beside a longer query if many names have it without the rest`() {
        let list = texts(
            "Pomelo: Habit Tracker",
            ["Habit Tracker", "Habit Coach", "Habit Garden", "Habit Book", "Habits and Habit Lists"])
        #expect(list.contains("habit") && list.contains("habit tracker"), "\(list)")
    }

    @Test func `no more are proposed than somebody reads`() {
        let words = [
            "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "kilo",
        ]
        let names = words.flatMap { Array(repeating: "\($0) one", count: 5) }
        #expect(QueryProposal.list(for: "Pomelo", among: names).count == QueryProposal.most)
    }
}
