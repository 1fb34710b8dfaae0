import NIOCore
import NIOPosix

/// A server on loopback that says the same bytes to whoever asks it, whatever is asked, and closes the connection.
package struct RawServer: Sendable {
    package let port: Int
    private let channel: any Channel

    package var origin: String { "http://127.0.0.1:\(port)" }

    /// - Parameter isEarly: whether it speaks before it is asked.
    package static func start(_ answer: [UInt8], isEarly: Bool = false) async throws -> RawServer {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Saying(answer, isEarly: isEarly))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return RawServer(port: channel.localAddress!.port!, channel: channel)
    }

    package func stop() async throws { try await channel.close() }

    /// Runs `body` with a server, and stops it.
    package static func running<Value: Sendable>(
        _ answer: [UInt8], isEarly: Bool = false, _ body: (RawServer) async throws -> Value
    ) async throws -> Value {
        let server = try await start(answer, isEarly: isEarly)
        do {
            let value = try await body(server)
            try await server.stop()
            return value
        } catch {
            try await server.stop()
            throw error
        }
    }
}

private final class Saying: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: [UInt8]
    private let isEarly: Bool
    private var heard: [UInt8] = []
    private var hasSpoken = false

    init(_ answer: [UInt8], isEarly: Bool) { (self.answer, self.isEarly) = (answer, isEarly) }

    func channelActive(context: ChannelHandlerContext) { if isEarly { speak(context) } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The head's end is among the last bytes of a read, or before a body that follows it.
        heard += unwrapInboundIn(data).readableBytesView
        guard heard.contains(Array("\r\n\r\n".utf8)) else { return }
        speak(context)
    }

    private func speak(_ context: ChannelHandlerContext) {
        guard !hasSpoken else { return }
        hasSpoken = true
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer))).whenComplete { _ in
            bound.value.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
