import History
import RankKit
import Reports
import TestSupport
import Testing

@testable import Agents

@Suite struct ResourceTests {
    @Test func `the watchlist's apps and queries are listed a page at a time`() async throws {
        let server = try await AgentStage(queries: 150).server()
        let first = try server.result("resources/list")
        #expect(first["resources"]?.elements?.count == 100)
        let second = try server.result("resources/list", ["cursor": try #require(first["nextCursor"])])
        #expect(second["resources"]?.elements?.count == 52 && second["nextCursor"] == nil)
        #expect(first["resources"]?.elements?.first?["uri"] == "rankd://apps/com.me")
        #expect(second["resources"]?.elements?.last?["uri"] == "rankd://queries/us/iphone/query%20150")
    }

    @Test(arguments: ["rankd://apps/me", "rankd://apps/com.rival", "rankd://queries/us/iphone/query%202"])
    func `each is read as text`(_ uri: String) async throws {
        let contents = try #require(
            try await AgentStage().server().result("resources/read", ["uri": .string(uri)])["contents"]?.elements)
        #expect(contents[0]["uri"]?.text == uri && contents[0]["mimeType"] == "text/markdown")
        #expect(contents[0]["text"]?.text?.contains("written by strangers") == true)
        #expect(contents.allSatisfy { $0["mimeType"] == "text/markdown" })
    }

    @Test func `the shape of every tool's data is a resource`() async throws {
        let server = try await AgentStage().server()
        for tool in ReportTool.all.map({ $0.about.name }) {
            let read = try server.result("resources/read", ["uri": .string("rankd://shapes/\(tool)")])
            let text = try #require(read["contents"]?.elements?.first?["text"]?.text)
            let schema = try JSONValue(parsing: Array(text.utf8))
            #expect(schema["type"] == "object" && schema["$defs"] != nil && text.matches(of: /--[a-z]/).isEmpty)
        }
    }

    @Test func `a query in a language is listed, and read as the one that it is`() async throws {
        let stage = try await AgentStage(queries: 1)
        let both = [query("query 1"), query("query 1", language: "es_mx")]
        let store = try HistoryStore(path: stage.database)
        try await store.adopt(watchlist(both.map { ($0, ["com.me"]) }), now: stage.now - 3_600)
        try await store.record(
            Check(query: both[1], at: stage.now - 600, outcome: .answered(list(["com.spanish", "com.me"]))))
        let server = stage.server()
        let listed = try #require(try server.result("resources/list")["resources"]?.elements)
        let addresses = ["rankd://queries/us/iphone/query%201", "rankd://queries/us/iphone/query%201?language=es_mx"]
        #expect(listed.compactMap { $0["uri"]?.text }.suffix(2) == addresses[...])
        #expect(listed.last?["name"]?.text == "query 1 · us · iphone · es_mx")
        func text(_ uri: String) throws -> String {
            let contents = try server.result("resources/read", ["uri": .string(uri)])["contents"]
            return contents?.elements?.first?["text"]?.text ?? ""
        }
        #expect(try text(addresses[1]).contains("com.spanish") && !text(addresses[0]).contains("com.spanish"))
        #expect(try text(addresses[0] + "?language=none") == text(addresses[0]))
        // Without a language neither is preferred, and the refusal names the argument.
        let refusal = try server.call("results", ["query": "query 1"]).words
        #expect(refusal.contains("choose one with language: "), "\(refusal)")
        let template = try server.result("resources/templates/list")["resourceTemplates"]?.elements?[1]
        #expect(template?["uriTemplate"]?.text == "rankd://queries/{country}/{platform}/{query}{?language}")
    }

    @Test(arguments: ["rankd://queries/us/iphone/what?", "rankd://queries/us/iphone/what%3Flanguage=es"])
    func `a question mark without a language is a part of the text`(_ uri: String) {
        let text = uri.hasSuffix("?") ? "what?" : "what?language=es"
        #expect(AgentResource(uri: uri) == .query(text: text, country: "us", platform: "iphone"))
    }

    @Test(arguments: [
        "", "rankd://", "rankd://apps", "rankd://apps/", "rankd://apps/a/b", "rankd://queries/us/query", "apps/me",
        "rankd://apps/%", "rankd://apps/%00", "rankd://apps/com.nobody", "rankd://queries/us/iphone/nothing",
        "rankd://queries/us/phone/query%201", "rankd://queries/us/iphone/--help",
        "rankd://apps/com.me?language=es_mx", "rankd://shapes/nothing", "rankd://shapes/movers?language=es",
        "rankd://queries/us/iphone/query%201?language=es_mx",
    ])
    func `what is no resource is refused`(_ uri: String) async throws {
        let request: JSONValue = [
            "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": ["uri": .string(uri)],
        ]
        #expect(try await AgentStage().server().code(String(decoding: request.bytes, as: UTF8.self)) == "-32002")
    }

    @Test(arguments: ["habit tracker", "50% off/now?", "日本 語", "a#b&c", "."])
    func `an address is read as it was written`(_ text: String) {
        let resource = AgentResource.query(text: text, country: "us", platform: "iphone")
        #expect(AgentResource(uri: resource.uri) == resource)
        let asked = AgentResource.query(text: text, country: "us", platform: "iphone", language: "es_mx")
        #expect(AgentResource(uri: asked.uri) == asked)
    }

    @Test func `every report that resources and prompts name is there`() {
        let tools = Set(ReportTool.all.map { $0.about.name })
        for resource in [AgentResource.app("a"), .query(text: "a", country: "us", platform: "ipad")] {
            #expect(!resource.reports.isEmpty && resource.reports.allSatisfy { tools.contains($0.name) })
        }
        for prompt in AgentPrompt.all {
            let text = prompt.text(["app": "“a”", "rival": "“b”", "since": "“7d”"])
            let named = text.matches(of: /[Cc]all ([a-z]+)/).map { String($0.1) }
            #expect(named.count > 1 && named.allSatisfy { tools.contains($0) }, "\(prompt.name): \(named)")
        }
    }

    @Test func `words of the watchlist complete what is begun`() async throws {
        let server = try await AgentStage(queries: 3).server()
        func words(_ name: String, _ begun: String) throws -> JSONValue? {
            try server.result(
                "completion/complete",
                [
                    "ref": ["type": "ref/resource", "uri": "rankd://apps/{app}"],
                    "argument": ["name": .string(name), "value": .string(begun)],
                ])["completion"]?["values"]
        }
        #expect(try words("app", "") == ["me", "com.rival"] && words("rival", "COM") == ["com.rival"])
        #expect(try words("query", "query 3") == ["query 3"] && words("country", "") == ["us"])
        #expect(try words("platform", "ip") == ["iphone", "ipad"] && words("version", "") == [])
    }
}
