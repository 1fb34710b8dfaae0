import Foundation
import Testing

@testable import Web

/// The site as a browser finds it under a path of another site's host.
@Suite struct SubpathTests {
    private func withSite(
        _ credentials: Credentials? = nil, _ body: (RunningSite) async throws -> Void
    ) async throws {
        try await RunningSite.run(at: "https://example.com/ranks", credentials, body)
    }

    private static func links(in page: String) -> [String] {
        page.matches(of: /\s(?:href|src|action)="([^"]*)"/).map {
            String($0.output.1).replacing("&amp;", with: "&").replacing(/#.*$/, with: "")
        }.filter { !$0.isEmpty }
    }

    /// Follows the links from `first` on, two of each kind: what differs in a name alone is made by the same hand.
    private static func crawl(_ site: RunningSite, from first: [String], missing: Set<String>) async throws -> Set<
        String
    > {
        var waiting = first
        var known = Set(first)
        var kinds: [String: Int] = [:]
        while let path = waiting.popLast() {
            let page = try await site.page(path)
            // The reports that need an app or a query ask for it.
            #expect(page.status == (missing.contains(path) ? 404 : 200), "\(path): \(page.status)")
            guard page.type.hasPrefix("text/html") else { continue }
            for link in links(in: page.text) {
                #expect(link.hasPrefix("/ranks/"), "\(path) leads to \(link)")
                let kind = kind(of: link)
                guard !forms.contains(link), kinds[kind, default: 0] < 2, known.insert(link).inserted else { continue }
                kinds[kind, default: 0] += 1
                waiting.append(link)
            }
        }
        return known
    }

    private static let forms: Set<String> = ["/ranks/logout", "/ranks/links", "/ranks/login"]

    private static func kind(of link: String) -> String {
        let steps = link.prefix { $0 != "?" }.split(separator: "/")
        return steps.count == 3 && steps[1] == "apps" ? "one app" : steps.prefix(3).joined(separator: "/")
    }

    @Test func `every link of every page leads somewhere under the path`() async throws {
        try await withSite { site in
            let missing = ["/ranks/apps/com.nobody", "/ranks/nowhere"]
            let known = try await Self.crawl(
                site, from: ["/ranks/", "/ranks/api", "/ranks/search", "/ranks/queries"] + missing,
                missing: Set(missing))
            #expect(known.count > 30, "\(known.count)")
            for kind in ["assets/", "apps/com.acme", "queries?", "reports/movers", "api/v1/"] {
                #expect(known.contains { $0.hasPrefix("/ranks/" + kind) }, "\(kind)")
            }
            // Each address in the script begins with what the page says.
            let script = try await site.page(try #require(known.first { $0.hasSuffix("site.js") })).text
            #expect(script.contains("dataset.base") && script.firstMatch(of: /["'`]\/[a-z?]/) == nil)
        }
    }

    @Test func `a web server in front may pass the path on or take it away`() async throws {
        try await withSite { site in
            for path in ["/", "/reports/movers", "/api/v1/reports/movers?since=7d", "/search", "/api"] {
                let whole = try await site.page("/ranks" + path)
                let cut = try await site.page(path)
                #expect(whole.status == 200 && cut.text == whole.text, "\(path)")
            }
            #expect(try await site.page("/ranks").status == 200)
            #expect(try await site.page("/ranks?sort=query").status == 200)
            #expect(try await site.page("/ranked").status == 404)
            #expect(try await site.page("/").text.contains("<html lang=\"en\" data-base=\"/ranks\">"))
        }
    }

    @Test func `the description of the API, its list and a shared link know the path`() async throws {
        try await withSite { site in
            let description = try await site.page("/ranks/api/v1/openapi.json")
            #expect(description.text.replacing(" ", with: "").contains("\"servers\":[{\"url\":\"/ranks\"}]"))
            let list = try await site.page("/ranks/api/v1/reports")
            #expect(list.text.contains("\"/ranks/api/v1/reports/movers\""))
            let made = try await site.page(
                "/ranks/links", [("Origin", "https://example.com")], form: "report=standings&days=1")
            let link = try #require(made.text.firstMatch(of: /https:\/\/example\.com(\/ranks\/shared\/[\w.-]+)/)).output
                .1
            #expect(try await site.page(String(link)).status == 200)
        }
    }

    @Test func `what is refused names addresses under the path`() async throws {
        try await withSite { site in
            let problem = try await site.page("/ranks/api/v1/reports/movers?since=never")
            #expect(problem.text.hasPrefix(#"{"type":"/ranks/api#usage","#), "\(problem.text)")
            #expect(problem.text.contains(#","instance":"/ranks/api/v1/reports/movers"}"#), "\(problem.text)")
        }
    }

    @Test func `log-in, its cookie and every redirect know the path`() async throws {
        let credentials = try Credentials(password: "correct horse battery", tokens: nil)
        try await withSite(credentials) { site in
            let led = try await site.page("/ranks/reports/movers?since=7d")
            #expect(led.status == 303)
            #expect(led.field("location") == "/ranks/login?next=%2Freports%2Fmovers%3Fsince%3D7d")
            let form = "password=correct+horse+battery&next=%2Freports%2Fmovers%3Fsince%3D7d"
            let secure = try await site.page("/ranks/login", [("Origin", "https://example.com")], form: form)
            #expect(secure.status == 303 && secure.field("location") == "/ranks/reports/movers?since=7d")
            let cookie = try #require(secure.field("set-cookie"))
            #expect(cookie.hasPrefix("__Secure-rankweb=") && cookie.contains("; Path=/ranks;"))
            #expect(cookie.contains("; Secure"))
            let session = [("Cookie", String(cookie.prefix { $0 != ";" }))]
            #expect(try await site.page("/ranks/reports/movers", session).status == 200)
            let out = try await site.page("/ranks/logout", session + [("Origin", "https://example.com")], form: "")
            #expect(out.field("location") == "/ranks/login")
            #expect(try await site.page("/ranks/reports/movers", session).status == 303)
        }
    }

    @Test func `who comes by http to a site that was told of https can log in`() async throws {
        let credentials = try Credentials(password: "correct horse battery", tokens: nil)
        try await withSite(credentials) { site in
            let form = "password=correct+horse+battery&next=%2F"
            let plain = try await site.page("/ranks/login", [("Origin", "http://example.com")], form: form)
            let cookie = try #require(plain.field("set-cookie"), "\(plain.status)")
            // A browser would throw away one that is for encrypted pages.
            #expect(plain.status == 303 && cookie.hasPrefix("rankweb=") && !cookie.contains("Secure"))
            let session = [("Cookie", String(cookie.prefix { $0 != ";" }))]
            #expect(try await site.page("/ranks/", session).status == 200)
            for other in ["https://evil.example", "http://example.com.evil.example", "null"] {
                #expect(try await site.page("/ranks/login", [("Origin", other)], form: form).status == 403, "\(other)")
            }
        }
    }

    @Test func `only addresses in tags are changed, and names that look like them are not`() {
        let page =
            "<html lang=\"en\"><a href=\"/x\">&quot; href=&quot;/y</a><a href=\"//z\"><img src=\"/i\"><a href=\"https://w/\">"
        let answer = Answer(type: "text/html; charset=utf-8", page)
        #expect(
            String(decoding: answer.under("/r").body, as: UTF8.self)
                == "<html lang=\"en\" data-base=\"/r\"><a href=\"/r/x\">&quot; href=&quot;/y</a><a href=\"//z\">"
                + "<img src=\"/r/i\"><a href=\"https://w/\">")
        #expect(answer.under("").body == answer.body)
        #expect(Answer(type: "application/json", "<a href=\"/x\">").under("/r").body == Array("<a href=\"/x\">".utf8))
    }
}
