import Foundation

/// What arrives on a descriptor, piece by piece, until its end or until whoever reads is cancelled.
///
/// Reading waits on a thread of its own, so that it holds up nothing else; a pipe wakes it where it is to stop.
struct InterruptibleInput: Sendable {
    private let descriptor: Int32
    private let wake: (reading: Int32, writing: Int32)
    private let queue = DispatchQueue(label: "input")

    struct NoPipe: Error, CustomStringConvertible {
        let description: String
    }

    init(_ descriptor: Int32) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw NoPipe(description: "no pipe: \(String(cString: strerror(errno)))") }
        self.descriptor = descriptor
        wake = (ends[0], ends[1])
    }

    /// The next piece; `nil` at the end.
    func next() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: read()) }
            }
        } onCancel: {
            var byte: UInt8 = 0
            _ = write(wake.writing, &byte, 1)
        }
    }

    private func read() -> [UInt8]? {
        while true {
            var queries = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&queries, 2, -1) < 0 {
                if errno == EINTR { continue }
                return nil
            }
            guard queries[1].revents == 0 else { return nil }
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            let count = Foundation.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return nil }
            return Array(piece[..<count])
        }
    }
}
