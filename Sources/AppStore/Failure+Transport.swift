import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import RankKit

extension Failure {
    /// What an error of the HTTP client means for a check. Sorted by what a reader would do about it.
    init(transport error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let passed as DeadlinePassed: self.init(.timedOut, "no whole answer within \(passed.after)")
        case let error as HTTPClientError: self.init(client: error)
        case let error as NIOConnectionError: self.init(connection: error)
        case is ChannelError: self.init(.cannotConnect, "\(error)")
        case let error as IOError: self.init(error: error)
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: self.init(.insecure, "\(error)")
        case let error as NIOHTTPDecompression.DecompressionError: self.init(decompression: error)
        case let error as NIOHTTPDecompression.ExtraDecompressionError: self.init(.badEncoding, "\(error)")
        default: self.init(.connectionLost, "\(error)")
        }
    }

    private init(client error: HTTPClientError) {
        switch error {
        case .connectTimeout: self.init(.cannotConnect, "no connection in time")
        case .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout:
            self.init(.timedOut, error.shortDescription)
        case .tlsHandshakeTimeout: self.init(.insecure, error.shortDescription)
        default: self.init(.connectionLost, error.shortDescription)
        }
    }

    private init(connection error: NIOConnectionError) {
        guard error.connectionErrors.isEmpty else {
            let errors = error.connectionErrors.map { "\($0.target): \($0.error)" }
            self.init(.cannotConnect, errors.joined(separator: "; "))
            return
        }
        self.init(.nameNotFound, error.host)
    }

    private init(error: IOError) {
        let wasConnected = [ECONNRESET, EPIPE, ETIMEDOUT].contains(error.errnoCode)
        self.init(wasConnected ? .connectionLost : .cannotConnect, String(cString: strerror(error.errnoCode)))
    }

    private init(decompression error: NIOHTTPDecompression.DecompressionError) {
        switch error {
        case .limit: self.init(.tooLarge, "more than \(HTTPExchange.largestBody) bytes once decompressed")
        default: self.init(.badEncoding, "\(error)")
        }
    }
}
