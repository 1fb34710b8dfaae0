import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// Words in columns that no rankd writes: each is told with its place, and taken for nothing else.
@Suite struct StoredWordsTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        let outcomes: [Check.Outcome] = [
            .answered(list(["x", "com.a"])), .suspect(list([]), .collapsed), .failed(Failure(.timedOut, "30 s")),
        ]
        for (index, outcome) in outcomes.enumerated() {
            try await store.record(
                Check(query: query("timer"), at: start + Int64(index) * 3_600, outcome: outcome))
        }
    }

    private func spoil(_ statement: String) async throws {
        try await store.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try database.execute(sql: statement)
            try database.execute(sql: "PRAGMA ignore_check_constraints = OFF")
        }
    }

    private func error(_ what: String) -> HistoryError {
        .corrupt(path: store.path, what: what + " is no word that this rankd knows")
    }

    @Test func `each outcome comes with what it holds`() throws {
        let past = try HistoryReader(path: store.path).history(of: bundle("com.a"), on: query("timer"))
        let second = try #require(Position(2))
        #expect(
            past.checks.map(\.outcome) == [
                .ranked(second, of: 2), .suspect(.collapsed, of: 0), .failed(.check(.timedOut)),
            ])
    }

    @Test func `every outcome of a check is read as it was written`() throws {
        let outcomes: [CheckOutcome] =
            [.good(of: 0), .good(of: 7, isWhole: false)] + Suspicion.allCases.map { .suspect($0, of: 3) }
            + Failure.Reason.allCases.map { .failed($0) }
        for outcome in outcomes {
            let words = outcome.columns
            #expect(
                try CheckOutcome(outcome: words.outcome, within: words.within, reason: words.reason) == outcome)
        }
    }

    @Test func `each standing comes with why it says nothing`() async throws {
        let reader = try HistoryReader(path: store.path)
        for (words, outcome) in [
            ("'failed', reason = 'timed-out'", .failed(.check(.timedOut))),
            ("'failed', reason = 'unreadable-places'", .failed(.unreadPlaces)),
            ("'suspect', reason = 'bad-day'", .suspect(.badDay)),
            ("'ranked', reason = NULL", .ranked(try #require(Position(2)), of: 2)),
        ] as [(String, Outcome)] {
            try await spoil("UPDATE standing SET state = \(words)")
            #expect(try reader.standings().map(\.outcome) == [outcome])
        }
    }

    @Test func `an unknown state of a pair is an error with its place, not a pair that waits`() async throws {
        try await spoil("UPDATE standing SET state = 'perhaps'")
        let reader = try HistoryReader(path: store.path)
        #expect(throws: error("standing 1: state “perhaps”")) { try reader.standings() }
    }

    @Test func `a pair that is told to be ranked, with no place, is an error`() async throws {
        try await spoil("UPDATE standing SET state = 'ranked', position = NULL")
        let reader = try HistoryReader(path: store.path)
        #expect(throws: error("standing 1: state “ranked”")) { try reader.standings() }
    }

    @Test func `an unknown reason of a failure is an error with its place`() async throws {
        try await spoil("UPDATE check_log SET reason = 'tired' WHERE outcome = 'failed'")
        let reader = try HistoryReader(path: store.path)
        let told = error("check_log 3: reason “tired”")
        #expect(throws: told) { try reader.history(of: bundle("com.a"), on: query("timer")) }
        #expect(throws: told) { try reader.newestCheck(of: query("timer"), at: start + 86_400) }
        #expect(throws: told) { try reader.serviceRecord(now: start + 86_400) }
        #expect(throws: told) { try reader.checks(in: .always) }
    }

    @Test func `an unknown reason of failures that are counted by day is an error with its query`() async throws {
        try await spoil("INSERT INTO failure_day (query, day, reason, failed) VALUES (1, 20000, 'tired', 2)")
        let reader = try HistoryReader(path: store.path)
        #expect(throws: error("failure_day of query 1: reason “tired”")) { try reader.checks(in: .always) }
    }

    @Test(arguments: ["good", "failed"])
    func `a reason that another outcome has is an unknown one`(_ outcome: String) async throws {
        let word = outcome == "good" ? "timed-out" : "unreadable-places"
        try await spoil("UPDATE check_log SET reason = '\(word)' WHERE outcome = '\(outcome)'")
        let check = outcome == "good" ? 1 : 3
        let told = error("check_log \(check): reason “\(word)”")
        let reader = try HistoryReader(path: store.path)
        #expect(throws: told) { try reader.history(of: bundle("com.z"), on: query("timer")) }
        let found = try await store.findings()
        #expect(found.contains { $0.contains("check_log \(check): reason “\(word)”") }, "\(found)")
    }

    @Test func `a reason that is missing is an error with its place`() async throws {
        try await spoil("UPDATE check_log SET reason = NULL WHERE outcome = 'failed'")
        let told = HistoryError.corrupt(path: store.path, what: "check_log 3: reason is missing")
        let reader = try HistoryReader(path: store.path)
        #expect(throws: told) { try reader.newestCheck(of: query("timer"), at: start + 86_400) }
    }

    @Test func `an unknown outcome of a check is an error with its place, and no failure`() async throws {
        try await spoil("UPDATE check_log SET outcome = 'perhaps' WHERE outcome = 'suspect'")
        let reader = try HistoryReader(path: store.path)
        #expect(throws: error("check_log 2: outcome “perhaps”")) {
            try reader.history(of: bundle("com.a"), on: query("timer"))
        }
        #expect(throws: error("check_log 2: outcome “perhaps”")) { try reader.checks(in: .always) }
        #expect(throws: error("check_log 2: outcome “perhaps”")) {
            try reader.countryDays(start.day...start.day)
        }
        let found = try await store.findings()
        #expect(found.contains { $0.contains("check_log 2: outcome “perhaps”") }, "\(found)")
    }

    @Test func `an import refuses words that this rankd does not know`() async throws {
        let text = try String(contentsOfFile: try await store.export(to: folder), encoding: .utf8)
        for (number, (word, other)) in [("timed-out", "tired"), ("collapsed", "odd"), ("suspect", "perhaps")]
            .enumerated()
        {
            let spoilt = try folder.write(
                text.replacing("\"\(word)\"", with: "\"\(other)\""), to: "spoilt\(number).ndjson")
            let store = try HistoryStore(path: folder.file("other\(number).sqlite"))
            do {
                _ = try await store.importExport(spoilt)
                Issue.record("imported \(other)")
            } catch let refusal as ImportRefusal {
                #expect(
                    refusal.problem.hasSuffix(" “\(other)” is no word that this rankd knows")
                        && refusal.line != nil, "\(refusal)")
            }
        }
    }
}
