import RankKit
import Testing

@Suite struct WatchlistMistakeTests {
    /// A bad file and the one line that is printed for it.
    struct Sample: Sendable, CustomTestStringConvertible {
        let text: String
        let message: String
        var testDescription: String { message }

        init(_ text: String, _ message: String) {
            self.text = text
            self.message = message
        }
    }

    static let addLine =
        "add a line such as { \"query\": \"habit tracker\", \"bundleId\": \"com.example.app\" } to watch"

    static let whole: [Sample] = [
        Sample("{}", "watchlist: nothing is watched; \(addLine)"),
        Sample("[]", "watchlist: nothing is watched; \(addLine)"),
        Sample("{ watch: [] }", "watchlist: nothing is watched; \(addLine)"),
        Sample(
            "5",
            "watchlist: must be an object, not a number; write { \"watch\": [ … ] }, or a list of { \"query\", \"bundleId\" }"
        ),
        Sample(
            watchlist(with: "\"serivce\": {}"), "serivce: unknown key; did you mean “service”?"),
        Sample(
            watchlist(with: "\"colour\": 1"),
            "colour: unknown key; the keys here are apps, defaults, watch, notes, sensitivity, "
                + (WatchlistObject.takesAlerts ? "alerts, " : "") + "service"),
        Sample(
            watchlist(with: "\"sensitivity\": \"kean\""),
            "sensitivity: unknown sensitivity “kean”; did you mean “keen”?"),
        Sample(
            watchlist(with: "\"sensitivity\": \"loud\""),
            "sensitivity: unknown sensitivity “loud”; write one of calm, normal, keen"),
        Sample(watchlist(with: "\"watch\": []"), "watch: the key is given twice; keep one of them"),
        Sample(
            "{ watch: {} }",
            "watch: must be a list, not an object; write it in brackets, such as [{ \"query\": \"habit tracker\", \"bundleId\": \"com.example.app\" }]"
        ),
        Sample(
            "[3]",
            "[0]: must be an object, not a number; write { \"query\": \"habit tracker\", \"bundleId\": \"com.example.app\" }"
        ),
        Sample(
            "[{ query: 'q', bundleId: 'a b' }]",
            "[0].bundleId: “a b” is not a bundleId; write 1 to 255 letters, digits, dots, hyphens or underscores, such as com.example.app"
        ),
    ]

    static let syntax: [Sample] = [
        Sample(
            "{\n  \"watch\": [\n    { \"query\": \"q\" \"bundleId\": \"b\" }\n  ]\n}",
            "line 3, column 20: expected “,” or “}” but found “\"”; separate the keys of an object with commas"),
        Sample(
            "{\n  \"watch\": [\n    { \"query\": \"q\" },\n",
            "line 4, column 1: expected a value or “]” but the file ends; close the list, which begins in line 2"),
        Sample(
            "{ watch: yes }",
            "line 1, column 10: expected a value but found the bare word “yes”; put text in quotes: \"yes\""),
        Sample(
            "\u{FEFF}{ é: \u{1} }",
            "line 1, column 6: expected a value but found the character U+0001; write text in quotes, a number, a list or an object"
        ),
        Sample(
            "{\r\n\r\n watch: 'a\r\n }",
            "line 3, column 11: the line ends inside a text; close the text with ', which begins in line 3"),
        Sample(
            "[] // fine\n,",
            "line 2, column 1: expected the end of the file but found “,”; remove what follows the closing bracket"
        ),
    ]

