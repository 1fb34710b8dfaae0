import NIOCore
import NIOEmbedded
import Testing

@testable import Monitoring

/// In a time of its own.
@Suite struct SlowReadersTests {
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handler: SlowReaders(.seconds(30)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func readerTakes(_ isTaking: Bool) {
        channel.isWritable = isTaking
        channel.pipeline.fireChannelWritabilityChanged()
    }

    @Test func `who takes nothing for too long is cut off`() {
        readerTakes(false)
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `who takes something in time goes on`() {
        for _ in 1...3 {
            readerTakes(false)
            channel.embeddedEventLoop.advanceTime(by: .seconds(29))
            readerTakes(true)
            channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        }
        #expect(channel.isActive)
    }

    @Test func `whoever leaves leaves no alarm behind`() throws {
        readerTakes(false)
        _ = try channel.finish()
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(!channel.isActive)
    }
}
