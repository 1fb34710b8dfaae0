import Foundation
import History
import RankKit
import Reports
import TestSupport
import Testing

@testable import Agents

@Suite struct ToolTests {
    @Test func `every report of the catalogue is a tool, and so are the plan, the watchlist and the alerts`()
        async throws
    {
        let tools = try #require(try await AgentStage().server().result("tools/list")["tools"]?.elements)
        #expect(
            tools.map { $0["name"]?.text }
                == ReportCatalogue.reports.map { $0.about.name } + ["plan", "watchlist", "alerts-preview"])
        for tool in tools {
            #expect(tool["inputSchema"]?["type"] == "object" && tool["outputSchema"] == nil)
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
        #expect(release["inputSchema"]?["properties"]?["form"]?["enum"] == ["text", "rows", "json"])
        for report in ReportTool.all {
            let own = report.options.map(\.name).filter { ["form", "columns", "offset"].contains($0) }
            #expect(own.isEmpty, "\(report.about.name)")
        }
    }

    @Test func `a call has the report as text and as data`() async throws {
        let server = try await AgentStage().server()
        let arguments: JSONValue = ["query": ["query 1"], "competitors": true]
        let read = try server.call("standings", arguments)
        #expect(read["isError"] == false && read["structuredContent"] == nil)
        #expect(read.words.contains("# Standings") && read.words.contains("query 1 |"), "\(read.words)")
        let csv = try server.call("standings", arguments.adding(["form": "rows"])).words
        #expect(csv.contains("query,country,platform") && csv.contains("query 1,us,iphone"), "\(csv)")
        let some = try server.call("standings", arguments.adding(["form": "rows", "columns": "bundleId,position"]))
        #expect(some.words.contains("bundleId,position\ncom.me,2\ncom.rival,1\n"), "\(some.words)")
        let result = try server.call("standings", arguments.adding(["form": "json"]))
        #expect(result["isError"] == false)
        let rows = try #require(result["structuredContent"]?["standings"]?.elements)
        #expect(rows.map { $0["bundleId"]?.text } == ["com.me", "com.rival"])
        #expect(rows.map { $0["position"] } == [2, 1])
        #expect(result.words.contains("rankd://shapes/standings"))
        #expect(result["_meta"]?["rankd/leftOut"] == [])
    }

    @Test func `what is remarked beside a report names arguments as the caller does`() async throws {
        let result = try await AgentStage().server().call("standings", ["at": "2001-01-01"])
        let words = result.texts.joined(separator: "\n")
        #expect(words.contains("at is before the history") && !words.contains("--at"), "\(words)")
    }

