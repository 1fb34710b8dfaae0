import HTTPTypes
import Hummingbird
import RankKit

/// Lets in who has a session, a token or a link, and everybody where the site is open.
struct AccessGuard<C: Clock>: RouterMiddleware where C.Duration == Duration {
    typealias Context = SiteContext

    /// `nil` where everybody may come in.
    let credentials: Credentials?
    let sessions: Sessions
    let attempts: Attempts<C>
    let origins: KnownOrigins
    let now: @Sendable () -> Timestamp
    /// Whether the path is for everybody: the log-in itself, and what it looks like.
    let isPublic: @Sendable (_ path: String) -> Bool

    func handle(
        _ request: Request, context: SiteContext, next: (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.visitor = try visitor(request, context)
        guard context.visitor != nil || isPublic(request.uri.path) else {
            throw Refusal(
                .unauthorized, "Log in first",
                "This needs a session or a token: log in, or send the field “Authorization: Bearer TOKEN”.",
                fields: [.wwwAuthenticate: "Bearer"])
        }
        return try await next(request, context)
    }

    private func visitor(_ request: Request, _ context: SiteContext) throws(Refusal) -> Visitor? {
        guard let credentials else { return .owner }
        if let text = request.headers[.authorization] {
            return try entry(bearing: text, of: credentials, at: context.place(request)).visitor
        }
        guard
            let cookie = SessionCookie.read(
                request.headers[values: .cookie], origins.one(named: request.head.authority))
        else { return nil }
        return sessions.entry(of: cookie, among: credentials, at: now())?.visitor
    }

    private func entry(bearing text: String, of credentials: Credentials, at place: String) throws(Refusal)
        -> Credentials.Entry
    {
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else { throw Self.wrong }
        return try credentials.entry(for: String(words[1]), at: place, attempts)
    }

    private static var wrong: Refusal { .wrongSecret }
}

extension Credentials {
    /// Whose secret this is, with every wrong one counted.
    func entry<C: Clock>(for secret: String, at place: String, _ attempts: Attempts<C>) throws(Refusal) -> Entry {
        if let wait = attempts.wait(place) {
            throw .tooMany(
                "Too many wrong passwords or tokens came from here. Try again after the time that Retry-After names.",
                retryAfter: wait.components.seconds + 1, logged: "too many wrong passwords or tokens")
        }
        guard let entry = entry(for: secret) else {
            attempts.failed(place)
            throw .wrongSecret
        }
        // Who sees a part of the history may not guess at the rest of it between two visits.
        if entry.tags == nil { attempts.succeeded(place) }
        return entry
    }
}

extension Refusal {
    static let wrongSecret = Refusal(
        .unauthorized, "Not let in", "That is no password or token of this site.",
        fields: [.wwwAuthenticate: "Bearer"], logged: "a wrong password or token")
}

extension SiteContext {
    /// Where a request comes from, for counting. Who may connect to a socket of the file system is trusted to say it, as
    /// a proxy does.
    func place(_ request: Request) -> String {
        if let address { return IPAddress(address)?.place ?? address }
        let last = request.headers[values: .forwardedFor].last?.split(separator: ",").last
        guard let text = last?.trimmingPrefix(" ").prefix(64).description else { return "socket" }
        return (IPAddress(text) ?? HostPort(text).flatMap { IPAddress($0.host) })?.place ?? text
    }
}

/// The cookie that a browser keeps its session in.
///
/// Source: RFC 6265bis; with the prefix `__Host-`, browsers take it from an encrypted page of this very host alone.
enum SessionCookie {
    private static func name(_ origin: WebOrigin?) -> String {
        origin?.isSecure == true ? "__Host-rankweb" : "rankweb"
    }

    static func read(_ fields: [String], _ origin: WebOrigin?) -> String? {
        let name = name(origin)
        for field in fields {
            for part in field.split(separator: ";") {
                let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingPrefix(" ") }
                if pair.count == 2, pair[0] == name { return String(pair[1]) }
            }
        }
        return nil
    }

    /// - Parameter value: `nil` takes the cookie away.
    static func field(_ value: String?, _ origin: WebOrigin?) -> String {
        let secure = origin?.isSecure == true ? "; Secure" : ""
        return "\(name(origin))=\(value ?? ""); Path=/; HttpOnly; SameSite=Strict\(secure); "
            + "Max-Age=\(value == nil ? 0 : Sessions.length)"
    }
}
