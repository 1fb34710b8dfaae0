import RankKit
import Testing

@Suite struct WatchlistSummaryTests {
    private func summary(_ text: String) throws -> WatchlistSummary { WatchlistSummary(try decoded(text).watchlist) }

    private func requestsPerDay(_ lines: String...) throws -> Double {
        let lines = lines.map { "{ query: 'q', bundleId: 'com.a', \($0) }" }.joined(separator: ",")
        return try summary("[\(lines)]").requestsPerDay
    }

    @Test func `the text names every figure, aligned and without trailing spaces`() throws {
        let text = try summary(
            """
            { apps: { habits: { bundleId: "com.me", competitors: ["com.x"] } },
              watch: [{ app: "habits", queries: ["a", "b"], countries: ["us", "gb"], every: "6h" }] }
            """
        ).text
        #expect(
            text == """
                pairs:            8
                apps:             1 mine, 1 competitor
                queries:          4 (2 texts)
                countries:        2 (gb, us)
                requests a day:   16 of the 21,600 that the pace allows
                one pass:         16 s at 15 requests a minute
                shortest cadence: 6 h
                kept:             lists forever, failures 90 d
                fits:             yes

                """)
    }

    @Test func `how keenly moves are told has a row only where it was chosen`() throws {
        let watch = "watch: [{ query: 'a', bundleId: 'com.me' }]"
        #expect(try summary("{ sensitivity: 'keen', \(watch) }").text.contains("\nsensitivity:      keen\nfits:"))
        #expect(try !summary("{ sensitivity: 'normal', \(watch) }").text.contains("sensitivity"))
    }

    @Test func `a query serves all its apps with one request`() throws {
        #expect(try summary("[{ query: 'q', bundleIds: ['a', 'b', 'c'] }]").requestsPerDay == 1)
    }

    @Test func `slots that fall together count once`() throws {
        #expect(try requestsPerDay("every: '1h'", "every: '1d'") == 24)
        #expect(try requestsPerDay("every: '4h'", "every: '6h'") == 8)
        #expect(try requestsPerDay("every: '2h'", "every: '3h'", "every: '4h'") == 16)
        #expect(try requestsPerDay("every: '2d'") == 0.5)
    }

    @Test func `times of day count once each, across lines and zones`() throws {
        #expect(try requestsPerDay("at: ['03:00', '15:00'], timeZone: 'UTC'") == 2)
        #expect(
            try requestsPerDay("at: ['03:00', '15:00'], timeZone: 'UTC'", "at: '16:00', timeZone: 'Europe/Berlin'") == 2
        )
        #expect(
            try requestsPerDay("at: ['03:00', '15:00'], timeZone: 'UTC'", "at: '17:00', timeZone: 'Europe/Berlin'") == 3
        )
    }

    @Test func `a time of day that an interval hits as well counts once`() throws {
        #expect(try requestsPerDay("every: '1h'", "at: '03:00', timeZone: 'UTC'") == 24)
        #expect(try requestsPerDay("every: '1h'", "at: '03:00', timeZone: 'Asia/Kolkata'") == 25)
    }

    @Test func `too many cadences to unite exactly are bounded by their sum`() throws {
        let lines = [61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113].map {
            "{ query: 'q', bundleId: 'a', every: '\($0)m' }"
        }
        let requests = try summary("[\(lines.joined(separator: ","))]").requestsPerDay
        #expect(requests > 200 && requests < 250)
    }

    @Test func `more requests a day than the pace allows do not fit`() throws {
        let queries = (0..<16).map { "'q\($0)'" }.joined(separator: ",")
        let summary = try summary("[{ queries: [\(queries)], bundleId: 'com.a', every: '1m' }]")
        #expect(!summary.fitsBudget)
        #expect(summary.text.contains("fits:             no: it wants more requests a day than the pace allows"))
    }

    @Test func `a pass that outlasts the shortest cadence is told`() throws {
        let queries = (0..<1_000).map { "'q\($0)'" }.joined(separator: ",")
        let summary = try summary(
            "[{ queries: [\(queries)], bundleId: 'com.a' }, { query: 'q0', bundleId: 'com.a', every: '1h' }]")
        #expect(summary.fitsBudget)
        #expect(!summary.fitsCadence)
        #expect(summary.text.contains("one pass:         1 h 6 min at 15 requests a minute"))
        #expect(summary.text.contains("fits:             yes; but"))
    }

    @Test func `an empty plan has no division by nothing`() {
        let summary = WatchlistSummary(Watchlist())
        #expect(summary.requestsPerDay == 0)
        #expect(summary.text.contains("countries:        0\n"))
    }
}
