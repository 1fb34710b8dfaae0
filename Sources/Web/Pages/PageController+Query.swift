import HTTPTypes
import History
import RankKit
import Reports

extension PageController {
    /// What names the one query of the page; the rest is what its list is asked with.
    static let naming: Set = ["query", "country", "platform", "language", "source"]

    /// `/queries?query=…`: one query, its list and its first ten.
    func query(_ visit: Visit) throws -> Answer { try zoned(visit, query) }

    private func query(_ visit: Visit, _ moment: Moment) throws -> Answer {
        let wanted = visit.parameters.filter { !$0.value.isEmpty }
        guard let report = Self.report(named: "results") else { throw MissingReport() }
        let form = OptionForm(
            action: "/queries", options: report.options.filter { Self.naming.contains($0.name) || $0.name == "since" },
            given: wanted, words: try words(["query", "country"], moment),
            button: "Another query", isBrief: true, isOpen: (visit["query"] ?? "").isEmpty)
        guard let text = visit["query"], !text.isEmpty else {
            return try page(
                moment, "Queries", form: form.html,
                content: PageParts.section(
                    "ask", "<p>Name a query, or choose one of those that are asked now:</p>\n" + (try asked(moment))))
        }
        // Who came and went is told of the week, unless another time is asked for.
        let isCompared = wanted.contains { $0.name == "since" || $0.name == "compare" }
        var listed = wanted + (isCompared ? [] : [RequestParameter("since", "7d")])
        var made = try make(report, listed, moment)
        // A list that is younger than a week has nothing to be compared with.
        if !isCompared, case .refused(.noList) = made {
            listed = wanted
            made = try make(report, listed, moment)
        }
        let title = "“\(text)”"
        switch made {
        case .refused(let refusal):
            let others = try moment.reader.askedQueries().map(\.query)
                .filter { $0.folded == Query.fold(text) && !$0.source.isImported }
            let choice = others.isEmpty ? "" : Self.list(of: others)
            return try page(
                moment, title, status: refusal.status, form: form.html,
                content: PageParts.section(
                    "refusal", PageParts.refusal(refusal.description, Self.addressOfHint(in: report, wanted)) + choice))
        case .report(let value):
            guard let results = value as? ResultsReport else { throw MissingReport() }
            let query = results.query
            let past = try TopTenPast(
                on: query, until: results.moment, from: moment.reader, now: moment.context.now
            ).document
            let own = try OwnPlaces(
                on: query, until: results.moment, from: moment.context.reader, now: moment.context.now)
            let ownDocument = own.document
            let mine =
                own.isEmpty
                ? ""
                : PageParts.section(
                    "own",
                    ownDocument.fragment(
                        PageForm(
                            headingLevel: 3, prefix: "own-", ornament: icons(for: ownDocument, moment),
                            address: PageAddress.subject)))
            let place = query.place
            let list = value.document.withoutMoment.fragment(
                PageForm(
                    headingLevel: 3, prefix: "results-", hint: Self.addressOfHint(in: report, listed),
                    ornament: icons(for: value.document, moment), address: PageAddress.subject))
            let top = past.fragment(PageForm(headingLevel: 3, prefix: "top-", address: PageAddress.subject))
            return try page(
                moment, "\(title) · \(place)", of: results.moment, form: form.html,
                content: mine + PageParts.section("top", heading: "The first ten over 30 days", top)
                    + PageParts.section("list", heading: "The list", list)
                    + PageParts.section("more", PageParts.forms(of: report.about.name, listed)))
        }
    }

    private func asked(_ moment: Moment) throws -> String {
        Self.list(of: try moment.reader.askedQueries().filter(\.isActive).map(\.query))
    }

    private static let mostListed = 500
    /// A query of many countries and devices has as many links.
    private static let mostLinks = 1000

    /// Each query once, with the places where it is asked.
    static func list(of queries: [Query], most: Int = mostListed) -> String {
        let asked = queries.filter { !$0.source.isImported }.grouped(by: \.folded)
        var drawn = 0
        let shown = asked.prefix(most).prefix { queries in
            drawn += queries.count
            return drawn <= mostLinks
        }
        let items = shown.map { queries in
            let links = queries.map { query in
                "<a href=\"\(PageParts.attribute(PageAddress.query(query)))\">"
                    + "<span class=\"quiet\">\(PageParts.text(query.text)), </span>\(PageParts.text(query.place))</a>"
            }
            return "<li><b>\(PageParts.text(queries[0].text))</b>: \(links.joined(separator: ", "))</li>\n"
        }
        let more = asked.count - shown.count
        let rest = "<p>and \(Figures.counted(more, "more query", "more queries")), found by name</p>\n"
        return "<ul>\n\(items.joined())</ul>\n" + (more > 0 ? rest : "")
    }

    /// The catalogue no longer has a report that a page is made of.
    private struct MissingReport: Error {}
}
