import Foundation
import GRDB
import History
import Logging
import RankKit
import TestSupport
import Testing

@testable import Tracking

@Suite(.timeLimit(.minutes(30))) struct FillingInTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    /// A history with a past that a new pair has not been given yet.
    init() async throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"), busySeconds: 0.02)
        try await history.adopt(watchlist([(query("timer"), ["com.a"])]), now: start - 86_400)
        try await history.record(
            Check(query: query("timer"), at: start - 86_400, outcome: .answered(whole(["com.a", "com.b"]))))
        try await history.adopt(watchlist([(query("timer"), ["com.a", "com.b"])]), now: start)
    }

    private var job: BackgroundJob {
        .fillingIn(BackFill(history: history), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func failed(_ body: (BackgroundJob) async throws -> Void) async throws {
        let job = self.job
        let other = try OtherWriter(history.path)
        try await other.lock()
        await job.start(now: start)
        await job.ended()
        try await other.letGo()
        try #require(try await !history.queriesToFill().isEmpty)
        try await body(job)
    }

    @Test func `what a lock kept from being filled in is filled in an hour later`() async throws {
        try await failed { job async throws in
            await job.startAgain(now: start + 3_599, hasPassed: false)
            await job.ended()
            #expect(try await !history.queriesToFill().isEmpty)
            await job.startAgain(now: start + 3_600, hasPassed: false)
            await job.ended()
            #expect(try await history.queriesToFill().isEmpty)
        }
    }

    @Test func `what a lock kept from being filled in is filled in once the history takes results again`() async throws
    {
        try await failed { job async throws in
            await job.startAgain(now: start + 60, hasPassed: true)
            await job.ended()
            #expect(try await history.queriesToFill().isEmpty)
            #expect(await job.ruin == nil)
        }
    }

    @Test func `lists that cannot be read are told, and keep nothing from being filled in or recorded`() async throws {
        let other = try DatabaseQueue(path: history.path)
        try await other.write { try $0.execute(sql: "UPDATE result_list SET places = x'0180'") }
        try other.close()
        let outcome = try await BackFill(history: history).run()
        let moment = start - 86_400
        #expect(outcome.damaged == [DamagedLists(query: query("timer"), from: moment, through: moment)])
        #expect(try await history.queriesToFill().isEmpty)
        try await history.adopt(watchlist([(query("timer"), ["com.a", "com.c"])]), now: start)
        let job = self.job
        await job.start(now: start)
        await job.ended()
        #expect(await job.ruin == nil)
        try await history.record(Check(query: query("timer"), at: start, outcome: .answered(whole(["com.c"]))))
    }

    @Test func `a history that was replaced meanwhile is found out`() async throws {
        let job = self.job
        try FileManager.default.removeItem(atPath: history.path)
        await job.start(now: start)
        await job.ended()
        guard case .replaced? = await job.ruin else {
            Issue.record("\(String(describing: await job.ruin))")
            return
        }
    }
}
