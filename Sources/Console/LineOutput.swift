import Foundation
import Synchronization

/// A descriptor for lines of text, such as a log on stderr, that never makes its writer wait: if nobody reads, lines
/// are dropped and counted, and the count is written once there is room again.
package final class LineOutput: Sendable {
    private struct State {
        /// What a write cut short has left to write, or else two lines would mingle.
        var rest: [UInt8] = []
        var dropped = 0
    }

    private let descriptor: Int32
    private let isSocket: Bool
    private let dropNote: @Sendable (Int) -> String
    private let state = Mutex(State())

    /// So many bytes a pipe takes whole, and without waiting, when it says that it takes any (pipe(7), PIPE_BUF).
    private static let mostAtOnce = 4_096

    /// - Parameter dropNote: the line, with its end, that tells how many were dropped.
    package init(
        descriptor: Int32, dropNote: @escaping @Sendable (Int) -> String = { "\($0) lines dropped\n" }
    ) {
        self.descriptor = descriptor
        self.dropNote = dropNote
        var status = stat()
        isSocket = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Writes `line`, which has its end, or drops it. A descriptor that is closed or broken takes every line.
    package func write(_ line: String) {
        state.withLock { state in
            guard flush(&state) else { return state.dropped += 1 }
            if state.dropped > 0 {
                guard begin(dropNote(state.dropped), &state) else { return state.dropped += 1 }
                state.dropped = 0
                guard state.rest.isEmpty else { return state.dropped += 1 }
            }
            if !begin(line, &state) { state.dropped += 1 }
        }
    }

    /// Writes as much of `line` as can be; `false` if that is nothing, and then nothing of it is left to write.
    private func begin(_ line: String, _ state: inout State) -> Bool {
        state.rest = Array(line.utf8)
        let length = state.rest.count
        if flush(&state) || state.rest.count < length { return true }
        state.rest = []
        return false
    }

    /// Whether all of the rest is written, or never can be.
    private func flush(_ state: inout State) -> Bool {
        while !state.rest.isEmpty {
            var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&query, 1, 0) != 0 else { return false }
            let count = min(state.rest.count, Self.mostAtOnce)
            let written = state.rest.withUnsafeBytes { put($0.baseAddress, count) }
            if written > 0 {
                state.rest.removeFirst(written)
            } else if written < 0, errno == EINTR {
                continue
            } else if written < 0, errno == EAGAIN || errno == EWOULDBLOCK {
                return false
            } else {
                state.rest = []
            }
        }
        return true
    }

    private func put(_ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        guard let bytes else { return 0 }
        #if os(Linux)
            if isSocket { return send(descriptor, bytes, count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) }
        #endif
        return Foundation.write(descriptor, bytes, count)
    }
}
