import Dispatch
import NIOCore
import Synchronization
import Testing

@testable import Web

@Suite struct AnswerDeskTests {
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
        let desk = AnswerDesk()
        let (count, make) = counted()
        for _ in 0..<3 { _ = try await desk.answer(identity("a"), compressed: false, make: make) }
        #expect(count.value == 1)
        _ = try await desk.answer(identity("b"), compressed: false, make: make)
        #expect(count.value == 2)
    }

    @Test func `who asks at the same time waits for the one that is being made`() async throws {
        let desk = AnswerDesk(places: 1)
        let (count, make) = counted()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { _ = try await desk.answer(identity("a"), compressed: false, make: make) }
            }
            try await group.waitForAll()
        }
        #expect(count.value == 1)
    }

    @Test func `the one that nobody asked for longest gives way`() async throws {
        let desk = AnswerDesk(room: 40_000)
        let (count, make) = counted(4_000)
        for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            _ = try await desk.answer(identity(name), compressed: false, make: make)
            _ = try await desk.answer(identity("a"), compressed: false, make: make)
        }
        _ = try await desk.answer(identity("a"), compressed: false, make: make)
        #expect(count.value == 8)
        _ = try await desk.answer(identity("b"), compressed: false, make: make)
        #expect(count.value == 8 || count.value == 9)
        _ = try await desk.answer(identity("i"), compressed: false, make: make)
        _ = try await desk.answer(identity("j"), compressed: false, make: make)
        _ = try await desk.answer(identity("c"), compressed: false, make: make)
        #expect(count.value >= 11)
    }

    @Test func `of each question the newest answer alone is kept`() async throws {
        let desk = AnswerDesk()
        let (count, make) = counted()
        for version in ["1", "2", "2", "1"] {
            _ = try await desk.answer(identity("a", version: version), compressed: false, make: make)
        }
        #expect(count.value == 3)
        for moment in ["8:00", "8:01", "8:01"] {
            _ = try await desk.answer(identity("b", at: moment), compressed: false, make: make)
        }
        #expect(count.value == 5)
    }

    @Test func `one that waits to be made is made once for all, however the history changes meanwhile`() async throws {
        let desk = AnswerDesk(places: 1)
        let gate = Gate()
        let (count, make) = counted()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await desk.answer(identity("slow"), compressed: false) {
                    gate.wait()
                    return Answer(type: "text/plain", "a")
                }
            }
            await gate.reached()
            for version in 1...20 {
                group.addTask {
                    _ = try await desk.answer(identity("a", version: "\(version)"), compressed: false, make: make)
                }
            }
            while await desk.asked < 21 { await Task.yield() }
            gate.open()
            try await group.waitForAll()
        }
        #expect(count.value == 1)
    }

    @Test func `whoever asks once it is being made has a newer one made`() async throws {
        let desk = AnswerDesk(places: 2)
        let gate = Gate()
        let (count, make) = counted()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await desk.answer(identity("a", version: "1"), compressed: false) {
                    gate.wait()
                    return Answer(type: "text/plain", "old")
                }
            }
            await gate.reached()
            let newer = try await desk.answer(identity("a", version: "2"), compressed: false, make: make)
            #expect(newer.body.readableBytes == 10)
            gate.open()
            try await group.waitForAll()
        }
        #expect(count.value == 1)
    }

    @Test func `it counts what it made, and rests when nothing is being made`() async throws {
        let desk = AnswerDesk()
        #expect(await desk.isResting)
        let gate = Gate()
        async let answer = desk.answer(identity("a"), compressed: false) {
            gate.wait()
            return Answer(type: "text/plain", "a")
        }
        await gate.reached()
        #expect(await !desk.isResting)
        gate.open()
        _ = try await answer
        _ = try await desk.answer(identity("a"), compressed: false, make: counted().make)
        #expect(await desk.isResting)
        #expect(await desk.answersMade == 1)
    }

    /// Holds a thread until it is opened.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let isReached = Mutex(false)

        func wait() {
            isReached.withLock { $0 = true }
            semaphore.wait()
        }

        func reached() async { while !isReached.withLock({ $0 }) { await Task.yield() } }
        func open() { semaphore.signal() }
    }

    @Test func `what failed is not kept`() async throws {
        struct Broken: Error {}
        let desk = AnswerDesk()
        await #expect(throws: Broken.self) {
            try await desk.answer(identity("a"), compressed: false) { throw Broken() }
        }
        let (count, make) = counted()
        _ = try await desk.answer(identity("a"), compressed: false, make: make)
        #expect(count.value == 1)
    }

    @Test func `a long text comes compressed to those who take it`() async throws {
        let desk = AnswerDesk()
        let (_, make) = counted(5_000)
        let packed = try await desk.answer(identity("a"), compressed: true, make: make)
        #expect(packed.isCompressed && packed.body.readableBytes < 200)
        #expect(packed.body.getBytes(at: 0, length: 2) == [0x1F, 0x8B])
        let plain = try await desk.answer(identity("a"), compressed: false, make: make)
        #expect(!plain.isCompressed && plain.body.readableBytes == 5_000)
    }

    @Test(arguments: [("gzip, br", true), ("*", true), ("gzip;q=0", false), ("br", false), ("", false)])
    func `what takes gzip says so`(_ field: String, _ isAccepted: Bool) {
        #expect(Gzip.isAccepted(by: field) == isAccepted)
    }
}
