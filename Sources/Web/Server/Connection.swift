import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// The connection that a request came by.
struct Connection: Sendable {
    let channel: any Channel

    /// Runs `body`, which is cancelled when whoever is at the other end goes away.
    func untilGone<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await body() }
        watch { task.cancel() }
        defer { watch(nil) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Notes who has logged in over it.
    func note(_ client: Client) {
        channel.eventLoop.execute {
            // A connection that is over has no handlers any more.
            guard let watcher = try? channel.pipeline.syncOperations.handler(type: ConnectionWatcher.self) else {
                return
            }
            watcher.connections.note(client, over: channel)
        }
    }

    /// Notes for whom the answer is that is written next.
    func willAnswer(_ client: Client) {
        channel.eventLoop.execute {
            // A connection that is over has no handlers any more.
            guard let counter = try? channel.pipeline.syncOperations.handler(type: OutgoingBytes.Counter.self) else {
                return
            }
            counter.client = client
        }
    }

    private func watch(_ onGone: (@Sendable () -> Void)?) {
        channel.eventLoop.execute {
            // A connection that is over has no handlers any more.
            guard let watcher = try? channel.pipeline.syncOperations.handler(type: ConnectionWatcher.self) else {
                onGone?()
                return
            }
            watcher.onGone = onGone
        }
    }
}

/// Notices when the other end goes away, and closes connections on which nothing moves.
///
/// A browser that leaves a page closes its side; nothing else would tell before the answer is written. A reader that
/// takes nothing for a while, or takes for ever, would keep an answer in memory.
final class ConnectionWatcher: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Called once, when the other end has gone; on the connection's event loop.
    var onGone: (@Sendable () -> Void)? {
        didSet { if isGone { tell() } }
    }

    let connections: OpenConnections
    private let limits: Limits
    private var isGone = false
    private var answerDeadline: Scheduled<Void>?
    private var stallDeadline: Scheduled<Void>?

    struct Limits: Sendable {
        /// For an answer from its first byte to its last; events have no last.
        var answer = TimeAmount.minutes(10)
        /// For a reader that takes nothing of what is written.
        var stall = TimeAmount.seconds(60)
    }

    /// - Parameter connections: told of each that is opened and that is closed.
    init(_ limits: Limits, connections: OpenConnections = OpenConnections()) {
        self.limits = limits
        self.connections = connections
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { connections.add(context.channel) }
    }

    func channelActive(context: ChannelHandlerContext) {
        connections.add(context.channel)
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { gone() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connections.remove(context.channel)
        gone()
        calm()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { calm() }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let channel = context.channel
        switch unwrapOutboundIn(data) {
        case .head(let head):
            if head.headerFields[.contentType] != EventStream.type {
                answerDeadline?.cancel()
                answerDeadline = context.eventLoop.scheduleTask(in: limits.answer) { channel.close(promise: nil) }
            }
            context.write(data, promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            let written = promise ?? context.eventLoop.makePromise()
            let deadline = answerDeadline
            answerDeadline = nil
            written.futureResult.whenComplete { _ in deadline?.cancel() }
            context.write(data, promise: written)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stallDeadline?.cancel()
        stallDeadline = nil
        if !context.channel.isWritable {
            let channel = context.channel
            stallDeadline = context.eventLoop.scheduleTask(in: limits.stall) { channel.close(promise: nil) }
        }
        context.fireChannelWritabilityChanged()
    }

    private func gone() {
        isGone = true
        tell()
    }

    private func tell() {
        let told = onGone
        if told != nil { onGone = nil }
        told?()
    }

    private func calm() {
        answerDeadline?.cancel()
        stallDeadline?.cancel()
    }
}
