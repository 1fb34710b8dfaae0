import Testing

@testable import RankKit

@Suite(.enabled(if: WatchlistObject.takesAlerts)) struct WatchlistEditorMuteTests {
    private static let today = "2026-11-23"
    private static let head = "{ watch: [{ query: 'q', bundleId: 'com.a', tags: ['core'] }],"
    private static let channels = "channels: { a: { mail: 'root' } }, to: 'a'"

    private func muting(_ subject: String, until day: String? = "2026-12-24", in text: String) throws -> String {
        try edited(text) { editor throws(WatchlistEditor.Refusal) in
            try editor.mute(subject, until: day, today: Self.today)
        }
    }

    private func unmuting(_ subject: String, in text: String) throws -> String {
        try edited(text) { editor throws(WatchlistEditor.Refusal) in try editor.unmute(subject) }
    }

    private func refusing(_ subject: String, until day: String? = "2026-12-24", in text: String) throws -> String? {
        try refusal(text) { editor throws(WatchlistEditor.Refusal) in
            try editor.mute(subject, until: day, today: Self.today)
        }
    }

    private static let added = "{ \"when\": \"weather\", \"until\": \"2026-12-24\" }"

    /// A document's end with `@` for what is there and `+` for the new mute.
    @Test(arguments: [
        (" alerts: { @ } }", " alerts: { @, \"mutes\": [+] } }"),
        ("\n  alerts: { @ },\n}\n", "\n  alerts: { @, \"mutes\": [+] },\n}\n"),
        (
            "\n  alerts: {\n    @, // where to\n  },\n}\n",
            "\n  alerts: {\n    @, // where to\n    \"mutes\": [\n      +\n    ],\n  },\n}\n"
        ),
        (
            "\n  alerts: {\n    @,\n    mutes: [\n      { app: 'com.a' }, // loud\n    ],\n  },\n}\n",
            "\n  alerts: {\n    @,\n    mutes: [\n      { app: 'com.a' }, // loud\n      +,\n    ],\n  },\n}\n"
        ),
        (" alerts: { @, mutes: [{ app: 'com.a' }] } }", " alerts: { @, mutes: [{ app: 'com.a' }, +] } }"),
        (" alerts: { @, mutes: [] } }", " alerts: { @, mutes: [+] } }"),
        (
            "\r\n  alerts: { @, mutes: [\r\n    ] },\r\n}", "\r\n  alerts: { @, mutes: [\r\n      +\r\n    ] },\r\n}"
        ),
    ])
    func `a mute is added in the layout of what is there`(before: String, after: String) throws {
        let text = Self.head + before.replacing("@", with: Self.channels)
        let expected = Self.head + after.replacing("@", with: Self.channels).replacing("+", with: Self.added)
        #expect(try muting("weather", in: text) == expected)
    }

    @Test(arguments: [
        ("habits", "{ \"app\": \"habits\" }"), ("com.example.habits", "{ \"app\": \"habits\" }"),
        ("COM.EXAMPLE.TODO", "{ \"app\": \"com.example.todo\" }"), ("app:streaks", "{ \"app\": \"streaks\" }"),
        ("query:Habit  TRACKER", "{ \"query\": \"habit tracker\" }"), ("country:UK", "{ \"country\": \"gb\" }"),
        ("tag:spanish lists", "{ \"tag\": \"spanish lists\" }"), ("app-unknown", "{ \"when\": \"app-unknown\" }"),
        ("when:moved", "{ \"when\": \"moved\" }"),
    ])
    func `every subject is written as the watchlist calls it`(subject: String, line: String) throws {
        let text = watchlist(alertsWith: "mutes: []")
        #expect(try muting(subject, until: nil, in: text).contains(line))
    }

    @Test func `a mute of the same gets another end, ended or not`() throws {
        let text = watchlist(alertsWith: "mutes: [{ app: 'habits', until: '2026-01-01' /* quiet */ }, { tag: 'core' }]")
        let later = try muting("com.example.habits", in: text)
        #expect(later == text.replacing("'2026-01-01'", with: "\"2026-12-24\""))
        #expect(
            try muting("habits", until: nil, in: later).contains("[{ app: 'habits' /* quiet */ }, { tag: 'core' }]"))
        #expect(try muting("tag:core", in: text).contains("{ tag: 'core', \"until\": \"2026-12-24\" }"))
    }

    @Test func `a mute of something narrower is another one`() throws {
        let text = watchlist(alertsWith: "mutes: [{ app: 'habits', when: 'moved' }]")
        #expect(try muting("habits", in: text).contains("{ app: 'habits', when: 'moved' }, { \"app\": \"habits\","))
    }

    @Test func `mutes are taken out with their lines, and others stay`() throws {
        let text = watchlist(
            alertsWith: """
                mutes: [
                      { app: 'habits', until: '2026-12-24' }, // launch
                      { tag: 'core' }, // ours
                      { app: 'com.example.habits' },
                    ]
                """)
        #expect(
            try unmuting("habits", in: text)
                == text.replacing("      { app: 'habits', until: '2026-12-24' }, // launch\n", with: "")
                .replacing("      { app: 'com.example.habits' },\n", with: ""))
    }

    /// What stands behind the other keys of `alerts`.
    @Test(arguments: [
        " alerts: { @ } }", " alerts: { @, } }", "\n  alerts: { @ }, // who hears\n}\n", " alerts: {\n @ /* to */ } }",
        "\n  alerts: {\n    @, // where to\n  },\n}\n", "\n  alerts: {\n    @ // where to\n    // no mutes\n  }\n}\n",
        "\r\n\talerts: {\r\n\t\t@\r\n\t}\r\n}\r\n", " alerts: { @, mutes: [] } }",
        "\n  alerts: {\n    @,\n    mutes: [\n      // none yet\n    ],\n  },\n}\n",
    ])
    func `what is muted and heard again leaves the file as it was`(end: String) throws {
        let text = Self.head + end.replacing("@", with: Self.channels)
        var muted = try muting("weather", in: text)
        muted = try muting("tag:core", until: nil, in: muted)
        muted = try muting("weather", until: nil, in: muted)
        let first = try unmuting("tag:core", in: unmuting("weather", in: muted))
        let last = try unmuting("weather", in: unmuting("tag:core", in: muted))
        #expect(first == text && last == text)
    }

    @Test(arguments: ["[{ tag: 'core' }]", "[\n      // loud\n      { tag: 'core' },\n    ]"])
    func `a list of mutes that a person wrote stays with its comments`(list: String) throws {
        let text = watchlist(alertsWith: "mutes: \(list)")
        let left = list.replacing("      { tag: 'core' },\n", with: "").replacing("{ tag: 'core' }", with: "")
        #expect(try unmuting("tag:core", in: text) == watchlist(alertsWith: "mutes: \(left)"))
    }

    @Test(arguments: [
        ("nothing", "name an app of the watchlist, query:TEXT, country:CODE, tag:TAG, or a kind of message: "),
        ("habts", "did you mean “habits”?"), ("wether", "did you mean “weather”?"),
        ("core", "did you mean tag:core?"), ("us", "did you mean country:us?"),
        ("habit tracker", "did you mean query:habit tracker?"), ("tag:cor", "did you mean “tag:core”?"),
        ("country:fr", "the countries here are gb, us"), ("query:habit traker", "did you mean “query:habit tracker”?"),
    ])
    func `what nothing is known of is refused with what may be meant`(subject: String, remedy: String) throws {
        let told = try #require(try refusing(subject, in: watchlist(alertsWith: "")))
        #expect(told.hasPrefix("no message is ever about “\(subject)”; \(remedy)"), "\(told)")
    }

    @Test func `what has two meanings is refused with both`() throws {
        let text = """
            { apps: { weather: { bundleId: 'com.w' } }, watch: [{ app: 'weather', query: 'q' }],
              alerts: { channels: { a: { mail: 'root' } }, to: 'a' } }
            """
        #expect(
            try refusing("weather", in: text) == "“weather” has several meanings; write app:weather or when:weather")
        #expect(try muting("when:weather", in: text).contains(Self.added))
        #expect(try muting("app:weather", in: text).contains("{ \"app\": \"weather\", \"until\": \"2026-12-24\" }"))
    }

    @Test func `edits that would change nothing or make no sense are refused`() throws {
        let text = watchlist(alertsWith: "mutes: [{ app: 'habits', until: '2026-12-24' }]")
        #expect(
            try refusing("habits", in: text)
                == "“habits” is already muted like this, at alerts.mutes[0]; name another day to change it")
        #expect(
            try refusing("streaks", until: Self.today, in: text)
                == "a mute until 2026-11-23 would be over already; name a day after today")
        #expect(
            try refusing("streaks", until: "soon", in: text)
                == "alerts.mutes[1].until: “soon” is not a day; write a real date as YYYY-MM-DD, such as 2026-11-20")
        #expect(
            try refusal(text) { editor throws(WatchlistEditor.Refusal) in try editor.unmute("streaks") }
                == "there is no mute for exactly “streaks”; see rankctl alerts list, or edit the file by hand")
        for bare in ["[{ query: 'q', bundleId: 'com.a' }]", "{ watch: [{ query: 'q', bundleId: 'com.a' }] }"] {
            let remedy =
                "the watchlist has no alerts, so there is nothing to mute; add \"alerts\" with a channel first, as docs/alerts.md shows"
            #expect(try refusing("com.a", in: bare) == remedy)
            #expect(
                try refusal(bare) { editor throws(WatchlistEditor.Refusal) in try editor.unmute("com.a") } == remedy)
        }
    }

    @Test func `other edits leave the alerts alone`() throws {
        let text = watchlist(alertsWith: "rules: [{ when: 'moved', app: 'habits', query: 'Habit tracker' }]")
        let added = try edited(text) { editor throws(WatchlistEditor.Refusal) in
            try editor.add(WatchlistEditor.NewLine(query: "new", bundleID: bundle("com.b")))
        }
        #expect(try alerts(added) == alerts(text))
    }

    @Test func `a query that a rule names cannot be removed with its last pair`() throws {
        let text = watchlist(rule: "{ when: 'moved', query: 'to do list' }")
        let told = try refusal(text) { editor throws(WatchlistEditor.Refusal) in
            try editor.remove(query: "to do list", bundleID: bundle("com.example.todo"))
        }
        #expect(
            told
                == "alerts.rules[0].query: no line asks for “to do list”; write a query that a line of watch has")
    }
}
