import Foundation
import HTTPTypes
import RankKit
import Reports
import TestSupport
import Testing

@testable import Web

@Suite struct PageRoomTests {
    /// Every page with something in it, by its address.
    private static let pages: [(path: String, parameters: [(String, String)])] =
        [
            ("/", []), ("/", [("sort", "7d"), ("competitors", "true")]), ("/queries", []),
            ("/queries", [("query", "timer")]), ("/pairs", []), ("/pairs", [("app", "me"), ("query", "timer")]),
            ("/apps", []), ("/apps/com.me", []), ("/apps/com.other0", []), ("/search", []),
        ]
        + ReportCatalogue.reports.map { report in
            (
                "/reports/" + report.about.name,
                report.options.filter(\.isRequired).map { option in
                    (option.name, option.name == "query" ? "timer" : "me")
                }
            )
        }

    @Test func `every page has one first heading, and each identifier once`() async throws {
        let stage = try await PageStage()
        for page in Self.pages {
            let html = try await stage.html(page.path, page.parameters)
            #expect(html.components(between: "<h1>", "</h1>").count == 1, "\(page.path)")
            let identifiers = html.components(between: " id=\"", "\"")
            #expect(Set(identifiers).count == identifiers.count, "\(page.path): \(identifiers)")
            #expect(html.contains("<main id=\"main\""), "\(page.path)")
        }
    }

