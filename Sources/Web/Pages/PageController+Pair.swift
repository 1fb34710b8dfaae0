import HTTPTypes
import History
import RankKit
import Reports

extension PageController {
    /// `/pairs?app=…&query=…`: one app on one query.
    func pair(_ visit: Visit) throws -> Answer { try zoned(visit, pair) }

    private func pair(_ visit: Visit, _ moment: Moment) throws -> Answer {
        let wanted = visit.parameters.filter { !$0.value.isEmpty }
        guard let app = visit["app"], !app.isEmpty, let text = visit["query"], !text.isEmpty else {
            let words = "Name an app and a query, or choose a row of "
            return try page(
                moment, "One pair", status: .badRequest,
                content: PageParts.section(
                    "ask", "<p>\(PageParts.text(words))\(PageParts.link("/", "today's standings")).</p>\n"))
        }
        let hint = Self.addressOfHint(in: Self.checks, wanted, path: "/pairs")
        let found: PairStory.Found
        do { found = try PairStory.found(wanted, in: moment.context) } catch let refusal as ReportRefusal {
            return try page(
                moment, "“\(text)”", status: refusal.status,
                content: PageParts.section("refusal", PageParts.refusal(refusal.description, hint)))
        }
        switch found {
        case .several(let queries):
            let links = queries.map { query in
                let others = wanted.filter { !Self.naming.contains($0.name) }
                return PageParts.link(
                    PageAddress.path("/pairs", others + PageAddress.parameters(of: query)),
                    "\(query.text) · \(query.place)")
            }
            return try page(
                moment, "“\(text)”",
                content: PageParts.section(
                    "ask",
                    "<p>Choose where:</p>\n<ul>\n\(links.map { "<li>\($0)</li>\n" }.joined())</ul>\n"))
        case .one(let story): return try page(of: story, wanted, moment)
        }
    }

    /// The report that the chart and the checks of the page are of.
    private static let checks: any ReportRequest.Type = report(named: "history") ?? StandingsRequest.self

    private func page(of story: PairStory, _ wanted: [RequestParameter], _ moment: Moment) throws -> Answer {
        func part(_ id: String, _ heading: String?, _ document: Document, more: String = "") -> String {
            PageParts.section(
                id, heading: heading, more: more,
                document.withoutMoment.fragment(
                    PageForm(
                        headingLevel: 3, prefix: id + "-", hint: Self.addressOfHint(in: Self.checks, wanted),
                        ornament: icons(for: document, moment), address: PageAddress.subject)))
        }
        let query = story.query
        let list =
            query.source.isImported ? "" : " · " + PageParts.link(PageAddress.query(query), "the whole list")
        let links = "<p>\(PageParts.link(PageAddress.app(story.bundleID), story.appTitle))\(list)</p>\n"
        let own = [RequestParameter("app", story.bundleID.text)] + PageAddress.parameters(of: query)
        let icon = try moment.reader.icons(of: [story.bundleID])[story.bundleID]
        return try page(
            moment, "“\(query.text)” \(query.place)",
            ornament: PageParts.icon(
                icon.flatMap { pathOfImage($0, .icon, story.appTitle) }, of: story.appTitle),
            content: PageParts.section("of", links)
                + part("verdict", nil, story.verdict)
                + part("checks", "Positions", story.checks)
                + part("around", "Around it", story.neighbours)
                + PageParts.section(
                    "more", PageParts.forms(of: Self.checks.about.name, own + wanted.filter { $0.name == "since" })))
    }
}
