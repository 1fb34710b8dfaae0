import AppStore
import AppStoreSimulator
import RankKit
import TestSupport
import Testing

/// A try has 30 seconds from connecting to the last byte, by a clock that these tests move.
@Suite(.timeLimit(.minutes(30))) struct HTTPDeadlineTests {
    @Test func `a head that does not come ends by the deadline`() async throws {
        let clock = ManualClock()
        let server = try await ListeningServer.start(answer: nil)
        try await asking(server.origin, clock: clock) { store async throws in
            async let reply = store.search(query("habits"))
            _ = await server.nextRequest()
            await clock.sleepers(1)
            clock.advance(by: .seconds(30))
            #expect(failure(try await reply)?.reason == .timedOut)
        }
        #expect(await server.nextEvent() == .closed)
        try await server.stop()
    }

    @Test func `the simulator's slow head ends by the deadline`() async throws {
        let clock = ManualClock()
        let theirs = ManualClock()
        try await asking(simulator([.slowHead], clock: theirs), clock: clock) { store async throws in
            async let reply = store.search(query("habits"))
            await theirs.sleepers(1)
            await clock.sleepers(1)
            clock.advance(by: .seconds(30))
            #expect(failure(try await reply)?.reason == .timedOut)
        }
    }

    @Test func `a body that trickles ends by the deadline, however many bytes came`() async throws {
        let clock = ManualClock()
        let theirs = ManualClock()
        try await asking(simulator([.slowBody], clock: theirs), clock: clock) { store async throws in
            async let reply = store.search(query("habits"))
            await clock.sleepers(1)
            for _ in 1...29 {
                await theirs.sleepers(1)
                theirs.advance(by: .seconds(1))
                clock.advance(by: .seconds(1))
            }
            await theirs.sleepers(1)
            #expect(clock.sleeping == 1, "the try was ended before its time")
            clock.advance(by: .seconds(1))
            #expect(failure(try await reply)?.reason == .timedOut)
        }
    }

    @Test func `an answer in time leaves nothing waiting`() async throws {
        let clock = ManualClock()
        try await asking(simulator(), clock: clock) { store async throws in
            #expect(try list(from: await store.search(query("habits"))).count > 0)
        }
        #expect(clock.sleeping == 0)
    }

    @Test func `cancelling a search closes its connection and throws`() async throws {
        let server = try await ListeningServer.start(answer: nil)
        try await asking(server.origin) { store async throws in
            let search = Task { try await store.search(query("habits")) }
            _ = await server.nextRequest()
            search.cancel()
            await #expect(throws: CancellationError.self) { try await search.value }
            #expect(await server.nextEvent() == .closed)
        }
        try await server.stop()
    }

    private func failure(_ reply: AppStore.Reply) -> Failure? {
        guard case .failed(let failure) = reply else { return nil }
        return failure
    }
}