    @Test func `what a report's small print says of options names arguments as the caller does`() async throws {
        let words = try await AgentStage(queries: 12).server().call("standings").words
        #expect(words.contains("show them with competitors: true") && words.matches(of: /--[a-z]/).isEmpty, "\(words)")
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
        Refused("standings", ["form": "cards"], "form is “cards”: write text, rows or json"),
        Refused("standings", ["form": 7], "form cannot be that"),
        Refused("standings", ["offset": -1], "offset is -1"), Refused("standings", ["offset": 900], "there are"),
        Refused("standings", ["columns": "all"], "add form: rows"),
        Refused("standings", ["form": "rows", "columns": "nothing"], "no column is called “nothing”"),
        Refused("standings", ["form": "json", "offset": 3], "offset is not for json"),
        Refused("watchlist", ["query": ["nothing"]], "the watchlist does not have “nothing”"),
        Refused("alerts-preview", ["rule": "nothing"], "there is no rule “nothing”"),
        Refused("alerts-preview", ["since": "2999-01-01"], "since is “2999-01-01”, which is in the future"),
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
        for report in ReportTool.all {
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
        let result = try server.call("standings", ["all": true, "form": "json"])
        let data = try #require(result["structuredContent"])
        #expect(data.bytes.count <= 8_000)
        let shown = try #require(data["standings"]?.elements).count
        #expect(shown > 5 && shown < 60)
        #expect(result["_meta"]?["rankd/leftOut"] == [["list": "standings", "shown": .number("\(shown)"), "of": 120]])
        #expect(result.words.contains("In the data, \(120 - shown) of 120 rows of standings are left out"))
        #expect(result.words.contains("Narrow it with: limit, app, query, country, platform, tag, since, until."))
    }

    @Test func `pages follow on each other, each with the titles of its table, and hold every row`() async throws {
        let server = try await AgentStage(queries: 60).server(limit: 2_000)
        var found: Set<String> = []
        var (offset, pages): (JSONValue, Int) = (0, 0)
        while true {
            let arguments: JSONValue = ["all": true, "competitors": true, "offset": offset]
            let result = try server.call("standings", arguments)
            #expect(result["isError"] == false && result.words.utf8.count <= 2_000, "\(result.words)")
            pages += 1
            let lines = result.words.split(separator: "\n")
            let rows = lines.indices.filter { lines[$0].prefixMatch(of: /query [0-9]+ \|/) != nil }
            for row in rows { found.insert(String(lines[row].prefix { $0 != "|" })) }
            if let first = rows.first { #expect(lines[..<first].contains { $0.contains("query | ") }) }
            guard let next = result["_meta"]?["rankd/next"]?["offset"] else { break }
            let isSaid = result.words.contains("call standings again with the same arguments and offset:")
            #expect(isSaid && result.words.contains("Narrow it with: "), "\(result.words)")
            offset = next
        }
        #expect(pages > 3 && found.count == 60, "\(pages) pages, \(found.count) queries")
    }

    @Test func `no tool's answer is long on a thousand pairs, and pages of rows hold them all`() async throws {
        let server = try await AgentStage(queries: 500).server()
        for report in ReportTool.all {
            var arguments: JSONValue = [:]
            for option in report.options where option.isRequired {
                arguments = arguments.adding(
                    .object([.init(key: option.name, value: option.name == "app" ? "me" : "query 1")]))
            }
            if report.options.contains(where: { $0.name == "all" }) { arguments = arguments.adding(["all": true]) }
            for form in ["text", "rows", "json"] {
                let result = try server.call(report.about.name, arguments.adding(["form": .string(form)]))
                let size = result.words.utf8.count + (result["structuredContent"]?.bytes.count ?? 0)
                #expect(size <= 12_000, "\(report.about.name) \(form): \(size)")
            }
        }
        var (offset, rows): (JSONValue, Int) = (0, 0)
        while true {
            let result = try server.call("watchlist", ["form": "rows", "offset": offset])
            rows += result.words.split(separator: "\n").count { $0.hasPrefix("query ") && $0.contains(",us,iphone,") }
            guard let next = result["_meta"]?["rankd/next"]?["offset"] else { break }
            offset = next
        }
        #expect(rows == 1_000)
    }

    @Test func `the instructions say what there is to ask about, and are short for any watchlist`() async throws {
        let stage = try await AgentStage()
        let words = stage.server().instructions
        #expect(words.contains("Now it is 2026-11-20 12:00 UTC"), "\(words)")
        #expect(words.contains("me (com.me)") && words.contains("Competitors: com.rival."), "\(words)")
        #expect(words.contains("Countries: us.") && words.contains("goes from 2026-11-20 06:00 UTC"), "\(words)")
        let names = (1...1_000).map { "com.example.\(String(repeating: "long", count: 20)).app\($0)" }
        let store = try HistoryStore(path: stage.database)
        try await store.adopt(watchlist([(query("query 1"), names)]), now: stage.now)
        let many = stage.server().instructions
        #expect(many.count < 6_000 && many.contains("and 985 more, which the tool watchlist lists"), "\(many.count)")
        let none = stage.server(database: stage.folder.file("none.sqlite")).instructions
        #expect(none.contains("The history cannot be read now") && none.matches(of: /--[a-z]/).isEmpty, "\(none)")
    }

    @Test func `the plan, the watchlist and the alerts are told of the watchlist as it is written`() async throws {
        let stage = try await AgentStage()
        var written = stage.plan
        written.queries.append(watchlist([(query("a new one"), ["com.me"])]).queries[0])
        let plan = written
        let server = AgentServer(
            database: stage.database, watchlist: { plan }, zone: .gmt, now: { stage.now })
        let change = try server.call("plan").words
        #expect(change.contains("a new one"), "\(change)")
        #expect(try server.call("watchlist", ["app": ["me"]]).words.contains("a new one | "))
        let preview = try server.call("alerts-preview").words
        #expect(preview.contains("these are the usual rules"), "\(preview)")
        struct Broken: Error, CustomStringConvertible { let description = "line 3 is wrong" }
        let broken = AgentServer(
            database: stage.database, watchlist: { throw Broken() }, zone: .gmt, now: { stage.now })
        #expect(try broken.call("plan").words.contains("the watchlist cannot be read: line 3 is wrong"))
        #expect(try broken.call("standings")["isError"] == false)
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