    static let apps: [Sample] = [
        Sample(
            watchlist(with: "apps: []"),
            "apps: must be an object, not a list; write { \"alias\": { \"bundleId\": \"com.example.app\" } }"),
        Sample(
            watchlist(with: "apps: { a: 'com.a' }"),
            "apps.a: must be an object, not text; write { \"bundleId\": \"com.example.app\" }"),
        Sample(watchlist(with: "apps: { a: {} }"), "apps.a: no bundleId; add \"bundleId\": \"com.example.app\""),
        Sample(
            watchlist(with: "apps: { a: { bundleID: 'com.a', bundleId: 'com.a' } }"),
            "apps.a.bundleID: unknown key; did you mean “bundleId”?"),
        Sample(
            watchlist(with: "apps: { a: { bundleId: 'com.a' }, a: { bundleId: 'com.b' } }"),
            "apps.a: the key is given twice; keep one of them"),
        Sample(
            watchlist(with: "apps: { a: { bundleId: 'com.a' }, A: { bundleId: 'com.b' } }"),
            "apps.A: differs from the alias “a” only in upper and lower case; choose another alias"),
        Sample(
            watchlist(with: "apps: { a: { bundleId: 'com.a' }, b: { bundleId: 'COM.A' } }"),
            "apps.b.bundleId: “a” is already COM.A; keep one alias for an app"),
        Sample(
            watchlist(with: "apps: { swc: { bundleId: 'com.a' }, b: { bundleId: 'swc' } }"),
            "apps.swc: the alias is the bundleId of another app; choose another alias"),
        Sample(
            watchlist(with: "apps: { 'my app': { bundleId: 'com.a' } }"),
            "apps[\"my app\"]: this is not a valid alias; write 1 to 64 bytes without spaces, commas or control characters, not beginning with “-”"
        ),
        Sample(
            watchlist(with: "apps: { a: { bundleId: 'com.a', competitors: ['a'] } }"),
            "apps.a.competitors[0]: the app names itself as its competitor; remove it from the list"),
        Sample(
            watchlist(with: "apps: { a: { bundleId: 'com.a', competitors: ['COM.A'] } }"),
            "apps.a.competitors[0]: the app names itself as its competitor; remove it from the list"),
        Sample(
            watchlist(
                with: "apps: { a: { bundleId: 'com.a', competitors: ['streks'] }, streaks: { bundleId: 'com.s' } }"),
            "apps.a.competitors[0]: “streks” is neither an alias of apps nor a bundleId with a dot; did you mean “streaks”?"
        ),
        Sample(
            watchlist(with: "apps: { a: { bundleId: 'com.a', competitors: ['zzzzzz'] } }"),
            "apps.a.competitors[0]: “zzzzzz” is neither an alias of apps nor a bundleId with a dot; declare it under apps with its bundleId"
        ),
        Sample(
            watchlist(with: "apps: { a: { bundleId: 'com.a', competitors: 'b.c' } }"),
            "apps.a.competitors: must be a list, not text; write it in brackets, such as [\"alias\"]"),
        Sample(
            "{ apps: { habits: { bundleId: 'com.a' } }, watch: [{ query: 'q', app: 'habit' }] }",
            "watch[0].app: no app has the alias “habit”; did you mean “habits”?"),
        Sample(
            "{ apps: { habits: { bundleId: 'com.a' } }, watch: [{ query: 'q', apps: ['habits', 'com.a'] }] }",
            "watch[0].apps[1]: no app has the alias “com.a”; its alias is “habits”"),
        Sample(
            "{ watch: [{ query: 'q', app: 'com.a' }] }",
            "watch[0].app: no app has the alias “com.a”; declare it under apps, or name the app by bundleId"),
    ]

