import TestSupport
import Testing

@testable import Web

/// My apps at a glance, on Today.
@Suite struct TodayTilesTests {
    @Test func `each of my apps has a tile, and no competitor`() async throws {
        let html = try await PageStage().html("/", [("competitors", "true")])
        let tiles = try #require(html.components(between: "<section id=\"tiles\">", "</section>").first)
        #expect(tiles.components(between: "<li>", "</li>").count == 1)
        #expect(tiles.contains("href=\"/apps/com.me\"") && tiles.contains("App com.me"))
        // It leads both lists, on each of the three days that there are.
        #expect(tiles.contains("Top ten in <strong>2</strong> of 2 lists") && !tiles.contains("in a week"))
        #expect(tiles.contains("from 2 to 2, at most 2"))
    }

    @Test func `they count the lists that the page is narrowed to`() async throws {
        let html = try await PageStage().html("/", [("query", "timer")])
        #expect(html.contains("Top ten in <strong>1</strong> of 1 list"))
    }

    @Test func `they stand on the first page alone`() async throws {
        let stage = try await PageStage()
        #expect(try await stage.html("/", [("limit", "1")]).contains("id=\"tiles\""))
        #expect(try await !stage.html("/", [("limit", "1"), ("page", "2")]).contains("id=\"tiles\""))
    }

    @Test func `what to do next is left out of a page of one query`() async throws {
        let stage = try await PageStage()
        #expect(try await !stage.html("/", [("query", "timer")]).contains("id=\"report-opportunities\""))
    }
}
