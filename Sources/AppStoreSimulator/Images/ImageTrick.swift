import HTTPTypes
import HummingbirdCore
import NIOCore

/// The ways in which an image can be something else than a PNG; the raw values are what `--images` takes and what an
/// address says: `/image/thumb/trick/KIND/512x512bb.jpg`.
package enum ImageTrick: String, Sendable, Hashable, CaseIterable {
    /// A real JPEG.
    case jpeg
    /// A real WebP.
    case webp
    /// 404 with a page.
    case missing
    /// A page of HTML that claims to be a PNG.
    case html
    /// An SVG with a script.
    case svg
    /// 302 to a host that is not Apple's.
    case redirect
    /// The first half of a PNG, its length correctly given.
    case truncated
    case empty
    /// A gzip body of 1 MB that expands to 1 GiB.
    case bomb
    /// Begins as a PNG and has 10 MB, its length correctly given.
    case big
    /// Begins as a PNG, and never ends.
    case endless
    /// The head at once, then one byte a second.
    case slow
    /// Nothing at all for ten minutes, then the picture.
    case hang

    /// The trick that an address names.
    init?(path: String) {
        let parts = path.split(separator: "/")
        guard let place = parts.firstIndex(of: "trick"), place + 1 < parts.count else { return nil }
        self.init(rawValue: String(parts[place + 1]))
    }

    /// What is sent in place of `picture`; `nil` if it has to be sent piece by piece, or late.
    func answer(insteadOf picture: StoreAnswer) -> StoreAnswer? {
        var answer = picture
        switch self {
        case .jpeg: return StoreAnswer(contentType: "image/jpeg", body: ByteBuffer(bytes: StoreImage.jpeg))
        case .webp: return StoreAnswer(contentType: "image/webp", body: ByteBuffer(bytes: StoreImage.webP))
        case .missing: return .html(status: 404, title: "Not Found")
        case .html:
            answer.body = StoreAnswer.html(status: 200, title: "No picture").body
        case .svg:
            answer.contentType = "image/svg+xml"
            answer.body = ByteBuffer(
                string: #"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(document.domain)</script></svg>"#)
        case .redirect:
            return StoreAnswer(
                status: 302, contentType: nil, location: "http://images.example.com/512x512bb.png", body: ByteBuffer())
        case .truncated:
            answer.body = picture.body.getSlice(at: 0, length: picture.body.readableBytes / 2) ?? ByteBuffer()
        case .empty: answer.body = ByteBuffer()
        case .bomb:
            answer = GzipBomb.answer
            answer.contentType = picture.contentType
        case .big, .endless, .slow, .hang: return nil
        }
        return answer
    }
}

extension AppStoreSimulator {
    /// Answers a request for an image.
    func serveImage(
        _ path: String, _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        if options.latency > .zero { try await sleep(for: options.latency, unlessClosed: channel) }
        guard let picture = StoreImage(path: path)?.answer else {
            return try await send(.html(status: 404, title: "Not Found"), to: request, writer, channel)
        }
        guard let trick = ImageTrick(path: path) ?? options.images else {
            return try await send(picture, to: request, writer, channel)
        }
        if let answer = trick.answer(insteadOf: picture) {
            return try await send(answer, to: request, writer, channel)
        }
        switch trick {
        case .hang:
            try await sleep(for: .seconds(600), unlessClosed: channel)
            try await send(picture, to: request, writer, channel)
        case .slow:
            var body = try await writer.writeHead(picture.head(contentLength: picture.body.readableBytes))
            for byte in picture.body.readableBytesView {
                try await body.write(ByteBuffer(bytes: [byte]))
                try await sleep(for: .seconds(1), unlessClosed: channel)
            }
            try await body.finish(nil)
        default:
            let size = 10_000_000
            let piece = ByteBuffer(repeating: 0, count: 1 << 16)
            var body = try await writer.writeHead(picture.head(contentLength: trick == .big ? size : nil))
            try await body.write(picture.body)
            var left = size - picture.body.readableBytes
            while trick == .endless || left > 0 {
                try Task.checkCancellation()
                try await body.write(piece.getSlice(at: 0, length: max(1, min(left, piece.readableBytes))) ?? piece)
                left -= trick == .big ? piece.readableBytes : 0
            }
            try await body.finish(nil)
        }
    }

    /// - Throws: `CancellationError` once the client has gone.
    private func sleep(for duration: Duration, unlessClosed channel: any Channel) async throws {
        let sleeper = Task { try await clock.sleep(for: duration) }
        channel.closeFuture.whenComplete { _ in sleeper.cancel() }
        try await withTaskCancellationHandler {
            try await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
    }
}
