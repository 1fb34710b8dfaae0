import Algorithms
import History
import RankKit
import Reports

extension PageController {
    /// Rows of a page of the standings.
    private static let rows = 200
    /// What the rows can be narrowed by.
    private static let narrowing = ["app", "query", "country", "platform", "language", "tag", "since", "competitors"]

    /// `/`: the standings.
    func today(_ visit: Visit) throws -> Answer { try zoned(visit, today) }

    private func today(_ visit: Visit, _ moment: Moment) throws -> Answer {
        let request = StandingsRequest.self
        let wanted = visit.parameters.filter { !$0.value.isEmpty }
        let isLimited = wanted.contains { $0.name == "limit" || $0.name == "all" }
        let named = try queriesNamed(in: wanted, moment)
        let asked = named.parameters + (isLimited ? [] : [RequestParameter("limit", "\(Self.rows)")])
        let narrowing = try chips(wanted, moment).html + named.words
        let filters = narrowing.isEmpty ? "" : PageParts.section("filters", narrowing)
        let options = request.options.filter { Self.narrowing.contains($0.name) }
        let form = OptionForm(
            action: "/", options: options, given: wanted, words: try words(Set(Self.narrowing), moment),
            kept: wanted.filter { $0.name == "sort" || $0.name == "reverse" }, button: "Narrow", isBrief: true)
        let hint = Self.addressOfHint(in: request, wanted, path: "/")
        let value: any ReportValue
        switch try make(request, asked, moment) {
        case .report(let report): value = report
        case .refused(let refusal):
            return try page(
                moment, "Today", status: refusal.status, form: form.html,
                content: filters + PageParts.section("refusal", PageParts.refusal(refusal.description, hint)))
        }
        let pages = PageParts.pager(value.paging) { page in
            PageAddress.path("/", wanted.setting("page", page == 1 ? nil : "\(page)"))
        }
        let icons = icons(for: value.document, moment)
        let pageForm = PageForm(
            prefix: "today-", sorting: { Self.sorting(by: $0, wanted) }, hint: hint, ornament: icons,
            address: PageAddress.subject)
        let first = (value as? StandingsReport).flatMap { $0.isFirstPage ? $0 : nil }
        let lead = first?.headline() ?? ""
        let changed = try first.map { try WhatChanged($0, from: moment.context.reader) }
        let overview = try first.map { try self.overview(of: $0, changed, wanted, pageForm, icons, moment) } ?? ""
        let fragment =
            (lead.isEmpty ? "" : PageParts.section("lead", lead))
            + value.document.withoutMoment.fragment(
                pageForm, overview: overview, foldsDetails: changed.map { !$0.isEmpty } ?? false)
        return try page(
            moment, "Today", of: try TimeReading.moment(of: wanted, in: moment.context), form: form.html,
            hasStars: true,
            content: filters + fragment + PageParts.section("more", pages + Self.forms(of: named.parameters)))
    }

    /// Links to the same as data, as long as their addresses are ones that are answered.
    private static func forms(of parameters: [RequestParameter]) -> String {
        let length = PageAddress.path("/", parameters).utf8.count
        let isShort = parameters.count <= Visit.mostParameters / 2 && length <= Visit.longestAddress / 2
        return isShort ? PageParts.forms(of: StandingsRequest.about.name, parameters) : ""
    }

    /// What the standings can be narrowed to with one press.
    private func chips(_ wanted: [RequestParameter], _ moment: Moment) throws -> FilterChips {
        let mine = try moment.reader.watchedApps().filter(\.isMine)
        let queries = try moment.reader.askedQueries().filter(\.isActive).map(\.query)
        let aliases = mine.compactMap { app in app.alias.map { (app.bundleID.folded, $0) } }
        return FilterChips(
            path: "/", asked: wanted,
            groups: [
                .init(
                    name: "app", label: "App", choices: mine.map { .init($0.alias ?? $0.bundleID.text) },
                    aliases: Dictionary(aliases, uniquingKeysWith: { first, _ in first })),
                .init(
                    name: "country", label: "Country",
                    choices: queries.map(\.country.code).uniqued().map { .init($0) }),
                .init(
                    name: "platform", label: "Device",
                    choices: queries.map(\.platform).uniqued().map { .init($0.rawValue, $0.displayName) }),
                .init(name: "tag", label: "Tag", choices: try moment.reader.tags().map { .init($0) }),
                .init(
                    name: "since", label: "Period",
                    choices: [.init(Self.usualPeriod, "a week"), .init("30d", "a month")], usual: Self.usualPeriod),
            ])
    }

    /// What moves are told of where nothing else is asked for.
    private static let usualPeriod = "7d"

