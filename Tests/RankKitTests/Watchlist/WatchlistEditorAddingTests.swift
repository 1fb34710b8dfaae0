import RankKit
import Testing

/// The text after an edit, or why there is none.
func edited(
    _ text: String, _ edit: (inout WatchlistEditor) throws(WatchlistEditor.Refusal) -> Void
) throws -> String {
    var editor = try WatchlistEditor(Array(text.utf8))
    try edit(&editor)
    // What it took the document to say is what it says.
    let again = try WatchlistEditor(editor.bytes)
    #expect(editor.watchlist == again.watchlist)
    return String(decoding: editor.bytes, as: UTF8.self)
}

func refusal(
    _ text: String, _ edit: (inout WatchlistEditor) throws(WatchlistEditor.Refusal) -> Void
) throws -> String? {
    var editor = try WatchlistEditor(Array(text.utf8))
    do throws(WatchlistEditor.Refusal) {
        try edit(&editor)
        return nil
    } catch {
        #expect(editor.bytes == Array(text.utf8), "a refused edit leaves the bytes alone")
        return error.description
    }
}

@Suite struct WatchlistEditorAddingTests {
    private static let line = WatchlistEditor.NewLine(query: "new", bundleID: bundle("com.b"))

    private func adding(
        _ line: WatchlistEditor.NewLine = Self.line, to text: String
    ) throws -> String {
        try edited(text) { editor throws(WatchlistEditor.Refusal) in try editor.add(line) }
    }

    private static let added = "{ \"query\": \"new\", \"bundleId\": \"com.b\" }"
    private static let known = "{ query: 'q', bundleId: 'com.a' }"

    /// A document with `@` for the known line and its form afterwards with `+` for the new one.
    @Test(arguments: [
        ("[@]", "[@, +]"),
        ("[@,]", "[@, +,]"),
        ("[ @ ]\n", "[ @, + ]\n"),
        ("[\n  @\n]\n", "[\n  @,\n  +\n]\n"),
        ("[\n\t@,\n]", "[\n\t@,\n\t+,\n]"),
        ("[\r\n  @,\r\n]\r\n", "[\r\n  @,\r\n  +,\r\n]\r\n"),
        ("[\n  @ // one\n]", "[\n  @, // one\n  +\n]"),
        ("[\n  @, // one\n  // more below\n]", "[\n  @, // one\n  +,\n  // more below\n]"),
        ("[\n  @ /* a */, /* b\n  c */\n]", "[\n  @ /* a */, /* b\n  c */\n  +,\n]"),
        ("[\n  @ // one\n  ,\n]", "[\n  @ // one\n  ,\n  +,\n]"),
        ("[\n    @ ]", "[\n    @,\n    + ]"),
        ("[ @ // x\n]", "[ @, // x\n  +\n]"),
        ("[ @ /* x */ ]", "[ @, /* x */ + ]"),
        ("{ watch: [@] }", "{ watch: [@, +] }"),
        ("{\n  watch: [\n    @,\n  ],\n}\n", "{\n  watch: [\n    @,\n    +,\n  ],\n}\n"),
        ("{\n  watch: [\n    @\n  ]\n}\n", "{\n  watch: [\n    @,\n    +\n  ]\n}\n"),
    ])
    func `a line is added in the layout of the one before`(before: String, after: String) throws {
        let text = before.replacing("@", with: Self.known)
        #expect(try adding(to: text) == after.replacing("@", with: Self.known).replacing("+", with: Self.added))
    }

    @Test(arguments: [
        ("[]", "[\n  +\n]"),
        ("{}", "{ \"watch\": [+] }"),
        ("{\n  watch: [],\n}", "{\n  watch: [\n    +\n  ],\n}"),
        ("{\n  // none yet\n}\n", "{\n  // none yet\n  \"watch\": [\n    +\n  ]\n}\n"),
        ("{\n  watch: [\n    // soon\n  ],\n}", "{\n  watch: [\n    // soon\n    +\n  ],\n}"),
        ("{\n    service: {},\n}", "{\n    service: {},\n    \"watch\": [\n        +\n    ],\n}"),
        (String(decoding: WatchlistEditor.emptyDocument, as: UTF8.self), "{\n  \"watch\": [\n    +\n  ]\n}\n"),
    ])
    func `the first line opens what is empty and makes what is missing`(before: String, after: String) throws {
        #expect(try adding(to: before) == after.replacing("+", with: Self.added))
    }

