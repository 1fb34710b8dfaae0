import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

extension AppStoreSimulator {
    /// Thrown into Hummingbird, which closes the connection for it.
    struct ConnectionCut: Error {}

    /// The faults that are not an answer: of the connection, of time, and of size.
    func fail(
        with fault: Fault, insteadOf answer: StoreAnswer, _ request: Request, _ writer: consuming ResponseWriter,
        _ channel: any Channel
    ) async throws {
        switch fault {
        case .reset:
            open.end(on: channel)
            // Lingering for zero seconds makes the close a reset (RST) in place of an orderly end (FIN).
            if let socket = channel as? any SocketOptionProvider {
                try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            }
            try await channel.close()
            throw ConnectionCut()
        case .short:
            var body = try await writer.writeHead(answer.head(contentLength: max(answer.body.readableBytes, 2)))
            let half = answer.body.getSlice(at: answer.body.readerIndex, length: answer.body.readableBytes / 2)
            open.end(on: channel)
            try await body.write(half ?? ByteBuffer())
            throw ConnectionCut()
        case .slowHead:
            try await clock.sleep(for: .seconds(600))
            try await send(answer, to: request, writer, channel)
        case .slowBody:
            var body = try await writer.writeHead(answer.head(contentLength: answer.body.readableBytes))
            for byte in answer.body.readableBytesView {
                try await body.write(ByteBuffer(bytes: [byte]))
                try await clock.sleep(for: .seconds(1))
            }
            try await body.finish(nil)
        case .endless:
            let spaces = ByteBuffer(repeating: UInt8(ascii: " "), count: 1 << 16)
            var body = try await writer.writeHead(answer.head(contentLength: nil))
            while true {
                try Task.checkCancellation()
                try await body.write(spaces)
            }
        case .big:
            let list = Envelope.body([[UInt8]]())
            let spaces = ByteBuffer(repeating: UInt8(ascii: " "), count: 1_000_000)
            var body = try await writer.writeHead(answer.head(contentLength: 100_000_000 + list.readableBytes))
            for _ in 0..<100 { try await body.write(spaces) }
            try await body.write(list)
            try await body.finish(nil)
        default:
            try await send(answer, to: request, writer, channel)
        }
    }
}
