import Foundation
import Reports
import TestSupport
import Testing

@testable import Agents

@Suite struct ToolTests {
    @Test func `every report of the catalogue is a tool with its schemas`() async throws {
        let tools = try #require(try await AgentStage().server().result("tools/list")["tools"]?.elements)
        #expect(tools.map { $0["name"]?.text } == ReportCatalogue.reports.map { $0.about.name })
        for tool in tools {
            #expect(tool["inputSchema"]?["type"] == "object" && tool["outputSchema"]?["type"] == "object")
            #expect(tool["inputSchema"]?["additionalProperties"] == false)
            #expect(tool["annotations"]?["readOnlyHint"] == true && tool["annotations"]?["openWorldHint"] == false)
            #expect(tool["description"]?.text?.contains("--") == false, "\(tool["name"] ?? .null)")
        }
        let compare = try #require(tools.first { $0["name"] == "compare" })
        #expect(compare["inputSchema"]?["required"] == ["app"])
        #expect(compare["inputSchema"]?["properties"]?["query"]?["type"] == "array")
        let release = try #require(tools.first { $0["name"] == "release" })
        #expect(release["inputSchema"]?["properties"]?["days"]?["type"] == "integer")
        #expect(release["inputSchema"]?["properties"]?["days"]?["minimum"] == .number("1"))
        #expect(release["inputSchema"]?["properties"]?["days"]?["maximum"] == .number("90"))
        #expect(release["inputSchema"]?["properties"]?["all"]?["type"] == "boolean")
        #expect(release["outputSchema"]?["anyOf"]?.elements?.count == 2)
    }

    @Test func `a call has the report as text and as data`() async throws {
        let result = try await AgentStage().server().call("standings", ["query": ["query 1"], "competitors": true])
        #expect(result["isError"] == false)
        let rows = try #require(result["structuredContent"]?["standings"]?.elements)
        #expect(rows.map { $0["bundleId"]?.text } == ["com.me", "com.rival"])
        #expect(rows.map { $0["position"] } == [2, 1])
        #expect(result.words.contains("# Standings") && result.words.contains("| query 1 |"))
        #expect(result["_meta"]?["rankd/leftOut"] == [])
    }

    @Test func `what is remarked beside a report names arguments as the caller does`() async throws {
        let result = try await AgentStage().server().call("standings", ["at": "2001-01-01"])
        let words = result.texts.joined(separator: "\n")
        #expect(words.contains("at is before the history") && !words.contains("--at"), "\(words)")
    }

    @Test func `what a report's small print says of options names arguments as the caller does`() async throws {
        let words = try await AgentStage(queries: 12).server().call("standings").words
        #expect(words.contains("show them with competitors") && words.matches(of: /--[a-z]/).isEmpty, "\(words)")
    }

    struct Refused {
        let tool: String
        let arguments: JSONValue
        let words: String

        init(_ tool: String, _ arguments: JSONValue, _ words: String) {
            (self.tool, self.arguments, self.words) = (tool, arguments, words)
        }
    }

    private static let refused: [Refused] = [
        Refused("standings", ["colour": "red"], "there is no option “colour”"),
        Refused("standings", ["since": "soon"], "soon"), Refused("standings", ["all": 7], "all cannot be that"),
        Refused("standings", ["app": ["nobody"]], "nobody"),
        Refused("standings", ["since": ["a", "b"]], "since is a list"),
        Refused("standings", ["since": [:]], "since cannot be that"), Refused("history", [:], "app is missing"),
        Refused("history", ["app": .null], "app is missing"),
        Refused("results", ["query": "query 1", "platform": "phone"], "phone"),
        Refused("release", ["app": "me", "days": "many"], "many"), Refused("standings", [1], "not an object"),
    ]

    @Test(arguments: refused)
    func `a refusal is a result in the terminal's words`(_ refused: Refused) async throws {
        let result = try await AgentStage().server().call(refused.tool, refused.arguments)
        #expect(result["isError"] == true && result.words.contains(refused.words), "\(result.words)")
        #expect(result["structuredContent"] == nil)
    }

