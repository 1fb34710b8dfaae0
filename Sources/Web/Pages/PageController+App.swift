import HTTPTypes
import History
import RankKit
import Reports

extension PageController {
    /// Who of the app and its competitors is ahead.
    private static let headToHead = "Head to head"

    /// What an app's page is made of, and what each report is asked with beside the app.
    private static let parts: [(title: String, report: String, parameters: [RequestParameter])] = [
        (headToHead, "compare", []), ("Positions", "history", [RequestParameter("since", "90d")]),
        ("Visibility", "visibility", []),
        ("Opportunities", "opportunities", []), ("Competitors", "competitors", []), ("Timeline", "timeline", []),
    ]

    /// `/apps/BUNDLEID`: everything about one app, tracked or not.
    func app(_ visit: Visit) throws -> Answer { try zoned(visit, app) }

    /// The refusal of what a report of the app takes and this page does not: it is always of now. Parameters that no report
    /// takes change nothing, and do not have the page made anew.
    ///
    /// - Returns: `nil` if there is nothing to refuse.
    func appRefusal(_ visit: Visit) throws -> Answer? {
        let reports = Self.parts.compactMap { Self.report(named: $0.report) }
        let names = Set(reports.flatMap { $0.options.map(\.name) })
        let given = visit.parameters.first { !$0.value.isEmpty && names.contains($0.name) }
        guard let given, let bundleID = BundleID(visit.captures["bundle"] ?? "") else { return nil }
        let own = [RequestParameter("app", bundleID.text)]
        let here = PageParts.link(PageAddress.app(bundleID), "The page of now")
        let links = Self.parts.map { PageParts.link(PageAddress.report($0.report, own), $0.title.lowercased()) }
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
        var content = PageParts.section("app", try head(of: face, moment))
        let pairs = try moment.reader.trackedPairs(PairFilter(apps: [face.bundleID.text])).count
        let hasCompetitors = try moment.reader.watchedApps().contains {
            $0.bundleID == face.bundleID && !$0.competitors.isEmpty
        }
        for part in Self.parts where hasCompetitors || part.title != Self.headToHead {
            // A chart of each would be too much to look at, and to send.
            let isTooMuch = part.report == "history" && pairs > Self.mostCharts
            guard let report = isTooMuch ? StandingsRequest.self : Self.report(named: part.report) else { continue }
            if isTooMuch {
                content += try section(
                    part.title, report, own + [RequestParameter("limit", "\(Self.mostRows)")], moment)
                continue
            }
            content += try section(part.title, report, own + part.parameters, moment)
        }
        let ornament = PageParts.icon(
            face.icon.flatMap { pathOfImage($0, .large, face.title) }, of: face.title, large: true)
        return try page(moment, face.title, ornament: ornament, content: content)
    }

    /// One report of the app in a section of its own; nothing if the app is not tracked and the report is of such alone.
    private func section(
        _ title: String, _ report: any ReportRequest.Type, _ parameters: [RequestParameter], _ moment: Moment
    ) throws -> String {
        let name = report.about.name
        switch try make(report, parameters, moment) {
        case .report(let value):
            let form = PageForm(
                headingLevel: 3, prefix: name + "-", hint: Self.addressOfHint(in: report, parameters),
                address: PageAddress.subject)
            let link = PageParts.link(PageAddress.report(name, parameters), "\(title.lowercased()) by itself")
            return PageParts.section(
                "report-" + name, heading: title, more: "<p class=\"more\">\(link)</p>\n",
                value.document.fragment(form))
        case .refused(.notTracked):
            return PageParts.section(
                "report-" + name, heading: title, try seenOn(parameters, moment))
        case .refused(.tooMuch(let words)):
            return PageParts.section(
                "report-" + name, heading: title,
                PageParts.refusal(words, Self.addressOfHint(in: report, parameters)))
        case .refused: return ""
        }
    }

    /// The queries that ever showed an app that is not tracked.
    private func seenOn(_ parameters: [RequestParameter], _ moment: Moment) throws -> String {
        guard let app = parameters.first(where: { $0.name == "app" }).flatMap({ BundleID($0.value) }) else { return "" }
        let queries = try moment.reader.queries(showing: app)
        guard !queries.isEmpty else { return "<p>The app is not tracked, and no good list has shown it.</p>\n" }
        let items = queries.prefix(Self.mostQueries).map { query in
            let asked = [RequestParameter("app", app.text)] + PageAddress.parameters(of: query)
            return "<li>\(PageParts.link(PageAddress.query(query), query.text)) "
                + "\(query.place) · "
                + "\(PageParts.link(PageAddress.report("history", asked), "its positions"))</li>\n"
        }.joined()
        let more = queries.count - Self.mostQueries
        return "<p>The app is not tracked. These queries have found it:</p>\n<ul>\n\(items)</ul>\n"
            + (more > 0 ? "<p>and \(more) more</p>\n" : "")
    }

    private static let mostQueries = 50
    /// Queries whose charts stand in an app's page.
    private static let mostCharts = 24
    /// Rows that stand in their place.
    private static let mostRows = 200

    /// `nil` for an app that was never seen and never tracked.
    private static func face(of app: BundleID, _ moment: Moment) throws -> AppFace? {
        if let card = try moment.reader.appCard(app, preferring: nil) { return AppFace(card) }
        return try moment.reader.wasTracked(app) ? AppFace(bundleID: app) : nil
    }

    private func head(of face: AppFace, _ moment: Moment) throws -> String {
        let facts = [
            face.developer.map { ("by", $0) }, face.price.map { ("price", $0) }, face.version.map { ("version", $0) },
            ("bundle id", face.bundleID.text),
        ].compactMap(\.self)
        let list = facts.map { "<div><dt>\($0.0)</dt><dd>\(PageParts.text($0.1))</dd></div>" }.joined()
        let ratings = try RatingPast(
            of: face.bundleID, called: face.title, from: moment.reader, now: moment.context.now
        ).document?.fragment(PageForm(headingLevel: 3, prefix: "ratings-"))
        let shots = face.screenshots.compactMap { pathOfImage($0, .screenshot, nil) }.enumerated().map { index, path in
            "<li><img src=\"\(PageParts.attribute(path))\" width=\"146\" height=\"260\" loading=\"lazy\" "
                + "alt=\"Screenshot \(index + 1) of \(PageParts.attribute(face.title))\"></li>"
        }
        let strip =
            shots.isEmpty
            ? ""
            : "<ul class=\"strip\" tabindex=\"0\" role=\"list\" aria-label=\"Screenshots\">\(shots.joined())</ul>\n"
        return "<dl class=\"facts\">\(list)</dl>\n" + strip + (ratings.map { "<h2>Ratings</h2>\n\($0)" } ?? "")
    }
}
