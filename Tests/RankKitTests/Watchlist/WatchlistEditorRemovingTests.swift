import RankKit
import Testing

@Suite struct WatchlistEditorRemovingTests {
    private func removing(
        _ query: String = "x", _ app: String = "com.a", country: String? = nil, platform: Platform? = nil,
        language: String? = nil, from text: String
    ) throws -> String {
        try edited(text) { editor throws(WatchlistEditor.Refusal) in
            try editor.remove(
                query: query, bundleID: bundle(app),
                countries: [country.flatMap { Country(code: $0) }].compactMap(\.self),
                platform: platform, language: language)
        }
    }

    private func refused(_ query: String = "x", _ app: String = "com.a", from text: String) throws -> String? {
        try refusal(text) { editor throws(WatchlistEditor.Refusal) in
            try editor.remove(query: query, bundleID: bundle(app))
        }
    }

    private static func pair(_ query: String) -> String { "{ query: '\(query)', bundleId: 'com.a' }" }

    /// Documents with the lines `X` (to be removed), `A` and `B`.
    @Test(arguments: [
        ("[\n  A,\n  X,\n  B\n]\n", "[\n  A,\n  B\n]\n"),
        ("[\n  X,\n  A,\n]", "[\n  A,\n]"),
        ("[\n  A, // one\n  X\n]", "[\n  A // one\n]"),
        ("[\n  A,\n  X,\n]", "[\n  A,\n]"),
        ("[\r\n  A,\r\n  X, // gone\r\n  // stays\r\n  B\r\n]", "[\r\n  A,\r\n  // stays\r\n  B\r\n]"),
        ("[\n  A,\n  X /* a */ , /* b */ // c\n  B,\n]", "[\n  A,\n  B,\n]"),
        ("[\n  A,\n  X, /* stays\n  too */\n  B\n]", "[\n  A,\n  /* stays\n  too */\n  B\n]"),
        ("[A, X, B]", "[A, B]"),
        ("[X, A]", "[A]"),
        ("[A, X]", "[A]"),
        ("[A, X,]", "[A,]"),
        ("[ A, X, ]", "[ A, ]"),
        ("[\n  A, // one\n  X ]", "[\n  A // one\n ]"),
        ("[ A\n, X\n, B\n]", "[ A\n, B\n]"),
        ("[\n  A, X,\n  B,\n]", "[\n  A,\n  B,\n]"),
        ("[\n  X, X, A\n]", "[\n  A\n]"),
    ])
    func `a line goes with its comma and the comment behind it, and nothing else does`(
        before: String, after: String
    ) throws {
        func filled(_ text: String) -> String {
            text.replacing("A", with: Self.pair("1")).replacing("B", with: Self.pair("2"))
                .replacing("X", with: Self.pair("x"))
        }
        #expect(try removing(from: filled(before)) == filled(after))
    }

