import HTTPTypes
import Hummingbird
import Logging
import RankKit
import Synchronization

/// Turns every error into an answer, and gives every answer the headers that all of them have.
struct ResponseMiddleware: RouterMiddleware {
    typealias Context = SiteContext

    let look: SiteLook
    let log: RefusalLog
    let origins: KnownOrigins

    func handle(
        _ request: Request, context: SiteContext, next: (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            guard Self.isKnown(request.method, at: request.uri.path) else { throw Self.wrongMethod }
            response = try await next(request, context)
        } catch {
            response = answer(to: request, refused(error, request))
        }
        addHeaders(to: &response, for: request)
        return response
    }

    /// Only logging in, logging out and making a link are requests that send anything.
    private static func isKnown(_ method: HTTPRequest.Method, at path: String) -> Bool {
        switch method {
        case .get, .head: true
        case .post: ["/login", "/logout", "/links"].contains(path)
        default: false
        }
    }

    private static let wrongMethod = Refusal(
        .methodNotAllowed, "Only for reading", "This site cannot change anything: use GET.",
        fields: [.allow: "GET, HEAD"])

    /// What is to be said of an error.
    private func refused(_ error: any Error, _ request: Request) -> Refusal {
        switch error {
        case let refusal as Refusal:
            if let logged = refusal.logged { log.note(logged) }
            return refusal
        case let error as HTTPError where error.status == .notFound: return .notFound
        case is CancellationError:
            return Refusal(
                .serviceUnavailable, "Stopped", "The site is stopping and did not finish the request.", kind: .tooBusy)
        default:
            if let refusal = Refusal(historyOf: error) {
                log.note("the history cannot be read: \(error)")
                return refusal
            }
            log.note("an answer failed: \(error)")
            return Refusal(
                .internalServerError, "Something went wrong", "This should not happen. The log of rankweb says more.")
        }
    }

    private func answer(to request: Request, _ refusal: Refusal) -> Response {
        let isForPrograms = look.isForPrograms(request.uri.path)
        let base = origins.one(named: request.head.authority)?.base ?? ""
        // People who have to log in are led there, and then back.
        if refusal.status == .unauthorized, !isForPrograms, request.method != .post {
            let target = request.uri.string.count <= 2_000 ? request.uri.string : "/"
            return Response(
                status: .seeOther, headers: [.location: base + "/login?next=" + FormText.encoded(target)])
        }
        let answer = (isForPrograms ? look.problem(refusal, request.uri.path) : look.page(refusal)).under(base)
        var fields = refusal.fields
        fields[.contentType] = answer.type
        fields[.cacheControl] = "no-store"
        var response = Response(
            status: refusal.status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
        if request.method == .head { response = response.createHeadResponse() }
        return response
    }

    /// Source: the headers that OWASP's Secure Headers Project advises for pages.
    private func addHeaders(to response: inout Response, for request: Request) {
        let fields: [(HTTPField.Name, String)] = [
            (.contentSecurityPolicy, look.policy), (.xContentTypeOptions, "nosniff"), (.referrerPolicy, "same-origin"),
            (.resourcePolicy, "same-origin"), (.openerPolicy, "same-origin"),
            (.permissionsPolicy, "camera=(), geolocation=(), microphone=()"),
        ]
        for (name, value) in fields where response.headers[name] == nil { response.headers[name] = value }
        if origins.one(named: request.head.authority)?.isSecure == true {
            response.headers[.strictTransportSecurity] = "max-age=31536000"
        }
    }
}

/// Writes down what was refused, each kind once a minute at most.
final class RefusalLog: Sendable {
    private let limiter = Mutex(LogLimiter<ContinuousClock.Instant>())
    private let logger: Logger

    init(_ logger: Logger) { self.logger = logger }

    func note(_ what: String) {
        let heldBack = limiter.withLock { $0.admit(what, at: .now) }
        guard let heldBack else { return }
        logger.warning(
            "refused", metadata: heldBack == 0 ? ["why": "\(what)"] : ["why": "\(what)", "since": "\(heldBack)"])
    }
}
