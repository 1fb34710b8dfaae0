import Foundation
import GRDB
import TestSupport
import Testing

@testable import History

/// Whatever a history lives through, verifying it finds nothing.
///
/// `RANKD_LIVES` says how many lives are lived, `RANKD_FIRST_LIFE` the seed of the first of them, and `RANKD_LIFE` the
/// seed of a single one that is told step by step.
@Suite struct LifeTests {
    private static let first = number("RANKD_FIRST_LIFE") ?? 0
    private static let end = first + (number("RANKD_LIVES") ?? 48)
    /// Lives that one test lives one after the other.
    private static let group: UInt64 = 8

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test(arguments: stride(from: first, to: end, by: UInt64.Stride(group)).map(\.self))
    func `no life of a history leaves anything to find`(_ first: UInt64) async throws {
        for seed in first..<min(first + Self.group, Self.end) { try await live(seed) }
    }

    @Test(arguments: [
        "the clock is -", "the clock is 1", "comes as com.new", "cleaned up", "pruned", "before: Optional(",
        "imported what it exported itself", "goes on as a new one", "imported another", "imported a table",
        "looked up ", "goes on as the copy",
    ])
    func `lives have clocks ahead and behind, transfers, clean-ups, prunes and imports of each kind`(
        _ event: String
    ) async throws {
        for seed in 0..<Self.group * 4 {
            let life = try await RandomLife(seed: seed)
            for _ in 1...50 { try await life.step() }
            if life.diary.contains(where: { $0.contains(event) }) { return }
        }
        Issue.record("no life has: \(event)")
    }

    @Test(.enabled(if: number("RANKD_LIFE") != nil)) func `a single life leaves nothing to find`() async throws {
        let seed = try #require(Self.number("RANKD_LIFE"))
        try await live(seed, isToldApart: true)
    }

    private func live(_ seed: UInt64, isToldApart: Bool = false) async throws {
        let life = try await RandomLife(seed: seed)
        for step in 1...50 {
            func past() -> String {
                isToldApart ? life.diary.joined(separator: "\n") : "RANKD_LIFE=\(seed) tells more"
            }
            do { try await life.step() } catch {
                Issue.record("life \(seed), step \(step): \(error)\n\(past())")
                return
            }
            guard isToldApart || step.isMultiple(of: 25) else { continue }
            let found = try await life.findings()
            guard found.isEmpty else {
                Issue.record("life \(seed), step \(step): \(found.prefix(5))\n\(past())")
                return
            }
        }
        try await life.settle()
        let found = try await life.findings()
        #expect(found == [], "life \(seed)\n\(isToldApart ? life.diary.joined(separator: "\n") : "")")
        try await life.goesOnTheSame(seed, isToldApart: isToldApart)
    }
}

extension RandomLife {
    /// Whether an export of it makes the same history.
    fileprivate func goesOnTheSame(_ seed: UInt64, isToldApart: Bool) async throws {
        let told = isToldApart ? diary.joined(separator: "\n") : ""
        let copy = try await copy()
        let found = try await copy.findings()
        #expect(found == [], "life \(seed), imported\n\(told)")
        let (own, imported) = (Set(try await store.derived()), Set(try await copy.derived()))
        let differences = own.subtracting(imported).sorted() + ["but:"] + imported.subtracting(own).sorted()
        #expect(differences == ["but:"], "life \(seed), imported\n\(told)")
    }
}

extension HistoryStore {
    /// What is derived from checks: where tracked pairs stand, the newest checks, and the best places of apps.
    fileprivate func derived() async throws -> [String] {
        try await read { database in
            try [
                """
                SELECT standing.pair, state, checked_at, reason, good_at, position, within
                FROM standing JOIN pair ON pair.id = standing.pair
                WHERE pair.retired_at IS NULL ORDER BY pair
                """,
                "SELECT 'app', query, app, best, best_at FROM query_app ORDER BY query, app",
                "SELECT 'newest', id, newest_check FROM query ORDER BY id",
            ].flatMap { try Row.fetchAll(database, sql: $0).map(\.text) }
        }
    }
}
