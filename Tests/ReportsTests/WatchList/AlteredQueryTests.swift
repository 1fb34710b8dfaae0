import RankKit
import TestSupport
import Testing

@testable import Reports

/// An edit of the watchlist says what it changes for apps that it does not name.
@Suite struct AlteredQueryTests {
    private static let at = "at: ['07:00']"

    /// What removing `x` for com.a says.
    private func removing(_ lines: String) throws -> [String] {
        var editor = try WatchlistEditor(Array("{ watch: [\(lines)] }".utf8))
        return said(try editor.remove(query: "x", bundleID: bundle("com.a")))
    }

    private func said(_ altered: [AlteredQuery]) -> [String] {
        altered.flatMap { $0.lines(naming: $0.apps.map(\.text).joined(separator: ", ")) }
    }

    @Test func `a popularity that no line says any more is told`() throws {
        #expect(
            try removing(
                """
                { query: 'x', bundleId: 'com.a', popularity: 40 },
                { query: 'x', bundleId: 'com.c', platforms: ['iphone', 'ipad'] }
                """)
                == [
                    "“x” in us on iPhone no longer has a popularity for com.c: only the removed line said 40, and the lines "
                        + "that stay are of other queries too"
                ])
    }

    /// The slots of each pair of lines are as many on a day of January as those of the line that stays.
    @Test(arguments: [
        ("\(at), timeZone: 'Europe/London'", "\(at), timeZone: 'UTC'", "07:00 Europe/London + 07:00 UTC → 07:00 UTC"),
        (
            "at: ['08:00'], timeZone: 'Europe/Berlin'", "\(at), timeZone: 'UTC'",
            "08:00 Europe/Berlin + 07:00 UTC → 07:00 UTC"
        ),
        (
            "\(at), timeZone: 'America/New_York'", "at: ['12:00'], timeZone: 'Etc/Zulu'",
            "07:00 America/New_York + 12:00 UTC → 12:00 UTC"
        ),
        ("every: '4h'", "every: '6h'", "4h + 6h → 6h"),
        ("\(at), timeZone: 'Asia/Kolkata'", "every: '1h'", "07:00 Asia/Kolkata + 1h → 1h"),
        ("at: ['06:00', '07:00']", "at: ['07:00', '08:00']", "06:00, 07:00 UTC + 07:00, 08:00 UTC → 07:00, 08:00 UTC"),
    ]) func `other times are told, also where a day of winter has as many`(
        removed: String, stays: String, words: String
    ) throws {
        #expect(
            try removing("{ query: 'x', bundleId: 'com.a', \(removed) }, { query: 'x', bundleId: 'com.b', \(stays) }")
                == ["“x” in us on iPhone is tracked for com.b as well, and its cadence changes: \(words)"])
    }

    @Test(arguments: [
        ("every: '6h'", "every: '1h'"), ("\(at)", "every: '1h'"),
        ("at: ['07:15'], timeZone: 'Asia/Kathmandu'", "every: '15m'"),
        ("\(at), timeZone: 'Europe/Berlin'", "every: '1h'"), ("\(at), timeZone: 'Asia/Kolkata'", "every: '30m'"),
        ("\(at), timeZone: 'Etc/Universal'", "\(at), timeZone: 'GMT'"),
        ("\(at), timeZone: 'Europe/Berlin'", "at: ['06:00', '07:00'], timeZone: 'Europe/Berlin'"),
    ]) func `a cadence that added no slot is nothing to tell`(removed: String, stays: String) throws {
        #expect(
            try removing("{ query: 'x', bundleId: 'com.a', \(removed) }, { query: 'x', bundleId: 'com.b', \(stays) }")
                == [])
    }

    @Test func `an added line tells what it changes for the apps that were there`() throws {
        var editor = try WatchlistEditor(
            Array(
                """
                { "apps": { "mine": { "bundleId": "com.a", "competitors": ["rival"] }, "rival": { "bundleId": "com.b" } },
                  "watch": [{ "query": "x", "bundleId": "com.b", "every": "6h", "tags": ["core"] }] }
                """.utf8))
        let altered = try editor.add(
            .init(query: "x", bundleID: bundle("com.a"), alias: "mine", every: "1h", tags: ["brand"], popularity: 30))
        #expect(
            said(altered) == [
                "“x” in us on iPhone is tracked for com.b as well, and its cadence changes: 6h → 6h + 1h",
                "“x” in us on iPhone has the popularity 30 for com.b too",
                "“x” in us on iPhone has other tags for com.b: core → brand, core",
            ])
    }

    @Test func `whatever a query takes from several lines is told once it changes`() throws {
        let query = query("x")
        let before = WatchedQuery(
            query: query, cadences: [.every(seconds: 3_600)], popularity: 10,
            pairs: [WatchedPair(bundleID: bundle("com.a"), tags: ["t"])])
        var plan = Watchlist(queries: [before])
        let changes: [(String, (inout WatchedQuery) -> Void)] = [
            ("text", { $0.query = TestSupport.query("X") }), ("cadences", { $0.cadences = [.every(seconds: 7_200)] }),
            ("popularity", { $0.popularity = nil }), ("pairs", { $0.pairs[0].tags = [] }),
        ]
        // What else the query has is what it is known by, and where it stands in the file.
        let members = Mirror(reflecting: before).children.compactMap(\.label)
        #expect(members == ["query", "cadences", "popularity", "pairs", "declaredAt"])
        for (name, change) in changes {
            plan.queries[0] = before
            change(&plan.queries[0])
            let altered = AlteredQuery.list(from: Watchlist(queries: [before]), to: plan)
            #expect(said(altered).count == 1, "\(name)")
        }
    }
}