    static let lines: [Sample] = [
        Sample(
            "[{ bundleId: 'com.a' }]", "[0]: no query; add \"query\": \"habit tracker\", or \"queries\" with a list"),
        Sample(
            "[{ query: 'q' }]", "[0]: no app; add \"bundleId\": \"com.example.app\", or \"app\" with an alias"),
        Sample(
            "[{ query: 'q', queries: ['r'], bundleId: 'com.a' }]",
            "[0].queries: “queries” beside “query”; keep one of them: “queries” takes a list"),
        Sample(
            "[{ query: 'q', keyword: 'r', bundleId: 'com.a' }]",
            "[0].keyword: “keyword” beside “query”; keep one of them"),
        Sample(
            watchlist(line: "bundleIds: ['com.b']"),
            "watch[0].bundleIds: “bundleIds” beside “bundleId”; keep one of them: “bundleIds” takes a list"),
        Sample(
            watchlist(line: "countries: ['us'], country: 'gb'"),
            "watch[0].country: “country” beside “countries”; keep one of them: “countries” takes a list"),
        Sample(
            "[{ queries: [['q']], bundleId: 'com.a' }]",
            "[0].queries[0]: must be text, not a list; write it in quotes, such as \"habit tracker\""),
        Sample(
            "[{ query: 'q', bundleId: 7 }]",
            "[0].bundleId: must be text, not a number; write it in quotes, such as \"com.example.app\""),
        Sample(
            "[{ queries: [], bundleId: 'com.a' }]",
            "[0].queries: the list is empty; name at least one, or leave the key out"),
        Sample(
            "[{ query: ' \u{3000} ', bundleId: 'com.a' }]",
            "[0].query: the query is empty; write what people search for"),
        Sample(
            "[{ query: 'a\\tb', bundleId: 'com.a' }]",
            "[0].query: the query has a control character or a line break; write it on one line, without tabs"),
        Sample(
            "[{ query: '\(String(repeating: "é", count: 201))', bundleId: 'com.a' }]",
            "[0].query: the query is longer than 400 bytes; write the few words that people search for"),
        Sample(
            "[{ queries: ['a', { every: '1d' }], bundleId: 'com.a' }]",
            "[0].queries[1]: no query; add \"query\": \"habit tracker\""),
        Sample(
            "[{ queries: ['a', { query: 'b', countries: ['us'] }], bundleId: 'com.a' }]",
            "[0].queries[1].countries: unknown key; the keys here are query, keyword, every, at, timeZone, language, tag, tags, popularity"
        ),
        Sample(watchlist(line: "contries: ['us']"), "watch[0].contries: unknown key; did you mean “countries”?"),
        Sample(watchlist(line: "bundle_id: 'x'"), "watch[0].bundle_id: unknown key; did you mean “bundleId”?"),
        Sample(
            "[{ query: 'q', bundleIds: ['com.a', ''] }]",
            "[0].bundleIds[1]: “” is not a bundleId; write 1 to 255 letters, digits, dots, hyphens or underscores, such as com.example.app"
        ),
    ]

    static let numbers: [Sample] = [
        Sample(
            "[{ query: 'q', bundleId: '1667900926' }]",
            "[0].bundleId: “1667900926” is the App Store's number of an app, not a bundleId; write its bundleId: rankctl search and rankctl watch add find it"
        ),
        Sample(
            "{ apps: { a: { bundleId: 'id1667900926' } }, watch: [{ query: 'q', app: 'a' }] }",
            "apps.a.bundleId: “id1667900926” is the App Store's number of an app, not a bundleId; write its bundleId: rankctl search and rankctl watch add find it"
        ),
        Sample(
            "[{ query: ['a', 'b'], bundleId: 'com.a' }]",
            "[0].query: must be text, not a list; “queries” takes a list"),
        Sample(
            "[{ query: 'q', bundleId: ['com.a', 'com.b'] }]",
            "[0].bundleId: must be text, not a list; “bundleIds” takes a list"),
    ]

