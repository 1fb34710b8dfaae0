import HTTPTypes
import Hummingbird
import RankKit
import Reports

extension Site {
    /// The answer to a request that passed the guards, by the handler of its route.
    func respond(
        to request: Request, _ context: SiteContext, edition: String, _ route: Routes.Route
    ) async throws -> Response {
        let handler = route.handler
        var visit = try Visit(request, context, now: now())
        visit.base = origins.one(named: request.head.authority)?.base ?? ""
        let asked = visit
        let base = asked.base
        let client = Self.client(of: asked)
        // A browser that goes away cancels what it asked for: a search at the store, the fetching of an image.
        let reply = try await context.connection.untilGone { try await handler(asked) }
        let takesGzip = Gzip.isAccepted(by: request.headers[.acceptEncoding])
        switch reply {
        case .streamed(let response): return response
        case .now(let answer):
            return try response(
                AnswerCache.Made(answer.under(base), compressed: takesGzip), request, context.connection, client)
        case .ofHistory(let make):
            let identity = try identity(of: asked, edition: edition, by: route)
            let tag = EntityTag.tag(identity.text)
            if EntityTag.isMatched(tag, by: request.headers[.ifNoneMatch]) {
                return Response(
                    status: .notModified, headers: [.eTag: tag, .cacheControl: Self.askAgain, .vary: Self.vary])
            }
            var made = try await context.connection.untilGone {
                try await cache.answer(identity, compressed: takesGzip, for: client) { try make().under(base) }
            }
            if made.status == .ok { made.fields[.eTag] = tag }
            made.fields[.cacheControl] = made.fields[.cacheControl] ?? Self.askAgain
            return try response(made, request, context.connection, client)
        }
    }

    /// Browsers keep it, and ask each time whether it still holds; nobody between may keep it.
    private static let askAgain = "private, no-cache"
    private static let vary = "Accept, Accept-Encoding, Authorization, Cookie"

    /// Everything that an answer of the history is told apart by.
    private func identity(
        of visit: Visit, edition: String, by route: Routes.Route
    ) throws -> AnswerIdentity {
        let dependence = route.dependence
        let tags = visit.visitor.tags.map { $0.sorted().map { "\($0.utf8.count):\($0)" }.joined() } ?? "all"
        let parameters = dependence == .nothing ? [] : visit.parameters
        let asked = parameters.map { "\($0.name.utf8.count):\($0.name)=\($0.value.utf8.count):\($0.value)" }
        let captures = visit.captures.sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value.utf8.count):\($0.value)" }.joined()
        let form = dependence == .parametersAndForm ? AnswerForm.liked(visit.headers)?.rawValue ?? "none" : ""
        return AnswerIdentity(
            question: [
                Release.version, edition, visit.base, tags, form, route.path, captures, visit.path, asked.joined(),
            ].joined(separator: "\n"),
            moment: visit.now.flooredToMinute.description, version: try history.version(for: visit.visitor))
    }

    /// Who waits for the answer. All who have the same link share its one place, wherever they are.
    private static func client(of visit: Visit) -> Client {
        guard !visit.client.isKnown, let link = visit.captures["link"] else { return visit.client }
        return Client(name: "link " + link, isKnown: false)
    }

    private func response(
        _ made: AnswerCache.Made, _ request: Request, _ connection: Connection, _ client: Client
    ) throws(Refusal) -> Response {
        if request.method != .head {
            try outgoing.requireRoom(for: made.body.readableBytes, to: client)
            connection.willAnswer(client)
        }
        var fields = made.fields
        fields[.contentType] = made.type
        fields[.vary] = Self.vary
        if made.isCompressed { fields[.contentEncoding] = "gzip" }
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
        var response = Response(status: made.status, headers: fields, body: ResponseBody(byteBuffer: made.body))
        if request.method == .head { response = response.createHeadResponse() }
        return response
    }
}
