import RankKit
import Reports

extension PageController {
    /// `/apps`: the apps of the watchlist, mine at a glance.
    func apps(_ visit: Visit) throws -> Answer { try zoned(visit, apps) }

    private func apps(_ visit: Visit, _ moment: Moment) throws -> Answer {
        let all = PageParts.section("all", "<p>\(PageParts.link("/reports/apps", "All apps ever seen"))</p>\n")
        switch try make(StandingsRequest.self, [RequestParameter("limit", "1")], moment) {
        case .refused(let refusal):
            return try page(
                moment, "Apps", status: refusal.status,
                content: PageParts.section("refusal", PageParts.refusal(refusal.description)) + all)
        case .report(let value):
            guard let report = value as? StandingsReport else { return try page(moment, "Apps", content: all) }
            let competitors = report.competitors
            let icon = icons(for: competitors, moment)
            let mine = icons(of: report.overviews.map(\.bundleID), moment)
            let list = competitors.fragment(PageForm(prefix: "apps-", ornament: icon, address: PageAddress.subject))
            guard !report.overviews.isEmpty else {
                let words = list.isEmpty ? "No app is in the watchlist yet." : "None of these is an app of mine."
                return try page(moment, "Apps", content: PageParts.section("none", "<p>\(words)</p>\n") + list + all)
            }
            return try page(moment, "Apps", content: Self.tiles(report.overviews, most: .max, mine) + list + all)
        }
    }
}
