import Console
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(30))) struct LineOutputTests {
    private let reading: Int32
    private let writing: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        (reading, writing) = (ends[0], ends[1])
        // A test's own pipe that breaks must not end the tests.
        signal(SIGPIPE, SIG_IGN)
    }

    private final class Count: Sendable {
        private let sum = Mutex(0)

        var value: Int { sum.withLock(\.self) }

        func add(_ count: Int) { sum.withLock { $0 += count } }
    }

    /// All that is in the pipe now.
    private func read() -> String { read(from: reading) }

    private func read(from descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 1 << 22)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test func `lines come out as they went in`() {
        let output = LineOutput(descriptor: writing)
        output.write("one\n")
        output.write("two\n")
        #expect(read() == "one\ntwo\n")
        close(reading)
        close(writing)
    }

    @Test func `a pipe that nobody reads costs lines and no time, and their number is told`() {
        let output = LineOutput(descriptor: writing)
        let line = String(repeating: "x", count: 99) + "\n"
        for _ in 0..<5_000 { output.write(line) }
        let lines = read().split(separator: "\n")
        #expect(lines.allSatisfy { $0.count == 99 })
        #expect((1..<5_000).contains(lines.count))
        output.write("again\n")
        #expect(read() == "\(5_000 - lines.count) lines dropped\nagain\n")
        close(reading)
        close(writing)
    }

    @Test func `a line longer than the pipe takes at once is never mingled with another`() {
        let output = LineOutput(descriptor: writing)
        let line = String(repeating: "y", count: 9_999) + "\n"
        for _ in 0..<20 { output.write(line) }
        var text = read()
        output.write("end\n")
        text += read()
        let lines = text.split(separator: "\n")
        #expect(lines.last == "end")
        #expect(lines.dropLast().allSatisfy { $0.count == 9_999 || $0.hasSuffix("lines dropped") })
        close(reading)
        close(writing)
    }

    @Test func `a pipe that broke and a descriptor that is closed take every line`() {
        let dropped = Count()
        let note: @Sendable (Int) -> String = { count in
            dropped.add(count)
            return ""
        }
        let output = LineOutput(descriptor: writing, dropNote: note)
        close(reading)
        for _ in 0..<100 { output.write("nobody\n") }
        close(writing)
        // Far beyond what a process may have open.
        let none = LineOutput(descriptor: 1_000_000, dropNote: note)
        for _ in 0..<100 { none.write("nowhere\n") }
        #expect(dropped.value == 0)
    }

    @Test func `a socket that nobody reads costs lines and no time`() throws {
        var ends: [Int32] = [0, 0]
        #if os(Linux)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let output = LineOutput(descriptor: ends[0])
        for _ in 0..<50_000 { output.write(String(repeating: "z", count: 99) + "\n") }
        let lines = read(from: ends[1]).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count == 99 })
        #expect((1..<50_000).contains(lines.count))
        output.write("again\n")
        #expect(read(from: ends[1]) == "\(50_000 - lines.count) lines dropped\nagain\n")
        for end in ends { close(end) }
        for end in [reading, writing] { close(end) }
    }
}
