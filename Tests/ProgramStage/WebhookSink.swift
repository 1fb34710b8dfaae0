import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A server on loopback that takes whatever is posted, and answers with 204.
package struct WebhookSink: Sendable {
    package struct Request: Sendable {
        /// By their names in lower case.
        package let headers: [String: String]
        package let body: [UInt8]

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    package let origin: String
    private let channel: any Channel
    private let taken: Taken

    package static func start() async throws -> WebhookSink {
        let taken = Taken()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Taking(taken))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return WebhookSink(
            origin: "http://127.0.0.1:\(channel.localAddress?.port ?? 0)", channel: channel, taken: taken)
    }

    /// What has come whole so far.
    package var requests: [Request] { taken.requests.withLock { $0 } }

    package func stop() async throws { try await channel.close() }
}

private final class Taken: Sendable {
    let requests = Mutex<[WebhookSink.Request]>([])
}

private final class Taking: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let taken: Taken
    private var headers: [String: String] = [:]
    private var body: [UInt8] = []

    init(_ taken: Taken) { self.taken = taken }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            headers = Dictionary(head.headers.map { ($0.lowercased(), $1) }, uniquingKeysWith: { "\($0), \($1)" })
            body = []
        case .body(let piece): body += piece.readableBytesView
        case .end:
            taken.requests.withLock { $0.append(.init(headers: headers, body: body)) }
            context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: .noContent))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
