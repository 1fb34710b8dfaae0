import HTTPTypes
import Hummingbird
import NIOCore
import RankKit
import Reports

/// Links to one report each, for people without a password: made by those who are in, read by whoever has one.
struct SharedLinkController: Sendable {
    let key: SecretKey
    /// Who may come in; `nil` where everybody may.
    let credentials: Credentials?
    let history: HistoryAccess
    let origins: KnownOrigins
    let look: SiteLook
    let now: @Sendable () -> Timestamp

    func add(to routes: inout Routes) {
        routes.get("/shared/:link", by: .nothing) { visit in
            let link = try SharedLink(
                signed: visit.captures["link"] ?? "", key: key, among: credentials, now: visit.now)
            guard let report = ReportCatalogue.report(named: link.report) else { throw Refusal.notFound }
            // The path holds all that tells it from others, the narrowing too.
            return .ofHistory { try page(report, link, visit) }
        }
    }

    /// The report as one page that needs nothing else, and leads nowhere.
    private func page(_ report: any ReportRequest.Type, _ link: SharedLink, _ visit: Visit) throws -> Answer {
        var visit = visit
        visit.visitor = link.visitor
        let context = try history.context(for: visit)
        do {
            let page = try context.zoned { () throws(any Error) in
                try report.request(link.requestParameters).answer(in: context).render(as: .html)
            }
            return Answer(
                type: "text/html; charset=utf-8", page,
                fields: [.contentSecurityPolicy: Document.pagePolicy + "; frame-ancestors 'none'"])
        } catch let refusal as ReportRefusal {
            throw Refusal(.notFound, "Nothing to show", refusal.plain)
        }
    }

    /// The form that makes one: it can only be sent by this site's own pages, to somebody who is in.
    func add(to router: Router<SiteContext>) {
        router.post("/links") { request, context in
            guard let visitor = context.visitor else { throw Refusal.notFound }
            let fields = try await LoginController<ContinuousClock>.form(request)
            guard let name = fields["report"], let report = ReportCatalogue.report(named: name) else {
                throw Refusal(.badRequest, "No such report", "Choose one from the menu.")
            }
            guard let asked = FormText.fields((fields["parameters"] ?? "")[...]) else {
                throw Refusal(.badRequest, "The form cannot be read", "It contains something that is not text.")
            }
            let parameters = asked.map { RequestParameter($0.name, $0.value) }
            do { _ = try report.request(parameters) } catch let error as ReportRefusal {
                throw Refusal(.badRequest, "No such report", error.plain)
            }
            let days = min(max(1, fields["days"].flatMap { Int64($0) } ?? 7), SharedLink.longest)
            let until = now() + days * Timestamp.secondsPerDay
            let link = SharedLink(
                report: name, parameters: parameters, maker: credentials?.entry(named: visitor.name), until: until,
                key: key)
            let path = try link.path(key)
            guard path.utf8.count <= Visit.longestAddress else {
                throw Refusal(
                    .contentTooLarge, "The link would be too long",
                    "It would have more than \(Visit.longestAddress) characters. Choose fewer or shorter options.")
            }
            let origin = origins.one(named: request.head.authority)?.description ?? ""
            let base = origins.one(named: request.head.authority)?.base ?? ""
            let answer = look.link(origin + path, until).under(base)
            return Response(
                status: .ok, headers: [.contentType: answer.type, .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
        }
    }
}
