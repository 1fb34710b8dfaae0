import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A server on loopback that takes what alerts send, and answers as it is told to.
struct AlertReceiver: Sendable {
    struct Request: Sendable {
        var method: String
        var path: String
        var headers: HTTPHeaders
        var body: [UInt8]
    }

    enum Manner: Sendable {
        case status(Int, headers: [(String, String)] = [], body: String = "")
        /// Takes the request and says nothing.
        case hang
        /// Begins a line of a head and goes on with a byte whenever one was written, for ever.
        case drip
        /// A head of 200, and ten megabytes.
        case flood
    }

    let port: Int
    private let channel: any Channel
    private let state: Seen

    final class Seen: Sendable {
        let requests = Mutex<[Request]>([])
        let connections = Mutex(0)
        let closed = Mutex(0)
        let written = Mutex(0)
    }

    static func start(_ manner: Manner, tls: NIOSSLContext? = nil) async throws -> AlertReceiver {
        let seen = Seen()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    try pipeline.addHandler(Receiving(manner: manner, seen: seen))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return AlertReceiver(port: channel.localAddress?.port ?? 0, channel: channel, state: seen)
    }

    var requests: [Request] { state.requests.withLock { $0 } }
    var connections: Int { state.connections.withLock { $0 } }
    /// Bytes of bodies that went out.
    var written: Int { state.written.withLock { $0 } }

    /// Returns once that many requests have come whole.
    func arrived(_ count: Int) async { while requests.count < count { await Task.yield() } }

    /// Returns once that many connections are closed.
    func closed(_ count: Int) async { while state.closed.withLock({ $0 }) < count { await Task.yield() } }

    func stop() async throws { try await channel.close() }
}

/// Runs `body` with a receiver, and stops it.
func withReceiver<Value: Sendable>(
    _ manner: AlertReceiver.Manner, tls: NIOSSLContext? = nil, _ body: (AlertReceiver) async throws -> Value
) async throws -> Value {
    let receiver = try await AlertReceiver.start(manner, tls: tls)
    do {
        let value = try await body(receiver)
        try await receiver.stop()
        return value
    } catch {
        try await receiver.stop()
        throw error
    }
}

private final class Receiving: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let manner: AlertReceiver.Manner
    private let seen: AlertReceiver.Seen
    private var request: AlertReceiver.Request?

    init(manner: AlertReceiver.Manner, seen: AlertReceiver.Seen) {
        self.manner = manner
        self.seen = seen
    }

    func channelActive(context: ChannelHandlerContext) { seen.connections.withLock { $0 += 1 } }

    func channelInactive(context: ChannelHandlerContext) { seen.closed.withLock { $0 += 1 } }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = .init(method: head.method.rawValue, path: head.uri, headers: head.headers, body: [])
        case .body(let piece): request?.body += Array(piece.readableBytesView)
        case .end:
            guard let request else { return }
            seen.requests.withLock { $0.append(request) }
            answer(context)
        }
    }

    private func answer(_ context: ChannelHandlerContext) {
        switch manner {
        case .status(let status, let headers, let body):
            let lines = ["HTTP/1.1 \(status) X", "content-length: \(body.utf8.count)"] + headers.map { "\($0): \($1)" }
            send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body, context)
        case .hang: break
        case .drip:
            send("HTTP/1.1 200 OK\r\nx: ", context)
            drip(context)
        case .flood:
            send("HTTP/1.1 429 X\r\ncontent-length: 10000000\r\n\r\n", context)
            flood(context, left: 10_000_000)
        }
    }

    private func send(_ text: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }

    /// Far below what a head may have before a test ends.
    private func drip(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(50)) {
            let (handler, context) = bound.value
            guard context.channel.isActive else { return }
            handler.send("x", context)
            handler.drip(context)
        }
    }

    /// Goes on when a piece was taken.
    private func flood(_ context: ChannelHandlerContext, left: Int) {
        guard left > 0 else { return }
        let piece = ByteBuffer(repeating: UInt8(ascii: "x"), count: min(left, 100_000))
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(piece)).whenSuccess {
            let (handler, context) = bound.value
            handler.seen.written.withLock { $0 += 100_000 }
            handler.flood(context, left: left - 100_000)
        }
    }
}
