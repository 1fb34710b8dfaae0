import Judging
import RankKit
import Reports

/// The part of the page that a search fills: the same with a script and without.
struct SearchFragment: Sendable {
    var pathOfImage: @Sendable (_ address: String, ImageSize, _ name: String?) -> String?

    func html(_ outcome: SearchOutcome, at now: Timestamp) -> String {
        switch outcome {
        case .nothing: said("Type what people would search for. rankd records nothing.")
        case .results(let found):
            "<h2>In the App Store now</h2>\n"
                + said(
                    "\(Figures.counted(found.rows.count, "result")) for “\(found.query.text)” · \(found.query.place)")
                + "<ol class=\"found\">\n" + found.rows.map { item($0, found.watchlist) }.joined() + "</ol>\n"
        case .empty: said(outcome.words(at: now) ?? "")
        case .invalid, .waiting, .paused, .throttled, .failed, .off, .superseded:
            "<p class=\"state refusal\">\(PageParts.text(outcome.words(at: now) ?? ""))</p>\n"
        }
    }

    private func said(_ words: String) -> String { "<p class=\"state\">\(PageParts.text(words))</p>\n" }

    private func item(_ row: FoundApps.Row, _ watchlist: String?) -> String {
        guard let app = row.app else {
            return "<li value=\"\(row.position)\"><span class=\"faint\">(unreadable entry)</span></li>\n"
        }
        let name = app.name ?? app.bundleID.text
        let mark =
            switch app.mark {
            case .mine: " <span class=\"mark good\">● mine</span>"
            case .competitor: " <span class=\"mark caution\">○ competitor</span>"
            case nil: ""
            }
        let rating = app.rating.map { rating in
            "★ \(Figures.decimal(rating, places: 1))" + (app.ratingCount.map { " (\(Figures.grouped($0)))" } ?? "")
        }
        let facts = [app.developer, rating].compactMap(\.self).map(PageParts.text).joined(separator: ", ")
        return "<li value=\"\(row.position)\"><div>"
            + PageParts.icon(app.iconURL.flatMap { pathOfImage($0, .icon, name) }, of: name)
            + "<div>\(PageParts.link(PageAddress.app(app.bundleID), name))\(mark)"
            + "\(facts.isEmpty ? "" : "<span class=\"facts\">\(facts)</span>")</div>\(track(app, watchlist))</div></li>\n"
    }

    /// The line that the watchlist needs.
    private func track(_ app: FoundApps.App, _ watchlist: String?) -> String {
        guard !app.isTracked else { return "<span class=\"facts\">in the watchlist for this search already</span>" }
        let file = watchlist.map { "“watch” in <code>\(HTMLText.escaped($0))</code>" } ?? "the watchlist's “watch”"
        return "<details><summary>Track this</summary><p>Paste this into \(file):</p>"
            + "<pre tabindex=\"0\"><code>\(HTMLText.escaped(app.watchLine))</code></pre>"
            + "<button type=\"button\" data-copy hidden>Copy the line</button></details>"
    }
}
