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

    @Test func `an answer is made once, and kept`() async throws {
        let desk = AnswerDesk()
        let (count, make) = counted()
        for _ in 0..<3 { _ = try await desk.answer("a", compressed: false, make: make) }
        #expect(count.value == 1)
        _ = try await desk.answer("b", compressed: false, make: make)
        #expect(count.value == 2)
    }

    @Test func `who asks at the same time waits for the one that is being made`() async throws {
        let desk = AnswerDesk(places: 1)
        let (count, make) = counted()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await desk.answer("a", compressed: false, make: make) } }
            try await group.waitForAll()
        }
        #expect(count.value == 1)
    }

    @Test func `the one that nobody asked for longest gives way`() async throws {
        let desk = AnswerDesk(room: 40_000)
        let (count, make) = counted(4_000)
        for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            _ = try await desk.answer(name, compressed: false, make: make)
            _ = try await desk.answer("a", compressed: false, make: make)
        }
        _ = try await desk.answer("a", compressed: false, make: make)
        #expect(count.value == 8)
        _ = try await desk.answer("b", compressed: false, make: make)
        #expect(count.value == 8 || count.value == 9)
        _ = try await desk.answer("i", compressed: false, make: make)
        _ = try await desk.answer("j", compressed: false, make: make)
        _ = try await desk.answer("c", compressed: false, make: make)
        #expect(count.value >= 11)
    }

    @Test func `what failed is not kept`() async throws {
        struct Broken: Error {}
        let desk = AnswerDesk()
        await #expect(throws: Broken.self) { try await desk.answer("a", compressed: false) { throw Broken() } }
        let (count, make) = counted()
        _ = try await desk.answer("a", compressed: false, make: make)
        #expect(count.value == 1)
    }

    @Test func `a long text comes compressed to those who take it`() async throws {
        let desk = AnswerDesk()
        let (_, make) = counted(5_000)
        let packed = try await desk.answer("a", compressed: true, make: make)
        #expect(packed.isCompressed && packed.answer.body.count < 200)
        #expect(Array(packed.answer.body.prefix(2)) == [0x1F, 0x8B])
        let plain = try await desk.answer("a", compressed: false, make: make)
        #expect(!plain.isCompressed && plain.answer.body.count == 5_000)
    }

    @Test(arguments: [("gzip, br", true), ("*", true), ("gzip;q=0", false), ("br", false), ("", false)])
    func `what takes gzip says so`(_ field: String, _ isAccepted: Bool) {
        #expect(Gzip.isAccepted(by: field) == isAccepted)
    }
}
