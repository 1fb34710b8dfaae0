import Agents
import Alerts
import Foundation
import RankKit
import Reports
import Testing

/// What an agent reads of the golden demo: every tool, whole, and all that is said around them.
@Suite struct AgentWordsTests {
    private static func server() async throws -> AgentServer {
        let demo = try await GoldenDemo.shared.value
        let file = URL(fileURLWithPath: demo.database).deletingLastPathComponent().path + "/watchlist.json"
        return AgentServer(
            database: demo.database, watchlist: { try WatchlistFile.decode(file).watchlist }, zone: .gmt,
            now: { demo.now })
    }

    private static func result(_ server: AgentServer, _ method: String, _ params: JSONValue = [:]) throws -> JSONValue {
        let request: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params]
        let line = try #require(server.answer(to: .whole(request.bytes)))
        let answer = try JSONValue(parsing: line)
        return try #require(answer["result"], "\(method): \(answer)")
    }

    /// What only somebody at a terminal or a browser can use.
    private static func strange(in text: String) -> String? {
        for pattern in [#"--[a-z]"#, #"(?i)exit code|exits with"#, #"&#?[a-z0-9]+;"#, "[\u{2801}-\u{28FF}]"] {
            if let range = text.range(of: pattern, options: .regularExpression) {
                let start = text.index(range.lowerBound, offsetBy: -60, limitedBy: text.startIndex) ?? text.startIndex
                return String(text[start..<range.upperBound])
            }
        }
        return nil
    }

    private static func texts(in value: JSONValue) -> [String] {
        switch value {
        case .null, .bool, .number: []
        case .string(let text): [text]
        case .array(let elements): elements.flatMap { texts(in: $0) }
        case .object(let members): members.flatMap { [$0.key] + texts(in: $0.value) }
        }
    }

    private static func expectPlain(_ value: JSONValue, _ what: String) {
        for text in texts(in: value) {
            let found = strange(in: text)
            #expect(found == nil, "\(what): \(found ?? "")")
        }
    }

    private static func characters(_ value: JSONValue?) -> Int {
        String(decoding: value?.bytes ?? [], as: UTF8.self).unicodeScalars.count
    }

    /// Of an answer: its text, and its data as it is sent.
    private static func size(of result: JSONValue) -> Int {
        let text = (result["content"]?.elements ?? []).compactMap { $0["text"]?.text }.joined()
        return text.unicodeScalars.count + (result["structuredContent"].map { characters($0) } ?? 0)
    }

    private static let names = ExampleNames(
        app: "com.northwind.daylight", queries: ["streaks", "habit tracker", "mood journal"], countries: ["us", "de"],
        version: "2.4")

    /// The documented examples, and each with everything that it can show.
    private static func calls<Request: ReportRequest>(_ report: Request.Type) -> [JSONValue] {
        let options = report.options
        return report.examples(names).flatMap { example in
            var members: [(key: String, values: [JSONValue])] = []
            for parameter in report.parameters(example.arguments) {
                let option = options.first { $0.name == parameter.name }
                let value: JSONValue =
                    switch option?.kind {
                    case .flag: true
                    case .wholeNumber: .number(parameter.value)
                    default: .string(parameter.value)
                    }
                if let place = members.firstIndex(where: { $0.key == parameter.name }) {
                    members[place].values.append(value)
                } else {
                    members.append((parameter.name, [value]))
                }
            }
            func call(_ more: [String]) -> JSONValue {
                var call: [(String, JSONValue)] = members.map { key, values in
                    let isRepeating = options.first { $0.name == key }?.isRepeating ?? false
                    return (key, isRepeating ? .array(values) : values[0])
                }
                call += more.filter { name in !members.contains { $0.key == name } }.map { ($0, true) }
                return JSONValue(members: call)
            }
            let flags = options.filter { $0.kind == .flag && ["all", "competitors"].contains($0.name) }.map(\.name)
            return [call([])] + (flags.isEmpty ? [] : [call(flags)])
        }
    }

    @Test func `the list of tools is short`() async throws {
        let list = try Self.result(try await Self.server(), "tools/list")
        #expect(Self.characters(list) <= 30_000, "\(Self.characters(list))")
        Self.expectPlain(list, "tools/list")
    }

    @Test func `no answer of any tool is long or speaks of a terminal, on all of its pages`() async throws {
        let server = try await Self.server()
        let reports: [any ReportRequest.Type] =
            ReportCatalogue.reports + [PlanRequest.self, WatchlistRequest.self, AlertPreviewRequest.self]
        for report in reports {
            for arguments in Self.calls(report) {
                for form in ["text", "rows", "json"] {
                    var offset: JSONValue? = 0
                    while let from = offset {
                        let more: JSONValue =
                            form == "json" ? ["form": "json"] : ["form": .string(form), "offset": from]
                        let what = "\(report.about.name) \(arguments) \(more)"
                        let result = try Self.result(
                            server, "tools/call",
                            ["name": .string(report.about.name), "arguments": arguments.joined(with: more)])
                        #expect(result["isError"] == false, "\(what): \(Self.texts(in: result).first ?? "")")
                        #expect(Self.size(of: result) <= 12_000, "\(what): \(Self.size(of: result))")
                        Self.expectPlain(result, what)
                        offset = result["_meta"]?["rankd/next"]?["offset"]
                    }
                }
            }
        }
    }

    @Test func `what is said around the tools is plain too`() async throws {
        let server = try await Self.server()
        let start = try Self.result(
            server, "initialize", ["protocolVersion": "2025-11-25", "capabilities": [:], "clientInfo": [:]])
        Self.expectPlain(start, "instructions")
        let instructions = try #require(start["instructions"]?.text)
        #expect(instructions.contains("Now it is 2026-11-20"), "\(instructions)")
        #expect(instructions.contains("(com.northwind.daylight)"), "\(instructions)")
        #expect(instructions.unicodeScalars.count < 5_000, "\(instructions.unicodeScalars.count)")
        for method in ["resources/templates/list", "prompts/list"] {
            Self.expectPlain(try Self.result(server, method), method)
        }
        let resources = try Self.result(server, "resources/list")
        Self.expectPlain(resources, "resources/list")
        var uris = (resources["resources"]?.elements ?? []).compactMap { $0["uri"]?.text }
        uris += ReportCatalogue.reports.map { "rankd://shapes/" + $0.about.name } + ["rankd://shapes/alerts-preview"]
        for uri in uris {
            Self.expectPlain(try Self.result(server, "resources/read", ["uri": .string(uri)]), uri)
        }
        for (prompt, arguments) in [
            ("what-changed", ["since": "7d"]), ("did-my-update-work", ["app": "daylight"]),
            ("where-do-i-stand", ["app": "daylight", "rival": "b"]),
        ] as [(String, JSONValue)] {
            let params: JSONValue = ["name": .string(prompt), "arguments": arguments]
            Self.expectPlain(try Self.result(server, "prompts/get", params), prompt)
        }
    }

    @Test(
        arguments: [
            ("standings", ["since": "soon"]), ("standings", ["since": "2999-01-01"]),
            ("standings", ["app": ["nobody"]]),
            ("standings", ["query": ["nothing"]]), ("standings", ["at": "1d", "until": "1d"]),
            ("standings", ["country": ["us"], "platform": ["mac"], "tag": ["nothing"]]), ("standings", ["page": 2]),
            ("standings", ["all": true, "limit": 3]), ("standings", ["reverse": true]), ("history", ["app": "nobody"]),
            ("history", ["app": "daylight", "query": ["nothing"]]), ("results", ["query": "habit tracker"]),
            ("results", ["query": "habit tracker", "since": "1d", "compare": "1d"]), ("apps", ["limit": 0]),
            ("release", ["app": "daylight", "days": 1_000]), ("release", ["app": "daylight", "version": "99"]),
            ("opportunities", ["since": "7d"]), ("alerts-preview", ["rule": "nothing"]),
            ("alerts-preview", ["since": "2999-01-01"]), ("watchlist", ["query": ["nothing"]]),
            ("competitors", ["app": "daylight", "limit": 0]), ("standings", ["form": "x"]),
            ("standings", ["form": "rows", "columns": "nothing"]),
        ] as [(String, JSONValue)])
    func `refusals speak of arguments`(_ tool: String, _ arguments: JSONValue) async throws {
        let result = try Self.result(
            try await Self.server(), "tools/call", ["name": .string(tool), "arguments": arguments])
        #expect(result["isError"] == true, "\(result)")
        Self.expectPlain(result, tool)
        #expect(!Self.texts(in: result).contains { $0.contains("Usage:") || $0.contains("--help") }, "\(result)")
    }
}

extension JSONValue {
    fileprivate init(members: [(String, JSONValue)]) {
        self = members.reduce([:]) { $0.joined(with: .init(dictionaryLiteral: $1)) }
    }

    /// The members of both.
    fileprivate func joined(with more: JSONValue) -> JSONValue {
        guard case .object(let members) = self, case .object(let others) = more else { return self }
        return .object(members + others)
    }
}
