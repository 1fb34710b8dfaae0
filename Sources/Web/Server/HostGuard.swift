import HTTPTypes
import Hummingbird
import Synchronization

/// Lets in only what asks for this site by a name that it was told of, and what other sites' pages do not send.
///
/// A page elsewhere can have a browser ask any address: by a name of its own that it points here (DNS rebinding), by a
/// form, or by an image. `Host`, `Origin` and `Sec-Fetch-Site` give each of them away.
struct HostGuard: RouterMiddleware {
    typealias Context = SiteContext

    /// The site's own; they are complete once it listens.
    let origins: KnownOrigins

    func handle(
        _ request: Request, context: SiteContext, next: (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        try check(request)
        return try await next(request, context)
    }

    private func check(_ request: Request) throws(Refusal) {
        // Two names: a proxy in front may have gone by the other one (RFC 9112, 3.2).
        guard request.headers[.host] == nil else {
            throw Refusal(
                .badRequest, "Two names", "The request has the field Host more than once.",
                logged: "a request for two hosts at once")
        }
        let known = origins.all
        guard let host = request.head.authority, known.contains(where: { $0.isNamed(host) }) else {
            throw Refusal(
                .misdirectedRequest, "Not this site",
                "This site does not know the address that you used. Open it by its own address, or start rankweb with "
                    + "--origin and that address.", logged: "a request for another host")
        }
        // The site's own name over the other scheme is the site as well: a browser may be led from http to https, or a web
        // server may pass on what came by either.
        if let origin = request.headers[.origin], !known.contains(where: { $0.isOfTheSameHost(as: origin) }) {
            throw Self.foreign
        }
        guard let site = request.headers[.secFetchSite] else { return }
        let isVisit =
            request.method == .get && request.headers[.secFetchMode] == "navigate"
            && request.headers[.secFetchDest] == "document"
        if site != "same-origin", site != "none", !isVisit { throw Self.foreign }
    }

    private static let foreign = Refusal(
        .forbidden, "From another site", "A page of another site made this request. Open the page here instead.",
        logged: "a request from another site's page")
}

/// The addresses by which the site may be asked for.
final class KnownOrigins: Sendable {
    private let known: Mutex<[WebOrigin]>

    init(_ origins: [WebOrigin]) { known = Mutex(origins) }

    var all: [WebOrigin] { known.withLock { $0 } }

    func add(_ origins: [WebOrigin]) { known.withLock { $0 += origins } }

    /// The one that a request for `host` means, where it is known.
    func one(named host: String?) -> WebOrigin? { host.flatMap { host in all.first { $0.isNamed(host) } } }
}

extension WebOrigin {
    /// Whether a `Host` field means it.
    fileprivate func isNamed(_ host: String) -> Bool {
        Self.authority(host[...], isSecure: isSecure) == authority
    }
}
