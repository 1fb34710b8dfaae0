import NIOCore
import NIOHTTP1
import NIOPosix
package import NIOSSL
import Synchronization

/// A server on loopback that takes whatever is posted, and answers as it is told to.
package struct WebhookSink: Sendable {
    package struct Request: Sendable {
        package let path: String
        /// By their names in lower case.
        package let headers: [String: String]
        package let body: [UInt8]

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// What becomes of a request.
    package enum Manner: Sendable {
        /// An answer with a body of so many bytes.
        case status(Int, headers: [(String, String)] = [], length: Int = 0)
        /// No answer, and the connection stays open.
        case silence
        /// A head that goes on with a byte every 50 ms, for ever.
        case trickle
    }

    /// `http://127.0.0.1:PORT`, or `https` where it speaks TLS.
    package let origin: String
    package let port: Int
    private let channel: any Channel
    private let taken: Taken

    /// - Parameters:
    ///   - address: of this machine.
    ///   - port: 0 for a free one.
    ///   - manner: asked on the thread of the connection, before anything is answered.
    ///   - answered: called there once an answer is with the system.
    package static func start(
        at address: String = "127.0.0.1", port: Int = 0, tls: NIOSSLContext? = nil,
        manner: @escaping @Sendable (Request) -> Manner = { _ in .status(204) },
        answered: @escaping @Sendable (Request) -> Void = { _ in }
    ) async throws -> WebhookSink {
        // Once before there are connections: the runtime can crash where two threads need this type for the first time.
        _ = ByteToMessageHandler(HTTPRequestDecoder())
        let taken = Taken(manner: manner, answered: answered)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    taken.connections.withLock { $0 += 1 }
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    try pipeline.addHandler(Taking(taken))
                }
            }
            .bind(host: address, port: port).get()
        let port = channel.localAddress?.port ?? 0
        return WebhookSink(
            origin: "\(tls == nil ? "http" : "https")://\(address):\(port)", port: port, channel: channel,
            taken: taken)
    }

    /// What has come whole so far.
    package var requests: [Request] { taken.requests.withLock { $0 } }

    /// How many connections there were, whatever came over them.
    package var connections: Int { taken.connections.withLock { $0 } }

    package func stop() async throws { try await channel.close() }
}

private final class Taken: Sendable {
    let requests = Mutex<[WebhookSink.Request]>([])
    let connections = Mutex(0)
    let manner: @Sendable (WebhookSink.Request) -> WebhookSink.Manner
    let answered: @Sendable (WebhookSink.Request) -> Void

    init(
        manner: @escaping @Sendable (WebhookSink.Request) -> WebhookSink.Manner,
        answered: @escaping @Sendable (WebhookSink.Request) -> Void
    ) {
        self.manner = manner
        self.answered = answered
    }
}

private final class Taking: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let taken: Taken
    private var path = ""
    private var headers: [String: String] = [:]
    private var body: [UInt8] = []
    private static let piece = 64 << 10

    init(_ taken: Taken) { self.taken = taken }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            path = head.uri
            headers = Dictionary(head.headers.map { ($0.lowercased(), $1) }, uniquingKeysWith: { "\($0), \($1)" })
            body = []
        case .body(let piece): body += piece.readableBytesView
        case .end:
            let request = WebhookSink.Request(path: path, headers: headers, body: body)
            taken.requests.withLock { $0.append(request) }
            answer(request, taken.manner(request), context)
        }
    }

    private func answer(
        _ request: WebhookSink.Request, _ manner: WebhookSink.Manner, _ context: ChannelHandlerContext
    ) {
        switch manner {
        case .silence: break
        case .trickle:
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 200 OK\r\nx: ")), promise: nil)
            trickle(context)
        case .status(let status, let headers, let length):
            let fields = headers + (status == 204 ? [] : [("content-length", "\(length)")])
            let lines = ["HTTP/1.1 \(status) X"] + fields.map { "\($0): \($1)" }
            let head = ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n")
            send(head, then: length, of: request, context)
        }
    }

    /// Sends `piece` and `rest` more bytes, each piece when the one before it has gone.
    private func send(
        _ piece: ByteBuffer, then rest: Int, of request: WebhookSink.Request, _ context: ChannelHandlerContext
    ) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(piece)).whenSuccess {
            let (handler, context) = bound.value
            guard rest > 0 else { return handler.taken.answered(request) }
            let next = ByteBuffer(repeating: UInt8(ascii: "x"), count: min(rest, Self.piece))
            handler.send(next, then: rest - next.readableBytes, of: request, context)
        }
    }

    private func trickle(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(50)) {
            let (handler, context) = bound.value
            guard context.channel.isActive else { return }
            context.writeAndFlush(handler.wrapOutboundOut(ByteBuffer(string: "x")), promise: nil)
            handler.trickle(context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
