import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

/// What is told of beside an import.
@Suite struct ImportedPastTests {
    private let history: AlertHistory
    /// Where the import comes from.
    private let other: AlertHistory
    private let moves = settings([AlertRule(when: [.moved])])

    init() async throws {
        history = try AlertHistory()
        other = try AlertHistory()
        for one in [history, other] { try await one.adopt(daysAgo: 200) }
        try await history.store.adopt([OutboxChannel(name: "team", kind: "slack", settings: "1")])
    }

    /// Forty days of our own up to a week ago, and a first look.
    private func begin() async throws {
        try await history.fill(jitter, last: 7)
        try await look(daysAgo: 7)
    }

    @discardableResult private func look(daysAgo: Int64) async throws -> Int {
        try await history.look(moves, at: noon - daysAgo * day)?.messages.count ?? 0
    }

    private func bring() async throws {
        #expect(try await history.store.importExport(try await other.export()).checks > 0)
    }

    @Test func `a move of our own that the look after an import confirms is told`() async throws {
        try await begin()
        try await other.fill(jitter, last: 60)
        try await history.fill([12, 11], last: 5)
        try await bring()
        try await history.fill([12], last: 4)
        #expect(try await look(daysAgo: 4) == 1)
        #expect(try history.states() == [.due])
    }

    @Test func `one that was there before the import and is told by its looks alone is told too`() async throws {
        try await begin()
        try await other.fill(jitter, last: 60)
        try await history.fill([12, 11, 12], last: 4)
        try await bring()
        #expect(try await look(daysAgo: 4) == 1)
    }

    @Test func `a move that was imported is told by no look`() async throws {
        try await begin()
        try await other.fill([12, 11, 12], last: 4)
        try await bring()
        #expect(try await look(daysAgo: 4) == 0)
        try await history.fill([12, 12], last: 2)
        #expect(try await look(daysAgo: 2) == 0)
    }

    @Test func `a move that began in what was imported is not told by the check of our own that confirms it`()
        async throws
    {
        try await begin()
        try await other.fill([12, 11], last: 5)
        try await bring()
        #expect(try await look(daysAgo: 5) == 0)
        try await history.fill([12], last: 4)
        #expect(try await look(daysAgo: 4) == 0)
        #expect(try history.reader.outboxEvents(since: 0).map(\.state) == [.noted])
        // What begins later is news again.
        try await history.fill(Array(repeating: 12, count: 9) + [3, 2, 3], last: -8)
        for day in -2...8 as ClosedRange<Int64> { try await look(daysAgo: -day) }
        #expect(try history.states() == [.due])
    }

    @Test func `what our own checks showed before is not told in the light of an import`() async throws {
        try await history.fill([40, 41, 12, 11, 12], last: 4)
        try await history.look(moves, at: noon - 8 * day)
        #expect(try await look(daysAgo: 4) == 0)
        #expect(try history.reader.outboxEvents(since: 0).isEmpty)
        try await other.fill(jitter, last: 9)
        try await bring()
        try await history.fill([12], last: 3)
        #expect(try await look(daysAgo: 3) == 0)
        #expect(try history.reader.outboxEvents(since: 0).map(\.state) == [.noted])
    }

    @Test(arguments: [nil, 1_800] as [Int64?])
    func `a newcomer of yesterday is told after an import before its turn`(lookAfterMidnight: Int64?) async throws {
        let newcomers = settings([AlertRule(when: [.newcomer], top: 10)])
        func look(at moment: Timestamp) async throws -> Int? {
            try await history.look(newcomers, at: moment)?.messages.count
        }
        try await history.fill(jitter, last: 7)
        #expect(try await look(at: noon - 7 * day) == 0)
        try await history.fill([40, 40, 40], stranger: [5, 6, 5], last: 4)
        // Its third day is not over.
        #expect(try await look(at: noon - 4 * day) == 0)
        let midnight = Timestamp.startOfDay(noon.day - 3)
        if let lookAfterMidnight { #expect(try await look(at: midnight + lookAfterMidnight) == 0) }
        try await other.fill(jitter, last: 60)
        try await bring()
        #expect(try await look(at: midnight + 2 * hour) == 1)
        #expect(try await look(at: midnight + 8 * hour) == 0)
    }

    @Test func `a table of another tool tells nothing, and hides nothing of our own`() async throws {
        try await begin()
        let places = (4...47).map { $0 > 6 ? 40 : 12 }
        let rows = zip((4...) as PartialRangeFrom<Int64>, places).map { daysAgo, place in
            "\(CivilTime.date(noon - daysAgo * day)),timer,us,\(place),com.me"
        }
        let file = try history.folder.write(
            (["Date,Keyword,Country,Rank,Bundle ID"] + rows).joined(separator: "\n") + "\n", to: "ranks.csv")
        let result = try await history.store.importTable(
            file, options: ForeignTableOptions(name: "tool", within: 200), now: noon)
        #expect(result.positions == 44)
        #expect(try await look(daysAgo: 4) == 0)
        #expect(try history.reader.outboxEvents(since: 0).isEmpty)
        try await history.fill([12, 11, 12], last: 3)
        #expect(try await look(daysAgo: 3) == 1)
    }
}
