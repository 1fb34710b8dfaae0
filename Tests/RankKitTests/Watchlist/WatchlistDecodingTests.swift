import Foundation
import RankKit
import Testing

@Suite struct WatchlistDecodingTests {
    @Test func `a bare list of pairs is a watchlist with the built-in defaults`() throws {
        let plan = try decoded("[{\"query\": \"habit tracker\", \"bundleId\": \"com.a\"}]").watchlist
        #expect(plan.pairLines == ["habit tracker|us|iphone|com.a"])
        #expect(plan.queries[0].cadences == [.every(seconds: 86_400)])
        #expect(plan.apps == [WatchedApp(bundleID: bundle("com.a"))])
        #expect(plan.service == ServiceSettings(requestsPerMinute: 15, parallelism: 4))
        #expect(plan.timeZone == nil)
    }

    @Test func `a line is the product of queries, countries, platforms and apps`() throws {
        let plan = try decoded(
            """
            [{ keywords: ["a", "b"], bundleIds: ["x", "y"], countries: ["us", "GB"], platforms: ["iphone", "mac"] }]
            """
        ).watchlist
        #expect(plan.queries.count == 8)
        #expect(plan.pairCount == 16)
        #expect(plan.pairLines.prefix(4) == ["a|us|iphone|x", "a|us|iphone|y", "a|us|mac|x", "a|us|mac|y"])
        #expect(plan.pairLines.last == "b|gb|mac|y")
    }