    @Test func `a line says what is asked for and leaves the rest to the defaults`() throws {
        let line = WatchlistEditor.NewLine(
            query: "a \"b\" \\ é", bundleID: bundle("com.b"), countries: [Country(code: "us")!, Country(code: "gb")!],
            platforms: [.ipad], every: "6h", tags: ["core"], language: "en_us", popularity: 46)
        #expect(
            try adding(line, to: "[\(Self.known)]") == "[\(Self.known), "
                + #"{ "query": "a \"b\" \\ é", "bundleId": "com.b", "countries": ["us", "gb"], "platform": "ipad", "every": "6h", "tags": ["core"], "language": "en_us", "popularity": 46 }]"#
        )
    }

    @Test func `what is watched already is not added again`() throws {
        let line = WatchlistEditor.NewLine(query: " Q ", bundleID: bundle("COM.A"), every: "1h")
        #expect(
            try refusal("[\(Self.known)]") { editor throws(WatchlistEditor.Refusal) in try editor.add(line) }
                == "“ Q ” for COM.A is already in the watchlist, at [0]; edit that line to change it")
    }

    @Test func `a line by alias brings the competitors`() throws {
        let apps = "apps: { b: { bundleId: 'com.b', competitors: ['com.c'] } }"
        let line = WatchlistEditor.NewLine(query: "new", bundleID: bundle("com.b"), alias: "b")
        #expect(
            try adding(line, to: "{ \(apps), watch: [\(Self.known)] }")
                == "{ \(apps), watch: [\(Self.known), { \"query\": \"new\", \"app\": \"b\" }] }")
    }

    @Test func `an app that is watched already is not added again for its competitors`() throws {
        let text =
            "{ apps: { a: { bundleId: 'com.a', competitors: ['com.c'] } }, watch: [{ query: 'q', bundleId: 'com.a' }] }"
        let line = WatchlistEditor.NewLine(query: "q", bundleID: bundle("com.a"), alias: "a")
        #expect(
            try refusal(text) { editor throws(WatchlistEditor.Refusal) in try editor.add(line) }
                == "“q” for com.a is already in the watchlist, at watch[0]; edit that line to change it")
    }

    @Test func `a line that is wrong is refused with its mistakes`() throws {
        let line = WatchlistEditor.NewLine(query: "x", bundleID: bundle("com.a"), every: "soon")
        #expect(
            try refusal("[\(Self.known)]") { editor throws(WatchlistEditor.Refusal) in try editor.add(line) }
                == "[1].every: “soon” is not a length of time; write a whole number and s, m, h, d or w, such as 15m, 6h or 1d"
        )
    }

    @Test func `a list that is invalid cannot be edited`() {
        #expect(throws: WatchlistError.self) { try WatchlistEditor(Array("[{}]".utf8)) }
    }
}

@Suite struct WatchlistEditorAppTests {
    private static let list = """
        {
          // mine
          "apps": {
            "habits": { "bundleId": "com.me" }, // the one
            "todo": { "bundleId": "com.todo", "competitors": ["com.z"] },
          },
          "watch": [
            { "query": "q", "app": "habits" },
          ],
        }

        """

    private func addingApp(
        _ alias: String, _ bundleID: String, of owner: String?, to text: String
    ) throws -> String {
        try edited(text) { editor throws(WatchlistEditor.Refusal) in
            try editor.addApp(alias: alias, bundleID: bundle(bundleID), competitorOf: owner)
        }
    }

