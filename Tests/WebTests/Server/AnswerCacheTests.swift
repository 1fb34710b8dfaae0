import Dispatch
import History
import JudgingStage
import NIOCore
import Synchronization
import Testing

@testable import Web

@Suite struct AnswerCacheTests {
    private func counted(_ size: Int = 10) -> (count: Counter, make: @Sendable () throws -> Answer) {
        let counter = Counter()
        return (
            counter,
            {
                counter.add(); return Answer(type: "text/plain", String(repeating: "a", count: size))
            }
        )
    }

    private final class Counter: Sendable {
        private let made = Mutex(0)
        func add() { made.withLock { $0 += 1 } }
        var value: Int { made.withLock { $0 } }
    }

    private func identity(_ question: String, at moment: String = "", version: String = "1") -> AnswerIdentity {
        AnswerIdentity(question: question, moment: moment, version: version)
    }

    @Test func `an answer is made once, and kept`() async throws {
        let cache = AnswerCache()
        let (count, make) = counted()
        for _ in 0..<3 { _ = try await cache.answer(identity("a"), compressed: false, make: make) }
        #expect(count.value == 1)
        _ = try await cache.answer(identity("b"), compressed: false, make: make)
        #expect(count.value == 2)
    }

    @Test func `who asks at the same time waits for the one that is being made`() async throws {
        let cache = AnswerCache(places: 1)
        let (count, make) = counted()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { _ = try await cache.answer(identity("a"), compressed: false, make: make) }
            }
            try await group.waitForAll()
        }
        #expect(count.value == 1)
    }

    @Test func `the one that nobody asked for longest gives way`() async throws {
        let cache = AnswerCache(capacity: 40_000)
        let (count, make) = counted(4_000)
        for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            _ = try await cache.answer(identity(name), compressed: false, make: make)
            _ = try await cache.answer(identity("a"), compressed: false, make: make)
        }
        _ = try await cache.answer(identity("a"), compressed: false, make: make)
        #expect(count.value == 8)
        _ = try await cache.answer(identity("b"), compressed: false, make: make)
        #expect(count.value == 8 || count.value == 9)
        _ = try await cache.answer(identity("i"), compressed: false, make: make)
        _ = try await cache.answer(identity("j"), compressed: false, make: make)
        _ = try await cache.answer(identity("c"), compressed: false, make: make)
        #expect(count.value >= 11)
    }

    @Test func `of each question the newest answer alone is kept`() async throws {
        let cache = AnswerCache()
        let (count, make) = counted()
        for version in ["1", "2", "2", "1"] {
            _ = try await cache.answer(identity("a", version: version), compressed: false, make: make)
        }
        #expect(count.value == 3)
        for moment in ["8:00", "8:01", "8:01"] {
            _ = try await cache.answer(identity("b", at: moment), compressed: false, make: make)
        }
        #expect(count.value == 5)
    }

    @Test func `one that waits to be made is made once for all, however the history changes meanwhile`() async throws {
        let cache = AnswerCache(places: 1)
        let gate = Gate()
        let (count, make) = counted()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await cache.answer(identity("slow"), compressed: false) {
                    gate.wait()
                    return Answer(type: "text/plain", "a")
                }
            }
            await gate.reached()
            for version in 1...20 {
                group.addTask {
                    _ = try await cache.answer(identity("a", version: "\(version)"), compressed: false, make: make)
                }
            }
            while await cache.asked < 21 { await Task.yield() }
            gate.open()
            try await group.waitForAll()
        }
        #expect(count.value == 1)
    }

    @Test func `whoever asks once it is being made has a newer one made`() async throws {
        let cache = AnswerCache(places: 2)
        let gate = Gate()
        let (count, make) = counted()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await cache.answer(identity("a", version: "1"), compressed: false) {
                    gate.wait()
                    return Answer(type: "text/plain", "old")
                }
            }
            await gate.reached()
            let newer = try await cache.answer(
                identity("a", version: "2"), compressed: false, for: Client(name: "another", isKnown: true), make: make)
            #expect(newer.body.readableBytes == 10)
            gate.open()
            try await group.waitForAll()
        }
        #expect(count.value == 1)
    }

    @Test func `it counts what it made, and rests when nothing is being made`() async throws {
        let cache = AnswerCache()
        #expect(await cache.isResting)
        let gate = Gate()
        async let answer = cache.answer(identity("a"), compressed: false) {
            gate.wait()
            return Answer(type: "text/plain", "a")
        }
        await gate.reached()
        #expect(await !cache.isResting)
        gate.open()
        _ = try await answer
        _ = try await cache.answer(identity("a"), compressed: false, make: counted().make)
        #expect(await cache.isResting)
        #expect(await cache.answersMade == 1)
    }

    /// Holds a thread until it is opened.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let isReached = Mutex(false)
        private let opened = Mutex(false)

        func wait() {
            isReached.withLock { $0 = true }
            semaphore.wait()
        }

        func reached() async { while !isReached.withLock({ $0 }) { await Task.yield() } }
        var isOpen: Bool { opened.withLock { $0 } }

        func open() {
            opened.withLock { $0 = true }
            semaphore.signal()
        }
    }

    // MARK: Whose turn it is

    /// A cache with one place, which is taken until the gate opens.
    private func busyCache(
        _ gate: Gate, _ body: (AnswerCache, inout ThrowingTaskGroup<Void, any Error>) async throws -> Void
    )
        async throws
    {
        let cache = AnswerCache(places: 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await cache.answer(
                    identity("slow"), compressed: false, for: Client(name: "slow", isKnown: true)
                ) {
                    gate.wait()
                    return Answer(type: "text/plain", "a")
                }
            }
            await gate.reached()
            try await body(cache, &group)
            gate.open()
            try await group.waitForAll()
        }
    }

    private final class Order: Sendable {
        private let names = Mutex<[String]>([])
        func note(_ name: String) { names.withLock { $0.append(name) } }
        var all: [String] { names.withLock { $0 } }
    }

    /// Asks for an answer of its own, and returns when it waits to be made.
    private func ask(
        _ cache: AnswerCache, _ name: String, for client: Client, _ order: Order,
        _ group: inout ThrowingTaskGroup<Void, any Error>
    ) async {
        let before = await cache.asked
        group.addTask {
            _ = try await cache.answer(identity(name), compressed: false, for: client) {
                order.note(name)
                return Answer(type: "text/plain", name)
            }
        }
        while await cache.asked == before { await Task.yield() }
    }

    @Test func `clients take turns, however much one of them asks for`() async throws {
        let (gate, order) = (Gate(), Order())
        let (greedy, other, third) = (
            Client(name: "greedy", isKnown: true), Client(name: "other", isKnown: true),
            Client(name: "third", isKnown: true)
        )
        try await busyCache(gate) { cache, group in
            for number in 1...6 { await ask(cache, "greedy \(number)", for: greedy, order, &group) }
            for number in 1...2 { await ask(cache, "other \(number)", for: other, order, &group) }
            await ask(cache, "third 1", for: third, order, &group)
        }
        #expect(
            order.all == [
                "greedy 1", "other 1", "third 1", "greedy 2", "other 2", "greedy 3", "greedy 4", "greedy 5", "greedy 6",
            ])
    }

    @Test func `who has logged in comes before who has not`() async throws {
        let (gate, order) = (Gate(), Order())
        try await busyCache(gate) { cache, group in
            for number in 1...3 {
                await ask(cache, "link \(number)", for: Client(name: "link \(number)", isKnown: false), order, &group)
            }
            await ask(cache, "owner", for: Client(name: "owner", isKnown: true), order, &group)
        }
        #expect(order.all == ["owner", "link 1", "link 2", "link 3"])
    }

    @Test func `one client has one answer in the making, whatever places are free`() async throws {
        let cache = AnswerCache(places: 2)
        let (gate, order) = (Gate(), Order())
        let (one, other) = (Client(name: "one", isKnown: true), Client(name: "other", isKnown: true))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await cache.answer(identity("slow"), compressed: false, for: one) {
                    gate.wait()
                    return Answer(type: "text/plain", "a")
                }
            }
            await gate.reached()
            await ask(cache, "one more", for: one, order, &group)
            _ = try await cache.answer(identity("beside"), compressed: false, for: other) {
                Answer(type: "text/plain", "b")
            }
            let waiting = await cache.queueLength
            #expect(order.all.isEmpty && waiting == 1)
            gate.open()
            try await group.waitForAll()
        }
        #expect(order.all == ["one more"])
    }

    @Test func `who waits for as many answers as one client may is refused, and others are not`() async throws {
        let (gate, order) = (Gate(), Order())
        let greedy = Client(name: "greedy", isKnown: true)
        try await busyCache(gate) { cache, group in
            for number in 0..<AnswerCache.mostOfOne { await ask(cache, "\(number)", for: greedy, order, &group) }
            await #expect(throws: Refusal.self) {
                try await cache.answer(identity("more"), compressed: false, for: greedy) {
                    Answer(type: "text/plain", "more")
                }
            }
            await ask(cache, "other", for: Client(name: "other", isKnown: true), order, &group)
        }
        #expect(order.all.count == AnswerCache.mostOfOne + 1 && order.all.contains("other"))
    }

    @Test func `where the queue is full the newest without a log-in makes room for who has one`() async throws {
        let (gate, order, refused) = (Gate(), Order(), Order())
        try await busyCache(gate) { cache, group in
            for number in 0..<AnswerCache.mostQueued {
                let before = await cache.asked
                group.addTask {
                    do {
                        _ = try await cache.answer(
                            identity("link \(number)"), compressed: false,
                            for: Client(name: "link \(number)", isKnown: false)
                        ) { Answer(type: "text/plain", "a") }
                    } catch is Refusal { refused.note("link \(number)") }
                }
                while await cache.asked == before { await Task.yield() }
            }
            await #expect(throws: Refusal.self) {
                try await cache.answer(identity("new"), compressed: false, for: Client(name: "new", isKnown: false)) {
                    Answer(type: "text/plain", "a")
                }
            }
            await ask(cache, "owner", for: Client(name: "owner", isKnown: true), order, &group)
        }
        #expect(order.all == ["owner"] && refused.all == ["link \(AnswerCache.mostQueued - 1)"])
    }

    @Test func `an answer whose time is up is refused, and others go on`() async throws {
        let (gate, time, begun) = (Gate(), Gate(), Gate())
        // The time of the first answer alone is up. It may begin to be taken only after that.
        let cache = AnswerCache(places: 1) {
            guard !begun.isOpen else { return try await Task.sleep(for: .seconds(3_600)) }
            begun.open()
            while !time.isOpen { await Task.yield() }
        }
        let slow = Task {
            try await cache.answer(identity("slow"), compressed: false) {
                gate.wait()
                return Answer(type: "text/plain", "a")
            }
        }
        await gate.reached()
        time.open()
        await #expect(throws: Refusal.self) { try await slow.value }
        // It is at an end by itself where it reads nothing.
        gate.open()
        let (count, make) = counted()
        for _ in 0..<2 { _ = try await cache.answer(identity("slow"), compressed: false, make: make) }
        #expect(count.value == 1)
    }

    // MARK: What nobody waits for

    @Test func `what nobody waits for any more is not made, and its asker is let go at once`() async throws {
        let (gate, order) = (Gate(), Order())
        try await busyCache(gate) { cache, group in
            let gone = Task {
                try await cache.answer(identity("gone"), compressed: false, for: Client(name: "gone", isKnown: true)) {
                    order.note("gone")
                    return Answer(type: "text/plain", "a")
                }
            }
            while await cache.queueLength == 0 { await Task.yield() }
            gone.cancel()
            await #expect(throws: CancellationError.self) { try await gone.value }
            #expect(await cache.queueLength == 0)
        }
        #expect(order.all.isEmpty)
    }

    @Test func `one of two who wait may go, and the other has its answer`() async throws {
        let (gate, order) = (Gate(), Order())
        try await busyCache(gate) { cache, group in
            await ask(cache, "a", for: Client(name: "stays", isKnown: true), order, &group)
            let before = await cache.asked
            let gone = Task {
                try await cache.answer(identity("a"), compressed: false, for: Client(name: "goes", isKnown: true)) {
                    Answer(type: "text/plain", "a")
                }
            }
            while await cache.asked == before { await Task.yield() }
            gone.cancel()
            await #expect(throws: CancellationError.self) { try await gone.value }
        }
        #expect(order.all == ["a"])
    }

    @Test func `one that is being made is broken off where the last who waits goes, at its next look at the history`()
        async throws
    {
        let clients = try await TwoClients()
        let reader = try HistoryReader(path: clients.store.path).snapshot()
        let cache = AnswerCache(places: 1)
        let (gate, order) = (Gate(), Order())
        let gone = Task {
            try await cache.answer(identity("gone"), compressed: false, for: Client(name: "gone", isKnown: true)) {
                gate.wait()
                _ = try reader.tags()
                order.note("read")
                return Answer(type: "text/plain", "a")
            }
        }
        await gate.reached()
        gone.cancel()
        await #expect(throws: CancellationError.self) { try await gone.value }
        gate.open()
        while await !cache.isResting { await Task.yield() }
        #expect(order.all.isEmpty)
        // Nothing of it is kept, and the snapshot answers whoever asks next.
        let (count, make) = counted()
        _ = try await cache.answer(identity("gone"), compressed: false, make: make)
        #expect(try count.value == 1 && !reader.tags().isEmpty)
    }

    @Test func `what failed is not kept`() async throws {
        struct Broken: Error {}
        let cache = AnswerCache()
        await #expect(throws: Broken.self) {
            try await cache.answer(identity("a"), compressed: false) { throw Broken() }
        }
        let (count, make) = counted()
        _ = try await cache.answer(identity("a"), compressed: false, make: make)
        #expect(count.value == 1)
    }

    @Test func `a long text comes compressed to those who take it`() async throws {
        let cache = AnswerCache()
        let (_, make) = counted(5_000)
        let packed = try await cache.answer(identity("a"), compressed: true, make: make)
        #expect(packed.isCompressed && packed.body.readableBytes < 200)
        #expect(packed.body.getBytes(at: 0, length: 2) == [0x1F, 0x8B])
        let plain = try await cache.answer(identity("a"), compressed: false, make: make)
        #expect(!plain.isCompressed && plain.body.readableBytes == 5_000)
    }

    @Test(arguments: [("gzip, br", true), ("*", true), ("gzip;q=0", false), ("br", false), ("", false)])
    func `what takes gzip says so`(_ field: String, _ isAccepted: Bool) {
        #expect(Gzip.isAccepted(by: field) == isAccepted)
    }
}

extension AnswerCache {
    /// For the one client of a test that is not about several.
    fileprivate func answer(
        _ identity: AnswerIdentity, compressed: Bool, make: @escaping @Sendable () throws -> Answer
    ) async throws -> Made {
        try await answer(identity, compressed: compressed, for: Client(name: "one", isKnown: true), make: make)
    }
}
