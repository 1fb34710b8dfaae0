import AppStore
import Foundation
import History
import RankKit
import Synchronization
import TestSupport
import Testing
import Tracking

/// What a list is measured by, where checks were not recorded in the order of their times.
@Suite struct BeliefOrderTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let store = FakeStore()
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func places(_ length: Int) -> ResultList { list((0..<length).map { "com.x\($0)" }) }

    private func record(
        _ outcome: Check.Outcome, at moment: Timestamp, restartsBaseline: Bool = false, in history: HistoryStore? = nil
    ) async throws {
        try await (history ?? self.history).record(
            Check(query: timer, at: moment, outcome: outcome), restartsBaseline: restartsBaseline)
    }

    private func adopt(in history: HistoryStore? = nil) async throws {
        try await (history ?? self.history).adopt(watchlist([(timer, ["com.x1"])]), now: start)
    }

    /// What becomes of an answer at `moment`: the state of the pair.
    private func state(after answer: ResultList, at moment: Timestamp) async throws -> Outcome.State {
        store.announce(timer, .answered(answer))
        let pass = TrackingPass(
            lane: store.store.searches(perMinute: 15, clock: InstantClock(), now: { moment }), history: history,
            parallelism: 1)
        _ = try await pass.run(watchlist([(timer, ["com.x1"])]).scheduledQueries)
        return try HistoryReader(path: history.path).standings()[0].outcome.state
    }

    /// Brings what `fill` records in another history into this one.
    private func bring(_ fill: (HistoryStore) async throws -> Void) async throws {
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        try await adopt(in: other)
        try await fill(other)
        let text = Mutex<[UInt8]>([])
        _ = try await HistoryReader(path: other.path).export(since: nil, now: start) { _, _ in
        } write: { bytes in
            text.withLock { $0 += bytes }
        }
        let file = try folder.write(String(decoding: text.withLock { $0 }, as: UTF8.self), to: "history.ndjson")
        _ = try await history.importExport(try ExportFile(file)) { _, _ in }
    }

    @Test func `suspects of an older history that is imported say nothing about today`() async throws {
        try await adopt()
        for number in 0..<12 as Range<Int64> { try await record(.answered(places(20)), at: start + number * 3_600) }
        try await bring { other in
            for days in [180, 177] as [Int64] {
                try await record(.suspect(places(0), .collapsed), at: start - days * 86_400, in: other)
            }
        }
        #expect(try await state(after: places(0), at: start + 13 * 3_600) == .suspect)
    }

    @Test func `checks of a clock that was ahead do not stay the newest when it is right again`() async throws {
        try await adopt()
        let ahead = start + 400 * 86_400
        for number in 0..<10 as Range<Int64> { try await record(.answered(places(20)), at: ahead + number * 3_600) }
        for day in 1...3 as ClosedRange<Int64> {
            let noon = start + day * 86_400
            #expect(try await state(after: places(20), at: noon - 43_200) == .ranked)
            #expect(try await state(after: places(0), at: noon) == .suspect)
        }
    }

    @Test func `what was recorded since the clock is right is the measure, and not what it dated ahead`() async throws {
        try await adopt()
        for number in 0..<10 as Range<Int64> {
            try await record(.answered(places(200)), at: start + 400 * 86_400 + number)
        }
        for number in 0..<3 as Range<Int64> { try await record(.answered(places(20)), at: start + number * 3_600) }
        #expect(try await history.belief(about: timer, at: start + 14_400).goodLengths == [20, 20, 20])
    }

    @Test func `with a clock that is behind lists are measured by those there are`() async throws {
        try await adopt()
        for number in 0..<10 as Range<Int64> { try await record(.answered(places(20)), at: start + number * 3_600) }
        #expect(try await state(after: places(0), at: start - 1_000 * 86_400) == .suspect)
    }

    @Test func `what is imported from before a belief does not bring the old measure back`() async throws {
        try await adopt()
        try await record(.answered(places(3)), at: start, restartsBaseline: true)
        try await bring { other in
            for number in 1...5 as ClosedRange<Int64> {
                try await record(.answered(places(20)), at: start - number * 86_400, in: other)
            }
        }
        #expect(try await history.belief(about: timer, at: start + 3_600) == Belief(goodLengths: [3], answers: 3))
        #expect(try await state(after: places(2), at: start + 3_600) == .ranked)
    }
}