    @Test func `every page does without what the site's policy forbids`() async throws {
        let stage = try await PageStage()
        for page in Self.pages {
            let html = try await stage.html(page.path, page.parameters)
            for forbidden in [" style=\"", "<style", " onclick", " onerror=", "javascript:", "http://", "https://"] {
                #expect(!html.contains(forbidden), "\(page.path): \(forbidden)")
            }
            #expect(
                html.components(between: "<script", ">").allSatisfy { $0.contains("src=\"/assets/") }, "\(page.path)")
        }
    }

    @Test func `the page of a query younger than a week leads to the list that it shows`() async throws {
        let stage = try await PageStage()
        let page = try await stage.html("/queries", [("query", "timer")])
        let forms = try #require(page.components(between: "<p class=\"forms\">", "<button").first)
        #expect(forms.contains("query=timer") && !forms.contains("since="), "\(forms)")
    }

    @Test func `an app whose entries have no number is in its query's list, and its name leads nowhere`() async throws {
        let stage = try await PageStage(unnumbered: "com.unnumbered")
        let list = try await stage.html("/queries", [("query", "timer")])
        #expect(list.contains("com.unnumbered") && !list.contains("unreadable entry"))
        #expect(list.contains("href=\"/apps/com.other0\"") && !list.contains("/apps/com.unnumbered"))
        let page = try await stage.html("/apps/com.Unnumbered")
        #expect(page.contains("came without a number of Apple&#39;s only") && !page.contains("never seen"))
        #expect(try await stage.html("/apps/com.nobody").contains("was never seen in any answer"))
    }

    @Test func `an app that was tracked and never had a number has a page, and its query's list leads to it`()
        async throws
    {
        let stage = try await PageStage(unnumbered: "com.unnumbered", wasTracked: true)
        #expect(try await stage.html("/queries", [("query", "timer")]).contains("href=\"/apps/com.unnumbered\""))
        #expect(try await stage.html("/apps/com.unnumbered").contains("<h1>com.unnumbered</h1>"))
    }

    @Test func `a form takes no number above the one that its report takes`() async throws {
        let stage = try await PageStage()
        let limited = ReportCatalogue.reports.flatMap { report in
            report.options.compactMap { option in option.most.map { (report.about.name, option.name, $0) } }
        }
        #expect(!limited.isEmpty)
        for (report, option, most) in limited {
            let html = try await stage.html("/reports/\(report)", [("app", "me")])
            let inputs = html.components(between: "<input type=\"number\"", ">").filter {
                $0.contains("name=\"\(option)\"")
            }
            #expect(!inputs.isEmpty && inputs.allSatisfy { $0.contains(" max=\"\(most)\"") }, "\(report): \(inputs)")
        }
    }

    @Test func `no page names an option with hyphens, but in a command to copy`() async throws {
        let stage = try await PageStage(queries: (1...12).map { query("query \($0)") })
        for page in Self.pages {
            let html = try await stage.html(page.path, page.parameters)
            let named = html.replacing(/“[^”]*”|<code>.*?<\/code>|<!--.*?-->/, with: "").matches(of: /[ (>]--[a-z]+/)
            #expect(named.isEmpty, "\(page.path): \(named.map { String($0.output) })")
        }
    }

    @Test func `names that a stranger chose show as text`() async throws {
        let stage = try await PageStage()
        for page in [("/queries", [("query", "timer")]), ("/apps/com.other0", []), ("/reports/apps", [])] {
            let html = try await stage.html(page.0, page.1)
            #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "\(page.0)")
            #expect(!html.contains("<script>"), "\(page.0)")
            #expect(!html.contains("\u{202E}"), "\(page.0)")
        }
        let list = try await stage.html("/queries", [("query", "timer")])
        #expect(list.contains("<bdi dir=\"ltr\">مفكرة يومية</bdi>"))
        #expect(list.contains("&quot;quotes&#39; &amp; &lt;b&gt;"))
        #expect(list.contains("{{constructor}} ${x} ignore your instructions"))
    }

    @Test func `names of apps and queries lead to their pages`() async throws {
        let html = try await PageStage().html("/")
        #expect(html.contains("<a href=\"/apps/com.me\">"))
        #expect(
            html.contains(
                "<a href=\"/queries?query=timer&amp;country=us&amp;platform=iphone&amp;language=none\">timer</a>"))
    }

    @Test func `queries that differ in language alone have a page each, and every link to one leads there`()
        async throws
    {
        let stage = try await PageStage(queries: [query("timer"), query("timer", language: "es_mx")])
        for path in ["/", "/queries", "/apps/com.me", "/reports/standings", "/reports/movers?all=true"] {
            let parts = path.split(separator: "?")
            let html = try await stage.html(String(parts[0]), parts.count > 1 ? [("all", "true")] : [])
            for link in Set(html.components(between: "href=\"/queries?", "\"")) {
                let parameters = link.replacing("&amp;", with: "&").split(separator: "&").map { pair in
                    let parts = pair.split(separator: "=", maxSplits: 1)
                    return (String(parts[0]), String(parts.last ?? ""))
                }
                let answer = try await stage.answer("/queries", parameters)
                #expect(answer.status == .ok, "\(path): \(link)")
                let isSpanish = String(decoding: answer.body, as: UTF8.self).contains("iPhone · es_mx</h1>")
                #expect(isSpanish == link.contains("language=es_mx"), "\(path): \(link)")
            }
        }
        let both = try await stage.answer("/queries", [("query", "timer"), ("country", "us")])
        let html = String(decoding: both.body, as: UTF8.self)
        #expect(both.status == .notFound)
        #expect(html.contains("language=none\">") && html.contains("language=es_mx\">"), "\(html)")
    }

    @Test func `every report of the catalogue is in the menu once`() async throws {
        let html = try await PageStage().html("/")
        for report in ReportCatalogue.reports {
            let links = html.components(between: "<li><a href=\"/reports/\(report.about.name)\"", ">")
            #expect(links.count == 1, "\(report.about.name)")
        }
    }

    @Test func `a refusal keeps the form and says why`() async throws {
        let stage = try await PageStage()
        let answer = try await stage.answer("/reports/movers", [("app", "nobody"), ("since", "7d")])
        let html = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == .notFound)
        #expect(html.contains("no app “nobody” is tracked"))
        #expect(html.contains("value=\"nobody\"") && html.contains("value=\"7d\""))
        #expect(try await stage.answer("/reports/movers", [("since", "neverday")]).status == .badRequest)
        #expect(try await stage.answer("/reports/nothing").status == .notFound)
        #expect(try await stage.answer("/apps/com.nobody").status == .notFound)
    }

    @Test func `a page of a moment before the first check says so, once`() async throws {
        let stage = try await PageStage()
        let words = "is before the history, which begins at 2026-11-01 00:00 UTC: nothing is known of that time."
        for (path, parameters) in [
            ("/", [("at", "2026-10-01")]), ("/reports/movers", [("until", "2026-10-01")]),
            ("/reports/standings", [("at", "2026-10-01")]), ("/reports/grid", [("app", "me"), ("at", "2026-10-01")]),
            ("/queries", [("query", "timer"), ("at", "2026-10-01")]),
        ] {
            let html = try await stage.html(path, parameters)
            #expect(html.ranges(of: words).count == 1 && !html.contains("--at"), "\(path)")
            #expect(html.contains(">at \(words)") || html.contains(">until \(words)"), "\(path)")
        }
        #expect(try await !stage.html("/", [("at", "2026-11-02")]).contains("before the history"))
    }

    @Test func `a query's page of a moment draws its first ten of then`() async throws {
        let stage = try await PageStage()
        let now = try await stage.html("/queries", [("query", "timer"), ("country", "us")])
        #expect(now.contains("the first ten now"))
        let then = try await stage.html(
            "/queries", [("query", "timer"), ("country", "us"), ("at", "2026-11-02"), ("since", "1d")])
        #expect(then.contains("the first ten at the end") && !then.contains("the first ten now"))
    }

    @Test(
        arguments: [
            ("/", []), ("/queries", [("query", "timer"), ("country", "us")]), ("/reports/standings", []),
            ("/reports/results", [("query", "timer")]), ("/reports/grid", [("app", "me")]),
            ("/reports/distribution", []),
            ("/reports/compare", [("app", "me")]), ("/reports/history", [("app", "me"), ("query", "timer")]),
        ] as [(String, [(String, String)])])
    func `a page of a moment is headed by it, and says so once`(
        path: String, parameters: [(String, String)]
    ) async throws {
        let stage = try await PageStage()
        for name in ["at", "until"] {
            let then = try await stage.html(path, parameters + [(name, "2026-11-02")])
            #expect(then.contains("as of <time datetime=\"2026-11-02T23:59:59Z\">2 Nov 2026, 23:59 UTC</time>"))
            let told = then.replacing("Show the report as of this time", with: "")
            #expect(told.ranges(of: "as of ").count == 1)
        }
        let now = try await stage.html(path, parameters)
        #expect(now.contains("as of <time datetime=\"2026-11-03T12:00:00Z\">3 Nov 2026, 12:00 UTC</time>"))
    }

    @Test(arguments: [
        [("at", "2026-11-02")], [("since", "abc")], [("since", "7d"), ("since", "8d")],
    ])
    func `an app's page refuses what its reports take, and leads to reports that take some`(
        _ parameters: [(String, String)]
    ) async throws {
        let stage = try await PageStage()
        let answer = try await stage.answer("/apps/com.me", parameters)
        let html = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == .badRequest)
        #expect(html.contains("takes no “\(parameters[0].0)”") && html.contains("/reports/timeline?app=com.me"))
        #expect(try await stage.answer("/apps/com.me", [("at", "")]).status == .ok)
    }

    @Test(arguments: ["/", "/reports/standings", "/reports/distribution"])
    func `a page refuses a parameter that it does not take and a time that is none`(path: String) async throws {
        let stage = try await PageStage()
        for (name, value) in [("colour", "red"), ("at", "neverday"), ("at", "2027-01-01")] {
            #expect(try await stage.answer(path, [(name, value)]).status == .badRequest, "\(name)=\(value)")
        }
    }

    @Test func `a report that must be told something asks for it`() async throws {
        let answer = try await PageStage().answer("/reports/history")
        #expect(answer.status == .ok)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("Choose which app this report is about."))
    }

    @Test func `what a report says of the command line leads to its form`() async throws {
        let stage = try await PageStage()
        let today = try await stage.html("/", [("country", "us")])
        #expect(today.contains("show them with <a href=\"/?country=us&amp;competitors=true\">competitors</a>"))
        #expect(!today.contains("--competitors"))
        let refused = try await stage.html("/reports/movers", [("since", "2030-01-01")])
        #expect(
            refused.contains(
                "<a href=\"/reports/movers?since=2030-01-01#option-since\">since</a> is in the future"))
    }

    @Test(arguments: [
        [("limit", "x")], [("page", "2")], [("since", "2025-01-02"), ("until", "2025-01-01")], [("at", "2999-01-01")],
        [("at", "1d"), ("until", "2d")], [("reverse", "true")], [("app", "com.me"), ("query", "nothing")],
    ])
    func `a page's refusal names parameters as the page does`(_ parameters: [(String, String)]) async throws {
        let html = try await PageStage().html("/reports/standings", parameters)
        let refusals = html.components(between: "class=\"refusal\" role=\"alert\">", "</p>")
        #expect(refusals.count == 1 && !refusals[0].contains("--"), "\(refusals)")
    }

    @Test func `lists have the icons that the store named, and letters for the rest`() async throws {
        let stage = try await PageStage()
        let html = try await stage.html("/queries", [("query", "timer")])
        #expect(html.contains("<img class=\"icon\" src=\"/picture/com.me\""))
        #expect(html.components(between: "<span class=\"icon tint-", "</span>").count == PageStage.hostile.count)
        #expect(try await stage.html("/").contains("<img class=\"icon\" src=\"/picture/com.me\""))
    }

    @Test func `an app's page says what its storefront told of it`() async throws {
        let html = try await PageStage().html("/apps/com.me")
        #expect(html.contains("<img class=\"icon large\" src=\"/picture/com.me\""))
        #expect(html.contains("<dd>Maker</dd>") && html.contains("<dd>2.99 USD</dd>") && html.contains("<dd>3.1</dd>"))
        #expect(html.contains("alt=\"Screenshot 2 of App com.me\""))
    }

    @Test func `it shows each of its queries once, and leads from there to the pair`() async throws {
        let html = try await PageStage().html("/apps/com.me")
        let grid = try #require(html.components(between: "<table class=\"matrix\">", "</table>").first)
        #expect(grid.components(between: "<th scope=\"col\">", "</th>") == ["us · iPhone", "de · iPhone"])
        #expect(
            grid.contains(
                "<a href=\"/pairs?app=com.me&amp;query=timer&amp;country=us&amp;platform=iphone&amp;language="))
        #expect(html.contains("Top ten in <strong>2</strong> of 2 lists"))
        let reports = html.components(between: "<section id=\"report-", "\"")
        #expect(reports == ["visibility", "distribution", "competitors", "timeline"])
    }

    @Test func `the page of an app that nobody tracks leads to the queries that have found it`() async throws {
        let html = try await PageStage().html("/apps/com.other0")
        #expect(html.contains("The app is not tracked.") && html.contains("timer</a> us · iPhone"))
        #expect(!html.contains("class=\"matrix\"") && !html.contains("id=\"beside\""))
    }

    @Test func `the menu leads to apps and to queries, and marks the page that is open or is below it`() async throws {
        let stage = try await PageStage()
        let apps = try await stage.html("/apps")
        #expect(apps.contains("<a href=\"/apps\" aria-current=\"page\">Apps</a>"))
        #expect(apps.contains("href=\"/apps/com.me\"") && apps.contains("href=\"/apps/com.rival\""))
        #expect(try await stage.html("/apps/com.me").contains("<a href=\"/apps\" aria-current=\"true\">Apps</a>"))
    }

    @Test func `the queries are listed once, each with the places where it is asked`() async throws {
        let stage = try await PageStage(queries: [query("timer"), query("notes", "de"), query("timer", "de")])
        let html = try await stage.html("/queries")
        #expect(html.components(between: "<li><b>", "</b>") == ["timer", "notes"])
        #expect(html.contains("us · iPhone</a>, <a href=\"/queries?query=timer&amp;country=de"))
    }

    @Test func `a query's page begins with where mine stand`() async throws {
        let html = try await PageStage().html("/queries", [("query", "timer"), ("country", "us")])
        let own = try #require(html.components(between: "<section id=\"own\">", "</section>\n</section>").first)
        #expect(own.contains("href=\"/apps/com.me\"") && own.contains("#1") && own.contains("href=\"/pairs?app=com.me"))
    }

    @Test func `the script is sent without what only explains it`() {
        let script = String(decoding: SiteAssets.script.body, as: UTF8.self)
        #expect(["\n//", "\n/**", "\n "].allSatisfy { !script.contains($0) })
        #expect(script.hasPrefix("\"use strict\";\nconst one ="))
    }

    @Test func `a column's head sorts by it, and the other way round the next time`() async throws {
        let stage = try await PageStage()
        let head = "<th scope=\"col\" class=\"right\""
        #expect(try await stage.html("/").contains("\(head)><a href=\"/?sort=1d\">1d</a>"))
        let sorted = try await stage.html("/", [("sort", "1d"), ("country", "us")])
        #expect(
            sorted.contains("\(head) aria-sort=\"descending\"><a href=\"/?country=us&amp;reverse=true&amp;sort=1d\">"))
        let reversed = try await stage.html("/", [("sort", "1d"), ("reverse", "true")])
        #expect(reversed.contains("\(head) aria-sort=\"ascending\"><a href=\"/?sort=1d\">"))
    }

    @Test func `more rows than a page holds are on further pages`() async throws {
        let stage = try await PageStage(queries: (0..<5).map { query("timer \($0)") })
        let first = try await stage.html("/", [("limit", "2")])
        #expect(first.contains("<a href=\"/?limit=2&amp;page=3\">3</a>"))
        #expect(first.contains("rows 1 to 2 of 5: page 1 of 3"))
        let last = try await stage.html("/", [("limit", "2"), ("page", "3")])
        #expect(last.contains("timer 4") && !last.contains(">timer 3</a>"))
        #expect(try await stage.html("/", [("limit", "2"), ("page", "9")]).contains("and no page 9."))
    }

    @Test func `an app that is not tracked has a page of the queries that found it`() async throws {
        let html = try await PageStage().html("/apps/com.other2")
        #expect(html.contains("The app is not tracked. These queries have found it:"))
        #expect(
            html.contains(
                "/reports/history?app=com.other2&amp;query=timer&amp;country=us&amp;platform=iphone&amp;language=none"))
    }

    @Test func `a query's page draws its first ten and tells who came`() async throws {
        let html = try await PageStage().html("/queries", [("query", "timer"), ("since", "2d")])
        #expect(html.components(between: "<figure data-chart=\"", "\"").count == 1)
        #expect(html.contains("since 2026-11-01 00:00"))
        #expect(html.contains("its first ten apps:"))
    }

    @Test func `style and script are kept for good under their own addresses alone`() async throws {
        let stage = try await PageStage()
        let answer = try await stage.answer(SiteAssets.script.path)
        #expect(answer.fields[.cacheControl] == "public, max-age=31536000, immutable")
        #expect(try await stage.answer("/assets/0123456789abcdef/site.js").fields[.cacheControl] == "no-cache")
        #expect(SiteAssets.script.body.count <= 24_000)
    }

    @Test func `what a browser keeps the site as is told by addresses that hold under any path`() async throws {
        let stage = try await PageStage()
        let page = try await stage.html("/")
        #expect(page.contains("<link rel=\"manifest\" href=\"\(SiteAssets.manifest.path)\">"))
        #expect(page.contains("<link rel=\"apple-touch-icon\" href=\"\(SiteAssets.homeIcon.path)\">"))
        let object = try JSONSerialization.jsonObject(with: Data(SiteAssets.manifest.body))
        let manifest = try #require(object as? [String: Any])
        #expect(manifest["start_url"] as? String == "../../")
        let icons = try #require(manifest["icons"] as? [[String: String]])
        #expect(icons.count == 2)
        for icon in icons {
            let path = try #require(icon["src"])
            let image = try await stage.answer("/assets/" + path.dropFirst("../".count))
            #expect(image.type == "image/png" && image.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
    }

    @Test func `the line about the service is to be had alone, as it stands on every page`() async throws {
        let stage = try await PageStage()
        let line = try await stage.html("/service")
        #expect(line.hasPrefix("<a class=\"service ") && line.contains("checked"))
        #expect(try await stage.html("/").contains(line))
    }

    @Test func `what is typed is found among what is recorded, by parts of words and without regard to case`()
        async throws
    {
        let stage = try await PageStage(queries: [
            query("focus timer"), query("notes", "de"), query("focus timer", "de"),
        ])
        let found = try await stage.html("/search/recorded", [("query", "IMER fo")])
        #expect(found.components(between: "<li><b>", "</b>") == ["focus timer"])
        let app = try await stage.html("/search/recorded", [("query", "com.me")])
        #expect(app.contains("href=\"/apps/com.me\"") && !app.contains("href=\"/queries"))
        let nothing = try await stage.html("/search/recorded", [("query", "nobody")])
        #expect(nothing.contains("no app seen has “"))
        #expect(try await stage.html("/search/recorded", [("query", "z")]).isEmpty, "apps were not looked in")
        #expect(try await stage.html("/search/recorded", [("query", " ")]).isEmpty)
    }

    @Test func `the newest list of the very question is shown before Apple is asked, with when it is of`() async throws
    {
        let stage = try await PageStage()
        let found = try await stage.html("/search/recorded", [("query", "Timer"), ("country", "us")])
        let kept = try #require(found.components(separatedBy: "<div class=\"kept\">").last)
        #expect(kept.contains("The newest list that rankd recorded") && kept.contains("2026-11-03"))
        #expect(kept.contains("href=\"/apps/com.me\""))
        let elsewhere = try await stage.html("/search/recorded", [("query", "timer"), ("country", "fr")])
        #expect(!elsewhere.contains("class=\"kept\""))
    }

    @Test func `the page of the search names the country that most queries are asked in`() async throws {
        let stage = try await PageStage(queries: [query("timer"), query("notes", "de"), query("timer", "de")])
        #expect(try await stage.html("/search").contains("name=\"country\" maxlength=\"2\" value=\"de\""))
    }
}
