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
        let place = context.place(request)
        context.client = .address(place)
        if let entry = try entry(request, at: place) {
            context.visitor = entry.visitor
            context.client = Client(name: entry.client, isKnown: true)
            context.connection.note(context.client)
        }
        guard context.visitor != nil || isPublic(request.uri.path) else {
            throw Refusal(
                .unauthorized, "Log in first",
                "This needs a session or a token: log in, or send the field “Authorization: Bearer TOKEN”.",
                fields: [.wwwAuthenticate: "Bearer"])
        }
        return try await next(request, context)
    }

    /// Who asks, and with whom they share.
    private func entry(_ request: Request, at place: String) throws(Refusal) -> (visitor: Visitor, client: String)? {
        guard let credentials else { return (.owner, "owner " + place) }
        if let text = request.headers[.authorization] {
            let entry = try entry(bearing: text, of: credentials, at: place)
            return (entry.visitor, "token " + entry.name)
        }
        guard
            let cookie = SessionCookie.read(
                request.headers[values: .cookie], origins.one(named: request.head.authority))
        else { return nil }
        return sessions.opened(cookie, among: credentials, at: now()).map { ($0.entry.visitor, "session " + $0.number) }
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
        switch attempts.judge(place, { entry(for: secret) }) {
        case .right(let entry): return entry
        case .wrong: throw .wrongSecret
        case .waits(let wait, let isEverybody):
            throw .tooMany(
                isEverybody
                    ? "There were too many wrong passwords from many places. Sessions and tokens still work. Try to log in "
                        + "again after the time that Retry-After names."
                    : "There were too many wrong passwords or tokens from here. Try again after the time that Retry-After names.",
                retryAfter: wait.components.seconds + 1,
                logged: isEverybody
                    ? "too many wrong passwords from many places: the log-in is slowed down"
                    : "too many wrong passwords or tokens")
        }
    }
}

extension Refusal {
    static let wrongSecret = Refusal(
        .unauthorized, "Not let in", "This is not a password or token of this site.",
        fields: [.wwwAuthenticate: "Bearer"], logged: "a wrong password or token")
}

extension SiteContext {
    /// Where a request comes from, for counting. Who may connect to a socket of the file system is trusted to say it, as
    /// a proxy does.
    func place(_ request: Request) -> String {
        if let address { return IPAddress(address)?.place ?? address }
        let last = request.headers[values: .forwardedFor].last?.split(separator: ",").last
        guard let text = last?.trimmingPrefix(" ").prefix(64).description else { return "socket" }
        // What is no address is one client, however it is written.
        return (IPAddress(text) ?? HostPort(text).flatMap { IPAddress($0.host) })?.place ?? "unknown"
    }
}

/// The cookie that a browser keeps its session in.
///
/// Source: RFC 6265bis; with the prefix `__Host-`, browsers take it from an encrypted page of this very host alone, and
/// with `__Secure-` from an encrypted page.
enum SessionCookie {
    private static let plain = "rankweb"

    /// - Parameter isSecure: whether the browser's page is encrypted.
    private static func name(_ origin: WebOrigin?, isSecure: Bool) -> String {
        guard isSecure else { return plain }
        return (origin?.base.isEmpty ?? true ? "__Host-" : "__Secure-") + plain
    }

    static func read(_ fields: [String], _ origin: WebOrigin?) -> String? {
        let names = origin?.isSecure == true ? [name(origin, isSecure: true), plain] : [plain]
        var found: [String: String] = [:]
        for field in fields {
            for part in field.split(separator: ";") {
                let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingPrefix(" ") }
                if pair.count == 2, found[String(pair[0])] == nil { found[String(pair[0])] = String(pair[1]) }
            }
        }
        return names.compactMap { found[$0] }.first
    }

    /// - Parameters:
    ///   - value: `nil` takes the cookie away.
    ///   - page: the origin of the browser's page, as it sends it with a form; `nil` if it sends none.
    static func field(_ value: String?, _ origin: WebOrigin?, page: String? = nil) -> String {
        // A page without encryption may not set a cookie that is for encrypted pages.
        let isSecure = origin?.isSecure == true && page?.lowercased().hasPrefix("http://") != true
        let path = origin?.base.isEmpty ?? true ? "/" : origin?.base ?? "/"
        return "\(name(origin, isSecure: isSecure))=\(value ?? ""); Path=\(path); HttpOnly; SameSite=Strict"
            + "\(isSecure ? "; Secure" : ""); Max-Age=\(value == nil ? 0 : Sessions.length)"
    }
}
