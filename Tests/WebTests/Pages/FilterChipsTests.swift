import Reports
import TestSupport
import Testing

@testable import Web

@Suite struct FilterChipsTests {
    private func chips(_ asked: [(String, String)] = []) -> String {
        FilterChips(
            path: "/", asked: asked.map { RequestParameter($0.0, $0.1) },
            groups: [
                .init(
                    name: "app", label: "App", choices: [.init("me"), .init("com.other", "<b>")],
                    aliases: ["com.me": "me"]),
                .init(name: "country", label: "Country", choices: [.init("us")]),
                .init(
                    name: "since", label: "Period", choices: [.init("7d", "a week"), .init("30d", "a month")],
                    usual: "7d"),
            ]
        ).html
    }

    private func chosen(_ html: String) -> [String] { html.components(between: "aria-current=\"true\">", "</a>") }

    @Test func `a chip adds its value to what was asked for, from the first page on`() {
        let html = chips([("sort", "now"), ("page", "3")])
        #expect(html.contains("href=\"/?sort=now&amp;app=me\">me</a>"))
        #expect(html.contains("&lt;b&gt;</a>") && !html.contains("<b>"))
        #expect(chosen(html) == ["a week"])
    }

    @Test func `a chip that is chosen takes its value away, however it was written`() {
        let html = chips([("app", "COM.ME"), ("app", "com.other"), ("sort", "now")])
        #expect(chosen(html) == ["me", "&lt;b&gt;", "a week"])
        #expect(html.contains("href=\"/?app=com.other&amp;sort=now\" aria-current=\"true\">me</a>"))
    }

    @Test func `of periods one is chosen, and the usual one has no place in the address`() {
        #expect(chips().contains("href=\"/?since=30d\">a month</a>"))
        let month = chips([("since", "30d")])
        #expect(chosen(month) == ["a month"] && month.contains("href=\"/\">a week</a>"))
        #expect(chosen(chips([("since", "2026-11-01")])).isEmpty)
    }

    @Test func `of many values the first have a chip, and each that is chosen`() {
        let codes = ["at", "au", "be", "br", "ca", "ch", "de", "dk", "es", "fr", "nl"]
        let chips = FilterChips(
            path: "/", asked: [RequestParameter("country", "nl")],
            groups: [.init(name: "country", label: "Country", choices: codes.map { .init($0) })])
        #expect(chosen(chips.html) == ["nl"] && chips.html.contains(">dk</a>") && !chips.html.contains(">fr</a>"))
    }

    @Test func `there are none of what there is one of`() { #expect(!chips().contains(">us</a>")) }

    @Test func `Today is narrowed to the queries with the words that are typed`() async throws {
        let stage = try await PageStage(queries: [query("focus timer"), query("timer focus", "de"), query("notes")])
        let page = try await stage.html("/", [("query", "TIM foc")])
        #expect(page.contains("Queries with “TIM foc” in them."))
        #expect(page.contains("query=focus%20timer") && page.contains("query=timer%20focus"))
        #expect(!page.contains("query=notes"))
        // The same rows as data, and the same text in the form.
        #expect(page.contains("/api/v1/reports/standings?query=focus%20timer&amp;query=timer%20focus"))
        #expect(page.contains("name=\"query\" value=\"TIM foc\""))
        let exact = try await stage.html("/", [("query", "notes")])
        #expect(!exact.contains("Queries with"))
        #expect(try await stage.html("/", [("query", "nobody")]).contains("class=\"refusal\""))
    }

    @Test func `Today has a chip for each country and device that is asked in`() async throws {
        let stage = try await PageStage(queries: [query("timer"), query("timer", "de")])
        let page = try await stage.html("/", [("country", "de")])
        #expect(page.components(between: "<ul aria-label=\"Country\">", "</ul>").first?.contains(">us</a>") == true)
        #expect(!page.contains("aria-label=\"Device\"") && page.contains("href=\"/\" aria-current=\"true\">de</a>"))
    }
}