    @Test func `app means the app and its competitors, bundleId just the app`() throws {
        let plan = try decoded(
            """
            { apps: { habits: { bundleId: "com.me", competitors: ["streaks", "com.z"] }, streaks: { bundleId: "com.x" } },
              watch: [{ query: "a", app: "habits" }, { query: "b", bundleId: "com.me" }, { query: "c", apps: ["streaks"] }] }
            """
        ).watchlist
        #expect(
            plan.pairLines == [
                "a|us|iphone|com.me", "a|us|iphone|com.x", "a|us|iphone|com.z", "b|us|iphone|com.me",
                "c|us|iphone|com.x",
            ])
    }

    @Test func `an app is mine unless another lists it`() throws {
        let plan = try decoded(
            """
            { apps: { habits: { bundleId: "com.me", competitors: ["streaks", "com.z"] }, streaks: { bundleId: "com.x" } },
              watch: [{ query: "a", bundleIds: ["com.other", "COM.ME"] }] }
            """
        ).watchlist
        #expect(
            plan.apps == [
                WatchedApp(
                    bundleID: bundle("com.me"), alias: "habits", isMine: true,
                    competitors: [bundle("com.x"), bundle("com.z")]),
                WatchedApp(bundleID: bundle("com.x"), alias: "streaks", isMine: false),
                WatchedApp(bundleID: bundle("com.z"), isMine: false),
                WatchedApp(bundleID: bundle("com.other")),
            ])
    }

    @Test func `a query overrides its line, a line overrides the defaults, and tags add up`() throws {
        let plan = try decoded(
            """
            { defaults: { countries: ["de", "at"], platform: "ipad", every: "6h", language: "de_de", tag: "all" },
              watch: [
                { queries: ["a", { query: "b", every: "1h", popularity: 46.5, tags: ["brand", "all"], language: "en_us" }],
                  bundleId: "x", every: "1d", tags: ["core"] },
                { query: "c", bundleId: "x", country: "us", platform: "mac" },
              ] }
            """
        ).watchlist
        #expect(
            plan.pairLines == [
                "a|de|ipad|x", "a|at|ipad|x", "b|de|ipad|x", "b|at|ipad|x", "c|us|mac|x",
            ])
        #expect(
            plan.queries.map { $0.cadences } == [86_400, 86_400, 3_600, 3_600, 21_600].map { [.every(seconds: $0)] })
        #expect(plan.queries.map(\.query.language) == ["de_de", "de_de", "en_us", "en_us", "de_de"])
        #expect(
            plan.queries.map { $0.pairs[0].tags } == [["all", "core"], ["all", "core"]] + [
                ["all", "brand", "core"], ["all", "brand", "core"], ["all"],
            ])
        #expect(plan.queries.map(\.popularity) == [nil, nil, 46.5, 46.5, nil])
    }

    @Test(arguments: [("90s", 90), ("15m", 900), ("6h", 21_600), ("1d", 86_400), ("2w", 1_209_600), ("4w", 2_419_200)])
    func `every takes a number and a unit`(text: String, seconds: Int64) throws {
        let plan = try decoded(watchlist(line: "every: '\(text)'")).watchlist
        #expect(plan.queries[0].cadences == [.every(seconds: seconds)])
    }

    @Test func `at takes the zone of its line, else that of the defaults`() throws {
        let times = [TimeOfDay("03:00")!, TimeOfDay("15:00")!]
        let plan = try decoded(
            """
            { defaults: { timeZone: "Europe/Berlin" }, watch: [
                { query: "a", bundleId: "x", at: ["15:00", "03:00", "15:00"] },
                { query: "b", bundleId: "x", at: "03:00", timeZone: "Asia/Calcutta" } ] }
            """
        )
        #expect(plan.warnings.isEmpty)
        #expect(plan.watchlist.timeZone == "Europe/Berlin")
        #expect(plan.watchlist.queries[0].cadences == [.at(times, TimeZone(identifier: "Europe/Berlin")!)])
        #expect(plan.watchlist.queries[1].cadences == [.at([times[0]], TimeZone(identifier: "Asia/Calcutta")!)])
    }

    @Test func `times in the defaults take the zone of the line`() throws {
        let plan = try decoded(
            "{ defaults: { at: '03:00' }, watch: [{ query: 'a', bundleId: 'x', timeZone: 'Asia/Tokyo' }] }")
        #expect(plan.warnings.isEmpty)
        #expect(
            plan.watchlist.queries[0].cadences == [.at([TimeOfDay("03:00")!], TimeZone(identifier: "Asia/Tokyo")!)])
    }

    @Test func `the same query on several lines is one, with cadences, tags and apps united`() throws {
        let plan = try decoded(
            """
            [
              { query: "Habit Tracker", bundleId: "x", every: "1d", tags: ["b"] },
              { query: "habit  tracker", bundleId: "y", every: "1h", tags: ["c"] },
              { query: "habit tracker", bundleId: "X", every: "1d", tags: ["a"], popularity: 7 },
            ]
            """)
        let query = try #require(plan.watchlist.queries.first)
        #expect(plan.watchlist.queries.count == 1)
        #expect(query.query.text == "Habit Tracker")
        #expect(query.declaredAt == "[0]")
        #expect(query.cadences == [.every(seconds: 86_400), .every(seconds: 3_600)])
        #expect(query.popularity == 7)
        #expect(
            query.pairs == [
                WatchedPair(bundleID: bundle("x"), tags: ["a", "b"]), WatchedPair(bundleID: bundle("y"), tags: ["c"]),
            ])
        #expect(
            plan.warnings.map(\.description) == [
                "[1].query: “habit  tracker” is the same query as “Habit Tracker”; rankd sends the spelling of [0]; spell them alike",
                "[2].query: “habit tracker” is the same query as “Habit Tracker”; rankd sends the spelling of [0]; spell them alike",
                "[2].bundleId: “X” is the same app as “x”; spell them alike",
            ])
    }

    @Test func `a bundle id that differs in case alone is told as the same app, wherever it stands`() throws {
        let plan = try decoded(
            """
            {
              apps: { foo: { bundleId: "com.foo", competitors: ["COM.bar"] } },
              watch: [
                { query: "a", bundleIds: ["COM.FOO", "com.bar"] },
                { query: "b", bundleId: "com.foo" },
              ],
            }
            """)
        #expect(plan.watchlist.apps.count == 2)
        #expect(
            plan.warnings.map(\.description) == [
                "watch[0].bundleIds[0]: “COM.FOO” is the same app as “com.foo”; spell them alike",
                "watch[0].bundleIds[1]: “com.bar” is the same app as “COM.bar”; spell them alike",
            ])
    }

    @Test func `a query is sent as written, without the white space around it`() throws {
        #expect(try decoded("[{ query: ' c++  🏋️ ', bundleId: 'x' }]").watchlist.queries[0].query.text == "c++  🏋️")
    }

    @Test func `how long things are kept is read, and defaults to what loses nothing`() throws {
        func retention(_ text: String) throws -> Retention {
            try decoded(watchlist(with: "service: { \(text) }")).watchlist.service.retention
        }
        #expect(try retention("") == Retention(lists: nil, failures: 90 * 86_400))
        #expect(try retention("retention: {}") == Retention())
        #expect(
            try retention("retention: { lists: '52w', failures: 'forever' }")
                == Retention(lists: 364 * 86_400, failures: nil))
        #expect(try retention("retention: { lists: 'forever', failures: '14d' }").failures == 14 * 86_400)
    }

    @Test func `notes and the service are read`() throws {
        let plan = try decoded(
            watchlist(
                with: """
                    apps: { habits: { bundleId: "com.a" } },
                    notes: [
                      { on: "2026-11-20", app: "habits", version: "2.4", text: "subtitle", added: ["x"], removed: ["y"] },
                      { on: "2024-02-29", bundleId: "com.b", text: "bare" },
                    ],
                    service: {
                        requestsPerMinute: 20, parallelism: 32,
                        backup: { every: '1w', keep: 30, directory: '/srv/backups' },
                    }
                    """)
        ).watchlist
        #expect(
            plan.notes == [
                Note(
                    on: "2026-11-20", bundleID: bundle("com.a"), version: "2.4", text: "subtitle", added: ["x"],
                    removed: ["y"]),
                Note(on: "2024-02-29", bundleID: bundle("com.b"), text: "bare"),
            ])
        #expect(
            plan.service
                == ServiceSettings(
                    requestsPerMinute: 20, parallelism: 32,
                    backup: BackupSettings(every: 604_800, keep: 30, directory: "/srv/backups")))
        #expect(try decoded(watchlist(with: "service: { backup: {} }")).watchlist.service.backup == BackupSettings())
    }

    @Test func `two spellings of one text are one query, in NFC, and nothing is remarked`() throws {
        let decoded = try decoded(
            "[{ query: 'cafe\u{301}', bundleId: 'com.x' }, { query: 'caf\u{E9}', bundleId: 'com.y' }]")
        #expect(decoded.watchlist.queries.map { Array($0.query.text.utf8) } == [Array("caf\u{E9}".utf8)])
        #expect(decoded.warnings.isEmpty)
    }

    @Test(arguments: [
        watchlist(line: "country: 'United States'"), watchlist(line: "countries: ['United States', 'us']"),
        "{ defaults: { country: 'united states' }, watch: [{ query: 'a', bundleId: 'com.x' }] }",
        "{ defaults: { countries: ['United States of America'] }, watch: [{ query: 'a', bundleId: 'com.x' }] }",
    ]) func `a country is named as the command line takes it`(text: String) throws {
        let decoded = try decoded(text)
        #expect(decoded.watchlist.queries.map(\.query.country.code) == ["us"] && decoded.warnings.isEmpty)
    }

    @Test func `a popularity and a rule take a country's name as well`() throws {
        let text = """
            { watch: [{ query: 'a', bundleId: 'com.x', countries: ['us', 'South Korea'],
                popularity: { 'United States': 46, kr: 31 } }],
              alerts: { channels: { team: { slack: 'secret:s' } }, to: ['team'],
                rules: [{ when: 'moved', country: 'South Korea' }] } }
            """
        let plan = try decoded(text).watchlist
        #expect(plan.queries.map(\.popularity) == [46, 31])
        #expect(plan.alerts?.rules.first?.countries.map(\.code) == ["kr"])
    }

    static let remarks: [(String, String)] = [
        (
            watchlist(line: "countries: ['us', 'UK']"),
            "watch[0].countries[1]: “UK” is read as “gb”, the App Store's code for the United Kingdom; write “gb”"
        ),
        (
            "[{ query: 'a', bundleId: 'com.x' }, { bundleIds: ['com.x'], queries: ['a'], country: 'us' }]",
            "[1]: repeats [0]; remove one of the two lines"
        ),
        (
            "{ watch: [{ query: 'habit tracker', bundleId: 'com.x' }], notes: [{ on: '2026-11-20', text: 't', added: ['Habit Tracker', 'habit traker'], removed: ['gone'] }] }",
            "notes[0].added[1]: no line asks for “habit traker”; did you mean “habit tracker”?"
        ),
        (
            "{ watch: [{ query: 'a', bundleId: 'com.x' }, { query: 'b', bundleId: 'com.y' }], notes: [{ on: '2026-11-20', bundleId: 'com.x', text: 't', added: ['a', 'b'] }] }",
            "notes[0].added[1]: no line asks for “b” for com.x; add a line for it, because rankd records only the queries of lines"
        ),
        (
            watchlist(line: "every: '14m'"),
            "watch[0].every: asks more often than every 15 minutes; write 1h or longer: ranks move over hours, and Apple allows only about 20 requests a minute"
        ),
        (
            watchlist(with: "service: { requestsPerMinute: 21 }"),
            "service.requestsPerMinute: this is more than the 20 requests a minute that Apple allows; write 15, which is known to work: Apple blocks faster pace for half an hour at a time"
        ),
        (
            watchlist(line: "at: ['03:00']"),
            "watch[0].at: times of day without a time zone are read as UTC; set timeZone here or in defaults, such as \"Europe/Berlin\""
        ),
        (
            "{ defaults: { at: '03:00' }, watch: [{ query: 'a', bundleId: 'x' }, { query: 'b', bundleId: 'x' }] }",
            "defaults.at: times of day without a time zone are read as UTC; set timeZone here or in defaults, such as \"Europe/Berlin\""
        ),
        (
            watchlist(with: "apps: { idle: { bundleId: 'com.idle' } }"),
            "apps.idle: no line watches this app; add a line with \"app\": \"idle\", or remove it"
        ),
        (
            "{ apps: { a: { bundleId: 'a', competitors: ['b'] }, b: { bundleId: 'b', competitors: ['a'] } }, watch: [{ query: 'q', app: 'a' }] }",
            "apps: every app is somebody's competitor, so no app counts as yours; remove your own apps from all lists of competitors"
        ),
    ]

    @Test(arguments: remarks)
    func `what is likely not meant is followed, with a warning`(text: String, remark: String) throws {
        #expect(try decoded(text).warnings.map(\.description) == [remark])
    }

    @Test func `uk is watched as gb`() throws {
        let plan = try decoded(watchlist(line: "countries: ['uk', 'gb']")).watchlist
        #expect(plan.queries.map(\.query.country.code) == ["gb"])
    }

    @Test func `lines that differ in anything are no doubles`() throws {
        for other in ["every: '7h'", "tag: 'core'", "popularity: 3", "country: 'gb'", "platform: 'mac'"] {
            let text = "[{ query: 'a', bundleId: 'com.x' }, { query: 'a', bundleId: 'com.x', \(other) }]"
            #expect(try decoded(text).warnings.isEmpty, "\(other)")
        }
    }

    @Test func `an ordinary list raises no warnings`() throws {
        #expect(try decoded(watchlist(line: "every: '15m'")).warnings.isEmpty)
        #expect(try decoded(watchlist(with: "service: { requestsPerMinute: 20 }")).warnings.isEmpty)
    }

    @Test func `ten times the lines take nowhere near a hundred times the work`() throws {
        func threadTime() -> UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        }
        func work(_ count: Int) throws -> UInt64 {
            let lines = (0..<count).map {
                "{ \"query\": \"query number \($0)\", \"bundleId\": \"com.example.app\($0 % 50)\" }"
            }
            let bytes = Array("[\n\(lines.joined(separator: ",\n"))\n]".utf8)
            // The thread's own time: what else the machine does is not in it.
            return try (0..<3).map { _ in
                let began = threadTime()
                let pairs = try Watchlist.decode(bytes).watchlist.pairCount
                let took = threadTime() - began
                #expect(pairs == count)
                return took
            }.min() ?? 0
        }
        #expect(try work(10_000) < 40 * work(1_000))
    }

    @Test func `the example decodes without a warning and uses every key`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let bytes = try WatchlistFile.read(root.appending(path: "watchlist.example.json").path)
        let plan = try Watchlist.decode(bytes)
        #expect(plan.warnings.isEmpty)
        #expect(plan.watchlist.pairCount == 1 + 2 * 3 * 2 * 3 + 2 * 2 + 4)
        let text = String(decoding: bytes, as: UTF8.self)
        for key in [
            "apps", "bundleId", "competitors", "defaults", "country", "countries", "platform", "platforms", "every",
            "at", "timeZone", "tags", "tag", "source", "watch", "query", "queries", "keywords", "app", "bundleIds",
            "popularity", "language", "notes", "on", "version", "text", "added", "removed", "service",
            "requestsPerMinute", "parallelism", "backup", "keep",
        ] {
            #expect(text.contains("\"\(key)\":"), "\(key)")
        }
    }

    @Test func `a query that is a number needs no quotes, and is what is written`() throws {
        let queries = try decoded("[{ queries: [2048, 1010.50, '7'], bundleId: 'com.a' }]").watchlist.queries
        #expect(queries.map(\.query.text) == ["2048", "1010.50", "7"])
    }

    @Test func `a watchlist out of a word processor is read`() throws {
        let queries = try decoded("{ “watch”: [ { “query”: “habit tracker”, “bundleId”: “com.a” } ] }").watchlist
            .queries
        #expect(queries.map(\.query.text) == ["habit tracker"])
    }
}
