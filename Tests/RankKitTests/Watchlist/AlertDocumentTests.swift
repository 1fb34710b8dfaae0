import Foundation
import RankKit
import Testing

/// docs/watchlist.md against the decoder.
@Suite(.enabled(if: WatchlistObject.takesAlerts)) struct AlertDocumentTests {
    private static func page() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "docs/watchlist.md"), encoding: .utf8)
    }

    @Test func `the example of alerts is valid, with nothing to be said about it`() throws {
        let page = try Self.page()
        let start = try #require(page.firstRange(of: "\"alerts\": {"))
        let end = try #require(page[start.lowerBound...].firstRange(of: "\n```"))
        let example = page[start.lowerBound..<end.lowerBound].dropFirst("\"alerts\": ".count)
        let settings = try alerts(watchlist(alerts: String(example)))
        #expect(settings.rules.count == 4)
        #expect(settings.mutes == [AlertMute(app: "com.example.habits", until: "2026-12-24")])
    }

    @Test(arguments: AlertChannel.kinds + AlertKind.allCases.map(\.rawValue))
    func `every way out and every kind of message is on the page`(_ word: String) throws {
        #expect(try Self.page().contains("`\(word)`"))
    }

    @Test(arguments: [WatchlistObject.channel, .rule, .mute, .alerts])
    func `every key is on the page`(_ object: WatchlistObject) throws {
        let page = try Self.page()
        let plurals = ["apps", "queries", "countries", "platforms", "tags"]
        for key in object.keys where !plurals.contains(key) {
            #expect(page.contains("`\(key)`") || page.contains("\"\(key)\""), "\(key)")
        }
    }
}
