import Synchronization
import Testing

@testable import Web

@Suite struct LiveHubTests {
    private final class File: Sendable {
        private let look = Mutex(LiveHub.Look(version: "1", progress: nil))
        var now: LiveHub.Look { look.withLock { $0 } }
        func become(_ version: String, _ progress: LiveHub.Progress? = nil) {
            look.withLock { $0 = LiveHub.Look(version: version, progress: progress) }
        }
    }

    private let file = File()

    private func hub() -> LiveHub {
        let file = file
        return LiveHub { file.now }
    }

    @Test func `a page is told how it is, and then what changes`() async throws {
        let hub = hub()
        var events = try #require(await hub.listen()).makeAsyncIterator()
        let start = ContinuousClock.now
        await hub.turn(at: start)
        #expect(await events.next() == .changed("1"))
        await hub.turn(at: start + .seconds(1))
        file.become("2", LiveHub.Progress(done: 1, due: 10, secondsLeft: 36))
        await hub.turn(at: start + .seconds(6))
        #expect(await events.next() == .changed("2"))
        #expect(await events.next() == .progress(LiveHub.Progress(done: 1, due: 10, secondsLeft: 36)))
    }

    @Test func `in a pass the progress is told at once, and changes at most every five seconds`() async throws {
        let hub = hub()
        var events = try #require(await hub.listen()).makeAsyncIterator()
        let start = ContinuousClock.now
        await hub.turn(at: start)
        file.become("2")
        await hub.turn(at: start + .seconds(6))
        file.become("3", LiveHub.Progress(done: 2, due: 10))
        await hub.turn(at: start + .seconds(7))
        file.become("4", nil)
        await hub.turn(at: start + .seconds(8))
        await hub.turn(at: start + .seconds(12))
        var told: [LiveHub.Event?] = []
        for _ in 0..<4 { told.append(await events.next()) }
        #expect(told == [.changed("2"), .progress(LiveHub.Progress(done: 2, due: 10)), .progress(nil), .changed("4")])
    }

    @Test func `a page that comes later is told at once how it is`() async throws {
        let hub = hub()
        let first = try #require(await hub.listen())
        await hub.turn()
        var events = try #require(await hub.listen()).makeAsyncIterator()
        #expect(await events.next() == .changed("1"))
        withExtendedLifetime(first) {}
    }

    @Test func `what pages are told is as browsers read it`() {
        #expect(EventStream.text(of: .changed("a-1")) == "event: changed\nid: a-1\ndata: {\"version\":\"a-1\"}\n\n")
        #expect(
            EventStream.text(of: .progress(LiveHub.Progress(done: 42, due: 100, secondsLeft: nil)))
                == "event: progress\ndata: {\"done\":42,\"due\":100,\"secondsLeft\":null}\n\n")
        #expect(EventStream.text(of: nil) == ":\n\n")
    }
}