    @Test func `a history that is not there is told of, and found once it is`() async throws {
        let stage = try await AgentStage()
        let path = stage.folder.file("later.sqlite")
        let server = stage.server(database: path)
        let result = try server.call("status")
        #expect(result["isError"] == true && result.words.contains(path), "\(result.words)")
        try FileManager.default.copyItem(atPath: stage.database, toPath: path)
        #expect(try server.call("standings")["isError"] == false)
    }

    @Test func `a file that is no history is told of`() async throws {
        let stage = try await AgentStage()
        let path = try stage.folder.write("no database, and long enough to be looked at", to: "text.sqlite")
        let result = try stage.server(database: path).call("standings")
        #expect(result["isError"] == true && result.words.contains(path), "\(result.words)")
    }

    @Test func `nothing that is asked changes a byte`() async throws {
        let stage = try await AgentStage()
        let folder = try TemporaryFolder()
        let path = folder.file("history.sqlite")
        try FileManager.default.copyItem(atPath: stage.database, toPath: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        let before = try #require(FileManager.default.contents(atPath: path))
        let server = stage.server(database: path)
        for report in ReportCatalogue.reports {
            _ = try server.call(report.about.name, report.options.contains { $0.isRequired } ? ["app": "me"] : [:])
        }
        _ = try server.call("results", ["query": "query 1"])
        _ = try server.result("resources/list")
        _ = try server.result("resources/read", ["uri": "rankd://apps/me"])
        #expect(FileManager.default.contents(atPath: path) == before)
    }

    // MARK: The size

    @Test func `an answer that is too large keeps whole rows and says how to narrow it`() async throws {
        let server = try await AgentStage(queries: 60).server(limit: 8_000)
        let result = try server.call("standings", ["all": true])
        let data = try #require(result["structuredContent"])
        #expect(data.bytes.count <= 8_000)
        let shown = try #require(data["standings"]?.elements).count
        #expect(shown > 5 && shown < 60)
        #expect(result["_meta"]?["rankd/leftOut"] == [["list": "standings", "shown": .number("\(shown)"), "of": 120]])
        #expect(result.words.contains("In the data, \(120 - shown) of 120 rows of standings are left out"))
        #expect(result.words.contains("Narrow it with: limit, app, query, country, platform, tag, since, until."))
    }

    @Test func `the longest list gives way, a series its oldest rows`() throws {
        let days: JSONValue = .array((10..<30).map { ["pair": "a", "day": .string("2026-11-\($0)"), "n": 1] })
        var value: JSONValue = ["name": "x", "few": [1, 2], "pairs": [["id": 7, "days": days]]]
        let made = value.cut(toBytes: 300)
        let cuts = try #require(made)
        #expect(value.bytes.count <= 300)
        let kept = try #require(value["pairs"]?.elements?.first?["days"]?.elements)
        #expect(cuts.map(\.list) == ["pairs[].days"] && cuts[0].shown == kept.count && cuts[0].of == 20)
        #expect(kept.last?["day"] == "2026-11-29" && value["few"] == [1, 2])
        #expect(cuts[0].words.contains("the newest \(kept.count) are shown"))
    }

    @Test func `rows of several things keep the first, though their times rise`() throws {
        var value: JSONValue = [
            "rows": .array((10..<30).map { ["query": .string("q\($0)"), "at": .string("2026-11-\($0)")] })
        ]
        let cuts = value.cut(toBytes: 200)
        #expect(cuts?.count == 1)
        #expect(value["rows"]?.elements?.first?["query"] == "q10")
    }

    @Test func `what fits is left alone, and what cannot fit is said to`() {
        var value: JSONValue = ["rows": [1, 2, 3]]
        let none = value.cut(toBytes: 100)
        #expect(none == [] && value == ["rows": [1, 2, 3]])
        var words: JSONValue = ["rows": [["long"]], "text": .string(String(repeating: "x", count: 200))]
        let cuts = words.cut(toBytes: 100)
        #expect(cuts == nil)
    }
}
