import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// How much of answers is written and has not gone out yet, of all connections: what slow readers keep in memory.
///
/// A client whose answers take a quarter of what all may take has none more until it has taken some. Where there is no room
/// for another client, connections are closed for it: the oldest of the client that keeps most, and first of those who have
/// not logged in.
final class OutgoingBytes: Sendable {
    private struct Entry {
        let channel: any Channel
        let client: Client
        let number: Int
        var bytes = 0
        /// It is being closed: what it keeps is as good as gone.
        var isClosing = false
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var last = 0
    }

    private let state = Mutex(State())
    /// In bytes, of all answers together.
    private let most: Int
    /// Of one client.
    private var share: Int { most / 4 }

    /// - Parameter most: as much as a server of 256 MB can do without.
    init(most: Int = 64 << 20) { self.most = most }

    var count: Int { state.withLock { $0.entries.values.reduce(0) { $0 + $1.bytes } } }

    /// Makes room for an answer of `size` bytes. One alone may be as large as it is.
    ///
    /// - Throws: where it would be too much beside the others that `client` keeps, or nobody has to make room for it.
    func requireRoom(for size: Int, to client: Client) throws(Refusal) {
        let closed = state.withLock { state -> [any Channel]? in
            var held: [Client: Int] = [:]
            for entry in state.entries.values where !entry.isClosing { held[entry.client, default: 0] += entry.bytes }
            let own = held[client] ?? 0
            guard own == 0 || own + size <= share else { return nil }
            var left = held.values.reduce(0, +)
            var closed: [any Channel] = []
            while left > 0, left + size > most {
                guard let key = Self.oldest(of: state.entries, held, for: client), let entry = state.entries[key] else {
                    return nil
                }
                state.entries[key]?.isClosing = true
                held[entry.client, default: 0] -= entry.bytes
                left -= entry.bytes
                closed.append(entry.channel)
            }
            return closed
        }
        guard let closed else { throw Self.tooBusy }
        for channel in closed { channel.close(promise: nil) }
    }

    /// Which connection makes room for `client`; `nil` if none has to.
    private static func oldest(
        of entries: [ObjectIdentifier: Entry], _ held: [Client: Int], for client: Client
    ) -> ObjectIdentifier? {
        let own = held[client] ?? 0
        // Whoever has logged in comes before whoever has not; among equals, who keeps less.
        let others = held.filter { other, bytes in
            other != client && bytes > 0
                && (other.isKnown == client.isKnown ? bytes > own : client.isKnown)
        }
        guard
            let victim = others.max(by: {
                ($0.key.isKnown ? 0 : 1, $0.value) < ($1.key.isKnown ? 0 : 1, $1.value)
            })?.key
        else { return nil }
        return entries.filter { $0.value.client == victim && !$0.value.isClosing && $0.value.bytes > 0 }
            .min { $0.value.number < $1.value.number }?.key
    }

    private static var tooBusy: Refusal {
        Refusal(
            .serviceUnavailable, "Too busy",
            "Too many clients are receiving answers slowly. Try again in a few seconds.",
            kind: .tooBusy, fields: [.retryAfter: "5"], logged: "too many clients that read slowly")
    }

    fileprivate func add(_ size: Int, to client: Client, over channel: any Channel) {
        state.withLock { state in
            state.last += 1
            let key = ObjectIdentifier(channel)
            var entry = state.entries[key] ?? Entry(channel: channel, client: client, number: state.last)
            entry.bytes += size
            state.entries[key] = entry
        }
    }

    fileprivate func remove(_ size: Int, over channel: any Channel) {
        state.withLock { state in
            let key = ObjectIdentifier(channel)
            state.entries[key]?.bytes -= size
            if state.entries[key]?.bytes == 0 { state.entries[key] = nil }
        }
    }

    /// Counts what goes out by one connection.
    final class Counter: ChannelOutboundHandler, RemovableChannelHandler {
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        private let bytes: OutgoingBytes
        /// For whom the answers are; set before each is written.
        var client = Client(name: "", isKnown: false)

        init(_ bytes: OutgoingBytes) { self.bytes = bytes }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard case .body(let part) = unwrapOutboundIn(data), part.readableBytes > 0 else {
                return context.write(data, promise: promise)
            }
            let (size, channel) = (part.readableBytes, context.channel)
            let written = promise ?? context.eventLoop.makePromise()
            bytes.add(size, to: client, over: channel)
            // It comes when the connection has taken the bytes, or is closed.
            written.futureResult.whenComplete { [bytes] _ in bytes.remove(size, over: channel) }
            context.write(data, promise: written)
        }
    }
}