    @Test func `a line over several lines goes whole`() throws {
        let text = """
            {
              "watch": [
                // keep
                { "query": "a", "bundleId": "com.a" },
                {
                  "query": "x", // inside
                  "bundleId": "com.a",
                }, // behind
                { "query": "b", "bundleId": "com.a" },
              ],
            }
            """
        #expect(
            try removing(from: text) == """
                {
                  "watch": [
                    // keep
                    { "query": "a", "bundleId": "com.a" },
                    { "query": "b", "bundleId": "com.a" },
                  ],
                }
                """)
    }

    @Test(arguments: [
        ("[{ queries: ['a', 'x', 'b'], bundleId: 'com.a' }]", "[{ queries: ['a', 'b'], bundleId: 'com.a' }]"),
        ("[{ queries: ['a', 'X'], bundleId: 'com.a' }]", "[{ queries: ['a'], bundleId: 'com.a' }]"),
        (
            "[{ queries: [\n  'a', // 1\n  { query: 'x', every: '1h' }, // 2\n], bundleId: 'com.a' }]",
            "[{ queries: [\n  'a', // 1\n], bundleId: 'com.a' }]"
        ),
        ("[{ query: 'x', bundleIds: ['com.a', 'com.b'] }]", "[{ query: 'x', bundleIds: ['com.b'] }]"),
        ("[{ queries: ['x', 'X', 'a'], bundleId: 'com.a' }]", "[{ queries: ['a'], bundleId: 'com.a' }]"),
        (
            "[{ queries: ['x', 'a'], bundleId: 'com.a' }, { query: 'x', bundleIds: ['com.b', 'com.a'] }]",
            "[{ queries: ['a'], bundleId: 'com.a' }, { query: 'x', bundleIds: ['com.b'] }]"
        ),
        (
            "{ apps: { a: { bundleId: 'com.a' } }, watch: [{ queries: ['x', 'a'], app: 'a' }] }",
            "{ apps: { a: { bundleId: 'com.a' } }, watch: [{ queries: ['a'], app: 'a' }] }"
        ),
    ])
    func `one element of a list goes where that is all it stands for`(before: String, after: String) throws {
        #expect(try removing(from: before) == after)
    }

    @Test(arguments: [
        ("none", "[{ query: 'x', bundleId: 'com.a', language: 'es_mx' }]"),
        ("es_mx", "[{ query: 'x', bundleId: 'com.a' }]"),
    ]) func `one of two queries that differ in language alone goes`(language: String, left: String) throws {
        let two = "[{ query: 'x', bundleId: 'com.a' }, { query: 'x', bundleId: 'com.a', language: 'es_mx' }]"
        #expect(try removing(language: language, from: two) == left)
        let line = "[{ queries: ['x', { query: 'x', language: 'es_mx' }, 'y'], bundleId: 'com.a' }]"
        #expect(
            try removing(language: language, from: line)
                == (language == "none"
                    ? "[{ queries: [{ query: 'x', language: 'es_mx' }, 'y'], bundleId: 'com.a' }]"
                    : "[{ queries: ['x', 'y'], bundleId: 'com.a' }]"))
    }

    @Test func `one country or platform goes`() throws {
        #expect(
            try removing(country: "gb", from: "[{ query: 'x', bundleId: 'com.a', countries: ['us', 'GB', 'gb'] }]")
                == "[{ query: 'x', bundleId: 'com.a', countries: ['us'] }]")
        #expect(
            try removing(country: "gb", from: "[{ query: 'x', bundleId: 'com.a', countries: ['us', 'Great Britain'] }]")
                == "[{ query: 'x', bundleId: 'com.a', countries: ['us'] }]")
        #expect(
            try removing(platform: .ipad, from: "[{ query: 'x', bundleId: 'com.a', platforms: ['ipad', 'mac'] }]")
                == "[{ query: 'x', bundleId: 'com.a', platforms: ['mac'] }]")
    }

    @Test(arguments: [
        (
            "[{ queries: ['x'], bundleId: 'com.a' }]",
            "nothing would be left in the watchlist; add another pair first"
        ),
        ("[{ query: 'y', bundleId: 'com.a' }]", "the watchlist does not have “x” for com.a; see rankctl watch list"),
        ("[{ query: 'x', bundleId: 'com.b' }]", "the watchlist does not have “x” for com.a; see rankctl watch list"),
    ])
    func `what is not there, or all there is, is refused and the file stays`(text: String, message: String) throws {
        #expect(try refused(from: text) == message)
    }

    @Test(arguments: [
        (
            "[\n  // both\n  { queries: ['x', 'a'], bundleIds: ['com.a', 'com.b'], every: '6h' }, // end\n]",
            "[\n  // both\n  { \"query\": 'x', \"bundleId\": 'com.b', every: '6h' },\n  { queries: ['a'], bundleIds: ['com.a', 'com.b'], every: '6h' }, // end\n]"
        ),
        (
            "[{ queries: [{ query: 'x', every: '1h' }, 'a'], bundleIds: ['com.a', 'com.b'] }]",
            "[{ \"queries\": [{ query: 'x', every: '1h' }], \"bundleId\": 'com.b' }, { queries: ['a'], bundleIds: ['com.a', 'com.b'] }]"
        ),
        (
            "{ apps: { a: { bundleId: 'com.a', competitors: ['b', 'c'] }, b: { bundleId: 'com.b' }, c: { bundleId: 'com.c' } }, watch: [{ query: 'x', app: 'a', tag: 't' }] }",
            "{ apps: { a: { bundleId: 'com.a', competitors: ['b', 'c'] }, b: { bundleId: 'com.b' }, c: { bundleId: 'com.c' } }, watch: [{ query: 'x', \"apps\": [\"b\", \"c\"], tag: 't' }] }"
        ),
        (
            "{ apps: { a: { bundleId: 'com.a', competitors: ['com.b'] } }, watch: [{ queries: ['x', 'y'], app: 'a' }] }",
            "{ apps: { a: { bundleId: 'com.a', competitors: ['com.b'] } }, watch: [{ \"query\": 'x', \"bundleId\": \"com.b\" }, { queries: ['y'], app: 'a' }] }"
        ),
    ])
    func `a line that holds more than the pair becomes lines that hold what is left`(
        before: String, after: String
    ) throws {
        #expect(try removing(from: before) == after)
    }

    @Test(arguments: [
        (
            "apps: [ /* mine */ 'a', 'd' /* rival */ ]", "apps: [ /* mine */ \"b\", \"c\", 'd' /* rival */ ]"
        ),
        ("apps: [\n  'a', // mine\n  // others\n  'b',\n]", "apps: [\n  \"b\", \"c\", // mine\n  // others\n]"),
        ("apps: ['d', 'a']", "apps: ['d', \"b\", \"c\"]"),
        ("app: /* mine */ 'a' // all", "\"apps\": /* mine */ [\"b\", \"c\"] // all"),
        ("apps: [ /* all */ 'e', 'd']", "\"bundleIds\": [ /* all */ \"com.e\", \"com.d\"]"),
    ])
    func `a list that names an app by an alias with competitors keeps its comments`(before: String, after: String)
        throws
    {
        func text(_ apps: String) -> String {
            "{ apps: { a: { bundleId: 'com.a', competitors: ['b', 'c'] }, b: { bundleId: 'com.b' }, "
                + "c: { bundleId: 'com.c' }, d: { bundleId: 'com.d' }, "
                + "e: { bundleId: 'com.e', competitors: ['com.a'] } }, watch: [{ query: 'x', \(apps)\n }] }"
        }
        #expect(try removing(from: text(before)) == text(after))
    }

    @Test(arguments: [
        ("countries: [ /* home */ 'us', 'de' ]", "countries: [ /* home */ 'de' ]"),
        ("countries: [ 'de', /* home */ 'us' /* mine */ ]", "countries: [ 'de' /* home */ /* mine */ ]"),
        ("countries: [\n  // home\n  'us',\n  'de', // big\n]", "countries: [\n  // home\n  'de', // big\n]"),
    ])
    func `a list that one country leaves keeps its comments`(before: String, after: String) throws {
        func text(_ countries: String) -> String { "[{ query: 'x', bundleId: 'com.a', \(countries) }]" }
        #expect(try removing(country: "us", from: text(before)) == text(after))
    }

    @Test func `a country that comes from the defaults leaves one line`() throws {
        #expect(
            try removing(
                country: "gb",
                from: "{ defaults: { countries: ['us', 'gb', 'de'] }, watch: [{ query: 'x', bundleId: 'com.a' }] }")
                == "{ defaults: { countries: ['us', 'gb', 'de'] }, watch: [{ query: 'x', bundleId: 'com.a', \"countries\": [\"us\", \"de\"] }] }"
        )
    }

    /// Lines of all shapes, with one pair or all of a query's taken out of each.
    @Test func `whatever a line holds, exactly the pairs that were named leave it`() throws {
        let apps =
            "apps: { a: { bundleId: 'com.a', competitors: ['b', 'com.c'] }, b: { bundleId: 'com.b', competitors: ['com.a'] }, d: { bundleId: 'com.d' } }"
        for queries in ["query: 'x'", "queries: ['x', 'X', 'y']", "keywords: ['z', { query: 'x', tags: ['q'] }]"] {
            for names in [
                "app: 'a'", "apps: ['b', 'd', 'a']", "bundleIds: ['com.a', 'com.d', 'COM.A']", "bundleId: 'com.a'",
            ] {
                for places in ["", "country: 'us',", "countries: ['us', 'uk', 'gb'],"] {
                    for platforms in ["", "platforms: ['ipad', 'mac', 'ipad'],"] {
                        let line = "{ \(queries), \(places) \(platforms) /* c */ tags: ['t'],\n    \(names) }"
                        let text =
                            "{ \(apps), defaults: { countries: ['us', 'de'] },\n  watch: [\n  \(line), // end\n  { query: 'other', bundleId: 'com.a' }] }"
                        for (country, platform) in [(nil, nil), ("us", nil), (nil, .mac), ("us", .ipad)]
                            as [(String?, Platform?)]
                        {
                            try expectExact(text, country, platform)
                        }
                    }
                }
            }
        }
    }

    private func expectExact(_ text: String, _ country: String?, _ platform: Platform?) throws {
        func pairs(_ text: String) throws -> Set<String> {
            Set(
                try decoded(text).watchlist.queries.flatMap { query in
                    query.pairs.map {
                        "\(query.query.folded)|\(query.query.country)|\(query.query.platform)|\($0.bundleID.folded)|\($0.tags)|\(query.cadences)"
                    }
                })
        }
        let before = try pairs(text)
        let gone = before.filter { pair in
            let parts = pair.split(separator: "|").map(String.init)
            return parts[0] == "x" && parts[3] == "com.a" && country.map { $0 == parts[1] } ?? true
                && platform.map { "\($0)" == parts[2] } ?? true
        }
        guard !gone.isEmpty else { return }
        let after = try removing(country: country, platform: platform, from: text)
        #expect(try pairs(after) == before.subtracting(gone), "\(text)\n\(after)")
        #expect(after.contains("/* c */") || !after.contains("tags: ['t']"), "\(after)")
        #expect(after.contains("// end") || !after.contains("tags: ['t']"), "\(after)")
    }

    @Test func `adding and removing gives back the very bytes`() throws {
        for text in [
            "[\n  { query: 'a', bundleId: 'com.a' }, // one\n]\n", "[{ query: 'a', bundleId: 'com.a' }]",
            "{\r\n\twatch: [\r\n\t\t{ query: 'a', bundleId: 'com.a' } // one\r\n\t]\r\n}\r\n",
        ] {
            let longer = try edited(text) { editor throws(WatchlistEditor.Refusal) in
                try editor.add(WatchlistEditor.NewLine(query: "x", bundleID: bundle("com.a")))
            }
            #expect(longer != text)
            #expect(try removing(from: longer) == text)
        }
    }

    /// Comments and white space in every place between the parts of a list.
    @Test func `whatever stands between the lines, an edit loses none of it`() throws {
        let gaps = ["", " ", "\n  ", "\r\n", " // c\n", "/* b */", "/* b\n b */ ", " // x\r\n  // y\r\n"]
        func bare(_ text: String) -> String { text.filter { !$0.isWhitespace && $0 != "," } }
        for first in gaps {
            for second in gaps {
                for (third, comma) in gaps.flatMap({ gap in [(gap, ""), (gap, ",")] }) {
                    let text =
                        "[\(first)\(Self.pair("1"))\(second),\(third)\(Self.pair("2"))\(second)\(comma)\(first)]\(third)"
                    let longer = try edited(text) { editor throws(WatchlistEditor.Refusal) in
                        try editor.add(WatchlistEditor.NewLine(query: "x", bundleID: bundle("com.a")))
                    }
                    #expect(bare(try removing(from: longer)) == bare(text), "\(text)")
                }
            }
        }
    }

    private func alteredByRemoving(_ text: String) throws -> (text: String, altered: [AlteredQuery]) {
        var editor = try WatchlistEditor(Array(text.utf8))
        let altered = try editor.remove(query: "x", bundleID: bundle("com.a"))
        return (String(decoding: editor.bytes, as: UTF8.self), altered)
    }

    @Test func `a query that stays for another app keeps the popularity that only the removed line said`() throws {
        let (after, altered) = try alteredByRemoving(
            "[{ query: 'x', bundleId: 'com.a', popularity: 46 }, { queries: ['y', 'x'], bundleId: 'com.b' }]")
        #expect(after == "[{ queries: ['y', { \"query\": 'x', \"popularity\": 46 }], bundleId: 'com.b' }]")
        #expect(altered.isEmpty)
    }

    @Test func `a popularity is given back to no other platform and no other language`() throws {
        let stays = [
            "{ query: 'x', bundleId: 'com.c' }", "{ query: 'x', bundleId: 'com.c', platform: 'ipad', popularity: 20 }",
            "{ query: 'x', bundleId: 'com.c', language: 'de_de' }",
        ].joined(separator: ", ")
        let (after, altered) = try alteredByRemoving("[{ query: 'x', bundleId: 'com.a', popularity: 40 }, \(stays)]")
        #expect(after == "[\(stays.replacing("'com.c' }", with: "'com.c', \"popularity\": 40 }", maxReplacements: 1))]")
        #expect(altered.isEmpty)
    }

    @Test func `a popularity that no line can say alone is told as lost`() throws {
        let (after, altered) = try alteredByRemoving(
            "[{ query: 'x', bundleId: 'com.a', popularity: 40 }, { query: 'x', bundleId: 'com.c', platforms: ['iphone', 'ipad'] }]"
        )
        #expect(after == "[{ query: 'x', bundleId: 'com.c', platforms: ['iphone', 'ipad'] }]")
        #expect(altered.map(\.before.popularity) == [40])
        #expect(altered.map(\.after.popularity) == [nil])
    }

    @Test func `a cadence that goes with a line is told for the apps that stay`() throws {
        let (_, altered) = try alteredByRemoving(
            "[{ query: 'x', bundleId: 'com.a', every: '1h' }, { query: 'x', bundleId: 'com.b', every: '6h' }]")
        #expect(altered.map(\.apps) == [[bundle("com.b")]])
        #expect(altered.first?.after.cadences == [.every(seconds: 21_600)])
        #expect(altered.first?.changesTimes == true)
    }

    @Test func `a slower cadence that goes beside a faster one changes nothing that has to be told`() throws {
        let (_, altered) = try alteredByRemoving(
            "[{ query: 'x', bundleId: 'com.b', every: '1h' }, { query: 'x', bundleId: 'com.a', every: '6h' }]")
        #expect(altered.isEmpty)
    }
}
