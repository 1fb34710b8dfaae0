import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Closes connections whose requests come too slowly, and bounds what of them is kept before they are answered.
///
/// Whoever sends a byte now and then would otherwise hold a connection for ever, without ever having logged in.
final class RequestWatcher: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    struct Limits: Sendable {
        /// For a connection over which nothing is asked.
        var idle = TimeAmount.seconds(60)
        /// For a request's head, from its first byte to its last.
        var head = TimeAmount.seconds(20)
        /// For what follows the head.
        var body = TimeAmount.seconds(30)
        /// In bytes: what a body has beyond that is thrown away as it comes. More than any form is refused anyway.
        var longestBody = 64 << 10
    }

    private let limits: Limits
    private let bytes: ArrivingBytes
    private let note: @Sendable (String) -> Void
    /// Requests whose answers have not been written.
    private var unanswered = 0
    private var isBody = false
    private var bodyLength = 0
    private var deadline: Scheduled<Void>?

    private static let slowHead = "a request whose head comes too slowly"

    /// - Parameters:
    ///   - pending: what all connections together have sent and was not answered.
    ///   - note: told why a connection was closed.
    init(_ limits: Limits, pending: PendingBytes, note: @escaping @Sendable (String) -> Void) {
        self.limits = limits
        self.note = note
        bytes = ArrivingBytes(pending, note: note)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        bytes.onFirst = { [weak self] in
            guard let self, unanswered == 0, !isBody else { return }
            limit(limits.head, Self.slowHead, channel)
        }
        do { try context.pipeline.syncOperations.addHandler(bytes, position: .first) } catch {
            context.fireErrorCaught(error)
        }
        if channel.isActive { limit(limits.idle, nil, channel) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { calm() }

    func channelActive(context: ChannelHandlerContext) {
        limit(limits.idle, nil, context.channel)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        calm()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            unanswered += 1
            (isBody, bodyLength) = (true, 0)
            limit(limits.body, "a request that comes too slowly", context.channel)
        case .body(let part):
            bodyLength += part.readableBytes
            guard bodyLength <= limits.longestBody else { return }
        case .end:
            isBody = false
            bytes.endRequest()
            calm()
            if unanswered == 0 { rest(context.channel) }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            unanswered -= 1
            if unanswered == 0, !isBody { rest(context.channel) }
        }
        context.write(data, promise: promise)
    }

    /// All that was asked is answered.
    private func rest(_ channel: any Channel) {
        let hasBegun = bytes.isWithinRequest
        bytes.settle()
        if hasBegun {
            limit(limits.head, Self.slowHead, channel)
        } else {
            limit(limits.idle, nil, channel)
        }
    }

    private func limit(_ time: TimeAmount, _ words: String?, _ channel: any Channel) {
        calm()
        let note = note
        deadline = channel.eventLoop.scheduleTask(in: time) {
            if let words { note(words) }
            channel.close(promise: nil)
        }
    }

    private func calm() {
        deadline?.cancel()
        deadline = nil
    }
}

/// Counts what a connection sends, before anything is made of it.
private final class ArrivingBytes: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Called with the first bytes of a request, on the connection's event loop.
    var onFirst: () -> Void = {}
    /// Whether bytes have come since the last request was whole.
    private(set) var isWithinRequest = false

    private let pending: PendingBytes
    private let note: @Sendable (String) -> Void
    private var count = 0

    /// In bytes: with less, a connection is not the one that holds too much.
    private static let fairShare = 16 << 10

    init(_ pending: PendingBytes, note: @escaping @Sendable (String) -> Void) {
        self.pending = pending
        self.note = note
    }

    func endRequest() { isWithinRequest = false }

    /// What came is answered.
    func settle() {
        pending.add(-count)
        count = 0
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let size = unwrapInboundIn(data).readableBytes
        count += size
        if !pending.add(size), count > Self.fairShare {
            note("too much was sent at the same time")
            context.close(promise: nil)
            return
        }
        if !isWithinRequest {
            isWithinRequest = true
            onFirst()
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        settle()
        onFirst = {}
        context.fireChannelInactive()
    }
}

/// What all connections together have sent and was not answered, in bytes. A head may be as long as a few connections
/// can afford, and not all of them at once.
final class PendingBytes: Sendable {
    private let count = Atomic(0)
    private let most: Int

    init(most: Int = 24 << 20) { self.most = most }

    var now: Int { count.load(ordering: .relaxed) }

    /// - Returns: whether there is room for all that is pending.
    @discardableResult
    func add(_ bytes: Int) -> Bool { count.wrappingAdd(bytes, ordering: .relaxed).newValue <= most }
}
