import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// Exports of a history that keeps its lists for a while only, and what they meet where they are imported.
@Suite struct DroppedListsExchangeTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let day = Timestamp.secondsPerDay

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func other(_ name: String = "other") throws -> HistoryStore {
        try HistoryStore(path: folder.file("\(name).sqlite"))
    }

    /// Twenty days, whose first half alone has seen `early`.
    private func fill(in zone: String? = nil) async throws {
        try await adopt(zone)
        for number in 0..<20 as Range<Int64> {
            for (place, query) in [query("timer"), query("clock", "de")].enumerated() {
                var names: [String?] = number < 10 ? ["early", "a", "b", "c"] : ["a", "b", "c"]
                names.swapAt(Int(number % 3), 2)
                let at = start + number * day + Int64(place)
                try await store.record(Check(query: query, at: at, outcome: .answered(list(names))))
            }
        }
        try await store.deriveCountryDays(today: start.day + 20)
    }

    private func adopt(_ zone: String?) async throws {
        var plan = watchlist([(query("timer"), ["a"]), (query("clock", "de"), ["a", "b"])])
        plan.timeZone = zone
        try await store.adopt(plan, now: start)
    }

    /// Days of Germany's store of which it is told how far apps moved.
    private func compared(_ store: HistoryStore) async throws -> [Int64] {
        try await store.read {
            try Int64.fetchAll($0, sql: "SELECT day FROM country_day WHERE country = 'de' AND compared > 0 ORDER BY 1")
        }.map { $0 - start.day }
    }

    /// A history with days of its own, of `zone`.
    private func counting(_ zone: String?) async throws -> HistoryStore {
        let other = try other("of \(zone?.suffix(4) ?? "UTC")")
        var plan = watchlist([(query("timer"), ["b"])])
        plan.timeZone = zone
        try await other.adopt(plan, now: start)
        for number in [3, 25] as [Int64] {
            try await other.record(
                Check(query: query("timer"), at: start + number * day + 60, outcome: .answered(list(["b", "own"]))))
        }
        try await other.deriveCountryDays(today: start.day + 26)
        return other
    }

    // MARK: Days of a store of another zone

    @Test(
        arguments: [("Asia/Tokyo", nil), (nil, "Asia/Tokyo"), ("America/Sao_Paulo", "Asia/Tokyo")]
            as [(String?, String?)])
    func `days of stores of another zone are not taken for those of their dates, which is said`(
        _ there: String?, _ here: String?
    ) async throws {
        try await fill(in: there)
        try await drop(12)
        let file = try await store.export(to: folder)
        #expect(try text(file).contains("\"countryDaysZone\":\"\(there ?? "UTC")\""))
        let other = try await counting(here)
        let result = try await other.importExport(file)
        #expect(result.checks == 40)
        let note = try #require(result.notes.last)
        #expect(
            note.hasPrefix(
                "the export counts days of stores in \(there ?? "UTC"), this history counts them in \(here ?? "UTC"): how "
                    + "far apps moved on ")
                && note.hasSuffix(" days was not taken over, as the lists of that time were dropped"),
            "\(note)")
        try await other.fillIn()
        try await other.deriveCountryDays(today: start.day + 26)
        #expect(try await compared(other).allSatisfy { $0 >= 12 })
        let known = try HistoryReader(path: other.path).derivedCountryDays(start.day - 1...start.day + 30)
        #expect(known.filter { $0.country.code == "de" }.reduce(0) { $0 + $1.good } == 20)
        #expect(try await other.findings() == [])
    }

    @Test func `days of stores of the same zone are taken`() async throws {
        try await fill(in: "Asia/Tokyo")
        try await drop(12)
        let other = try await counting("Asia/Tokyo")
        #expect(try await other.importExport(try await store.export(to: folder)).notes.isEmpty)
        try await other.fillIn()
        try await other.deriveCountryDays(today: start.day + 26)
        #expect(try await compared(other) == compared(store))
        #expect(try await other.findings() == [])
    }

    @Test func `a new history counts the export's days until the clean-up takes up its watchlist's zone`() async throws
    {
        try await fill(in: "Asia/Tokyo")
        try await adopt("America/Sao_Paulo")
        try await drop(12)
        let other = try other()
        let file = try await store.export(to: folder)
        #expect(try await other.importExport(file).notes.isEmpty)
        #expect(try HistoryReader(path: other.path).countryDaysZone().name == "Asia/Tokyo")
        #expect(try await other.findings() == [])
        #expect(try text(try await other.export(to: folder)) == text(file))
        for each in [store, other] {
            try await each.deriveCountryDays(today: start.day + 20)
            #expect(try HistoryReader(path: each.path).countryDaysZone().name == "America/Sao_Paulo")
            #expect(try await each.findings() == [])
        }
        #expect(try await compared(other) == compared(store))
    }

    @Test(arguments: [nil, "GMT", "Asia/Tokyo"] as [String?])
    func `an export of an earlier version has UTC's days, unless its watchlist has a zone`(_ zone: String?) async throws
    {
        try await fill(in: zone)
        try await drop(12)
        let exported = try text(try await store.export(to: folder))
        let earlier = exported.withoutChecksum.replacing(/"countryDaysZone":"[^"]*",/, with: "")
        let file = try folder.write(earlier, to: "earlier.ndjson")
        let other = try await counting(nil)
        let notes = try await other.importExport(file).notes
        #expect(notes.contains { $0.contains("does not say in which zone") } == (zone == "Asia/Tokyo"))
        #expect(try await compared(other).contains { $0 < 12 } == (zone != "Asia/Tokyo"))
        try await other.fillIn()
        try await other.deriveCountryDays(today: start.day + 26)
        #expect(try await other.findings() == [])
        let new = try self.other()
        #expect(try await new.importExport(file).notes.allSatisfy { !$0.contains("days of stores") })
        try await new.deriveCountryDays(today: start.day + 20)
        #expect(try await compared(new) == compared(store))
        #expect(try await new.findings() == [])
    }

    /// Drops the lists of the first `days`.
    private func drop(_ days: Int64) async throws {
        for query in 1...2 as ClosedRange<Int64> {
            #expect(try await store.dropLists(of: query, before: start + days * day, limit: 100).lists == days)
        }
        #expect(try await store.findings() == [])
    }

    /// What was derived from lists, by the names of things.
    private func told(_ store: HistoryStore) async throws -> [String] {
        try await store.read { database in
            try [
                """
                SELECT text, bundle_id, best, best_at FROM query_app
                JOIN query ON query.id = query_app.query JOIN app ON app.id = query_app.app
                """, "SELECT * FROM country_day",
            ].flatMap { try Row.fetchAll(database, sql: "\($0) ORDER BY 1, 2, 3").map(\.text) }
        }
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func `what dropped lists had told is exported with the rest, and comes back exactly`() async throws {
        try await fill()
        let before = try await told(store)
        try await drop(12)
        let file = try await store.export(to: folder)
        let exported = try text(file)
        let header = String(exported.prefix { $0 != "\n" })
        #expect(header.contains("\"listsSince\":\((start + 12 * day).secondsSinceEpoch)"))
        let other = try other()
        #expect(try await other.importExport(file).checks == 40)
        #expect(try HistoryReader(path: other.path).listsSince() == start + 12 * day)
        #expect(try await other.findings() == [])
        #expect(try text(try await other.export(to: folder)) == exported)
        // Days are derived anew here, those apart whose lists are gone.
        try await other.deriveCountryDays(today: start.day + 20)
        #expect(try await told(other) == before)
        #expect(try await other.findings() == [])
        #expect(try await other.importExport(file).checks == 0)
        #expect(try await told(other) == before)
        #expect(try await other.findings() == [])
        #expect(try await other.countryDaysDue(limit: 100).isEmpty)
    }

    @Test func `a history that still has the lists keeps all it knows`() async throws {
        try await fill()
        let other = try other()
        _ = try await other.importExport(try await store.export(to: folder))
        try await other.deriveCountryDays(today: start.day + 20)
        try await drop(12)
        let before = try await told(other)
        #expect(try await other.importExport(try await store.export(to: folder)).checks == 0)
        #expect(try HistoryReader(path: other.path).listsSince() == nil)
        #expect(try await told(other) == before)
        #expect(try await other.findings() == [])
    }

    @Test func `a history of before takes what it lacks, and its own lists stay`() async throws {
        try await fill()
        try await drop(12)
        let other = try other()
        try await other.adopt(watchlist([(query("timer"), ["b"])]), now: start)
        for number in [3, 25] as [Int64] {
            try await other.record(
                Check(query: query("timer"), at: start + number * day + 60, outcome: .answered(list(["b", "own"]))))
        }
        try await other.deriveCountryDays(today: start.day + 26)
        let file = try await store.export(to: folder)
        #expect(try await other.importExport(file).checks == 40)
        try await other.fillIn()
        #expect(try HistoryReader(path: other.path).listsSince() == start + 12 * day)
        #expect(try await other.findings() == [])
        try await other.deriveCountryDays(today: start.day + 26)
        #expect(try await other.findings() == [])
        let all = try await told(other)
        #expect(all.contains { $0.hasPrefix("'clock' 'early' 1 ") })
        #expect(all.contains { $0.hasPrefix("'timer' 'early' 1 ") })
        #expect(all.contains { $0.hasPrefix("'timer' 'own' 2 ") })
        // A country that is new here brings its days with it.
        let days = try await told(store).filter { $0.hasPrefix("'itunes' 'de' ") }
        #expect(days.count == 20 && Set(days).isSubset(of: all))
        #expect(try await other.importExport(file).checks == 0)
        #expect(try await told(other) == all)
        #expect(try await other.findings() == [])
    }

    @Test func `only what dropped lists had told is in an export`() async throws {
        try await fill()
        #expect(try text(try await store.export(to: folder)).contains("best-place") == false)
        try await drop(12)
        let lines = try text(try await store.export(to: folder)).split(separator: "\n")
        func count(_ type: String) -> Int { lines.count { $0.contains("\"type\":\"\(type)\"") } }
        // Of three of the four apps: one was never better than in the lists that are kept.
        #expect(count("best-place") == 6)
        #expect(count("country-day") == 2 * (12 + Int(CountryDay.longestGap)))
    }

    @Test func `a failure that was counted with its day since is not counted again`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["a"])]), now: start)
        for number in 0..<3 as Range<Int64> {
            try await store.record(
                Check(query: query("timer"), at: start + number * 600, outcome: .failed(Failure(.timedOut))))
        }
        try await store.record(
            Check(query: query("timer"), at: start + 3_600, outcome: .answered(list(["a"]))))
        let file = try await store.export(to: folder)
        #expect(try await store.thinFailures(before: start + day, limit: 10) == 3)
        let result = try await store.importExport(file)
        #expect(result.checks == 0 && result.duplicates == 4)
        #expect(try await store.thinFailures(before: start + day, limit: 10) == 0)
        let counts = try await store.read { try Int.fetchAll($0, sql: "SELECT failed FROM failure_day") }
        #expect(counts == [3])
        #expect(try await store.findings() == [])
    }

    @Test(arguments: [
        ("zz", "0", "has a country that cannot be"),
        ("us", "\(Int64.min)", "has \(Int64.min) as “day”, which cannot be"),
    ])
    func `a day of the store that cannot be is refused with its line`(
        country: String, day: String, words: String
    ) async throws {
        let text = """
            {"type":"header","format":"rankd-history","version":2,"exportedAt":1,"listsSince":99}
            {"type":"country-day","country":"\(country)","day":\(day),"queries":1,"good":1,"suspect":0,"failed":0,\
            "compared":0,"apps":0,"entered":0,"left":0}

            """
        let file = try folder.write(text, to: "wrong.ndjson")
        do {
            _ = try await store.importExport(file)
            Issue.record("imported")
        } catch let refusal as ImportRefusal {
            #expect(refusal.description.contains("line 2: \(words)"), "\(refusal)")
        }
    }
}
