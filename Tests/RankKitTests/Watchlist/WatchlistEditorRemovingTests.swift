import RankKit
import Testing

@Suite struct WatchlistEditorRemovingTests {
    private func removing(
        _ query: String = "x", _ app: String = "com.a", country: String? = nil, platform: Platform? = nil,
        from text: String
    ) throws -> String {
        try edited(text) { editor throws(WatchlistEditor.Refusal) in
            try editor.remove(
                query: query, bundleID: bundle(app), country: country.flatMap { Country(code: $0) }, platform: platform)
        }
    }

    private func refused(
        _ query: String = "x", _ app: String = "com.a", country: String? = nil, from text: String
    ) throws -> String? {
        try refusal(text) { editor throws(WatchlistEditor.Refusal) in
            try editor.remove(query: query, bundleID: bundle(app), country: country.flatMap { Country(code: $0) })
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

    @Test func `one country or platform goes`() throws {
        #expect(
            try removing(country: "gb", from: "[{ query: 'x', bundleId: 'com.a', countries: ['us', 'GB', 'gb'] }]")
                == "[{ query: 'x', bundleId: 'com.a', countries: ['us'] }]")
        #expect(
            try removing(platform: .ipad, from: "[{ query: 'x', bundleId: 'com.a', platforms: ['ipad', 'mac'] }]")
                == "[{ query: 'x', bundleId: 'com.a', platforms: ['mac'] }]")
    }

    @Test(arguments: [
        (
            "[\n { queries: ['x', 'a'], bundleIds: ['com.a', 'com.b'] }]",
            "[0] (line 2) holds this together with other pairs: it lists several queries and several apps; edit that line by hand"
        ),
        (
            "{ apps: { a: { bundleId: 'com.a', competitors: ['com.b'] } }, watch: [{ query: 'x', app: 'a' }] }",
            "watch[0] (line 1) holds this together with other pairs: its app stands for that app and its competitors; edit that line by hand"
        ),
        (
            "[{ queries: ['x'], bundleId: 'com.a' }]",
            "nothing would be left in the watchlist; add another pair first"
        ),
        ("[{ query: 'y', bundleId: 'com.a' }]", "the watchlist does not have “x” for com.a; see rankctl watch list"),
        ("[{ query: 'x', bundleId: 'com.b' }]", "the watchlist does not have “x” for com.a; see rankctl watch list"),
        (
            "[{ query: 'x', bundleId: 'com.a' }, { queries: ['x', 'a'], bundleIds: ['com.a', 'com.b'] }]",
            "[1] (line 1) holds this together with other pairs: it lists several queries and several apps; edit that line by hand"
        ),
    ])
    func `what cannot be cut out exactly is refused and the file stays`(text: String, message: String) throws {
        #expect(try refused(from: text) == message)
    }

    @Test func `a country that comes from the defaults is not removed from one line`() throws {
        #expect(
            try refused(
                country: "gb",
                from: "{ defaults: { countries: ['us', 'gb'] }, watch: [{ query: 'x', bundleId: 'com.a' }] }")
                == "watch[0] (line 1) holds this together with other pairs: its countries come from the defaults; edit that line by hand"
        )
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
}
