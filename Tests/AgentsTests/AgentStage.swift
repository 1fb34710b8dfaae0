import Foundation
import History
import RankKit
import TestSupport
import Testing

@testable import Agents

/// A small history, and a server that answers about it.
struct AgentStage {
    let folder: TemporaryFolder
    let database: String
    let plan: Watchlist
    let now = time("2026-11-20T12:00:00Z")

    /// - Parameters:
    ///   - queries: how many; each has one list of `apps` apps.
    ///   - name: what the store calls an app.
    init(
        queries: Int = 2, apps: Int = 5, name: @escaping @Sendable (String) -> String = { "App \($0)" }
    ) async throws {
        folder = try TemporaryFolder()
        database = folder.file("history.sqlite")
        let store = try HistoryStore(path: database)
        let asked = (1...queries).map { query("query \($0)") }
        var plan = watchlist(asked.map { ($0, ["com.me", "com.rival"]) }, competitors: ["com.rival"])
        plan.apps[0].competitors = [bundle("com.rival")]
        plan.apps[0].alias = "me"
        self.plan = plan
        try await store.adopt(plan, now: time("2026-11-01T00:00:00Z"))
        let names: [String?] = ["com.rival", "com.me"] + (0..<apps).map { "com.other\($0)" }
        for (index, one) in asked.enumerated() {
            let found = list(names) { AppDetails(name: name($0), developer: name("the maker of \($0)")) }
            try await store.record(
                Check(
                    query: one, at: time("2026-11-20T06:00:00Z") + Int64(index),
                    outcome: .answered(found)))
        }
    }

    func server(limit: Int = AgentServer.defaultLimit, database: String? = nil) -> AgentServer {
        // The folder lives as long as the server.
        AgentServer(
            database: database ?? self.database, watchlist: { self.plan }, limit: limit, zone: .gmt, now: { self.now })
    }
}

extension AgentServer {
    /// The answer to a message as it stands on a line.
    func answer(_ line: String) throws -> JSONValue? {
        try answer(to: .whole(Array(line.utf8))).map { bytes in
            #expect(!bytes.contains(UInt8(ascii: "\n")) && !bytes.contains(UInt8(ascii: "\r")))
            return try JSONValue(parsing: bytes)
        }
    }

    /// The result of a request; an error is a test's failure.
    func result(_ method: String, _ params: JSONValue = [:]) throws -> JSONValue {
        let request: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params]
        let answer = try #require(try answer(String(decoding: request.bytes, as: UTF8.self)))
        return try #require(answer["result"], "\(answer)")
    }

    /// The number of the error that a request gets.
    func code(_ line: String) throws -> String? {
        guard case .number(let text)? = try answer(line)?["error"]?["code"] else { return nil }
        return text
    }

    func call(_ tool: String, _ arguments: JSONValue = [:]) throws -> JSONValue {
        try result("tools/call", ["name": .string(tool), "arguments": arguments])
    }
}

extension JSONValue {
    /// What a person reads of a tool's answer.
    var words: String { (self["content"]?.elements ?? []).compactMap { $0["text"]?.text }.joined(separator: "\n") }

    /// Every text in it.
    var texts: [String] {
        switch self {
        case .null, .bool, .number: []
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.texts)
        case .object(let members): members.flatMap { [$0.key] + $0.value.texts }
        }
    }
}
