import HTTPTypes
import History
import RankKit
import Reports

extension PageController {
    /// A report as a part of an app's page.
    struct Part {
        let title: String
        let report: String
        /// Rows that are shown of each of its tables; with 0 there are sentences, lists and charts alone.
        let rows: Int
        /// What it is asked with beside the app.
        var parameters: [RequestParameter] = []
        /// Whether it is left out where there are no rows.
        var needsRows = false
    }

    private static let timeline = Part(title: "Timeline", report: "timeline", rows: 8)
    /// Those that stand beside each other where there is room.
    private static let overviews = [
        Part(title: "Visibility", report: "visibility", rows: 0),
        Part(title: "Where it stands", report: "distribution", rows: 0),
    ]
    static let opportunities = Part(title: "What to do next", report: "opportunities", rows: 3, needsRows: true)
    private static let headToHead = Part(title: "Head to head", report: "compare", rows: 0)
    private static let competitors = Part(
        title: "Competitors", report: "competitors", rows: 5, parameters: [RequestParameter("limit", "5")])

    /// `/apps/BUNDLEID`: everything about one app, tracked or not.
    func app(_ visit: Visit) throws -> Answer { try zoned(visit, app) }

    /// The refusal of what a report of the app takes and this page does not: it is always of now. Parameters that no report
    /// takes change nothing, and do not have the page made anew.
    ///
    /// - Returns: `nil` if there is nothing to refuse.
    func appRefusal(_ visit: Visit) throws -> Answer? {
        let parts = Self.overviews + [Self.opportunities, Self.headToHead, Self.competitors, Self.timeline]
        let reports = (parts.map(\.report) + [Self.positions]).compactMap { Self.report(named: $0) }
        let names = Set(reports.flatMap { $0.options.map(\.name) })
        let given = visit.parameters.first { !$0.value.isEmpty && names.contains($0.name) }
        guard let given, let bundleID = BundleID(visit.captures["bundle"] ?? "") else { return nil }
        let own = [RequestParameter("app", bundleID.text)]
        let here = PageParts.link(PageAddress.app(bundleID), "The page of now")
        let links = reports.map { PageParts.link(PageAddress.report($0.about.name, own), $0.about.name) }
        let words =
            "An app's page is always of now and takes no “\(given.name)”. Each of its reports by itself takes what it can be "
            + "asked for."
        return try zoned(visit) { _, moment in
            try page(
                moment, bundleID.text, status: .badRequest,
                content: PageParts.section(
                    "refusal",
                    PageParts.refusal(words) + "<p>\(here); by themselves: \(links.joined(separator: ", "))</p>\n"))
        }
    }

    private func app(_ visit: Visit, _ moment: Moment) throws -> Answer {
        let name = visit.captures["bundle"] ?? ""
        guard let bundleID = BundleID(name), let face = try Self.face(of: bundleID, moment) else {
            let app = try BundleID(name).flatMap { try moment.reader.cameUnnumbered($0) ? $0 : nil }
            let why = app.map { ReportRefusal.noNumber($0).plain + "." } ?? "“\(name)” was never seen in any answer."
            return try page(
                moment, "No such app", status: .notFound,
                content: PageParts.section(
                    "refusal",
                    PageParts.refusal(why)
                        + "<p>\(PageParts.link("/reports/apps", "All apps ever seen"))</p>\n"))
        }
        let own = [RequestParameter("app", face.bundleID.text)]
        let hasCompetitors = try moment.reader.watchedApps().contains {
            $0.bundleID == face.bundleID && !$0.competitors.isEmpty
        }
        var content = PageParts.section("app", head(of: face)) + (try queries(of: face.bundleID, own, moment))
        let beside = try Self.overviews.map { try section($0, own, moment) }.joined()
        content += beside.isEmpty ? "" : "<section id=\"beside\" class=\"beside\">\n\(beside)</section>\n"
        for part in [Self.opportunities] + (hasCompetitors ? [Self.headToHead] : []) + [
            Self.competitors, Self.timeline,
        ] {
            content += try section(part, own, moment)
        }
        content += try ratings(of: face, moment) + screenshots(of: face)
        let ornament = PageParts.icon(
            face.icon.flatMap { pathOfImage($0, .large, face.title) }, of: face.title, large: true)
        return try page(moment, face.title, ornament: ornament, content: content)
    }

    /// The report of an app's places, check by check.
    private static let positions = "history"

