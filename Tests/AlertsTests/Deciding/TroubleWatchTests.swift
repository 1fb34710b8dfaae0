import History
import RankKit
import Reports
import TestSupport
import Testing

@testable import Alerts

@Suite struct TroubleWatchTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private var watch = TroubleWatch()

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// What a history says whose watchlist was refused.
    private func trouble() async throws -> ServiceTrouble {
        try await store.adopt(watchlist([(query("timer"), ["com.me"])]), now: noon)
        try await store.noteRefusal("it is invalid", at: noon)
        return try #require(try ServiceTrouble(from: HistoryReader(path: store.path), now: noon))
    }

    @Test mutating func `trouble is found once it has been there for ten minutes`() async throws {
        let trouble = try await trouble()
        #expect(watch.look(trouble, now: noon) == nil)
        #expect(watch.look(trouble, now: noon + 599) == nil)
        #expect(watch.look(trouble, now: noon + 600) == TroubleWatch.Finding(trouble: trouble))
    }

    @Test mutating func `what comes and goes within minutes is never found`() async throws {
        let trouble = try await trouble()
        for minute in 0..<60 as Range<Int64> {
            let finding = watch.look(minute.isMultiple(of: 9) ? nil : trouble, now: noon + minute * 60)
            #expect(finding == nil)
        }
    }

    @Test mutating func `a clock that is set back begins the wait anew`() async throws {
        let trouble = try await trouble()
        #expect(watch.look(trouble, now: noon) == nil)
        #expect(watch.look(trouble, now: noon - 5_000) == nil)
        #expect(watch.look(trouble, now: noon - 4_401) == nil)
        #expect(watch.look(trouble, now: noon - 4_400) != nil)
    }
}
