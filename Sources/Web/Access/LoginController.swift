import HTTPTypes
import Hummingbird
import NIOCore
import RankKit

/// Where people log in and out.
struct LoginController<C: Clock>: Sendable where C.Duration == Duration {
    let credentials: Credentials?
    let sessions: Sessions
    let attempts: Attempts<C>
    let origins: KnownOrigins
    let look: SiteLook
    let now: @Sendable () -> Timestamp

    /// In bytes: a password and where to go.
    private static var longestForm: Int { 16_384 }

    func add(to router: Router<SiteContext>) {
        router.get("/login") { request, context in
            let next = try Visit(request, context, now: now())["next"] ?? "/"
            return answer(.ok, look.login(false, nil, Self.local(next)), under: base(request))
        }
        router.post("/login") { request, context in try await logIn(request, context) }
        router.post("/logout") { request, context in logOut(request) }
    }

    private func logIn(_ request: Request, _ context: SiteContext) async throws -> Response {
        let fields = try await Self.form(request)
        let next = Self.local(fields["next"] ?? "/")
        let base = base(request)
        guard let credentials else { return Self.redirect(to: base + next) }
        do {
            let entry = try credentials.entry(
                for: fields["password"] ?? "", at: context.place(request), attempts)
            let origin = origins.one(named: request.head.authority)
            var response = Self.redirect(to: base + next)
            response.headers[.setCookie] = SessionCookie.field(
                sessions.begin(entry, at: now()), origin, page: request.headers[.origin])
            return response
        } catch {
            let wait = error.fields[.retryAfter].flatMap { Int64($0) }
            var response = answer(error.status, look.login(true, wait, next), under: base)
            response.headers[.retryAfter] = error.fields[.retryAfter]
            return response
        }
    }

    private func logOut(_ request: Request) -> Response {
        let origin = origins.one(named: request.head.authority)
        if let session = SessionCookie.read(request.headers[values: .cookie], origin) {
            sessions.end(session, at: now())
        }
        var response = Self.redirect(to: base(request) + "/login")
        response.headers[.setCookie] = SessionCookie.field(nil, origin, page: request.headers[.origin])
        return response
    }

    private func base(_ request: Request) -> String { origins.one(named: request.head.authority)?.base ?? "" }

    private func answer(_ status: HTTPResponse.Status, _ answer: Answer, under base: String) -> Response {
        let answer = answer.under(base)
        return Response(
            status: status, headers: [.contentType: answer.type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    }

    private static func redirect(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path, .cacheControl: "no-store"])
    }

    static func form(_ request: Request) async throws -> [String: String] {
        let body: ByteBuffer
        do { body = try await request.body.collect(upTo: longestForm) } catch {
            throw Refusal(.contentTooLarge, "Too much", "No form of this site is that long.")
        }
        guard let text = String(validating: body.readableBytesView, as: UTF8.self),
            let fields = FormText.fields(text[...])
        else { throw Refusal(.badRequest, "The form cannot be read", "It contains something that is not text.") }
        return Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// A path of this site, whatever was written: nobody is led elsewhere by a link to the log-in.
    static func local(_ path: String) -> String {
        let isLocal =
            path.hasPrefix("/") && !path.hasPrefix("//") && !path.hasPrefix("/\\")
            && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
        return isLocal ? path : "/"
    }
}
