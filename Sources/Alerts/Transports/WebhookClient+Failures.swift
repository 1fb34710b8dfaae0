internal import AsyncHTTPClient
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Outgoing

extension WebhookClient {
    /// What a failure means. Its own text is not passed on, since it may quote what was sent.
    static func answer(to error: any Error) -> DeliveryAnswer {
        switch error {
        case is Patience.Over: return .retry(after: nil, why: "no answer within \(patience.components.seconds) s")
        case let refused as PinnedClients.Refused:
            return .retry(
                after: nil,
                why:
                    "\(refused.host) is at \(refused.address), which is not on the public Internet; to allow it, "
                    + "name the host in privateHosts of the channel")
        case let unknown as HostResolver.Unknown: return .retry(after: nil, why: "\(unknown)")
        case let answer as ImpossibleAnswer: return .retry(after: nil, why: "\(answer)")
        case let error as NIOSSLError: return .retry(after: nil, why: words(error))
        case is NIOSSLExtraError: return .retry(after: nil, why: "the certificate belongs to another host")
        case is NIOConnectionError, is ChannelError, is IOError:
            return .retry(after: nil, why: "no connection")
        case let error as HTTPClientError where error == .connectTimeout:
            return .retry(after: nil, why: "no connection")
        case let error as HTTPClientError where error == .remoteConnectionClosed:
            return .retry(after: nil, why: "the connection was closed before an answer")
        default: return .retry(after: nil, why: "the answer is not HTTP")
        }
    }

    private static func words(_ error: NIOSSLError) -> String {
        switch error {
        case .handshakeFailed(let reason) where "\(reason)".contains("CERTIFICATE_VERIFY_FAILED"):
            "the certificate is not trusted"
        case .handshakeFailed: "the TLS handshake failed"
        case .unableToValidateCertificate: "the certificate is not trusted"
        default: "the TLS connection broke"
        }
    }
}
