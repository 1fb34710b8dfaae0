import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// What a timeline tells, from a real history.
@Suite struct TimelineTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let timer = query("timer")
    private let german = query("timer", "de")
    /// 60 days before `noon`.
    private let start = noon - 60 * day

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func adopt(notes: [Note] = [], zone: String? = "UTC") async throws {
        var plan = watchlist(
            [(timer, ["com.me", "com.rival"]), (german, ["com.me"])], every: day, competitors: ["com.rival"])
        plan.apps[0].competitors = [bundle("com.rival")]
        plan.apps[0].alias = "habits"
        (plan.notes, plan.timeZone) = (notes, zone)
        try await store.adopt(plan, now: start)
    }

    /// A check so many days ago, in which the store shows my app like this.
    private func show(
        _ details: AppDetails, daysAgo: Int64, on query: Query? = nil, rival: AppDetails? = nil
    ) async throws {
        let other = rival ?? AppDetails(name: "Rival")
        try await store.record(
            Check(
                query: query ?? timer, at: noon - daysAgo * day,
                outcome: .answered(list(["com.me", "com.rival"]) { $0 == "com.me" ? details : other })))
    }

    private func timeline(
        competitors: Bool = false, on queries: [Query]? = nil, daysAgo: Int64 = 50, until: Timestamp? = nil,
        zone: TimeZone = .gmt
    ) throws -> Timeline {
        try Timeline(
            of: bundle("com.me"), withCompetitors: competitors, on: queries ?? [timer, german],
            since: noon - daysAgo * day, until: until ?? noon, from: HistoryReader(path: store.path), zone: zone,
            now: noon)
    }

    /// Kind, days ago, countries and words of each.
    /// The days as those since: the one by which a place was usual too.
    private func words(_ timeline: Timeline) -> [String] {
        timeline.events.map { event in
            let text = (0...60).reduce(event.text) { text, daysAgo in
                text.replacing(" by \(CivilTime.date(noon - Int64(daysAgo) * day))", with: " by -\(daysAgo)")
            }
            return "\(event.kind.rawValue) -\(noon.day - event.at.day) "
                + event.countries.map(\.code).joined(separator: ",") + " " + text
        }
    }

    private static let hosts = ["is1-ssl", "is5-ssl"]

    private func picture(_ name: String, host: Int = 0, size: String = "512x512bb.jpg", shard: String = "211") -> String
    {
        "https://\(Self.hosts[host]).mzstatic.com/image/thumb/Purple\(shard)/v4/7c/2a/\(name)/\(name).png/\(size)"
    }

    @Test func `days with bad checks are counted by what the checks were`() async throws {
        try await adopt()
        try await show(AppDetails(name: "Me"), daysAgo: 20)
        func head() throws -> String { TimelineReport(try timeline()).render(as: .markdown) }
        try await store.record(
            Check(query: timer, at: noon - 9 * day, outcome: .suspect(list(["com.x"]), .collapsed)))
        #expect(try head().contains("1 day with suspect checks"))
        try await store.record(
            Check(query: timer, at: noon - 8 * day, outcome: .failed(Failure(.timedOut, "30 s"))))
        #expect(try head().contains("2 days with failed or suspect checks"))
    }

    @Test func `west of UTC the newest ratings of the evening are among those of an app's page`() async throws {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        try await adopt(zone: zone.identifier)
        // Noon is four in the morning there.
        let evening = noon + 18 * hour
        for (count, moment) in [(100, evening - day), (120, evening - 600)] as [(Int64, Timestamp)] {
            try await store.record(
                Check(
                    query: timer, at: moment,
                    outcome: .answered(list(["com.me"]) { _ in AppDetails(name: "Me", ratingCount: count) })))
        }
        let past = try ReportZone.$days.withValue(ZoneDays(zone)) {
            try RatingPast(
                of: bundle("com.me"), called: "Me",
                from: HistoryReader(path: store.path).counting(ZoneDays(zone)), now: evening)
        }
        #expect(evening.day > ZoneDays(zone).day(of: evening))
        #expect(past.lines.first?.readings.last?.ratings == 120)
    }

    @Test func `failed checks and ratings of an evening are of the zone's day`() async throws {
        let zone = ZoneDays(try #require(TimeZone(identifier: "America/Sao_Paulo")))
        try await adopt(zone: zone.zone.identifier)
        // Ten in the evening there is one in the morning of UTC's next day.
        let evening = Timestamp.startOfDay((noon - 5 * day).day) + hour
        try await store.record(Check(query: timer, at: evening, outcome: .failed(Failure(.timedOut, "30 s"))))
        for (count, ago) in [(100, day), (120, -600)] as [(Int64, Int64)] {
            let shown = list(["com.me"]) { _ in AppDetails(name: "Me", ratingCount: count) }
            try await store.record(Check(query: timer, at: evening - ago, outcome: .answered(shown)))
        }
        let reader = try HistoryReader(path: store.path).counting(zone)
        let timeline = try ReportZone.$days.withValue(zone) {
            try Timeline(
                of: bundle("com.me"), withCompetitors: false, on: [timer], since: noon - 9 * day, until: noon,
                from: reader, zone: zone.zone, now: noon)
        }
        let days = timeline.events.filter { [.ratings, .checks].contains($0.kind) }.map(\.at)
        #expect(days == Array(repeating: Timestamp.startOfDay(zone.day(of: evening)), count: 2))
        #expect(zone.day(of: evening) == evening.day - 1)
    }

    // MARK: What the store says

    @Test func `another bundle identifier of the same number is told once, in the timeline and in a digest`()
        async throws
    {
        try await adopt()
        let shown: [(Int64, String)] = [
            (9, "com.me"), (8, "com.me.new"), (7, "com.me"), (4, "com.me.new"), (2, "com.me.new"), (1, "com.me.new"),
        ]
        for (ago, name) in shown {
            for query in [timer, german] {
                let app = SeenApp(id: AppID(777), bundleID: bundle(name), fingerprint: UInt64(ago)) {
                    AppDetails(name: "Me")
                }
                try await store.record(
                    Check(query: query, at: noon - ago * day, outcome: .answered(ResultList(places: [app]))))
            }
        }
        #expect(
            words(try timeline()).filter { $0.hasPrefix("name") }
                == ["name -4 de,us bundle ID com.me became com.me.new"])
        let reader = try HistoryReader(path: store.path)
        let digest = try Digest(from: reader, since: noon - 9 * day, until: noon, zone: .gmt, now: noon)
        #expect(digest.renamed.map(\.change.to) == [bundle("com.me.new")])
        #expect(
            DigestReport(digest).render(as: .table).contains("bundle ID com.me became com.me.new"))
        // It is told when it has stayed for two days.
        let since = noon - 2 * day
        #expect(try !Digest(from: reader, since: since - 1, until: noon, zone: .gmt, now: noon).renamed.isEmpty)
        #expect(try Digest(from: reader, since: since, until: noon, zone: .gmt, now: noon).renamed.isEmpty)
        #expect(!words(try timeline()).contains { $0.hasPrefix("left") })
    }

    @Test func `a value that was seen first is no change`() async throws {
        try await adopt()
        try await show(AppDetails(name: "Me", price: 1.99, iconURL: picture("a")), daysAgo: 10)
        #expect(try words(timeline()) == [])
        let report = TimelineReport(try timeline())
        #expect(report.render(as: .table).contains("first seen on 2026-11-10: nothing is known from before"))
    }

    @Test func `a new name is told once for all storefronts that showed it within two days`() async throws {
        try await adopt()
        for daysAgo in [10, 5, 4] as [Int64] {
            let name = daysAgo < 10 ? "Me: Timer" : "Me"
            try await show(AppDetails(name: name), daysAgo: daysAgo)
            try await show(AppDetails(name: daysAgo == 4 ? "Me: Timer" : "Me"), daysAgo: daysAgo, on: german)
        }
        #expect(try words(timeline()) == ["name -5 de,us “Me” became “Me: Timer”"])
        #expect(try words(timeline(on: [timer])) == ["name -5 us “Me” became “Me: Timer”"])
        #expect(try words(timeline(daysAgo: 3)) == [])
    }

    @Test func `one rename that two storefronts spell with other blanks is told once`() async throws {
        try await adopt()
        for daysAgo in [10, 5, 4, 1] as [Int64] {
            let isNew = daysAgo < 10
            try await show(AppDetails(name: isNew ? "Me: Timer" : "Me"), daysAgo: daysAgo)
            try await show(
                AppDetails(name: isNew ? "Me:\u{A0}Timer\u{200B}" : "Me"), daysAgo: daysAgo, on: german)
        }
        let told = try words(timeline())
        #expect(told.count == 1 && told[0].hasPrefix("name -5 de,us “Me” became “Me:"), "\(told)")
    }

    @Test func `an answer that leaves a value out changes nothing`() async throws {
        try await adopt()
        for (daysAgo, name) in [(9, "Me"), (8, nil), (7, "Me"), (6, nil), (5, "You")] as [(Int64, String?)] {
            try await show(AppDetails(name: name), daysAgo: daysAgo)
        }
        #expect(try words(timeline()) == ["name -5 us “Me” became “You”"])
    }

    @Test func `prices are told with their currency, and a sale's end as well`() async throws {
        try await adopt()
        for (daysAgo, price) in [(9, 2.99), (8, 0), (6, 2.99), (5, 0)] as [(Int64, Double)] {
            try await show(AppDetails(name: "Me", price: price, currency: "USD"), daysAgo: daysAgo)
        }
        try await show(AppDetails(name: "Me", price: 300, currency: "JPY"), daysAgo: 4)
        // The price that came back for a day did not stay.
        #expect(try words(timeline()) == ["price -4 us free → 300 JPY", "price -8 us 2.99 USD → free"])
    }

    @Test func `prices of a day in several countries stand in one line`() async throws {
        try await adopt()
        for (daysAgo, dollars, euros) in [(9, 2.99, 2.79), (8, 0, 0), (4, 3.99, 4.49)] as [(Int64, Double, Double)] {
            try await show(AppDetails(name: "Me", price: dollars, currency: "USD"), daysAgo: daysAgo)
            try await show(AppDetails(name: "Me", price: euros, currency: "EUR"), daysAgo: daysAgo, on: german)
        }
        let text = TimelineReport(try timeline()).render(as: .table)
        #expect(text.contains("16 Nov  price  de, us  free → 4.49 EUR de, free → 3.99 USD us\n"), "\(text)")
        #expect(text.contains("12 Nov  price  de, us  2.79 EUR, 2.99 USD → free\n"), "\(text)")
    }

    @Test func `entries of a day on one query stand in one line, each with its country`() async throws {
        try await adopt()
        for daysAgo in stride(from: 30, through: 0, by: -1) as StrideThrough<Int64> {
            for (query, place) in [(timer, 7), (german, 12)] {
                var names = (1...100).map { "com.x\($0)" }
                if daysAgo < 6 { names[place - 1] = "com.me" }
                try await store.record(
                    Check(query: query, at: noon - daysAgo * day - 60, outcome: .answered(list(names))))
            }
        }
        let text = TimelineReport(try timeline()).render(as: .table)
        #expect(text.contains("15 Nov  entered  de, us  “timer” at #12 de, #7 us\n"), "\(text)")
    }

    @Test func `what an app changed often is told by its newest changes`() async throws {
        try await adopt()
        for version in 1...9 {
            try await show(AppDetails(name: "Me", version: "\(version)"), daysAgo: 30 - Int64(version))
        }
        let text = TimelineReport(try timeline()).render(as: .table, style: TerminalStyle(colour: false, width: 200))
        #expect(
            text.contains(
                "changed: version 9 on 30 Oct; version 8 on 29 Oct; version 7 on 28 Oct; version 6 on 27 Oct; "
                    + "version 5 on 26 Oct; version 4 on 25 Oct; 2 more before\n"), "\(text)")
    }

    @Test func `what is not said or cannot be is no change`() async throws {
        try await adopt()
        let whole = AppDetails(
            name: "Me", version: "1.0", price: 2.99, currency: "USD", rating: 4.5, ratingCount: 100,
            iconURL: picture("a"))
        let odd: [AppDetails] = [
            AppDetails(), AppDetails(name: "", version: " ", price: -1, currency: "", rating: 99, ratingCount: -5),
            AppDetails(name: " Me ", version: "1.0\u{A0}", currency: "EUR", iconURL: " "),
            AppDetails(name: "M\u{200B}e\u{A0}", price: 2.99, currency: "usd", iconURL: "nothing"),
        ]
        for (index, details) in odd.enumerated() {
            try await show(whole, daysAgo: 30 - Int64(index) * 6)
            try await show(details, daysAgo: 27 - Int64(index) * 6)
        }
        try await show(whole, daysAgo: 5)
        #expect(try words(timeline()) == [])
    }

    @Test func `what changes and changes back within two days is told when it has stayed`() async throws {
        try await adopt()
        for hours in stride(from: 0, to: 240, by: 6) as StrideTo<Int64> {
            let isOther = hours >= 24 && hours / 6 % 2 == 0 || hours >= 168
            let details = AppDetails(
                name: isOther ? "Me!" : "Me", version: isOther ? "2.0" : "1.0", price: isOther ? 0 : 2.99,
                currency: "USD",
                ratingCount: isOther ? 90 : 100, iconURL: picture(isOther ? "b" : "a"))
            try await store.record(
                Check(
                    query: timer, at: noon - 20 * day + hours * 3_600,
                    outcome: .answered(list(["com.me"]) { _ in details })))
        }
        let kinds = try timeline().events.map { "\($0.kind.rawValue) -\(noon.day - $0.at.day)" }
        #expect(Set(kinds.filter { !$0.hasPrefix("ratings") }) == ["name -13", "version -13", "price -13", "icon -13"])
        #expect(kinds.count { $0.hasPrefix("ratings") } <= 1, "\(kinds)")
        // While they take turns nothing is told.
        #expect(try words(timeline(until: noon - 14 * day)).filter { !$0.hasPrefix("version") } == [])
    }

    @Test func `what gave way once and comes again is told when it has stayed, and not for a day`() async throws {
        try await adopt()
        func show(_ isOther: Bool, _ daysAgo: Int64) async throws {
            let details = AppDetails(
                name: isOther ? "Me!" : "Me", version: isOther ? "2.0" : "1.0", price: isOther ? 0 : 2.99,
                currency: "USD", iconURL: picture(isOther ? "b" : "a"))
            try await self.show(details, daysAgo: daysAgo)
        }
        func kinds() throws -> [String] {
            try words(timeline()).map { $0.split(separator: " ").prefix(2).joined(separator: " ") }.sorted()
        }
        let nothing: [String] = []
        try await show(false, 30)
        try await show(true, 20)
        for daysAgo in [19, 12, 8] as [Int64] { try await show(false, daysAgo) }
        #expect(try kinds() == nothing)
        // Today it comes again.
        try await show(true, 0)
        #expect(try kinds() == nothing)
    }

    @Test func `another host, shard or size for the same picture is no change`() async throws {
        try await adopt()
        try await show(
            AppDetails(name: "Me", iconURL: picture("a"), screenshotURLs: [picture("s"), picture("t")]), daysAgo: 9)
        try await show(
            AppDetails(
                name: "Me", iconURL: picture("a", host: 1, size: "100x100bb-75.png", shard: "116"),
                screenshotURLs: [picture("s", host: 1, size: "392x696bb.png"), picture("t")]), daysAgo: 8)
        #expect(try words(timeline()) == [])
        try await show(
            AppDetails(name: "Me", iconURL: picture("b"), screenshotURLs: [picture("t"), picture("s")]), daysAgo: 7)
        try await show(
            AppDetails(name: "Me", iconURL: picture("b"), screenshotURLs: [picture("t"), picture("u"), picture("v")]),
            daysAgo: 6)
        #expect(
            try words(timeline()) == [
                "screenshots -6 us 2 new, 1 gone, 2 → 3", "icon -7 us a new icon", "screenshots -7 us another order",
            ])
    }

    @Test(arguments: [
        "https://is1-ssl.mzstatic.com/image/thumb/Purple1/v4/aa/x.png/{w}x{h}bb.{f}", "icon.png", "", "https://host",
    ])
    func `a link of another form is compared as it is`(link: String) {
        #expect(Picture(link) == Picture(link + "?a=1"))
        #expect(Picture("https://h/a/\(link)") != Picture("https://h/b/\(link)") || link.contains("/v4/"))
    }

    @Test func `pictures that take turns are no change`() async throws {
        try await adopt()
        for daysAgo in stride(from: 20, through: 1, by: -1) as StrideThrough<Int64> {
            let name = daysAgo.isMultiple(of: 2) ? "a" : "b"
            try await show(AppDetails(name: "Me", iconURL: picture(name)), daysAgo: daysAgo)
        }
        #expect(try words(timeline()) == [])
    }

    // MARK: Ratings

    @Test func `ratings are gained from one day to the next, in each storefront`() async throws {
        try await adopt()
        for (daysAgo, count) in [(9, 100), (8, 107), (7, 107), (6, 104)] as [(Int64, Int64)] {
            try await show(AppDetails(name: "Me", rating: 4.5, ratingCount: count), daysAgo: daysAgo)
            try await show(AppDetails(name: "Me", ratingCount: count / 10), daysAgo: daysAgo, on: german)
        }
        #expect(
            try words(timeline()) == ["ratings -6 us -3, now 104", "ratings -8 us +7, now 107"])
        // Those of the day before the first one are what it is counted from.
        #expect(try words(timeline(daysAgo: 6)) == ["ratings -6 us -3, now 104"])
        #expect(try words(timeline(daysAgo: 5)) == [])
    }

    @Test(arguments: ["UTC", "America/Los_Angeles", "Pacific/Auckland"])
    func `each gain of ratings is told in one of two spans that meet, wherever the zone's days begin`(
        _ zone: String
    ) async throws {
        try await adopt(zone: zone)
        let midnight = Timestamp.startOfDay((noon - 5 * day).day)
        for (offset, count) in [(-25, 100), (-1, 107), (1, 112), (25, 130)] as [(Int64, Int64)] {
            try await store.record(
                Check(
                    query: timer, at: midnight + offset * hour,
                    outcome: .answered(
                        list(["com.me", "com.rival"]) { name in
                            AppDetails(name: name, rating: 4.5, ratingCount: name == "com.me" ? count : 9)
                        })))
        }
        let days = ZoneDays(try #require(TimeZone(identifier: zone)))
        for border in [-2, 0, 2] as [Int64] {
            let moment = midnight + border * hour
            let told = try ReportZone.$days.withValue(days) {
                try [(midnight - 3 * day, moment), (moment + 1, noon)].flatMap { since, until in
                    try words(
                        Timeline(
                            of: bundle("com.me"), withCompetitors: false, on: [timer], since: since, until: until,
                            from: HistoryReader(path: store.path).counting(days), zone: .gmt, now: noon))
                }
            }
            let gains = told.filter { $0.hasPrefix("ratings") }.compactMap { $0.split(separator: " ").last }
            // Two checks about UTC's midnight are of one day elsewhere, which keeps one reading.
            #expect(gains.sorted() == (days.isUTC ? ["107", "112", "130"] : ["112", "130"]), "\(border): \(told)")
        }
    }

    @Test func `a cache that is behind takes no ratings away`() async throws {
        try await adopt()
        for (daysAgo, count) in [(9, 100), (8, 103), (7, 100), (6, 103), (5, 101), (4, 105)] as [(Int64, Int64)] {
            try await show(AppDetails(name: "Me", ratingCount: count), daysAgo: daysAgo)
        }
        #expect(try words(timeline()) == ["ratings -4 us +2 in 2 days, now 105", "ratings -6 us +3, now 103"])
    }

    @Test func `days without a check gain nothing by themselves, and over their span together`() async throws {
        try await adopt()
        try await show(AppDetails(name: "Me", ratingCount: 100), daysAgo: 9)
        try await store.record(Check(query: timer, at: noon - 7 * day, outcome: .failed(Failure(.timedOut))))
        try await show(AppDetails(name: "Me", ratingCount: 110), daysAgo: 4)
        #expect(
            try words(timeline(on: [timer])) == [
                "ratings -4 us +10 in 5 days, now 110", "checks -7 us 1 failed of 1 check of its queries",
            ])
    }

    @Test func `a moment within a day knows nothing of a later reading`() async throws {
        try await adopt()
        try await show(AppDetails(name: "Me", ratingCount: 100), daysAgo: 5)
        try await show(AppDetails(name: "Me", ratingCount: 110), daysAgo: 4)
        #expect(try words(timeline(until: noon - 4 * day - 1)) == [])
        #expect(try words(timeline(until: noon - 4 * day)).count == 1)
    }

    @Test func `people read a long time's ratings week by week, and the countries together`() async throws {
        try await adopt()
        for daysAgo in stride(from: 12, through: 0, by: -1) as StrideThrough<Int64> {
            try await show(AppDetails(name: "Me", ratingCount: 200 - daysAgo * 3), daysAgo: daysAgo)
            try await show(AppDetails(name: "Me", ratingCount: 100 - daysAgo), daysAgo: daysAgo, on: german)
        }
        // noon is a Friday.
        let weeks = lines(TimelineReport(try timeline()).render(as: .table)).filter { $0.contains("ratings  ") }
        #expect(weeks.count == 2 && weeks[0].contains("+20 in this week: us +15, de +5"), "\(weeks)")
        let days = lines(TimelineReport(try timeline(daysAgo: 13)).render(as: .table)).filter {
            $0.contains("ratings  ")
        }
        #expect(days.count == 12 && days[0].contains("+4: us +3, de +1"), "\(days)")
        #expect(try timeline().events.count == 24)
    }

    // MARK: Versions, moves, checks

    @Test func `versions come with what the notes say, and notes on no app stand beside them`() async throws {
        try await adopt(
            notes: [
                Note(on: "2026-11-12", bundleID: bundle("com.me"), version: "2.0", text: "new name", added: ["timer"]),
                Note(on: "2026-11-14", text: "holiday"), Note(on: "2026-12-24", text: "planned"),
            ], zone: "Europe/Berlin")
        try await show(AppDetails(name: "Me", version: "1.0"), daysAgo: 20)
        try await show(AppDetails(name: "Me", version: "2.0"), daysAgo: 7)
        try await show(AppDetails(name: "Me", version: "2.1"), daysAgo: 3)
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let found = try timeline(zone: berlin)
        #expect(
            words(found) == [
                "version -3  2.1", "note -7  holiday", "version -9  2.0 · “new name” · to gain timer",
            ])
        let text = ReportZone.$days.withValue(ZoneDays(berlin)) { TimelineReport(found).render(as: .table) }
        #expect(text.contains("changed: version 2.1 on 17 Nov; version 2.0 on 12 Nov"), "\(text)")
        #expect(text.contains("17 Nov  version") && text.contains("14 Nov  note     holiday"), "\(text)")
        #expect(text.contains("days in Europe/Berlin"))
        #expect(TimelineReport(found).render(as: .json).contains(#""at":"2026-11-17T12:00:00Z","precision":"moment""#))
    }

    /// One check a day up to today, with my app at these places; 0 is an absence, below 0 a failure.
    private func fill(_ places: [Int]) async throws {
        for (index, place) in places.enumerated() {
            let moment = noon - Int64(places.count - 1 - index) * day - 60
            guard place >= 0 else {
                try await store.record(Check(query: timer, at: moment, outcome: .failed(Failure(.timedOut))))
                continue
            }
            var names = (1...100).map { "com.x\($0)" }
            if place > 0 { names[place - 1] = "com.me" }
            try await store.record(Check(query: timer, at: moment, outcome: .answered(list(names))))
        }
    }

    private static let jitter = (0..<40).map { [40, 41, 40, 39, 40, 42, 38, 40][$0 % 8] }

    @Test func `a real move is told as movers told it, also when it is no longer news`() async throws {
        try await adopt()
        try await fill(Self.jitter + [12, 11, 12, 12, 12, 12, 11, 12, 12, 12, 12, 12, 11, 12, 12, 12])
        let reader = try HistoryReader(path: store.path)
        #expect(try Movers(from: reader, now: noon).summary.up == 0)
        let then = try Movers(from: reader, until: noon - 9 * day, now: noon)
        guard case .real(let move)? = then.rows.first?.judgement else {
            Issue.record("\(String(describing: then.rows.first?.judgement))")
            return
        }
        #expect((move.from.number, move.to.number, noon.day - move.since) == (40, 12, 15))
        let told = words(try timeline(on: [timer]))
        #expect(told == ["moved -15 us “timer” on iPhone: usually #40 → #12 by -9"])
        #expect(try words(timeline(on: [timer], daysAgo: 10)) == [])
        #expect(try words(timeline(on: [german])) == [])
    }

    @Test func `jitter and failures move nothing, and every day of failures is counted`() async throws {
        try await adopt()
        try await fill(Self.jitter + [-1, 40, -1, 41])
        #expect(
            try words(timeline(on: [timer])) == [
                "checks -1 us 1 failed of 1 check of its queries", "checks -3 us 1 failed of 1 check of its queries",
            ])
    }

    @Test func `what entered and left is told once each`() async throws {
        try await adopt()
        let absent = Array(repeating: 0, count: 15)
        try await fill(absent + Array(repeating: 8, count: 20) + absent)
        #expect(
            try words(timeline(on: [timer], daysAgo: 49)) == [
                "left -14 us “timer” on iPhone: from #8", "entered -34 us “timer” on iPhone: at #8",
            ])
    }

    @Test func `what came back is told to be back, on the day that confirmed it`() async throws {
        try await adopt()
        try await fill(Self.jitter + [12, 11, 12, 12, 12] + [40, 41, 40, 39, 40, 40])
        let told = words(try timeline(on: [timer]))
        #expect(
            told == [
                "back -4 us “timer” on iPhone: back at #40; it had risen from #40 on \(CivilTime.date(noon - 10 * day))",
                "moved -10 us “timer” on iPhone: usually #40 → #12 by -5",
            ])
        let text = TimelineReport(try timeline(on: [timer])).render(as: .table)
        #expect(text.contains("1 move, 1 return") && text.contains("back: the app is nearer to where it was"))
    }

    @Test func `who enters, goes and enters again within days is told in the order in which it happened`() async throws
    {
        try await adopt()
        try await fill(Array(repeating: 0, count: 35) + [8, 9] + [0, 0, 0] + [8, 9, 8, 8, 9])
        let told = try words(timeline(on: [timer])).map { $0.prefix { $0 != "u" } }
        #expect(told == ["entered -4 ", "back -6 ", "entered -9 "], "\(told)")
    }

    @Test func `before the first check there is no move`() async throws {
        try await adopt()
        #expect(try words(timeline(on: [timer])) == [])
        try await fill(Self.jitter)
        #expect(try words(timeline(on: [timer], daysAgo: 55, until: noon - 45 * day)) == [])
    }

    @Test func `who left and is there again has not left for ever`() async throws {
        try await adopt()
        try await fill(Array(repeating: 8, count: 35) + Array(repeating: 0, count: 6) + [9, 8, 8])
        #expect(
            try words(timeline(on: [timer])) == [
                "back -1 us “timer” on iPhone: back at #9; it had left from #8 on \(CivilTime.date(noon - 8 * day))",
                "left -8 us “timer” on iPhone: from #8",
            ])
    }

    @Test func `a bad day of the store is told with its country`() async throws {
        try await adopt()
        for daysAgo in [3, 2, 1] as [Int64] {
            let names = list(["com.me"])
            try await store.record(
                Check(
                    query: timer, at: noon - daysAgo * day,
                    outcome: daysAgo == 2 ? .suspect(names, .badDay) : .answered(names)))
        }
        let reader = try HistoryReader(path: store.path)
        while let next = try await store.nextCountryDays(now: .startOfDay(noon.day), limit: 5) {
            var draft = try CountryDayDraft(next, from: reader)
            while try draft.countNext(from: reader) {}
            try await store.enter(draft)
        }
        #expect(
            try words(timeline(on: [timer])) == [
                "bad-day -2 us Apple had a bad day", "checks -2 us 1 cannot be believed of 1 check of its queries",
            ])
    }

    @Test
    func `after a change of zone a move keeps its shuffle, and the store's day is marked as another zone's`()
        async throws
    {
        let asked = (0..<4).map { query("timer \($0)") }
        var plan = watchlist(asked.map { ($0, ["com.me"]) }, every: day)
        plan.timeZone = "UTC"
        try await store.adopt(plan, now: start)
        for one in asked {
            for index in 0..<44 {
                // All apps change places on one day, and next to none on the others. That is at 01:30, in UTC.
                let isAfter = index >= 40
                var names = (1...100).map { "com.x\(isAfter ? ($0 + 40) % 100 : $0)" }
                if index % 2 == 0 { names.swapAt(60, 61) }
                names[isAfter ? 11 : 39] = "com.me"
                let at = Timestamp.startOfDay(noon.day - Int64(43 - index)) + 5_400
                try await store.record(Check(query: one, at: at, outcome: .answered(list(names))))
            }
        }
        let reader = try HistoryReader(path: store.path)
        while let next = try await store.nextCountryDays(now: .startOfDay(noon.day), limit: 31) {
            var draft = try CountryDayDraft(next, from: reader)
            while try draft.countNext(from: reader) {}
            try await store.enter(draft)
        }
        func told(_ name: String) async throws -> [String] {
            plan.timeZone = name
            try await store.adopt(plan, now: start)
            let days = ZoneDays(try #require(TimeZone(identifier: name)))
            return try ReportZone.$days.withValue(days) {
                let timeline = try Timeline(
                    of: bundle("com.me"), on: [asked[0]], since: noon - 20 * day, until: noon,
                    from: reader.counting(days), zone: days.zone, now: noon)
                return words(timeline)
            }
        }
        let moved = "us “timer 0” on iPhone: usually #40 → #12 by"
        let here = try await told("UTC")
        #expect(here == ["moved -3 \(moved) -0, a shuffle", "shuffled -3 us the store shuffled"])
        let there = try await told("America/Sao_Paulo")
        #expect(
            there == [
                "shuffled -3 us the store shuffled (UTC)", "moved -4 \(moved) -1, a shuffle",
            ])
    }

    // MARK: Competitors and forms

    @Test func `competitors stand beside mine, and each line says whose it is`() async throws {
        try await adopt()
        for (daysAgo, version) in [(9, "1"), (5, "2")] as [(Int64, String)] {
            try await show(
                AppDetails(name: "Me", version: version), daysAgo: daysAgo,
                rival: AppDetails(name: "Rival", price: version == "1" ? 0 : 4.99, currency: "USD"))
        }
        #expect(try words(timeline()) == ["version -5  2"])
        let both = try timeline(competitors: true)
        #expect(
            both.events.map { "\($0.app?.bundleID.text ?? "-") \($0.kind)" } == ["com.me version", "com.rival price"])
        let text = TimelineReport(both).render(as: .table)
        #expect(text.contains("●  Me     version") && text.contains("○  Rival  price"), "\(text)")
        #expect(text.contains("● mine · ○ competitor"))
    }

    @Test func `the first line counts what happened to the app itself, not to its competitors`() async throws {
        try await adopt()
        for (daysAgo, version) in [(9, "1"), (5, "2"), (3, "3")] as [(Int64, String)] {
            try await show(
                AppDetails(name: "Me", version: daysAgo == 9 ? "1" : "2"), daysAgo: daysAgo,
                rival: AppDetails(name: "Rival", version: version))
        }
        let both = try timeline(competitors: true)
        #expect(both.events.count { $0.kind == .version } == 3)
        #expect(TimelineReport(both).render(as: .table).contains("Me changed: version 2 on 15 Nov\n"))
    }

    @Test func `a time without a check says that nothing is known, not that nothing happened`() async throws {
        try await adopt()
        try await show(AppDetails(name: "Me"), daysAgo: 9)
        func text(_ daysAgo: Int64) throws -> String {
            TimelineReport(try timeline(daysAgo: daysAgo)).render(as: .table)
        }
        #expect(try text(5).contains("there was no check in this time, so nothing is known"))
        #expect(try text(10).contains("the checks show no event in this time"))
    }

    @Test func `data has every event with its figures`() async throws {
        try await adopt(notes: [Note(on: "2026-11-14", text: "holiday")])
        for (daysAgo, count, icon) in [(9, 100, "a"), (5, 120, "b")] as [(Int64, Int64, String)] {
            try await show(
                AppDetails(
                    name: "Me \(icon)", version: icon, price: icon == "a" ? 0 : 1.5, currency: "EUR", rating: 4.25,
                    ratingCount: count, iconURL: picture(icon), screenshotURLs: [picture(icon)]), daysAgo: daysAgo)
        }
        try await fill([1, -1])
        let report = TimelineReport(try timeline(competitors: true))
        let json = report.render(as: .json)
        try expectConforms(json, to: "timeline")
        #expect(json.contains(#""was":"free","now":"1.50 EUR""#))
        #expect(json.contains(#""ratings":{"gained":20,"days":4,"ratings":120,"averageBefore":4.25,"average":4.25}"#))
        let csv = lines(report.render(as: .csv).replacing("\r\n", with: "\n"))
        #expect(csv.count == report.timeline.events.count + 2)
        for width in 40...140 {
            let text = report.render(as: .table, style: TerminalStyle(colour: false, width: width))
            #expect(lines(text).allSatisfy { TerminalText.width($0) <= width && !$0.hasSuffix(" ") }, "\(width)")
        }
    }
}