    static let settings: [Sample] = [
        Sample(
            watchlist(line: "countries: ['us', 'usa']"),
            "watch[0].countries[1]: “usa” is no country with an App Store; did you mean “us”?"),
        Sample(
            watchlist(line: "country: 'Untied States'"),
            "watch[0].country: “Untied States” is no country with an App Store; did you mean “us”?"),
        Sample(
            watchlist(line: "country: ['us', 'gb']"),
            "watch[0].country: must be text, not a list; “countries” takes a list"),
        Sample(
            watchlist(line: "platform: ['ipad']"),
            "watch[0].platform: must be text, not a list; “platforms” takes a list"),
        Sample(watchlist(line: "tag: ['core']"), "watch[0].tag: must be text, not a list; “tags” takes a list"),
        Sample(
            watchlist(line: "country: 'xx'"),
            "watch[0].country: “xx” is no country with an App Store; write its code, such as us, gb or de, or its English name"
        ),
        Sample(
            watchlist(line: "country: null"),
            "watch[0].country: must be text, not null; write it in quotes, such as \"us\""),
        Sample(
            watchlist(line: "countries: 'us'"),
            "watch[0].countries: must be a list, not text; write it in brackets, such as [\"us\", \"gb\"]"),
        Sample(
            watchlist(line: "countries: []"),
            "watch[0].countries: the list is empty; name at least one, or leave the key out"),
        Sample(
            watchlist(line: "platform: 'iPhone'"),
            "watch[0].platform: unknown platform “iPhone”; did you mean “iphone”?"),
        Sample(
            watchlist(line: "platforms: ['watch']"),
            "watch[0].platforms[0]: unknown platform “watch”; the platforms are iphone, ipad, mac"),
        Sample(
            watchlist(line: "source: 'appstore'"),
            "watch[0].source: unknown source “appstore”; the sources are: itunes"),
        Sample(
            watchlist(line: "every: '1.5h'"),
            "watch[0].every: “1.5h” is not a length of time; write a whole number and s, m, h, d or w, such as 15m, 6h or 1d"
        ),
        Sample(
            watchlist(line: "every: 6"),
            "watch[0].every: must be text, not a number; write it in quotes, such as \"6h\""),
        Sample(
            watchlist(line: "every: '5w'"), "watch[0].every: “5w” is not in the range; write a length from 1s to 4w"),
        Sample(
            watchlist(line: "every: '0s'"), "watch[0].every: “0s” is not in the range; write a length from 1s to 4w"),
        Sample(
            watchlist(line: "every: '99999999999999999999w'"),
            "watch[0].every: “99999999999999999999w” is not in the range; write a length from 1s to 4w"),
        Sample(
            watchlist(line: "every: '1d', at: '03:00'"),
            "watch[0].at: “every” and “at” on one line; keep one of them; for both cadences write two lines"
        ),
        Sample(
            watchlist(line: "at: ['03:00', '24:00']"),
            "watch[0].at[1]: “24:00” is not a time of day; write HH:MM from 00:00 to 23:59"),
        Sample(
            watchlist(line: "at: '3:00'"), "watch[0].at: “3:00” is not a time of day; write HH:MM from 00:00 to 23:59"),
        Sample(watchlist(line: "at: []"), "watch[0].at: the list is empty; name at least one, or leave the key out"),
        Sample(
            watchlist(line: "timeZone: 'Europe/Berlinn'"),
            "watch[0].timeZone: unknown time zone “Europe/Berlinn”; did you mean “Europe/Berlin”?"),
        Sample(
            watchlist(line: "timeZone: 'CST'"),
            "watch[0].timeZone: unknown time zone “CST”; write an IANA name such as Europe/Berlin, or UTC"),
        Sample(
            watchlist(line: "language: 'en-US'"),
            "watch[0].language: “en-US” is not a language of the App Store; did you mean “en_us”?"),
        Sample(
            watchlist(line: "language: 'english'"),
            "watch[0].language: “english” is not a language of the App Store; write language and country such as en_us or ja_jp"
        ),
        Sample(
            watchlist(line: "tags: 'core'"),
            "watch[0].tags: must be a list, not text; write it in brackets, such as [\"core\"]"),
        Sample(
            watchlist(line: "tag: ''"),
            "watch[0].tag: “” is not a valid tag; write one or a few words of at most 100 bytes, without commas or control characters"
        ),
        Sample(
            watchlist(line: "popularity: 101"),
            "watch[0].popularity: 101 is not in the range; write a number from 0 to 100"),
        Sample(
            watchlist(line: "popularity: NaN"),
            "watch[0].popularity: NaN is not in the range; write a number from 0 to 100"),
        Sample(
            watchlist(line: "popularity: { zz: 46 }"),
            "watch[0].popularity.zz: “zz” is no country with an App Store; write its code, such as us, gb or de, or its English name"
        ),
        Sample(
            watchlist(line: "popularity: { us: 146 }"),
            "watch[0].popularity.us: 146 is not in the range; write a number from 0 to 100"),
        Sample(
            watchlist(line: "popularity: { us: 4, US: 5 }"),
            "watch[0].popularity.US: the key is given twice; keep one of them"),
        Sample(
            watchlist(line: "popularity: {}"),
            "watch[0].popularity: no country; write a number, or { \"us\": 46, \"gb\": 31 }"),
        Sample(
            watchlist(line: "popularity: '46'"),
            "watch[0].popularity: must be a number, not text; write a number from 0 to 100"),
        Sample(
            watchlist(with: "defaults: []"),
            "defaults: must be an object, not a list; write { \"country\": \"us\", \"every\": \"1d\" }"),
        Sample(
            watchlist(with: "defaults: { popularity: 4 }"),
            "defaults.popularity: unknown key; the keys here are country, countries, platform, platforms, source, every, at, timeZone, language, tag, tags"
        ),
    ]

