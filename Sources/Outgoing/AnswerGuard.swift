package import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// An answer that HTTP does not have, which the HTTP client itself would end the process for.
package struct ImpossibleAnswer: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the answer's first line gave; `nil` if it was not the status.
    package let status: Int?
    package let description: String

    fileprivate init(status: Int) {
        self.status = status
        description = "status \(status), which HTTP does not have"
    }

    fileprivate init(interim count: Int) {
        status = nil
        description = "\(count) interim answers and no final one"
    }
}

/// Stands between the parser and the client, and lets through only what the client expects.
///
/// The parser takes any number for a status. The client passes over a head below 200 as an interim answer, which has no
/// end; the end of an answer below 100 then finds it without a head, and it stops the process (async-http-client 1.37,
/// `HTTPRequestStateMachine.receivedHTTPResponseEnd`).
private final class AnswerGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    /// RFC 9110, section 15: a status has three digits. What 600 and above mean nobody knows, and each caller says so.
    private static let statuses: ClosedRange<UInt> = 100...999
    /// Nobody sends more than a few; an endless row of them would keep a processor busy for as long as a try lasts.
    private static let mostInterim = 32

    private var isRefused = false
    private var interim = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        if case .head(let head) = unwrapInboundIn(data) {
            let code = head.status.code
            guard Self.statuses.contains(code) else {
                return refuse(ImpossibleAnswer(status: Int(clamping: code)), context)
            }
            interim = code < 200 ? interim + 1 : 0
            guard interim <= Self.mostInterim else { return refuse(ImpossibleAnswer(interim: interim), context) }
        }
        context.fireChannelRead(data)
    }

    private func refuse(_ error: ImpossibleAnswer, _ context: ChannelHandlerContext) {
        isRefused = true
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }
}

extension HTTPClient.Configuration {
    /// Makes an answer that the client does not survive fail with `ImpossibleAnswer`. Every client that asks a peer over
    /// HTTP/1 needs it.
    package mutating func guardAnswers() {
        http1_1ConnectionDebugInitializer = { channel in
            channel.eventLoop.submit {
                let pipeline = channel.pipeline.syncOperations
                let parser = try pipeline.context(handlerType: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try pipeline.addHandler(AnswerGuard(), position: .after(parser.handler))
            }
        }
    }
}
