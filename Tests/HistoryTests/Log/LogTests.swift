import Foundation
import GRDB
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import History

/// What entries make of a history, whoever applies them, how often and in which order.
@Suite(.timeLimit(.minutes(60))) struct LogTests {
    private let folder: TemporaryFolder
    private let start = time("2026-11-20T12:00:00Z")

    init() throws { folder = try TemporaryFolder() }

    /// So many random entries in all: `RANKD_ENTRIES`, for more than a few hundred.
    private static let entries = ProcessInfo.processInfo.environment["RANKD_ENTRIES"].flatMap { Int($0) } ?? 300
    private static let group = 150

    private func store(_ name: String) throws -> HistoryStore { try HistoryStore(path: folder.file("\(name).sqlite")) }

    /// The entry as another process reads it.
    private func sent(_ entry: Entry) throws -> Entry { try Entry(encoded: entry.encoded()) }

    @Test(arguments: 0..<max(1, UInt64(entries / group)))
    func `the same entries make the same tables, and each applied twice changes nothing`(seed: UInt64) async throws {
        let (one, other, twice) = (try store("one"), try store("other"), try store("twice"))
        var random = RandomEntries(seed: seed, asksWeb: seed % 2 == 1)
        let entries = try await random.apply(Self.group, to: one)
        for entry in entries {
            _ = try await other.apply(try sent(entry))
            _ = try await twice.apply(entry)
            let before = try await twice.dump()
            _ = try await twice.apply(entry)
            let after = try await twice.dump()
            let identity = try entry.identity
            #expect(before == after, "\(identity)")
        }
        let dump = try await one.dump()
        #expect(try await other.dump() == dump)
        #expect(try await twice.dump() == dump)
        #expect(try await one.findings() == [])
    }

    @Test func `the same entries make the same tables in another process`() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let (folder, seed) = (try TemporaryFolder(), UInt64(77))
            let store = try HistoryStore(path: folder.file("other.sqlite"))
            var random = RandomEntries(seed: seed)
            let entries = try await random.apply(150, to: store)
            print("entries \(digest(try entries.map { String(decoding: try $0.encoded(), as: UTF8.self) })).")
            print("tables \(digest(try await store.dump())).")
        }
        let store = try store("own")
        var random = RandomEntries(seed: 77)
        let entries = try await random.apply(150, to: store)
        let told = String(decoding: result.standardOutputContent, as: UTF8.self)
        #expect(
            told.contains("entries \(digest(try entries.map { String(decoding: try $0.encoded(), as: UTF8.self) }))."))
        #expect(told.contains("tables \(digest(try await store.dump()))."))
    }

    @Test func `random entries hold answers, settle them and have bad days`() async throws {
        let store = try store("one")
        var random = RandomEntries(seed: 1)
        let entries = try await random.apply(400, to: store)
        #expect(
            entries.contains { if case .answer(let answer) = $0, case .second = answer.asking { true } else { false } })
        let reasons = try await store.read {
            try Set(String.fetchAll($0, sql: "SELECT DISTINCT reason FROM check_log WHERE outcome = 'suspect'"))
        }
        #expect(reasons.isSuperset(of: ["collapsed", "bad-day"]))
        #expect(try await store.read { try Int.fetchOne($0, sql: "SELECT max(bad_day) FROM pass") } == 1)
    }

    private struct Injected: Error {}

    @Test(arguments: [1, 5, 7, 9] as [UInt64], [false, true])
    func `an entry that fails at any write leaves nothing, and makes the same when it is applied again`(
        seed: UInt64, web: Bool
    )
        async throws
    {
        let (whole, broken) = (try store("whole\(seed)\(web)"), try store("broken\(seed)\(web)"))
        var random = RandomEntries(seed: seed, asksWeb: web)
        let entries = try await random.apply(70, to: whole)
        let left = Mutex(Int.max)
        try await broken.writeWithoutTransaction { database in
            let fail = DatabaseFunction("fail_or_not", argumentCount: 0) { _ in
                try left.withLock { left in
                    left -= 1
                    if left == 0 { throw Injected() }
                }
                return nil
            }
            database.add(function: fail)
            let tables = try String.fetchAll(
                database,
                sql: "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            for table in tables {
                for event in ["INSERT", "UPDATE", "DELETE"] {
                    try database.execute(
                        sql: """
                            CREATE TEMP TRIGGER fail_\(table)_\(event) BEFORE \(event) ON main.\(table)
                            BEGIN SELECT fail_or_not(); END
                            """)
                }
            }
        }
        var failures = 0
        for entry in entries {
            // Neither waits for what is yet to be derived: a plan begins the past of its pairs with what is there.
            switch entry {
            case .plan, .pruned: await broken.deriveNoted()
            case .answer, .pass, .lookup: break
            }
            var isApplied = false
            var count = 1
            while !isApplied {
                if case .pruned = entry {} else { left.withLock { $0 = count } }
                do {
                    _ = try await broken.apply(entry)
                    isApplied = true
                } catch is HistoryError {
                    failures += 1
                }
                // Every write near the beginning, and fewer of the many that a list makes.
                count += max(1, count / 4)
            }
            left.withLock { $0 = .max }
        }
        #expect(failures > 300)
        // What could not be derived behind an entry is derived behind the next.
        let pass = PassID(of: .itunes, number: PassID.stored.upperBound)
        let last = Entry.pass(.began(pass, at: start + 400 * 86_400, due: 0))
        for store in [whole, broken] {
            _ = try await store.apply(last)
            try await store.fillIn()
        }
        // How far back the first places tell of changes is whatever was at hand when they were last worked out.
        func rows(_ store: HistoryStore) async throws -> Set<String> {
            Set(try await store.dump().filter { !$0.hasPrefix("query_top ") })
        }
        let difference = try await rows(whole).symmetricDifference(rows(broken)).sorted()
        #expect(difference == [])
    }

    @Test func `answers to independent questions in another order tell the same`() async throws {
        let (one, other) = (try store("one"), try store("other"))
        let queries = (0..<6).map { query("q\($0)") }
        let plan = Entry.plan(watchlist(queries.map { ($0, ["com.app1", "com.app2"]) }), at: start)
        var dice = SplitMix(seed: 3)
        for store in [one, other] { _ = try await store.apply(plan) }
        for round in 0..<12 as Range<Int64> {
            let at = start + round * 21_600
            let answers = queries.map { query in
                let apps = (1...20).map { Int64($0) }.shuffled(using: &dice).prefix(round % 5 == 4 ? 3 : 20)
                let places = apps.map { app in
                    SeenApp(id: AppID(app), bundleID: bundle("com.app\(app)"), fingerprint: UInt64(round / 3)) {
                        AppDetails(name: "App \(app)", version: "1.\(round / 3)")
                    }
                }
                return Entry.answer(
                    SearchAnswer(to: query, at: at, clock: at + 9, reply: .list(ResultList(places: places))))
            }
            for answer in answers { _ = try await one.apply(answer) }
            for answer in answers.shuffled(using: &dice) { _ = try await other.apply(answer) }
        }
        let standings = try [one, other].map { try HistoryReader(path: $0.path).standings().map { "\($0)" } }
        #expect(standings[0] == standings[1])
        func history(_ store: HistoryStore) async throws -> [String] {
            try await store.read {
                try Row.fetchAll($0, sql: "SELECT * FROM position_history ORDER BY at, query, bundle_id").map(\.text)
            }
        }
        #expect(try await history(one) == (try await history(other)))
    }
}

/// The same for the same texts in any process.
private func digest(_ texts: [String]) -> UInt64 {
    texts.joined(separator: "\n").utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