    static let rest: [Sample] = [
        Sample(
            watchlist(with: "notes: {}"),
            "notes: must be a list, not an object; write it in brackets, such as [{ \"on\": \"2026-11-20\", \"text\": \"new subtitle\" }]"
        ),
        Sample(watchlist(with: "notes: [{ text: 'x' }]"), "notes[0]: no “on”; add \"on\": \"2026-11-20\""),
        Sample(watchlist(with: "notes: [{ on: '2026-11-20' }]"), "notes[0]: no “text”; add \"text\": \"what changed\""),
        Sample(
            watchlist(with: "notes: [{ on: '2026-02-29', text: 'x' }]"),
            "notes[0].on: “2026-02-29” is not a day; write a real date as YYYY-MM-DD, such as 2026-11-20"),
        Sample(
            watchlist(with: "notes: [{ on: '2026-11-20', text: ' ' }]"),
            "notes[0].text: the text is empty; write something, such as \"new subtitle\""),
        Sample(
            watchlist(with: "notes: [{ on: '2026-11-20', text: 'x', app: 'a' }]"),
            "notes[0].app: no app has the alias “a”; declare it under apps, or name the app by bundleId"),
        Sample(
            watchlist(with: "notes: [{ on: '2026-11-20', text: 'x', added: [''] }]"),
            "notes[0].added[0]: the query is empty; write what people search for"),
        Sample(
            watchlist(with: "service: { retention: '90d' }"),
            "service.retention: must be an object, not text; write { \"lists\": \"forever\", \"failures\": \"90d\" }"
        ),
        Sample(
            watchlist(with: "service: { retention: { positions: '90d' } }"),
            "service.retention.positions: unknown key; the keys here are lists, failures"),
        Sample(
            watchlist(with: "service: { retention: { list: '90d' } }"),
            "service.retention.list: unknown key; did you mean “lists”?"),
        Sample(
            watchlist(with: "service: { retention: { lists: 90 } }"),
            "service.retention.lists: must be text, not a number; write it in quotes, such as \"90d\""),
        Sample(
            watchlist(with: "service: { retention: { failures: 'for ever' } }"),
            "service.retention.failures: “for ever” is not a length of time; write a whole number and d or w, such as 90d or 52w, or \"forever\""
        ),
        Sample(
            watchlist(with: "service: { retention: { lists: '7d' } }"),
            "service.retention.lists: “7d” is not in the range; write a length from 14d to 5200w, or \"forever\""),
        Sample(
            watchlist(with: "service: { retention: { failures: '99999999999999999999w' } }"),
            "service.retention.failures: “99999999999999999999w” is not in the range; write a length from 14d to 5200w, or \"forever\""
        ),
        Sample(
            watchlist(with: "service: { requestsPerMinute: 0 }"),
            "service.requestsPerMinute: 0 is not in the range; write a whole number from 1 to 100000"),
        Sample(
            watchlist(with: "service: { requestsPerMinute: 1.5 }"),
            "service.requestsPerMinute: 1.5 is not in the range; write a whole number from 1 to 100000"),
        Sample(
            watchlist(with: "service: { parallelism: 65 }"),
            "service.parallelism: 65 is not in the range; write a whole number from 1 to 32"),
        Sample(
            watchlist(with: "service: { parallelism: Infinity }"),
            "service.parallelism: Infinity is not in the range; write a whole number from 1 to 32"),
        Sample(
            watchlist(with: "service: { parallelism: '4' }"),
            "service.parallelism: must be a number, not text; write a whole number from 1 to 32"),
        Sample(
            watchlist(with: "service: { backup: '24h' }"),
            "service.backup: must be an object, not text; write { \"every\": \"24h\", \"keep\": 7 }"),
        Sample(
            watchlist(with: "service: { backup: { folder: '/srv' } }"),
            "service.backup.folder: unknown key; the keys here are every, keep, directory"),
        Sample(
            watchlist(with: "service: { backup: { every: '30m' } }"),
            "service.backup.every: “30m” is not in the range; write a length from 1h to 4w"),
        Sample(
            watchlist(with: "service: { backup: { every: 'daily' } }"),
            "service.backup.every: “daily” is not a length of time; write a whole number and h, d or w, such as 12h, 24h or 1w"
        ),
        Sample(
            watchlist(with: "service: { backup: { keep: 0 } }"),
            "service.backup.keep: 0 is not in the range; write a whole number from 1 to 1000"),
        Sample(
            watchlist(with: "service: { backup: { directory: 'backups' } }"),
            "service.backup.directory: “backups” is not an absolute path; write one such as \"/srv/backups\", or leave it out for the folder backups beside the database"
        ),
        Sample(
            "[{ query: 'Q', bundleId: 'com.a', popularity: 3 }, { query: 'q', bundleId: 'com.b', popularity: 4 }]",
            "[1].query: popularity 4 for “Q” in us, but [0].query gives 3; give a query one popularity"),
    ]

