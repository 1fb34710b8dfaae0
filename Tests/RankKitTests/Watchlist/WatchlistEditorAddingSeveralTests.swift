import RankKit
import Testing

/// One line with several queries or apps.
@Suite struct WatchlistEditorAddingSeveralTests {
    private func adding(_ line: WatchlistEditor.NewLine, to text: String) throws -> (String, WatchlistEditor.Addition?)
    {
        var addition: WatchlistEditor.Addition?
        let after = try edited(text) { editor throws(WatchlistEditor.Refusal) in addition = try editor.addMissing(line)
        }
        return (after, addition)
    }

    private static let known = #"{ "query": "q", "bundleId": "com.a" }"#

    @Test func `several queries for several apps are one line`() throws {
        let line = WatchlistEditor.NewLine(
            queries: ["x", "y"], apps: [.init(bundle("com.b")), .init(bundle("com.c"))],
            countries: [Country(code: "fr")!, Country(code: "es")!])
        let (text, addition) = try adding(line, to: "[\n  \(Self.known)\n]\n")
        #expect(
            text == "[\n  \(Self.known),\n  "
                + #"{ "queries": ["x", "y"], "bundleIds": ["com.b", "com.c"], "countries": ["fr", "es"] }"# + "\n]\n")
        #expect(addition?.queries.count == 4 && addition?.known.isEmpty == true && addition?.altered.isEmpty == true)
    }

    @Test func `apps that all have an alias are named by it`() throws {
        let apps = #"{ "apps": { "b": { "bundleId": "com.b" }, "c": { "bundleId": "com.c" } }, "watch": [] }"#
        let byAlias = WatchlistEditor.NewLine(
            queries: ["x"], apps: [.init(bundle("com.b"), alias: "b"), .init(bundle("com.c"), alias: "c")])
        #expect(try adding(byAlias, to: apps).0.contains(#"{ "query": "x", "apps": ["b", "c"] }"#))
        let mixed = WatchlistEditor.NewLine(
            queries: ["x"], apps: [.init(bundle("com.b"), alias: "b"), .init(bundle("com.d"))])
        #expect(try adding(mixed, to: apps).0.contains(#"{ "query": "x", "bundleIds": ["com.b", "com.d"] }"#))
    }

    @Test func `a line that is too long to read is spread over several`() throws {
        let queries = (1...12).map { "a search text \($0)" }
        let line = WatchlistEditor.NewLine(queries: queries, apps: [.init(bundle("com.b"))], every: "6h")
        let (text, _) = try adding(line, to: "{\n  \"watch\": [\n    \(Self.known),\n  ],\n}\n")
        let list = queries.map { "        \"\($0)\"" }.joined(separator: ",\n")
        #expect(
            text == """
                {
                  "watch": [
                    \(Self.known),
                    {
                      "queries": [
                \(list)
                      ],
                      "bundleId": "com.b",
                      "every": "6h"
                    },
                  ],
                }

                """)
        // In a document without lines it stays on one.
        #expect(try adding(line, to: "[\(Self.known)]").0.split(separator: "\n").count == 1)
        for beginning in ["{\n}\n", "{\n  watch: [],\n}\n", "[\r\n\t\(Self.known)\r\n]\r\n"] {
            let (text, _) = try adding(line, to: beginning)
            #expect(!text.split(whereSeparator: \.isNewline).contains { $0.count > 110 }, "\(text)")
        }
    }

    @Test func `queries that are watched already are left out and named`() throws {
        let line = WatchlistEditor.NewLine(queries: ["Q", "new"], apps: [.init(bundle("com.a"))])
        let (text, addition) = try adding(line, to: "[\(Self.known)]")
        #expect(text == "[\(Self.known), " + #"{ "query": "new", "bundleId": "com.a" }]"#)
        #expect(addition?.line.queries == ["new"])
        #expect(addition?.known.map(\.query) == ["Q"] && addition?.known.map(\.path) == ["[0]"])
        #expect(addition?.queries.map(\.query.text) == ["new"])
    }

    @Test func `a query that one of the apps lacks is added`() throws {
        let line = WatchlistEditor.NewLine(
            queries: ["q", "new"], apps: [.init(bundle("com.a")), .init(bundle("com.b"))])
        let (text, addition) = try adding(line, to: "[\(Self.known)]")
        #expect(text.contains(#"{ "queries": ["q", "new"], "bundleIds": ["com.a", "com.b"] }"#))
        #expect(addition?.known.isEmpty == true)
    }

    @Test func `where nothing is left to add, nothing is`() throws {
        let all = WatchlistEditor.NewLine(queries: ["q", "Q "], apps: [.init(bundle("com.a"))])
        let said = try refusal("[\(Self.known)]") { editor throws(WatchlistEditor.Refusal) in
            _ = try editor.addMissing(all)
        }
        #expect(said?.hasPrefix("“q” for com.a is already in the watchlist, at [0]") == true, "\(said ?? "")")
        let app = WatchlistEditor.NewLine(queries: ["q"], apps: [.init(bundle("com.a")), .init(bundle("com.b"))])
        let other = try refusal("[\(Self.known)]") { editor throws(WatchlistEditor.Refusal) in
            _ = try editor.addMissing(app)
        }
        #expect(other?.hasPrefix("“q” for com.a is already in the watchlist, at [0]") == true, "\(other ?? "")")
        let wrong = WatchlistEditor.NewLine(queries: ["new", ""], apps: [.init(bundle("com.a"))])
        let mistake = try refusal("[\(Self.known)]") { editor throws(WatchlistEditor.Refusal) in
            _ = try editor.addMissing(wrong)
        }
        #expect(mistake?.contains("the query is empty") == true, "\(mistake ?? "")")
    }
}
