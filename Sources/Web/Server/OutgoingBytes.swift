import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// How much of answers is written and has not gone out yet, of all connections together: what slow readers keep in memory.
final class OutgoingBytes: Sendable {
    private let waiting = Atomic(0)
    /// In bytes, of all answers together.
    private let most: Int

    /// - Parameter most: as much as a server of 256 MB can do without.
    init(most: Int = 64 << 20) { self.most = most }

    var count: Int { waiting.load(ordering: .relaxed) }

    /// - Throws: where an answer of `size` bytes would be too much beside the others. One alone may be as large as it is.
    func requireRoom(for size: Int) throws(Refusal) {
        let count = count
        guard count > 0, count + size > most else { return }
        throw Refusal(
            .serviceUnavailable, "Too busy",
            "Too many answers are on their way to clients that take them slowly. Try again in a few seconds.",
            fields: [.retryAfter: "5"], logged: "too many clients that read slowly")
    }

    fileprivate func add(_ size: Int) { waiting.add(size, ordering: .relaxed) }
    fileprivate func remove(_ size: Int) { waiting.subtract(size, ordering: .relaxed) }

    /// Counts what goes out by one connection.
    final class Counter: ChannelOutboundHandler, RemovableChannelHandler {
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        private let bytes: OutgoingBytes

        init(_ bytes: OutgoingBytes) { self.bytes = bytes }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard case .body(let part) = unwrapOutboundIn(data) else {
                return context.write(data, promise: promise)
            }
            let size = part.readableBytes
            let written = promise ?? context.eventLoop.makePromise()
            bytes.add(size)
            // It comes when the connection has taken the bytes, or is closed.
            written.futureResult.whenComplete { [bytes] _ in bytes.remove(size) }
            context.write(data, promise: written)
        }
    }
}
