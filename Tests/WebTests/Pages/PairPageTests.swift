import HTTPTypes
import RankKit
import Reports
import TestSupport
import Testing

@testable import Web

/// The page of one app on one query.
@Suite struct PairPageTests {
    @Test func `a pair's page has its verdict, its chart and who stands around it`() async throws {
        let stage = try await PageStage()
        let html = try await stage.html("/pairs", [("app", "me"), ("query", "timer")])
        #expect(html.contains("on “timer” · us · iPhone") && html.contains(" · mine"))
        #expect(html.contains("No verdict yet") && html.contains("Newest check: "))
        #expect(html.contains("<figure") && html.contains("Around it"))
        // The app leads the list, and whoever stands behind it is named.
        #expect(html.contains("href=\"/apps/com.other0\"") && html.contains("href=\"/queries?query=timer"))
    }

    @Test func `a row of the standings leads to its pair's page, and that exists`() async throws {
        let stage = try await PageStage()
        let today = try await stage.html("/")
        let link = try #require(today.components(between: "href=\"/pairs?", "\"").first)
        let asked = link.replacing("&amp;", with: "&").split(separator: "&").map { part in
            let sides = part.split(separator: "=", maxSplits: 1)
            return (String(sides[0]), String(sides[1]))
        }
        #expect(asked.contains { $0 == ("app", "com.me") } && asked.contains { $0 == ("query", "timer") })
        #expect(try await stage.answer("/pairs", asked).status == .ok)
    }

    @Test func `a query that is asked in several countries has to be chosen`() async throws {
        let stage = try await PageStage(queries: [query("timer"), query("timer", "de")])
        let html = try await stage.html("/pairs", [("app", "me"), ("query", "timer")])
        let links = html.components(between: "href=\"/pairs?", "\"")
        #expect(links.count == 2 && links.allSatisfy { $0.contains("app=me") && $0.contains("country=") })
        let one = try await stage.html("/pairs", [("app", "me"), ("query", "timer"), ("country", "de")])
        #expect(one.contains("on “timer” · de · iPhone"))
    }

    @Test func `an app that nobody tracks is shown without a verdict`() async throws {
        let stage = try await PageStage()
        let html = try await stage.html("/pairs", [("app", "com.other0"), ("query", "timer")])
        #expect(html.contains("The app is not tracked, so its moves are not judged."))
        #expect(!html.contains("No move") && !html.contains("<script>alert"))
    }

    @Test(arguments: [
        ([("app", "me")], HTTPResponse.Status.badRequest), ([("query", "timer")], .badRequest), ([], .badRequest),
        ([("app", "me"), ("query", "nothing")], .notFound), ([("app", "com.nobody"), ("query", "timer")], .notFound),
        ([("app", "me"), ("query", "timer"), ("since", "yesterweek")], .badRequest),
        ([("app", "me"), ("query", "timer"), ("until", "2026-11-02")], .badRequest),
    ])
    func `what names no pair is refused`(_ asked: [(String, String)], _ status: HTTPResponse.Status) async throws {
        let stage = try await PageStage()
        #expect(try await stage.answer("/pairs", asked).status == status)
    }

    @Test func `the header says when rankd checked, and what is wrong before that`() async throws {
        let html = try await PageStage().html("/")
        let words = try #require(html.components(between: "href=\"/reports/status\">", "</a>").last)
        #expect(words.contains("checked ") && !words.contains("rankd:"))
    }
}
