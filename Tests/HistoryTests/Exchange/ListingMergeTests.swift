import Foundation
import GRDB
import RankKit
import Synchronization
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

    // MARK: Dropped lists

    /// What listings say now.
    private func present(_ store: HistoryStore) async throws -> [String] {
        try await store.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT app_id, country, listing.name, version, price, fingerprint, rating, rating_count
                    FROM listing JOIN app ON app.id = listing.app JOIN storefront ON storefront.id = listing.storefront
                    LEFT JOIN sighting ON sighting.app = app.id AND sighting.storefront = storefront.id
                    ORDER BY app_id, country
                    """
            ).map(\.text)
        }
    }

    private func drop(_ store: HistoryStore, before moment: Timestamp) async throws {
        try await store.fillIn()
        for query in [1, 2] as [Int64] {
            while try await !store.dropLists(of: query, before: moment, limit: 100).isDone {}
        }
    }

    /// A history whose lists from before a day were dropped.
    ///
    /// - Parameter number: no two see the store on the same day.
    private func dropping(_ name: String, _ number: Int64, _ dice: inout SplitMix) async throws -> HistoryStore {
        let store = try await machine(name)
        let days = Set((0..<4).map { _ in Int64.random(in: 0..<5, using: &dice) * 3 + number })
        for number in days.sorted() {
            var apps: [String: AppDetails] = [:]
            for app in ["com.a", "com.rest1", "com.rest2"] {
                apps[app] = details(Int.random(in: 1...3, using: &dice), ratings: .random(in: 100...102, using: &dice))
            }
            var shown = Self.rest
            // Some lists leave an app out.
            shown.removeAll { $0 == "com.rest2" && number % 5 == 0 }
            let told = apps
            let answer = list(["com.a"] + shown) { told[$0] ?? AppDetails(name: $0) }
            let words = Bool.random(using: &dice) ? "timer" : "clock"
            try await store.record(Check(query: query(words), at: day(number), outcome: .answered(answer)))
        }
        try await drop(store, before: day([0, 6, 16, 16].randomElement(using: &dice) ?? 16))
        return store
    }

    @Test(arguments: UInt64(1)...60)
    func `of three histories without all their lists any order of imports gives the same listings`(
        _ seed: UInt64
    ) async throws {
        var dice = SplitMix(seed: seed)
        var files: [String] = []
        for number in Int64(0)..<3 {
            let store = try await dropping("\(seed)-\(number)", number, &dice)
            let file = folder.file("\(seed)-\(number).ndjson")
            try FileManager.default.moveItem(atPath: try await store.export(to: folder), toPath: file)
            files.append(file)
        }
        var first: [String]?
        for (number, order) in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].enumerated() {
            let store = try HistoryStore(path: folder.file("\(seed)-order\(number).sqlite"))
            for index in order { _ = try await store.importExport(files[index]) }
            let listings = try await present(store)
            #expect(listings == first ?? listings, "\(order)")
            first = first ?? listings
            // Once more, nothing is new.
            for index in order { _ = try await store.importExport(files[index]) }
            #expect(try await present(store) == listings, "\(order)")
            try await store.fillIn()
            #expect(try await store.findings() == [])
        }
    }

    @Test(arguments: ["com.a", "com.rest1"])
    func `who saw an app last counts though the lists of that time were dropped`(_ app: String) async throws {
        let (one, two) = (try await machine("one"), try await machine("two"))
        for (store, version, days) in [(one, 1, [0, 9]), (two, 2, [4, 5])] as [(HistoryStore, Int, [Int64])] {
            for number in days {
                let answer = list(["com.a"] + Self.rest) { $0 == app ? details(version) : AppDetails(name: $0) }
                try await store.record(Check(query: query("timer"), at: day(number), outcome: .answered(answer)))
            }
            try await drop(store, before: day(12))
            #expect(try HistoryReader(path: store.path).listsSince() == day(12))
        }
        let both = try await merged(one, two)
        #expect(both[0] == both[1])
        let version = try await one.read { database in
            try String.fetchOne(
                database, sql: "SELECT version FROM listing JOIN app ON app.id = app WHERE bundle_id = ?",
                arguments: [app])
        }
        #expect(version == "1.0")
        let restored = try HistoryStore(path: folder.file("restored.sqlite"))
        let file = try await one.export(to: folder)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        _ = try await restored.importExport(file)
        try FileManager.default.removeItem(atPath: file)
        #expect(try String(contentsOfFile: try await restored.export(to: folder), encoding: .utf8) == text)
    }

    @Test func `of the same second the same value and the same ratings count in either order`() async throws {
        let (one, two) = (try await machine("one"), try await machine("two"))
        for (store, version) in [(one, 1), (two, 2)] {
            try await see(details(1), store, at: day(0))
            try await see(details(version, ratings: Int64(100 + version)), store, at: day(1))
        }
        let both = try await merged(one, two)
        #expect(both[0] == both[1])
        #expect(both[0].contains { $0.contains("2.0") && $0.contains("102") })
    }

    // MARK: Reading no more than is needed

    @Test func `pages that can tell nothing stay packed`() async throws {
        let store = try await machine("one")
        for number in Int64(0)..<60 { try await see(details(1), store, at: day(number)) }
        try await store.tidy { database in
            let lists = try UnpagedLists.all(of: 1, in: 0...(.max), database)
            var all: [StoredList] = []
            while let list = try lists.next() { if case .list(let list) = list { all.append(list) } }
            try database.execute(sql: "DELETE FROM result_list")
            for first in stride(from: 0, to: 60, by: 10) {
                for page in try CompactedPage.all(of: Array(all[first..<first + 10])) {
                    try page.insert(as: nil, of: 1, in: database)
                }
            }
        }
        let start = start.secondsSinceEpoch
        func second(_ number: Int64) -> Int64 { start + number * 86_400 }
        func unpacked(
            _ changes: [(at: Int64, was: String?)], _ sightings: (ListingConflict.Sighting?, ListingConflict.Sighting?)?
        ) async throws -> (pages: Int, sights: ListingConflict.Sights) {
            let column = ListingConflict.Column(
                name: "version", own: ListingChain([], now: "1"), file: ListingChain(changes, now: "1"),
                ownValue: .null, fileValue: .null)
            return try await store.read { database in
                let app = try Int64.fetchOne(database, sql: "SELECT id FROM app WHERE bundle_id = 'com.a'") ?? 0
                func sights() -> ListingConflict.Sights {
                    .init(firstSeen: start, lastDay: nil, times: [], changes: [])
                }
                var conflicts = [
                    ListingConflict(
                        app: app, storefront: 1, columns: [column], sightings: sightings, own: sights(), file: sights())
                ]
                let pages = try WantedLists(of: 1, conflicts: [app: 0], nil).see(&conflicts, in: database)
                return (pages, conflicts[0].own)
            }
        }
        // When it was seen last, and what it was for three days of the second page.
        let last = try await unpacked([], (nil, nil))
        #expect(last.pages == 1)
        #expect(last.sights.last == second(59))
        let between = try await unpacked([(second(12), "1"), (second(15), "2")], nil)
        #expect(between.pages == 1)
        #expect(between.sights.times.sorted() == [12, 13, 14].map(second))
        #expect(try await unpacked([], nil).pages == 0)
    }

    // MARK: Breaking off

    @Test func `an import that is broken off among its listings leaves nothing`() async throws {
        let (one, two) = (try await machine("one"), try await machine("two"))
        for number in Int64(0)..<700 {
            let moment = start + number * 3_600
            try await see(details(Int(number) % 7), one, at: moment)
            if number < 5 { try await see(details(9), two, at: moment + 60) }
        }
        let before = try await listings(two)
        let file = try await one.export(to: folder)
        let begun = AsyncStream<Void>.makeStream()
        let brokenOff = DispatchSemaphore(value: 0)
        // Lines that follow the last look at whether the import is still wanted.
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count
        let looks = lines / 500
        let seen = Mutex(0)
        let task = Task {
            try await two.importExport(file) { _, _ in
                guard
                    seen.withLock({
                        $0 += 1; return $0
                    }) == looks
                else { return }
                begun.continuation.yield()
                brokenOff.wait()
            }
        }
        for await _ in begun.stream { break }
        task.cancel()
        brokenOff.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await listings(two) == before)
        #expect(try await two.findings() == [])
        _ = try await two.importExport(file)
        #expect(try await two.findings() == [])
    }

    // MARK: Days of another zone

    @Test(arguments: ["Pacific/Auckland", "Asia/Tokyo", "UTC", "America/Los_Angeles"])
    func `the day on which another zone's history saw an app last is one of this history's`(
        _ there: String
    ) async throws {
        for here in ["America/Los_Angeles", "UTC", "Pacific/Auckland"] {
            let name = "\(there.suffix(4)) \(here.suffix(4))"
            var stores: [HistoryStore] = []
            for (number, zone) in [there, here].enumerated() {
                let store = try HistoryStore(path: folder.file("\(name)\(number).sqlite"))
                var plan = watchlist([(query("timer"), ["com.a"])])
                plan.timeZone = zone
                try await store.adopt(plan, now: start - 60)
                stores.append(store)
            }
            // In Auckland it is the next day already, in Los Angeles still the one before.
            let seen = time("2026-11-05T13:30:00Z")
            try await see(details(1), stores[0], at: seen)
            try await see(details(1), stores[1], at: seen - 5 * 86_400)
            // Its clock has been there since.
            try await stores[1].record(
                Check(query: query("timer"), at: seen + 5 * 86_400, outcome: .answered(list(["com.other"]))))
            let file = try await stores[0].export(to: folder, now: seen + 60)
            _ = try await stores[1].importExport(file)
            try FileManager.default.removeItem(atPath: file)
            let day = try await stores[1].read {
                try Int64.fetchOne($0, sql: "SELECT last_seen_day FROM app WHERE bundle_id = 'com.a'")
            }
            let right = ZoneDays(kept: here).day(of: seen)
            #expect((right - 1...right).contains(try #require(day)), "\(name)")
        }
    }
}
