import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression
import Synchronization

/// Compresses bodies, and keeps the compressed form of those that never change.
///
/// The compressor is the channel handler of swift-nio-extras. It does not fit Hummingbird's channel, which speaks
/// another kind of HTTP parts where handlers can be added, so a body passes through a channel of its own.
final class Gzip: Sendable {
    private let kept = Mutex<[String: ByteBuffer]>([:])

    /// - Throws: what the compressor throws; nothing a body could cause.
    func compress(_ answer: StoreAnswer) throws -> ByteBuffer {
        guard let identity = answer.identity else { return try Self.compress(answer.body) }
        if let compressed = kept.withLock({ $0[identity] }) { return compressed }
        let compressed = try Self.compress(answer.body)
        kept.withLock { $0[identity] = compressed }
        return compressed
    }

    static func compress(_ body: ByteBuffer) throws -> ByteBuffer {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(HTTPResponseCompressor())
        let request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["accept-encoding": "gzip"])
        try channel.writeInbound(HTTPServerRequestPart.head(request))
        for part: HTTPServerResponsePart in [
            .head(HTTPResponseHead(version: .http1_1, status: .ok)), .body(.byteBuffer(body)), .end(nil),
        ] {
            channel.write(part, promise: nil)
        }
        channel.flush()
        var compressed = ByteBuffer()
        while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
            if case .body(.byteBuffer(var piece)) = part { compressed.writeBuffer(&piece) }
        }
        _ = try channel.finish(acceptAlreadyClosed: true)
        return compressed
    }

    /// Whether `Accept-Encoding` admits gzip (RFC 9110, 12.5.3, as far as clients use it).
    static func isAccepted(by header: String?) -> Bool {
        (header ?? "").lowercased().split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard parts.first == "gzip" || parts.first == "*" else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
        }
    }
}
