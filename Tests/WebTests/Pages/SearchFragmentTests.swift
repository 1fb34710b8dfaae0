import Judging
import RankKit
import Reports
import TestSupport
import Testing

@testable import Web

@Suite struct SearchFragmentTests {
    private let fragment = SearchFragment(pathOfImage: { address, size, _ in "/images/\(size.rawValue)/\(address.count)"
    })
    private let now = time("2026-11-20T10:00:00Z")
    private let query = Query(text: "say \"hi\" <b>", country: Country(code: "us")!, platform: .ipad)

    private func found(_ rows: [FoundApps.Row]) -> SearchOutcome {
        let report = SearchReport(query: query, generatedAt: now, results: list([]), marks: [:])
        return .results(FoundApps(report: report, query: query, askedAt: now, rows: rows))
    }

    private func app(
        _ id: String, _ name: String? = nil, developer: String? = nil, rating: Double? = nil, icon: String? = nil,
        mark: AppMark? = nil
    ) -> FoundApps.App {
        FoundApps.App(
            bundleID: bundle(id), id: nil, name: name, developer: developer, rating: rating,
            ratingCount: rating.map { _ in 1_234 },
            iconURL: icon, screenshotURLs: [], mark: mark, watchLine: "{ \"query\": \"say <b>\" },")
    }

    @Test func `results are an ordered list with whose they are`() {
        let html = fragment.html(
            found([
                .init(position: 1, app: app("com.me", "Mine", developer: "Me", rating: 4.56, icon: "abc", mark: .mine)),
                .init(position: 2, app: nil),
                .init(position: 3, app: app("com.rival", "<script>", mark: .competitor)),
            ]), at: now)
        #expect(html.contains("3 results for “say &quot;hi&quot; &lt;b&gt;” · us · iPad"))
        #expect(
            html.contains(
                "<img class=\"icon\" src=\"/images/icon/3\" width=\"32\" height=\"32\" loading=\"lazy\" alt=\"\">"))
        #expect(
            html.contains(
                "Mine</a> <span class=\"mark good\">● mine</span><span class=\"facts\">Me, ★ 4.6 (1,234)</span>")
        )
        #expect(html.contains("<li value=\"2\"><span class=\"faint\">(unreadable entry)</span>"))
        #expect(html.contains("&lt;script&gt;</a> <span class=\"mark caution\">○ competitor</span>"))
        #expect(!html.contains("<script>"))
    }

    @Test func `the line to paste is shown as it is`() {
        let html = fragment.html(found([.init(position: 1, app: app("com.me"))]), at: now)
        #expect(html.contains("<code>{ &quot;query&quot;: &quot;say &lt;b&gt;&quot; },</code>"))
    }

    @Test func `it is said into which file to paste, and of what is there that it is`() {
        var tracked = app("com.tracked")
        tracked.isTracked = true
        let report = SearchReport(query: query, generatedAt: now, results: list([]), marks: [:])
        let html = fragment.html(
            .results(
                FoundApps(
                    report: report, query: query, askedAt: now,
                    rows: [.init(position: 1, app: tracked), .init(position: 2, app: app("com.new"))],
                    watchlist: "/etc/<rankd>/watchlist.json")), at: now)
        #expect(html.contains("Paste this into “watch” in <code>/etc/&lt;rankd&gt;/watchlist.json</code>:"))
        #expect(html.contains("in the watchlist for this search already"))
        #expect(html.matches(of: /Track this/).count == 1)
    }

    @Test func `each state is said`() {
        #expect(fragment.html(.nothing, at: now).contains("Type what people would search for."))
        #expect(fragment.html(.empty(query), at: now).contains("finds nothing for “say &quot;hi&quot; &lt;b&gt;”"))
        #expect(fragment.html(.waiting(until: now + 20), at: now).contains("The next one is possible in 20 s"))
        #expect(fragment.html(.off("rankd is <i>stopped</i>"), at: now).contains("rankd is &lt;i&gt;stopped&lt;/i&gt;"))
    }

    @Test func `an app without a picture has its first letter`() {
        #expect(PageParts.icon(nil, of: "\"<ünder").contains(">Ü</span>"))
        #expect(PageParts.icon(nil, of: "…").contains(">?</span>"))
    }
}
