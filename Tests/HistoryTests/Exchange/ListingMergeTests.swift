import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// Listings that two histories know, brought into one.
@Suite struct ListingMergeTests {
    private let folder: TemporaryFolder
    private let start = time("2026-11-01T06:00:00Z")
    private static let rest = (1...12).map { "com.rest\($0)" }

    init() throws { folder = try TemporaryFolder() }

    private func day(_ number: Int64) -> Timestamp { start + number * 86_400 }

    private func machine(_ name: String) async throws -> HistoryStore {
        let store = try HistoryStore(path: folder.file("\(name).sqlite"))
        try await store.adopt(watchlist([(query("timer"), ["com.a"]), (query("clock"), ["com.a"])]), now: start - 60)
        return store
    }

    private func see(
        _ details: AppDetails, _ store: HistoryStore, at moment: Timestamp, on words: String = "timer"
    ) async throws {
        let answer = list(["com.a"] + Self.rest) { $0 == "com.a" ? details : AppDetails(name: $0) }
        try await store.record(Check(query: query(words), at: moment, outcome: .answered(answer)), clock: moment)
    }

    /// All that is known of listings, without the numbers that rows have.
    private func listings(_ store: HistoryStore) async throws -> [String] {
        try await store.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT app_id, country, listing.name, version, price, currency, fingerprint, rating, rating_count
                    FROM listing JOIN app ON app.id = listing.app JOIN storefront ON storefront.id = listing.storefront
                    LEFT JOIN sighting ON sighting.app = app.id AND sighting.storefront = storefront.id
                    ORDER BY app_id, country
                    """
            ).map(\.text)
                + Row.fetchAll(
                    database,
                    sql: """
                        SELECT app_id, country, at, field, was FROM listing_change JOIN app ON app.id = app
                        JOIN storefront ON storefront.id = storefront ORDER BY 1, 2, 3, 4
                        """
                ).map(\.text)
        }
    }

    private func merged(_ one: HistoryStore, _ two: HistoryStore) async throws -> [[String]] {
        func export(_ store: HistoryStore) async throws -> String {
            // The next one has the same name.
            let file = try await store.export(to: folder)
            let own = folder.file(UUID().uuidString)
            try FileManager.default.moveItem(atPath: file, toPath: own)
            return own
        }
        let files = (try await export(one), try await export(two))
        _ = try await one.importExport(files.1)
        _ = try await two.importExport(files.0)
        let first = [try await listings(one), try await listings(two)]
        // Once more, nothing is new.
        _ = try await one.importExport(files.1)
        _ = try await two.importExport(files.0)
        #expect([try await listings(one), try await listings(two)] == first)
        return first
    }

    private func details(
        _ version: Int, price: Double? = 0, ratings: Int64 = 100, name: String = "Mine"
    ) -> AppDetails {
        AppDetails(
            name: name, version: "\(version).0", price: price, currency: price.map { _ in "USD" }, rating: 4,
            ratingCount: ratings)
    }

    @Test func `an older backup and the newer export of the same history make that history`() async throws {
        let (whole, backup) = (try await machine("whole"), try await machine("backup"))
        for number in Int64(0)..<16 {
            let seen = details(
                number < 8 ? 2 : 3, price: number < 4 ? 0 : number < 8 ? 1.99 : 2.99, ratings: 100 + number,
                name: number < 6 ? "Mine" : "Mine Three")
            try await see(seen, whole, at: day(number))
            if number < 3 { try await see(seen, backup, at: day(number)) }
        }
        let expected = try await listings(whole)
        _ = try await backup.importExport(try await whole.export(to: folder))
        #expect(try await listings(backup) == expected)
        let versions = try HistoryReader(path: backup.path).releases(
            of: bundle("com.a"), machineZone: TimeZone(identifier: "UTC")!)
        #expect(versions.map(\.version) == ["3.0"] && versions.map(\.at) == [day(8)])
        // Brought the other way round, nothing is new.
        _ = try await whole.importExport(try await backup.export(to: folder))
        #expect(try await listings(whole) == expected)
    }

    @Test func `of a change that both saw the earlier sight counts`() async throws {
        let (one, two) = (try await machine("one"), try await machine("two"))
        for (store, days) in [(one, [0, 5, 9]), (two, [1, 7, 8])] as [(HistoryStore, [Int64])] {
            for number in days { try await see(details(number < 5 ? 1 : 2), store, at: day(number)) }
        }
        let both = try await merged(one, two)
        #expect(both[0] == both[1])
        let changes = both[0].filter { $0.contains("version") }
        #expect(changes.count == 1 && changes[0].contains("\(day(5).secondsSinceEpoch)"))
    }

    @Test func `what the answers of one machine never tell is as the other knows it`() async throws {
        let (one, two) = (try await machine("one"), try await machine("two"))
        for number in Int64(0)..<6 {
            try await see(details(1, price: number < 3 ? 1.99 : 2.99), one, at: day(number))
            try await see(details(1, price: nil), two, at: day(number) + 3_600)
        }
        let expected = try await listings(one).filter { $0.contains("price") }
        for listings in try await merged(one, two) { #expect(listings.filter { $0.contains("price") } == expected) }
        let price = try await two.read { try Double.fetchOne($0, sql: "SELECT price FROM listing WHERE price > 0") }
        #expect(price == 2.99)
    }

    @Test(arguments: UInt64(1)...40)
    func `two machines come to what one would have that had made all checks`(_ seed: UInt64) async throws {
        var dice = SplitMix(seed: seed)
        let (one, two, all) = (
            try await machine("one\(seed)"), try await machine("two\(seed)"), try await machine("all\(seed)")
        )
        // Some stores go on from value to value, in others Apple's caches take turns.
        let takesTurns = seed.isMultiple(of: 2)
        for number in Int64(0)..<18 {
            let step = takesTurns ? Int.random(in: 0...2, using: &dice) : Int(number) / 4
            let seen = details(
                step, price: Double(step / 2) + 0.99, ratings: 100 + Int64.random(in: 0...3, using: &dice),
                name: "Mine \(step % 2)")
            let words = Bool.random(using: &dice) ? "timer" : "clock"
            let who = Int.random(in: 0...4, using: &dice)
            let moment = start + number * 40_000
            if who != 1, who != 2 { try await see(seen, one, at: moment, on: words) }
            if who != 3, who != 4 { try await see(seen, two, at: moment, on: words) }
            try await see(seen, all, at: moment, on: words)
        }
        let expected = try await listings(all)
        for listings in try await merged(one, two) { #expect(listings == expected) }
    }
}
