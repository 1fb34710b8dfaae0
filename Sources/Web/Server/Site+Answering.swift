import HTTPTypes
import Hummingbird
import NIOCore
import RankKit
import Reports

extension Site {
    /// The answer to a request that was let in, by the room whose sign it reads.
    func respond(
        to request: Request, _ context: SiteContext, edition: String, _ handler: @escaping Routes.Handler
    ) async throws -> Response {
        let visit = try Visit(request, context, now: now())
        // A browser that goes away cancels what it asked for: a search at the store, the fetching of an image.
        let reply = try await context.connection.untilGone { try await handler(visit) }
        let takesGzip = Gzip.isAccepted(by: request.headers[.acceptEncoding])
        switch reply {
        case .streamed(let response): return response
        case .now(let answer): return Self.response(AnswerDesk.Made(answer, compressed: takesGzip), request)
        case .ofHistory(let make):
            let identity = try identity(of: visit, edition: edition)
            let tag = EntityTag.tag(identity)
            if EntityTag.isMatched(tag, by: request.headers[.ifNoneMatch]) {
                return Response(
                    status: .notModified, headers: [.eTag: tag, .cacheControl: Self.askAgain, .vary: Self.vary])
            }
            var made = try await desk.answer(tag, compressed: takesGzip, make: make)
            if made.answer.status == .ok { made.answer.fields[.eTag] = tag }
            made.answer.fields[.cacheControl] = made.answer.fields[.cacheControl] ?? Self.askAgain
            return Self.response(made, request)
        }
    }

    /// Browsers keep it, and ask each time whether it still holds; nobody between may keep it.
    private static let askAgain = "private, no-cache"
    private static let vary = "Accept, Accept-Encoding, Authorization, Cookie"

    /// Everything that an answer of the history is told apart by.
    private func identity(of visit: Visit, edition: String) throws -> String {
        let tags = visit.visitor.tags.map { $0.sorted().map { "\($0.utf8.count):\($0)" }.joined() } ?? "all"
        let parameters = visit.parameters.map { "\($0.name.utf8.count):\($0.name)=\($0.value.utf8.count):\($0.value)" }
        return [
            try history.version(), Release.version, edition, tags, visit.now.flooredToMinute.description,
            visit.headers[.accept] ?? "",
            visit.path,
            parameters.joined(),
        ].joined(separator: "\n")
    }

    private static func response(_ made: AnswerDesk.Made, _ request: Request) -> Response {
        let answer = made.answer
        var fields = answer.fields
        fields[.contentType] = answer.type
        fields[.vary] = vary
        if made.isCompressed { fields[.contentEncoding] = "gzip" }
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
        var response = Response(
            status: answer.status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
        if request.method == .head { response = response.createHeadResponse() }
        return response
    }
}
