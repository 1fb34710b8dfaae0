import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct AppCardTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let day = Timestamp.secondsPerDay

    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(
            watchlist(["us", "de", "fr"].map { (query("timer", $0), ["com.mine"]) }), now: start)
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func details(_ name: String, icon: String? = "https://is1.example/icon.png") -> AppDetails {
        AppDetails(
            name: name, developer: "Dev", version: "3.1", versionReleasedAt: start - day, price: 2.99, currency: "USD",
            rating: 4.5, ratingCount: 1_200, genre: "Productivity", iconURL: icon,
            storeURL: "https://apps.example/1",
            screenshotURLs: ["https://is1.example/1.png", "https://is1.example/2.png"])
    }

    private func see(
        _ name: String, _ details: AppDetails, in country: String = "us", after days: Int64 = 0
    ) async throws {
        try await store.record(
            Check(
                query: query("timer", country), at: start + days * day,
                outcome: .answered(list([name]) { _ in details })))
    }

    private func card(_ name: String, in country: String? = nil) throws -> AppCard? {
        try reader.appCard(bundle(name), preferring: country.flatMap { Country(code: $0) })
    }

    @Test func `any app ever seen has a card, with all that its storefront told`() async throws {
        try await see("com.Stranger", details("Stranger"))
        try await see("com.Stranger", details("Fremder"), in: "de", after: 3)
        let card = try #require(try card("COM.stranger", in: "us"))
        #expect(card.bundleID.text == "com.Stranger" && card.name == "Stranger" && card.country?.code == "us")
        #expect(card.developer == "Dev" && card.genre == "Productivity" && card.version == "3.1")
        #expect(card.versionReleasedAt == start - day && card.price == 2.99 && card.currency == "USD")
        #expect(card.rating == 4.5 && card.ratingCount == 1_200 && card.storeURL == "https://apps.example/1")
        #expect(card.iconURL == "https://is1.example/icon.png")
        #expect(card.screenshotURLs == ["https://is1.example/1.png", "https://is1.example/2.png"])
        #expect(card.countries.map(\.code) == ["de", "us"])
        #expect(try self.card("com.stranger", in: "de")?.name == "Fremder")
    }

    @Test func `an app that no answer ever held has none`() throws {
        #expect(try card("com.mine", in: "us") == nil)
        #expect(try card("com.never") == nil)
    }

    @Test func `a storefront that never showed the app gives way to one that named it`() async throws {
        try await see("com.a", AppDetails(), in: "de")
        try await see("com.a", details("A"), in: "us")
        #expect(try card("com.a", in: "fr")?.name == "A")
        #expect(try card("com.a")?.country?.code == "us")
        #expect(try card("com.a", in: "de")?.name == nil)
        #expect(try card("com.a", in: "de")?.country?.code == "de")
    }

    @Test func `an app that was numbered anew has the newest number, and its whole past`() async throws {
        try await see("com.a", details("Old"), after: 1)
        try await store.write { database in
            try database.execute(
                sql: """
                    INSERT INTO app (app_id, bundle_id, bundle_key, first_seen_at, last_seen_day)
                    VALUES (99, 'com.A', 'com.a', :at, :day);
                    INSERT INTO listing (app, storefront, name) SELECT id, 1, 'New' FROM app WHERE app_id = 99
                    """, arguments: ["at": (start + 9 * day).secondsSinceEpoch, "day": start.day + 9])
        }
        let card = try #require(try card("com.a", in: "us"))
        #expect(card.id == AppID(99) && card.name == "New" && card.bundleID.text == "com.A")
        #expect(card.countries.map(\.code) == ["us"] && card.screenshotURLs == [])
    }

    @Test func `each app has its newest icon`() async throws {
        try await see("com.A", details("A", icon: "https://old"))
        try await see("com.A", details("A", icon: "https://german"), in: "de")
        #expect(try reader.icons(of: [bundle("com.a")]) == [bundle("com.a"): "https://old"])
        try await see("com.A", details("A", icon: "https://new"), in: "de", after: 2)
        try await see("com.b", details("B", icon: nil))
        try await see("com.c", details("C", icon: "https://c"), in: "fr")
        let icons = try reader.icons(of: [bundle("com.a"), bundle("com.b"), bundle("com.c"), bundle("com.never")])
        #expect(icons == [bundle("com.a"): "https://new", bundle("com.c"): "https://c"])
        #expect(try reader.icons(of: []) == [:])
    }

    @Test func `the questions go by indexes`() async throws {
        let questions: [(String, StatementArguments)] = [
            (HistoryReader.appCardSQL, ["app": "com.a", "country": "us"]), (HistoryReader.iconsSQL, ["[]"]),
        ]
        for (sql, arguments) in questions {
            let plan = try await store.read { database in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
                    .map { $0["detail"] as String }
            }
            #expect(!plan.contains { $0.hasPrefix("SCAN") && !$0.contains("VIRTUAL TABLE") }, "\(plan)")
        }
    }
}