    /// Replaces each text that is no query by the queries that contain its words.
    ///
    /// - Returns: what the report is asked, and what the page says of it.
    private func queriesNamed(
        in wanted: [RequestParameter], _ moment: Moment
    ) throws -> (parameters: [RequestParameter], words: String) {
        guard wanted.contains(where: { $0.name == "query" }) else { return (wanted, "") }
        let queries = try moment.reader.askedQueries().filter(\.isActive).map(\.query)
        let known = Set(queries.map(\.folded))
        var parts: [String] = []
        let parameters = wanted.flatMap { parameter -> [RequestParameter] in
            guard parameter.name == "query", !known.contains(Query.fold(parameter.value)) else { return [parameter] }
            let found = Self.queries(queries, with: parameter.value).uniqued(on: \.folded)
            guard !found.isEmpty else { return [parameter] }
            parts.append("“\(parameter.value)”")
            return found.map { RequestParameter("query", $0.text) }
        }
        let words = parts.isEmpty ? "" : "Queries with \(parts.joined(separator: " or ")) in them."
        return (Array(parameters.uniqued()), words.isEmpty ? "" : "<p class=\"faint\">\(PageParts.text(words))</p>\n")
    }

    /// Those of `queries` that have all words of `text` in them, in any order, without regard to case and accents.
    static func queries(_ queries: [Query], with text: String) -> [Query] {
        let words = text.split(whereSeparator: \.isWhitespace).map { NameSearch.fold(String($0)) }
        return queries.filter { query in
            let folded = NameSearch.fold(query.text)
            return words.allSatisfy { NameSearch.contains(folded, $0) }
        }
    }

    /// What stands before the rows: my apps, what changed of them, and what to do next.
    private func overview(
        of report: StandingsReport, _ changed: WhatChanged?, _ wanted: [RequestParameter], _ form: PageForm,
        _ icon: (Cell.Subject, _ name: String) -> String, _ moment: Moment
    ) throws -> String {
        let cards =
            changed.map { changed in
                changed.isEmpty ? "" : PageParts.section("changed", heading: "What changed", changed.fragment(form))
            } ?? ""
        return Self.tiles(report.overviews, icon) + cards + (try next(wanted, moment))
    }

    /// What to do next; of one query the rows say it.
    private func next(_ wanted: [RequestParameter], _ moment: Moment) throws -> String {
        guard !wanted.contains(where: { $0.name == "query" }) else { return "" }
        let asked = wanted.filter { Self.narrowingNext.contains($0.name) }
        // It is found among all pairs, whatever the page is narrowed to.
        guard try moment.reader.activePairs() <= Self.mostPairsForNext else {
            let link = PageParts.link(PageAddress.report("opportunities", asked), "What to do next")
            return PageParts.section("next", "<p>\(link)</p>\n")
        }
        return try section(Self.opportunities, asked, moment)
    }

    /// With more pairs than these the page would take twice as long with what to do next: its report has it.
    private static let mostPairsForNext = 250

    /// What the things to do can be narrowed by: they are always of the weeks before.
    private static let narrowingNext = ["app", "country", "platform", "language", "tag", "until", "at", "sensitivity"]

    /// Apps that have a tile: more would hide what moved.
    private static let mostTiles = 6

    /// My apps at a glance, each with how many of its pairs stand in the first ten.
    ///
    /// - Parameter most: how many are shown.
    static func tiles(
        _ apps: [AppOverview], most: Int = mostTiles, _ icon: (Cell.Subject, _ name: String) -> String
    ) -> String {
        guard !apps.isEmpty else { return "" }
        let tiles = apps.prefix(most).map { app in
            "<li><a href=\"\(PageParts.attribute(PageAddress.app(app.bundleID)))\">"
                + icon(.app(app.bundleID), app.name) + "<b>\(PageParts.text(app.name))</b></a>"
                + "\(app.drawing)<p>\(standing(app))</p></li>\n"
        }
        let rest = apps.count - most
        let more = rest > 0 ? "<p>and \(PageParts.link("/apps", "\(rest) more"))</p>\n" : ""
        return PageParts.section(
            "tiles", "<ul class=\"tiles\" aria-label=\"My apps\">\n\(tiles.joined())</ul>\n\(more)")
    }

    /// `Top ten in **6** of 25 lists, ▲2 in a week`.
    static func standing(_ app: AppOverview) -> String {
        guard app.checked > 0 else { return "No list was checked lately." }
        var words = "Top ten in <strong>\(app.top)</strong> of \(Figures.counted(app.checked, "list"))"
        if let gained = app.gained {
            let (ink, change) = gained > 0 ? ("good", "▲\(gained)") : ("bad", "▼\(-gained)")
            words += gained == 0 ? ", as a week ago" : ", <span class=\"\(ink)\">\(change)</span> in a week"
        }
        return app.checked < app.pairs ? words + "; \(app.pairs - app.checked) not checked" : words
    }

    /// The same rows by another column, and by the same one the other way round.
    private static func sorting(by word: String, _ wanted: [RequestParameter]) -> PageForm.Sorting {
        let isChosen = wanted.contains { $0.name == "sort" && $0.value == word }
        let isReversed = wanted.contains { $0.name == "reverse" && !["false", "0", "off"].contains($0.value) }
        let others = wanted.setting("page", nil).setting("reverse", isChosen && !isReversed ? "true" : nil)
        return PageForm.Sorting(
            address: PageAddress.path("/", others.setting("sort", word)), isReversed: isChosen ? isReversed : nil)
    }
}

extension [RequestParameter] {
    /// With `value` as the only one of that name; without any where it is `nil`.
    func setting(_ name: String, _ value: String?) -> [RequestParameter] {
        filter { $0.name != name } + (value.map { [RequestParameter(name, $0)] } ?? [])
    }
}
