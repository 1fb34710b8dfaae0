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

    private func channel(_ bytes: OutgoingBytes) -> (channel: EmbeddedChannel, reader: SlowReader) {
        let reader = SlowReader()
        return (EmbeddedChannel(handlers: [reader, OutgoingBytes.Counter(bytes)]), reader)
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

    @Test func `beyond the bound an answer is refused with when to come again, and a single one never`() throws {
        let bytes = OutgoingBytes(most: 1_000)
        try bytes.requireRoom(for: 5_000)
        let (channel, reader) = channel(bytes)
        channel.writeAndFlush(body(600), promise: nil)
        try bytes.requireRoom(for: 400)
        let refusal = #expect(throws: Refusal.self) { try bytes.requireRoom(for: 401) }
        #expect(refusal?.status == .serviceUnavailable && refusal?.fields[.retryAfter] != nil)
        reader.take(1)
        try bytes.requireRoom(for: 401)
    }
}
