import RankKit
import Testing

@testable import Manual

@Suite struct WatchlistPageTests {
    @Test(arguments: WatchlistObject.allCases)
    func `every key of the format has its meaning, and none that the format lacks`(_ object: WatchlistObject) throws {
        let described = try object.describedKeys()
        #expect((described.flatMap(\.keys) + object.keysOfDefaults).sorted() == object.keys.sorted())
        #expect(described.allSatisfy { !$0.meaning.joined().isEmpty })
    }

    @Test(arguments: [ManualPage.smallestExample, ManualPage.example])
    func `the examples are valid, with nothing to be said about them`(_ example: String) throws {
        let decoded = try Watchlist.decode(Array(example.utf8))
        #expect(decoded.warnings.isEmpty)
        #expect(decoded.watchlist.pairCount > 0)
    }

    @Test func `the limits are those that the decoder keeps`() throws {
        let page = try ManualPage.watchlist().roff(version: "1.0", day: "2026-11-21")
        for words in [
            #"\fB"1s"\fR to \fB"4w"\fR"#, #"\fB"1h"\fR to \fB"4w"\fR"#, #"\fB"2w"\fR to \fB"5200w"\fR"#,
            "at most 400 bytes",
            "1 to 100000. Default: 15.", "16 MiB",
        ] {
            #expect(page.contains(words), "\(words)")
        }
    }

    @Test(arguments: [(1, "1s"), (90, "90s"), (5_400, "90m"), (86_400, "1d"), (7_776_000, "90d"), (2_419_200, "4w")])
    func `a length of time is written in its largest unit`(_ seconds: Int64, _ text: String) {
        #expect(LengthOfTime.text(seconds) == text)
    }
}
