import History
import RankKit
import Reports

extension PageController {
    /// `/search/recorded`: what the history has for a text that is being typed. Nobody else is asked.
    func recorded(_ visit: Visit) throws -> Answer {
        try zoned(visit) { visit, moment in
            Answer(type: "text/html; charset=utf-8", try recordedFinds(visit, moment))
        }
    }

    private static let mostFound = 6
    /// A letter alone is in nearly every name.
    private static let shortestName = 2

    /// The queries that are asked and the apps ever seen that have the words of the text in them, and the newest recorded
    /// list of the very question. Empty where there is no text.
    func recordedFinds(_ visit: Visit, _ moment: Moment) throws -> String {
        let text = (visit["query"] ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty, text.utf8.count <= WatchlistLimits.longestTerm else { return "" }
        let asked = try moment.reader.askedQueries().filter { $0.isActive && !$0.query.source.isImported }.map(\.query)
        let queries = Self.queries(asked, with: text)
        let isName = text.count >= Self.shortestName || text.utf8.count > text.count
        let apps = isName ? try moment.reader.directory(matching: text, limit: Self.mostFound) : (entries: [], count: 0)
        let list = try recordedList(visit, among: asked, moment)
        guard !queries.isEmpty || !apps.entries.isEmpty else {
            let words = "No query that is asked now and no app seen has “\(text)” in it."
            return list + (isName ? "<p class=\"faint\">\(PageParts.text(words))</p>\n" : "")
        }
        return "<h2>Recorded</h2>\n" + (queries.isEmpty ? "" : Self.list(of: queries, most: Self.mostFound))
            + appsFound(apps.entries, of: apps.count, text, moment) + list
    }

    private func appsFound(_ apps: [DirectoryEntry], of count: Int, _ text: String, _ moment: Moment) -> String {
        guard !apps.isEmpty else { return "" }
        let icon = icons(of: apps.map(\.bundleID), moment)
        let items = apps.map { app in
            let name = app.name ?? app.bundleID.text
            return "<li>\(icon(.app(app.bundleID), name))\(PageParts.link(PageAddress.app(app.bundleID), name))</li>\n"
        }
        let rest = count - apps.count
        let more = PageAddress.report("apps", [RequestParameter("text", text)])
        return "<ul class=\"faces\" aria-label=\"Apps\">\n\(items.joined())"
            + (rest > 0 ? "<li>\(PageParts.link(more, "\(Figures.grouped(Int64(rest))) more"))</li>\n" : "") + "</ul>\n"
    }

    /// The first places of the newest good list, where this very question is asked by the watchlist.
    private func recordedList(_ visit: Visit, among asked: [Query], _ moment: Moment) throws -> String {
        guard case .success(let question?) = SearchQuestion.read(visit), asked.contains(question),
            let report = Self.report(named: "results"),
            case .report(let value) = try make(report, PageAddress.parameters(of: question), moment)
        else { return "" }
        let document = value.document.excerpt(rows: TopTenPast.depth)
        let list = document.fragment(
            PageForm(
                headingLevel: 3, prefix: "recorded-", ornament: icons(for: document, moment),
                address: PageAddress.subject))
        return "<div class=\"kept\">\n<h3>The newest list that rankd recorded</h3>\n\(list)</div>\n"
    }

    /// The country of most queries; the first of the watchlist where several have as many.
    func usualCountry(_ moment: Moment) throws -> Country? {
        let asked = try moment.reader.askedQueries().filter(\.isActive).map(\.query.country)
        let counts = Dictionary(asked.map { ($0, 1) }, uniquingKeysWith: +)
        let most = counts.values.max()
        return asked.first { counts[$0] == most }
    }
}
