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
        if let other = wanted.first(where: { !Self.pairNames.contains($0.name) }) {
            let words =
                "A pair's page is always of now and takes no “\(other.name)”. The history report takes what it can be asked for."
            return try page(
                moment, "“\(text)”", status: .badRequest,
                content: PageParts.section("refusal", PageParts.refusal(words)))
        }
        let isDated = wanted.contains { $0.name == "since" }
        let asked = wanted + (isDated ? [] : [RequestParameter("since", Self.usualTime)])
        let hint = Self.addressOfHint(in: Self.checks, wanted, path: "/pairs")
        let found: PairStory.Found
        do { found = try PairStory.found(asked, in: moment.context) } catch let refusal as ReportRefusal {
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
        case .one(let story): return try page(of: story, asked, moment)
        }
    }

    /// What names a pair, and how far back its checks are shown.
    private static let pairNames = naming.union(["app", "since"])
    private static let usualTime = "90d"

    /// The report that the chart and the checks of the page are of.
    private static let checks: any ReportRequest.Type = report(named: "history") ?? StandingsRequest.self

    private func page(of story: PairStory, _ asked: [RequestParameter], _ moment: Moment) throws -> Answer {
        func part(_ id: String, _ heading: String?, _ document: Document) -> String {
            PageParts.section(
                id, heading: heading,
                document.withoutMoment.fragment(
                    PageForm(
                        headingLevel: 3, prefix: id + "-",
                        hint: Self.addressOfHint(in: Self.checks, asked, path: "/pairs"),
                        ornament: icons(for: document, moment), address: PageAddress.subject)))
        }
        let query = story.query
        let list =
            query.source.isImported ? "" : " · " + PageParts.link(PageAddress.query(query), "the whole list")
        let role = story.role.map { " · " + $0 } ?? ""
        let links =
            "<p>\(PageParts.link(PageAddress.app(story.bundleID), "\(story.appTitle): all queries"))\(role)\(list)</p>\n"
        let own = [RequestParameter("app", story.bundleID.text)] + PageAddress.parameters(of: query)
        let form = OptionForm(
            action: "/pairs", options: Self.checks.options.filter { $0.name == "since" }, given: asked, words: [:],
            kept: own, button: "Another time", isBrief: true, isOpen: false)
        let icon = try moment.reader.icons(of: [story.bundleID])[story.bundleID]
        return try page(
            moment, "\(story.appTitle) on “\(query.text)” · \(query.place)",
            ornament: PageParts.icon(
                icon.flatMap { pathOfImage($0, .icon, story.appTitle) }, of: story.appTitle), form: form.html,
            content: PageParts.section("of", links)
                + part("verdict", nil, story.verdict)
                + part("checks", "Positions", story.checks)
                + part("around", "Around it", story.neighbours)
                + PageParts.section(
                    "more", PageParts.forms(of: Self.checks.about.name, own + asked.filter { $0.name == "since" })))
    }
}