    @Test func `an app gets an entry of its own`() throws {
        #expect(
            try addingApp("streaks", "com.x", of: nil, to: Self.list)
                == Self.list.replacing(
                    "[\"com.z\"] },\n", with: "[\"com.z\"] },\n    \"streaks\": { \"bundleId\": \"com.x\" },\n"))
    }

    @Test func `a competitor is listed by the app that it competes with`() throws {
        #expect(
            try addingApp("streaks", "com.x", of: "habits", to: Self.list)
                == Self.list.replacing(
                    "[\"com.z\"] },\n", with: "[\"com.z\"] },\n    \"streaks\": { \"bundleId\": \"com.x\" },\n"
                ).replacing("\"com.me\" }", with: "\"com.me\", \"competitors\": [\"streaks\"] }"))
        #expect(
            try addingApp("streaks", "com.x", of: "todo", to: Self.list)
                == Self.list.replacing(
                    "[\"com.z\"] },\n",
                    with: "[\"com.z\", \"streaks\"] },\n    \"streaks\": { \"bundleId\": \"com.x\" },\n"))
    }

    @Test func `an app that is declared already is only listed`() throws {
        #expect(
            try addingApp("todo", "com.todo", of: "habits", to: Self.list)
                == Self.list.replacing("\"com.me\" }", with: "\"com.me\", \"competitors\": [\"todo\"] }"))
    }

    @Test func `the section is made where it is missing`() throws {
        #expect(
            try addingApp("a", "com.a", of: nil, to: "{\n  watch: [{ query: 'q', bundleId: 'com.a' }]\n}\n")
                == """
                {
                  watch: [{ query: 'q', bundleId: 'com.a' }],
                  "apps": {
                    "a": { "bundleId": "com.a" }
                  }
                }

                """)
    }

    @Test(
        arguments: [
            ("habits", "com.new", nil, "apps already has “habits” for com.me; use that alias, or edit it by hand"),
            ("new", "COM.ME", nil, "apps already has “habits” for com.me; use that alias, or edit it by hand"),
            ("new", "com.new", "none", "no app has the alias “none”; declare it under apps first"),
            (
                "a b", "com.new", nil,
                "apps[\"a b\"]: this is not a valid alias; write 1 to 64 bytes without spaces, commas or control characters, not beginning with “-”"
            ),
        ] as [(String, String, String?, String)])
    func `what cannot be declared is refused`(alias: String, app: String, owner: String?, message: String) throws {
        #expect(
            try refusal(Self.list) { editor throws(WatchlistEditor.Refusal) in
                try editor.addApp(alias: alias, bundleID: bundle(app), competitorOf: owner)
            } == message)
    }

    @Test func `a bare list has no room for apps and notes`() throws {
        let message =
            "the watchlist is a bare list, so this cannot be added; write { \"watch\": [ … ] } around the list"
        let list = "[{ query: 'q', bundleId: 'com.a' }]"
        #expect(
            try refusal(list) { editor throws(WatchlistEditor.Refusal) in
                try editor.addApp(alias: "a", bundleID: bundle("com.a"))
            } == message)
        #expect(
            try refusal(list) { editor throws(WatchlistEditor.Refusal) in
                try editor.addNote(on: "2026-11-20", text: "x")
            } == message)
    }

    @Test func `a note is appended, for an app by alias or bundleId`() throws {
        let one = try edited(Self.list) { editor throws(WatchlistEditor.Refusal) in
            try editor.addNote(
                on: "2026-11-20", app: "habits", version: "2.4", text: "subtitle: +mood −routine", added: ["mood"],
                removed: ["a", "b"])
        }
        let section = """
              "notes": [
                { "on": "2026-11-20", "app": "habits", "version": "2.4", "text": "subtitle: +mood −routine", "added": ["mood"], "removed": ["a", "b"] }
              ],
            }

            """
        #expect(one == String(Self.list.dropLast(2)) + section)
        let two = try edited(one) { editor throws(WatchlistEditor.Refusal) in
            try editor.addNote(on: "2026-11-21", app: "com.z", text: "gone")
        }
        #expect(
            two
                == one.replacing(
                    "[\"a\", \"b\"] }\n",
                    with:
                        "[\"a\", \"b\"] },\n    { \"on\": \"2026-11-21\", \"bundleId\": \"com.z\", \"text\": \"gone\" }\n"
                ))
    }

    @Test func `a note of a wrong day or an unknown app is refused`() throws {
        #expect(
            try refusal(Self.list) { editor throws(WatchlistEditor.Refusal) in
                try editor.addNote(on: "2026-13-01", text: "x")
            } == "notes[0].on: “2026-13-01” is not a day; write a real date as YYYY-MM-DD, such as 2026-11-20")
        #expect(
            try refusal(Self.list) { editor throws(WatchlistEditor.Refusal) in
                try editor.addNote(on: "2026-11-20", app: "com.none", text: "x")
            } == "no app has the alias “com.none”; declare it under apps first")
    }
}
