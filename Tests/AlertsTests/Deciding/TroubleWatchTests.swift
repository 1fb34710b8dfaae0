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

    private func trouble(_ matters: Set<ServiceTrouble.Matter>) -> ServiceTrouble {
        ServiceTrouble(of: matters)
    }

    @Test mutating func `trouble is found once it has been there for ten minutes`() async throws {
        let trouble = try await trouble()
        #expect(watch.look(trouble, now: noon) == nil)
        #expect(watch.look(trouble, now: noon + 599) == nil)
        let found = watch.look(trouble, now: noon + 600)
        let finding = try #require(found)
        #expect(finding.trouble == trouble && finding.lasting == [.watchlist])
    }

    @Test mutating func `another matter is found beside a standing one once it has been there for ten minutes`() {
        for minute in 0...60 as ClosedRange<Int64> { _ = watch.look(trouble([.backup]), now: noon + minute * 60) }
        let both = trouble([.backup, .asking])
        #expect(watch.look(both, now: noon + 3_660)?.lasting == [.backup])
        #expect(watch.look(both, now: noon + 4_259)?.lasting == [.backup])
        #expect(watch.look(both, now: noon + 4_260)?.lasting == [.backup, .asking])
    }

    @Test mutating func `a matter that comes and goes beside a standing one is never found`() {
        for minute in 0..<120 as Range<Int64> {
            let finding = watch.look(
                trouble(minute.isMultiple(of: 9) ? [.backup] : [.backup, .asking]), now: noon + minute * 60)
            #expect(finding.map { $0.lasting == [.backup] } ?? true)
        }
    }

    @Test mutating func `what was wrong within the hour is fading, and then no more`() {
        let both = trouble([.backup, .asking])
        _ = watch.look(both, now: noon)
        #expect(watch.look(both, now: noon + 3_600)?.fading == [])
        #expect(watch.look(trouble([.backup]), now: noon + 3_900)?.fading == [.asking])
        #expect(watch.look(trouble([.backup]), now: noon + 7_499)?.fading == [.asking])
        #expect(watch.look(trouble([.backup]), now: noon + 7_500)?.fading == [])
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

extension ServiceTrouble {
    /// Trouble with a reason a matter.
    init(of matters: Set<Matter>) {
        self.init(
            isDown: matters.contains(.down),
            reasons: matters.subtracting([.down]).sorted { $0.rawValue < $1.rawValue }.map {
                Reason(matter: $0, text: "no \($0)")
            })
    }
}
