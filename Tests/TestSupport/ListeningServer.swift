import NIOCore
import NIOPosix
package import NIOSSL

/// A server on loopback that tells what it hears, byte for byte, and says one thing whatever it is asked.
package struct ListeningServer: Sendable {
    package enum Event: Sendable, Equatable {
        /// A request's head, up to its empty line.
        case request(String)
        case closed
    }

    package let origin: String
    private let channel: any Channel
    private let events: AsyncStream<Event>
    private let telling: AsyncStream<Event>.Continuation

    /// - Parameter answer: sent whole, before the connection is closed; `nil` keeps silent and the connection open.
    package static func start(answer: String?, tls: NIOSSLContext? = nil) async throws -> ListeningServer {
        let (events, telling) = AsyncStream.makeStream(of: Event.self)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.addHandler(Listener(answer: answer, telling: telling))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return ListeningServer(
            origin: "http://127.0.0.1:\(channel.localAddress!.port!)", channel: channel, events: events,
            telling: telling)
    }

    /// What happens next; `nil` once the server has stopped.
    package func nextEvent() async -> Event? {
        for await event in events { return event }
        return nil
    }

    /// The head of the next request; empty where something else happens first.
    package func nextRequest() async -> String {
        guard case .request(let head) = await nextEvent() else { return "" }
        return head
    }

    /// The requests that nobody asked for yet, after the server has stopped.
    package func requestsLeft() async -> [String] {
        var requests: [String] = []
        for await case .request(let head) in events { requests.append(head) }
        return requests
    }

    package func stop() async throws {
        try await channel.close()
        telling.finish()
    }
}

private final class Listener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: String?
    private let telling: AsyncStream<ListeningServer.Event>.Continuation
    private var heard = ""

    init(answer: String?, telling: AsyncStream<ListeningServer.Event>.Continuation) {
        self.answer = answer
        self.telling = telling
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        heard += String(buffer: unwrapInboundIn(data))
        // What is no HTTP has no end that could be waited for.
        let isHTTP = heard.hasPrefix("GET")
        guard let answer, !isHTTP || heard.hasSuffix("\r\n\r\n") else {
            if heard.hasSuffix("\r\n\r\n") { telling.yield(.request(heard)) }
            return
        }
        if isHTTP { telling.yield(.request(heard)) }
        heard = ""
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { telling.yield(.closed) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