    /// How the app stands on each of its queries; of one that is not tracked, the queries that have found it.
    private func queries(of app: BundleID, _ own: [RequestParameter], _ moment: Moment) throws -> String {
        let asked = own + [RequestParameter("competitors", "true")]
        let made = try make(StandingsRequest.self, asked, moment)
        if case .refused(.tooMuch(let words)) = made {
            return PageParts.section("queries", heading: "Queries", PageParts.refusal(words))
        }
        guard case .report(let value) = made, let report = value as? StandingsReport, let grid = report.grid(of: app)
        else { return PageParts.section("queries", heading: "Queries", try seenOn(app, moment)) }
        let standing = report.overviews.first { $0.bundleID == app }.map { "<p>\(Self.standing($0))</p>\n" } ?? ""
        let links = [
            PageParts.link(PageAddress.report(Self.positions, own), "every chart"),
            PageParts.link(PageAddress.report("grid", own), "day by day"),
            PageParts.link(PageAddress.path("/", asked), "as a table"),
        ]
        return PageParts.section(
            "queries", heading: "Queries", more: "<p class=\"more\">\(links.joined(separator: " · "))</p>\n",
            standing + grid.fragment(label: "Queries", PageForm(address: PageAddress.subject)))
    }

    /// One report in brief in a section of its own; nothing where the report refuses what it is asked, as one of tracked
    /// apps does of others, or where it has no rows and needs some.
    func section(_ part: Part, _ own: [RequestParameter], _ moment: Moment) throws -> String {
        guard let report = Self.report(named: part.report) else { return "" }
        let (name, parameters) = (part.report, own + part.parameters)
        switch try make(report, parameters, moment) {
        case .report(let value):
            let form = PageForm(
                headingLevel: 3, prefix: name + "-", hint: Self.addressOfHint(in: report, parameters),
                address: PageAddress.subject)
            let link = PageParts.link(PageAddress.report(name, own), "all of it, and what its figures mean")
            let excerpt = value.document.excerpt(rows: part.rows)
            guard !part.needsRows || excerpt.hasTable else { return "" }
            return PageParts.section(
                "report-" + name, heading: part.title, more: "<p class=\"more\">\(link)</p>\n",
                excerpt.fragment(form))
        case .refused(.tooMuch(let words)):
            return PageParts.section(
                "report-" + name, heading: part.title,
                PageParts.refusal(words, Self.addressOfHint(in: report, parameters)))
        case .refused: return ""
        }
    }

    /// The queries that ever showed an app that is not tracked.
    private func seenOn(_ app: BundleID, _ moment: Moment) throws -> String {
        let queries = try moment.reader.queries(showing: app)
        guard !queries.isEmpty else { return "<p>The app is not tracked, and no good list has shown it.</p>\n" }
        let items = queries.prefix(Self.mostQueries).map { query in
            let asked = [RequestParameter("app", app.text)] + PageAddress.parameters(of: query)
            return "<li>\(PageParts.link(PageAddress.query(query), query.text)) "
                + "\(query.place) · "
                + "\(PageParts.link(PageAddress.report(Self.positions, asked), "its positions"))</li>\n"
        }.joined()
        let more = queries.count - Self.mostQueries
        return "<p>The app is not tracked. These queries have found it:</p>\n<ul>\n\(items)</ul>\n"
            + (more > 0 ? "<p>and \(more) more</p>\n" : "")
    }

    private static let mostQueries = 50

    /// `nil` for an app that was never seen and never tracked.
    private static func face(of app: BundleID, _ moment: Moment) throws -> AppFace? {
        if let card = try moment.reader.appCard(app, preferring: nil) { return AppFace(card) }
        return try moment.reader.wasTracked(app) ? AppFace(bundleID: app) : nil
    }

    private func head(of face: AppFace) -> String {
        let facts = [
            face.developer.map { ("by", $0) }, face.price.map { ("price", $0) }, face.version.map { ("version", $0) },
            ("bundle id", face.bundleID.text),
        ].compactMap(\.self)
        let list = facts.map { "<div><dt>\($0.0)</dt><dd>\(PageParts.text($0.1))</dd></div>" }.joined()
        return "<dl class=\"facts\">\(list)</dl>\n"
    }

    private func ratings(of face: AppFace, _ moment: Moment) throws -> String {
        let past = try RatingPast(
            of: face.bundleID, called: face.title, from: moment.reader, now: moment.context.now)
        guard let document = past.document else { return "" }
        return PageParts.section(
            "ratings", heading: "Ratings", document.fragment(PageForm(headingLevel: 3, prefix: "ratings-")))
    }

    private func screenshots(of face: AppFace) -> String {
        let shots = face.screenshots.compactMap { pathOfImage($0, .screenshot, nil) }.enumerated().map { index, path in
            "<li><img src=\"\(PageParts.attribute(path))\" width=\"146\" height=\"260\" loading=\"lazy\" "
                + "alt=\"Screenshot \(index + 1) of \(PageParts.attribute(face.title))\"></li>"
        }
        guard !shots.isEmpty else { return "" }
        return PageParts.section(
            "screenshots", heading: "Screenshots",
            "<ul class=\"strip\" tabindex=\"0\" role=\"list\" aria-label=\"Screenshots\">\(shots.joined())</ul>\n")
    }
}