    @Test(arguments: whole + syntax + apps + lines + numbers + settings + rest)
    func `a mistake is told by place, problem and remedy`(sample: Sample) {
        #expect(mistakes(sample.text) == [sample.message])
    }

    @Test func `all mistakes of a file are told at once and in its order`() {
        let text = """
            {
              "service": { "parallelism": 0 },
              "apps": { "a": { "bundleId": "a b" } },
              "watch": [
                { "query": "", "app": "a" },
                { "query": "q", "bundleId": "com.a", "countries": ["us", "usa"] },
              ],
            }
            """
        #expect(
            mistakes(text).map { String($0.prefix { $0 != ":" }) } == [
                "service.parallelism", "apps.a.bundleId", "watch[0].query", "watch[1].countries[1]",
            ])
    }

    @Test func `a mistake carries the line and the column of its value`() throws {
        let error = #expect(throws: WatchlistError.self) {
            try decoded("[\n  { \"query\": \"é\", \"bundleId\": \"com.a\", \"country\": \"xx\" }\n]")
        }
        let mistake = try #require(error?.mistakes.first)
        #expect(mistake.line == 2)
        #expect(mistake.column == 51)
    }

    @Test func `a flood of mistakes is cut off and said to be`() {
        let text = "[" + String(repeating: "0,", count: 5_000) + "]"
        let lines = mistakes(text)
        #expect(lines.count == WatchlistError.most + 1)
        #expect(lines.last?.contains("more than 1000 mistakes") == true)
    }

    @Test func `more cadences on one query than a schedule can carry are a mistake`() {
        let lines = (0..<65).map { "{ query: 'q', bundleId: 'com.a', every: '\($0 + 15)m' }" }
        #expect(mistakes("[\(lines.dropLast().joined(separator: ","))]") == [])
        #expect(
            mistakes("[\(lines.joined(separator: ","))]") == [
                "[64].query: the query has more than 64 cadences; give it one cadence, or a few"
            ])
    }

    @Test func `a product beyond the cap is a mistake and costs no memory`() {
        let names = (0..<2_000).map { "'a.\($0)'" }.joined(separator: ",")
        let queries = (0..<2_000).map { "'q\($0)'" }.joined(separator: ",")
        #expect(
            mistakes(
                "[{ queries: [\(queries)], bundleIds: [\(names)] }, { queries: [\(queries)], bundleIds: [\(names)] }]")
                == [
                    "[0]: with this line the watchlist has more than 1000000 pairs; name fewer queries, countries, platforms or apps"
                ])
    }
}
