import Foundation
import GRDB
import RankKit
import TestSupport

@testable import History

/// Entries such as come of tracking: plans, passes of two sources with collapses, second askings and bad days, clocks that jump,
/// look-ups and prunes. Those that follow from what was applied are made by applying: the same seed gives the same
/// entries.
struct RandomEntries {
    private var dice: SplitMix
    private var now = time("2026-11-20T12:00:00Z")
    private var passes: [Source: Int64] = [:]
    private var queries: [Query] = []

    private static let words = (0..<14).map { query("q\($0)") } + [query("timer", "de"), query("timer", "us", .ipad)]
    private static let webWords = (0..<3).map {
        Query(text: "q\($0)", country: Country(code: "us")!, source: .web)
    }
    /// Whether some passes are of another source.
    private let asksWeb: Bool
    private static let apps = (1...30).map { Int64($0) }

    init(seed: UInt64, asksWeb: Bool = false) {
        dice = SplitMix(seed: seed)
        self.asksWeb = asksWeb
    }

    private mutating func roll(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &dice) == 0 }
    private mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &dice) }

    /// Applies at least `count` entries to `store`, and returns them in order.
    mutating func apply(_ count: Int, to store: HistoryStore) async throws -> [Entry] {
        var entries: [Entry] = []
        func apply(_ entry: Entry) async throws -> Applied {
            entries.append(entry)
            return try await store.apply(entry)
        }
        while entries.count < count {
            now = now + number(60...30_000)
            if roll(12) { now = now + [-86_400, 86_400, -40 * 86_400, 4_000, -4_000].randomElement(using: &dice)! }
            switch Int.random(in: 0..<16, using: &dice) {
            case _ where queries.isEmpty, 0:
                queries = (Self.words + (asksWeb ? Self.webWords : [])).filter { _ in !roll(6) }
                let plan = watchlist(
                    queries.map { ($0, ["com.app1", "com.app2", "com.new"].filter { _ in !roll(3) } + ["com.app3"]) })
                _ = try await apply(.plan(plan, at: now))
            case 1:
                let outcomes: [AppPresence.Outcome] = [.found, .empty, .failed]
                var answer = LookupAnswer(at: now)
                for name in ["com.app1", "com.new"] where !roll(3) {
                    answer.outcomes[StorefrontApp(bundle(name), in: Country(code: "us")!)] =
                        outcomes.randomElement(using: &dice)
                }
                _ = try await apply(.lookup(answer))
            case 2 where roll(3):
                _ = try await apply(
                    .pruned(PruneRequest(apps: roll(2) ? ["com.app2"] : [], queries: ["q3"], before: now - 86_400 * 3)))
            case 3:
                let query = queries.randomElement(using: &dice)!
                _ = try await apply(
                    .answer(SearchAnswer(to: query, at: now - 3, clock: now, reply: reply(collapsed: roll(5)))))
            default: try await pass(of: asksWeb && roll(4) ? .web : .itunes, apply)
            }
        }
        return entries
    }

    private mutating func pass(of source: Source, _ apply: (Entry) async throws -> Applied) async throws {
        let queries = queries.filter { $0.source == source }
        guard !queries.isEmpty else { return }
        passes[source, default: 0] += number(1...2)
        let pass = PassID(of: source, number: passes[source]!)
        let startedAt = now
        if !roll(3) { _ = try await apply(.pass(.began(pass, at: now, due: queries.count))) }
        let isBadDay = roll(4)
        var again: [Query] = []
        for query in queries {
            now = now + 4
            let answer = SearchAnswer(
                to: query, at: now, clock: now + 1, by: "fake", asking: .first(pass),
                requests: 1 + Int(now.secondsSinceEpoch % 3), reply: reply(collapsed: isBadDay ? roll(2) : roll(12)))
            again += try await apply(.answer(answer)).askAgain
        }
        // It is cut off.
        if roll(8) { return }
        for query in again {
            now = now + 4
            let reply: SearchAnswer.Reply = roll(8) ? .unasked : reply(collapsed: roll(2))
            _ = try await apply(
                .answer(
                    SearchAnswer(
                        to: query, at: now, clock: now + 1, by: "fake", asking: .second(pass),
                        requests: 1 + Int(now.secondsSinceEpoch % 2), reply: reply)))
        }
        let result = PassResult(startedAt: startedAt, finishedAt: now, due: queries.count, requests: queries.count)
        _ = try await apply(.pass(.ended(pass, at: now, roll(6) ? nil : result)))
    }

    private mutating func reply(collapsed: Bool) -> SearchAnswer.Reply {
        switch Int.random(in: 0..<24, using: &dice) {
        case 0: return .failed(Failure(.timedOut, "30 s"))
        case 1: return .turnedAway
        default: break
        }
        var apps = Self.apps.shuffled(using: &dice)
        if collapsed { apps = Array(apps.prefix(Int(number(0...4)))) }
        let day = now.day
        let isRenamed = roll(9)
        return .list(
            ResultList(
                places: apps.map { app in
                    let name = app == 4 && isRenamed ? "com.new" : "com.app\(app)"
                    let version = "1.\(day / 3 + app % 3)"
                    // One of an app that may have a number already, or get one later.
                    if app % 5 == 2, roll(5) { return SeenApp(id: nil, bundleID: bundle("com.app\(app + 20)")) }
                    return SeenApp(
                        id: AppID(app), bundleID: bundle(name), fingerprint: UInt64(bitPattern: day &* 1_000 &+ app)
                    ) { AppDetails(name: "App \(app)", version: version, rating: 4.5, ratingCount: 10 + day % 7) }
                }))
    }
}

extension HistoryStore {
    /// All tables but the one that counts this program's changes, row by row.
    func dump() async throws -> [String] {
        try await read { database in
            let tables = try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM sqlite_schema
                    WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'change' ORDER BY name
                    """)
            return try tables.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { row in
                    table + " "
                        + row.databaseValues.map { value in
                            if case .blob(let data) = value.storage { data.base64EncodedString() } else { "\(value)" }
                        }.joined(separator: " ")
                }.sorted()
            }
        }
    }
}
