import NIOCore
import Synchronization

/// The requests that wait for their answers, by connection, so that those which a client gives up can be counted.
final class OpenAnswers: Sendable {
    /// What is counted if the client goes first; `nil` while nothing is asked on a connection that is still open.
    private let waiting = Mutex<[ObjectIdentifier: (any WritableKeyPath<RequestCounts, Int> & Sendable)?]>([:])
    private let counter: RequestCounter

    init(counter: RequestCounter) {
        self.counter = counter
    }

    /// A request begins on a connection; it counts in `count` if the connection ends before `end`.
    func begin(_ count: any WritableKeyPath<RequestCounts, Int> & Sendable, on channel: any Channel) {
        let connection = ObjectIdentifier(channel)
        let isNew = waiting.withLock { $0.updateValue(count, forKey: connection) == nil }
        guard isNew else { return }
        channel.closeFuture.whenComplete { [self] _ in
            if let count = waiting.withLock({ $0.removeValue(forKey: connection) }) ?? nil { counter.add(count) }
        }
    }

    /// The answer is made, or the simulator itself ends the connection.
    func end(on channel: any Channel) {
        waiting.withLock { waiting in
            guard waiting.keys.contains(ObjectIdentifier(channel)) else { return }
            waiting.updateValue(nil, forKey: ObjectIdentifier(channel))
        }
    }
}

/// Ends a connection with the client's half of it.
///
/// Hummingbird answers a client that has closed its half. One that gives up looks the same, and may do so before
/// anything is known of its request.
final class EndsWithClient: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}
