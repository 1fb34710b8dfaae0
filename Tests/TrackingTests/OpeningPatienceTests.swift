import History
import RankKit
import Synchronization
import TestSupport
import Testing
import Tracking

@Suite struct OpeningPatienceTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("history.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test func `a history that is locked at the start is opened when it no longer is`() async throws {
        try await HistoryStore(path: path).close()
        let other = try OtherWriter(path)
        try await other.lock()
        let waits = Mutex<[Duration]>([])
        let patience = OpeningPatience(clock: InstantClock()) { error, wait in
            #expect(error == .busy(path: path))
            waits.withLock { $0.append(wait) }
        }
        try await patience {
            if waits.withLock({ $0.count }) == 5 {
                try await other.letGo()
            }
            let history = try HistoryStore(path: path, busySeconds: 0.02)
            try await history.adopt(watchlist([(query("timer"), ["com.a"])]), now: time("2026-11-01T00:00:00Z"))
        }
        #expect(waits.withLock { $0 } == [10, 20, 40, 60, 60].map { .seconds($0) })
    }

    @Test func `what waiting would not mend is thrown at once`() async throws {
        let text = try folder.write("not a database, and long enough to be seen as none", to: "history.sqlite")
        let patience = OpeningPatience(clock: InstantClock()) { _, _ in Issue.record("waited") }
        await #expect(throws: HistoryError.self) { try await patience { _ = try HistoryStore(path: text) } }
    }
}
