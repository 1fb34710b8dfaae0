import NIOCore

/// Closes connections whose readers take nothing for a while: they would keep a text in memory.
final class SlowReaders: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny

    private let limit: TimeAmount
    private var deadline: Scheduled<Void>?

    init(_ limit: TimeAmount) { self.limit = limit }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        calm()
        if !context.channel.isWritable {
            let channel = context.channel
            deadline = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        calm()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { calm() }

    private func calm() {
        deadline?.cancel()
        deadline = nil
    }
}
