import RankKit
import Testing

@Suite struct NewWatchlistTests {
    private let pomelo = NewWatchlist.App(bundle("com.northwind.pomelo"), name: "Pomelo – Focus Timer")

    private func countries(_ codes: String...) -> [Country] { codes.compactMap { Country(code: $0) } }

    @Test func `a watchlist with competitors reads as a person would write it`() throws {
        let new = NewWatchlist(
            app: pomelo,
            competitors: [
                .init(bundle("cc.forest.app"), name: "Forest: Focus"), .init(bundle("com.x.flow"), name: "Flow"),
            ], queries: ["focus timer", "pomodoro \"pro\""], countries: countries("us", "de"), every: "6h")
        let (bytes, decoded) = try new.document(on: "2026-11-27")
        #expect(decoded.warnings.isEmpty)
        #expect(
            String(decoding: bytes, as: UTF8.self) == #"""
                // The watchlist of rankd: what to search the App Store for, and which apps to look for in the answers.
                // rankctl init wrote it on 2026-11-27. Change it as you like, then check it:
                //   rankctl watch check watchlist.json
                // This is JSON5: JSON with comments and trailing commas. rankd-watchlist(5) and docs/watchlist.md have the rest.
                {
                  // Short names for the apps, to be used in "app" below and in rankctl --app.
                  // An app that nobody lists as a competitor is yours. Summaries count only your apps.
                  "apps": {
                    "pomelo": {   // Pomelo – Focus Timer
                      "bundleId": "com.northwind.pomelo",
                      "competitors": ["forest", "flow"],
                    },
                    "forest": { "bundleId": "cc.forest.app" },   // Forest: Focus
                    "flow": { "bundleId": "com.x.flow" },        // Flow
                  },

                  // What holds for every line of "watch" that does not say otherwise.
                  "defaults": {
                    "countries": ["us", "de"],
                    "platform": "iphone",   // or "platforms": ["iphone", "ipad", "mac"]
                    "every": "6h",          // a number and m, h, d or w, such as "6h"
                  },

                  // Each query is searched for once in each country, however many apps are looked for in the answer.
                  // So more apps cost nothing; each further query or country costs requests.
                  "watch": [
                    {
                      "app": "pomelo",   // the app and its competitors
                      "queries": [
                        "focus timer",
                        "pomodoro \"pro\"",
                      ],
                    },
                  ],
                }

                """#)
        #expect(decoded.watchlist.queries.count == 4 && decoded.watchlist.pairCount == 12)
        #expect(decoded.watchlist.apps.map(\.isMine) == [true, false, false])
    }

    @Test func `an app alone in one country is a short list`() throws {
        let new = NewWatchlist(app: pomelo, queries: ["focus timer"], countries: countries("us"))
        let (bytes, decoded) = try new.document(on: "2026-11-27")
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(decoded.warnings.isEmpty && decoded.watchlist.pairCount == 1)
        #expect(
            text.contains(#"    "pomelo": { "bundleId": "com.northwind.pomelo" },   // Pomelo – Focus Timer"#),
            "\(text)")
        #expect(text.contains(#"    "country": "us",       // or"#))
    }

    @Test func `a name that would break out of its comment does not`() throws {
        for name in ["a\nb", "a\u{2028}\"apps\": {}", "*/ \u{202E}x", "// x"] {
            let new = NewWatchlist(
                app: .init(bundle("com.a"), name: name), competitors: [.init(bundle("com.b"), name: name)],
                queries: ["x"], countries: countries("us"))
            let decoded = try new.document(on: "2026-11-27").decoded
            #expect(decoded.watchlist.apps.map(\.bundleID.text) == ["com.a", "com.b"] && decoded.warnings.isEmpty)
        }
    }

    @Test func `a watchlist for every country of the store is valid`() throws {
        let all = Country.codes.sorted().compactMap { Country(code: $0) }
        let new = NewWatchlist(app: pomelo, queries: ["focus timer"], countries: all)
        let (bytes, decoded) = try new.document(on: "2026-11-27")
        #expect(decoded.watchlist.queries.count == all.count && decoded.warnings.isEmpty)
        let longest = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(\.count).max() ?? 0
        #expect(longest <= 120)
    }

    @Test(arguments: [
        (["Pomelo – Focus Timer"], ["pomelo"]),
        (["Focus Keeper: Timer", "Focus Keeper"], ["focus-keeper", "focus-keeper-2"]),
        (["Übung Macht den Meister"], ["ubung-macht-den"]), (["習慣メモ"], ["習慣メモ"]),
        (["Pneumonoultramicroscopic x"], ["pneumonoultramicrosc"]),
        (["123456789"], ["app0"]), (["!!!"], ["app0"]), (["2048"], ["2048"]),
        (["com.test.app1", "x"], ["comtestapp1", "x"]),
    ])
    func `an alias is what somebody would type`(names: [String], aliases: [String]) {
        let apps = names.enumerated().map { NewWatchlist.App(bundle("com.test.app\($0)"), name: $1) }
        let found = NewWatchlist.aliases(of: apps)
        #expect(found == aliases, "\(found)")
    }

    @Test func `an app without a name has the last telling part of its bundle identifier`() {
        let names = ["com.forestapp.ios", "com.x.Flow", "com.app", "id.123456789"].map {
            NewWatchlist.App(bundle($0))
        }
        #expect(NewWatchlist.aliases(of: names) == ["forestapp", "flow", "com", "app"])
    }

    @Test func `what cannot be in a watchlist is refused`() {
        let long = String(repeating: "x", count: 5_000)
        for queries in [[""], [long], ["a\tb"], []] {
            let new = NewWatchlist(app: pomelo, queries: queries, countries: countries("us"))
            #expect(throws: WatchlistError.self) { try new.document(on: "2026-11-27") }
        }
        let often = NewWatchlist(app: pomelo, queries: ["x"], countries: countries("us"), every: "often")
        #expect(throws: WatchlistError.self) { try often.document(on: "2026-11-27") }
    }
}
