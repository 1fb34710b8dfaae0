import Foundation
import GRDB
import TestSupport
import Testing

@testable import History

/// Whatever a history lives through, verifying it finds nothing.
///
/// `RANKD_LIVES` says how many lives are lived, `RANKD_LIFE` the seed of a single one that is told step by step.
@Suite struct LifeTests {
    private static let lives = ProcessInfo.processInfo.environment["RANKD_LIVES"].flatMap { UInt64($0) } ?? 48
    /// Lives that leave something to find whose cause is not mended yet, with what that is.
    private static let unsolved: [UInt64: String] = [
        4:
            "after a clock that was weeks behind, and an import, a pair has no reading of two lists that it was absent from",
        44: "an import dates the best places of some apps by another of two checks with the same place",
    ]
    /// Lives that one test lives one after the other.
    private static let group: UInt64 = 8

    @Test(arguments: stride(from: 0, to: lives, by: UInt64.Stride(group)).map(\.self))
    func `no life of a history leaves anything to find`(_ first: UInt64) async throws {
        for seed in first..<min(first + Self.group, Self.lives) {
            guard let why = Self.unsolved[seed] else {
                try await live(seed)
                continue
            }
            await withKnownIssue(Comment(rawValue: why)) { try await live(seed) }
        }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["RANKD_LIFE"] != nil))
    func `a single life leaves nothing to find`() async throws {
        let seed = try #require(ProcessInfo.processInfo.environment["RANKD_LIFE"].flatMap { UInt64($0) })
        try await live(seed, isToldApart: true)
    }

    private func live(_ seed: UInt64, isToldApart: Bool = false) async throws {
        let life = try await RandomLife(seed: seed)
        for step in 1...50 {
            try await life.step()
            guard isToldApart || step.isMultiple(of: 25) else { continue }
            let found = try await life.findings()
            guard found.isEmpty else {
                let past = isToldApart ? life.diary.joined(separator: "\n") : "RANKD_LIFE=\(seed) tells more"
                Issue.record("life \(seed), step \(step): \(found.prefix(5))\n\(past)")
                return
            }
        }
        try await life.settle()
        let found = try await life.findings()
        #expect(found == [], "life \(seed)\n\(isToldApart ? life.diary.joined(separator: "\n") : "")")
        try await life.goesOnTheSame(seed)
    }
}

extension RandomLife {
    /// Whether an export of it makes the same history.
    fileprivate func goesOnTheSame(_ seed: UInt64) async throws {
        let copy = try await copy()
        #expect(try await copy.findings() == [], "life \(seed), imported")
        let (own, imported) = (Set(try await store.derived()), Set(try await copy.derived()))
        let differences = own.subtracting(imported).sorted() + ["but:"] + imported.subtracting(own).sorted()
        #expect(differences == ["but:"], "life \(seed), imported")
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
