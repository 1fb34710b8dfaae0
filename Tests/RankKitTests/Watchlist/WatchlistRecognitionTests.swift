import RankKit
import Testing

@Suite struct WatchlistRecognitionTests {
    private func isLikely(_ text: String) -> Bool { WatchlistFile.isLikely(Array(text.utf8)) }

    @Test(arguments: [
        #"{ "watch": [] }"#, "{ watch: [{ app: 'habits', query: 'timer' }] }", "{'apps':{}}",
        "\u{FEFF}\n// what I track\n[ { \"query\": \"x\", \"bundleId\": \"y\" } ]", #"[{"bundleIds" : ["a"], "#,
        "/* broken */ { \"watch\": [ { \"query\": ",
    ])
    func `an object, a list or a comment with a key of a watchlist is one, sound or not`(_ text: String) {
        #expect(isLikely(text))
    }

    @Test(arguments: [
        "", "{}", "[1, 2]", "mine: 3 up · watch: nothing", "query,country,bundleId\r\n", "<!DOCTYPE html>",
        #"{"version":1,"generatedAt":"2026-11-20T12:00:00Z","apps":[{"bundleId":"a"}]}"#,
        "{\n  \"version\": 1,\n  \"generatedAt\": \"2026-11-20T12:00:00Z\",\n  \"apps\": []\n}",
        #"[Focus] Timer · com.example.timer · mine"#, #"{ "name": "package", "watcher": true }"#,
    ])
    func `what reports write, and other files, are none`(_ text: String) {
        #expect(!isLikely(text))
    }
}
