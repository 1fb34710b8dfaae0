import Testing

@testable import RankKit

@Suite struct SpellingTests {
    private let keys = [
        "query", "queries", "bundleId", "bundleIds", "country", "countries", "every", "at", "app", "tag",
    ]

    @Test(arguments: [
        ("qeury", "query"), ("Query", "query"), ("bundle-id", "bundleId"), ("bundelIds", "bundleIds"),
        ("countrys", "country"), ("evry", "every"), ("tagg", "tag"),
    ])
    func `a slip is recognised`(word: String, meant: String) {
        #expect(Spelling.nearest(to: word, in: keys) == meant)
    }

    @Test(arguments: ["", "colour", "xyz", "interval", String(repeating: "query", count: 1_000)])
    func `what is like nothing is left alone`(word: String) {
        #expect(Spelling.nearest(to: word, in: keys) == nil)
    }
}
