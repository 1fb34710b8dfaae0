import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Web

@Suite struct OutgoingBytesTests {
    /// A reader that takes nothing until it is told to.
    private final class SlowReader: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        private var held: [EventLoopPromise<Void>?] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            held.append(promise)
        }

        func take(_ count: Int) {
            for promise in held.prefix(count) { promise?.succeed() }
            held.removeFirst(count)
        }

        func leave() {
            for promise in held { promise?.fail(ChannelError.ioOnClosedChannel) }
            held = []
        }
    }

    private let known = Client(name: "session 1", isKnown: true)
    private let other = Client(name: "token a", isKnown: true)
    private let stranger = Client.address("192.0.2.1")
    private let another = Client.address("192.0.2.2")

    private func channel(
        _ bytes: OutgoingBytes, for client: Client = Client(name: "", isKnown: false)
    ) -> (channel: EmbeddedChannel, reader: SlowReader) {
        let reader = SlowReader()
        let counter = OutgoingBytes.Counter(bytes)
        counter.client = client
        return (EmbeddedChannel(handlers: [reader, counter]), reader)
    }

    /// Connections of `client` over which so much is written that nobody takes, oldest first.
    private func slow(
        _ count: Int, _ bytes: OutgoingBytes, for client: Client, each size: Int = 100
    ) throws -> [EmbeddedChannel] {
        try (0..<count).map { _ in
            let channel = channel(bytes, for: client).channel
            try channel.connect(to: SocketAddress(ipAddress: "192.0.2.9", port: 1)).wait()
            channel.writeAndFlush(body(size), promise: nil)
            return channel
        }
    }

    private func body(_ size: Int) -> HTTPResponsePart { .body(ByteBuffer(repeating: 97, count: size)) }

    @Test func `what is written counts until it has gone out`() {
        let bytes = OutgoingBytes()
        let (channel, reader) = channel(bytes)
        channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
        channel.writeAndFlush(body(100), promise: nil)
        channel.writeAndFlush(body(50), promise: channel.eventLoop.makePromise())
        #expect(bytes.count == 150)
        reader.take(2)
        #expect(bytes.count == 50)
        reader.take(1)
        #expect(bytes.count == 0)
    }

    @Test func `a reader that goes away leaves nothing behind`() {
        let bytes = OutgoingBytes()
        let (channel, reader) = channel(bytes)
        channel.writeAndFlush(body(100), promise: nil)
        reader.leave()
        #expect(bytes.count == 0)
    }

    @Test func `beyond its share a client is refused with when to come again, and a single answer never`() throws {
        let bytes = OutgoingBytes(most: 4_000)
        try bytes.requireRoom(for: 5_000, to: stranger)
        let (channel, reader) = channel(bytes, for: stranger)
        channel.writeAndFlush(body(600), promise: nil)
        try bytes.requireRoom(for: 400, to: stranger)
        let refusal = #expect(throws: Refusal.self) { try bytes.requireRoom(for: 401, to: stranger) }
        #expect(refusal?.status == .serviceUnavailable && refusal?.fields[.retryAfter] != nil)
        #expect(refusal?.kind == .tooBusy)
        try bytes.requireRoom(for: 3_000, to: another)
        reader.take(1)
        try bytes.requireRoom(for: 401, to: stranger)
    }

    @Test func `one client that reads slowly has nobody else refused`() throws {
        let bytes = OutgoingBytes(most: 4_000)
        let greedy = try slow(10, bytes, for: stranger)
        #expect(throws: Refusal.self) { try bytes.requireRoom(for: 100, to: stranger) }
        for client in [known, other, another] { try bytes.requireRoom(for: 900, to: client) }
        #expect(greedy.allSatisfy { $0.isActive })
    }

    @Test func `where slow readers take everything the oldest of who keeps most is closed for another`() throws {
        let bytes = OutgoingBytes(most: 4_000)
        let first = try slow(9, bytes, for: stranger)
        let second = try slow(10, bytes, for: another)
        let third = try slow(10, bytes, for: known)
        let fourth = try slow(10, bytes, for: Client.address("192.0.2.3"))
        // There are 100 left.
        try bytes.requireRoom(for: 250, to: other)
        let closed = [first, second, third, fourth].map { $0.prefix { !$0.isActive }.count }
        #expect(closed[0] == 0 && closed[2] == 0 && closed[1] + closed[3] == 2)
    }

    @Test func `nobody who has logged in makes room for who has not`() throws {
        let bytes = OutgoingBytes(most: 4_000)
        let all = try (0..<4).flatMap { try slow(10, bytes, for: Client(name: "token \($0)", isKnown: true)) }
        #expect(throws: Refusal.self) { try bytes.requireRoom(for: 100, to: stranger) }
        #expect(all.allSatisfy { $0.isActive })
        try bytes.requireRoom(for: 100, to: known)
        #expect(all.count { !$0.isActive } == 1)
    }
}
