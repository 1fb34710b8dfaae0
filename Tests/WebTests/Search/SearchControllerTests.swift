import AppStore
import AppStoreSimulator
import Foundation
import HTTPTypes
import History
import Judging
import RankKit
import Reports
import TestSupport
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(30))) struct SearchControllerTests {
    /// The apps of the answers to `habit tracker` that the watchlist names: one mine for two clients, one a competitor.
    private func controller<Value: Sendable>(
        script: [Fault?] = [],
        _ body: (_ get: (String, [String: String], Visitor) async throws -> Answer, SearchStage<InstantClock>)
            async throws
            -> Value
    ) async throws -> Value {
        try await SearchStage<InstantClock>.run(script: script) { stage, _ in
            let controller = SearchController(
                search: stage.search, history: HistoryAccess(path: stage.database, zone: .gmt), now: { stage.now }
            ) { outcome, query, _ in
                guard case .results(let found) = outcome else { return outcome.words(at: stage.now) ?? "" }
                return found.rows.map { row in
                    "\(row.position). \(row.app?.name ?? "?") \(row.app?.mark.map { "\($0)" } ?? "-") \(row.app?.watchLine ?? "")"
                }.joined(separator: "\n")
            }
            var routes = Routes()
            controller.add(to: &routes)
            let all = routes.all
            return try await body(
                { path, parameters, visitor in
                    let visit = Visit(
                        path: path, parameters: parameters.map { RequestParameter($0.key, $0.value) }, visitor: visitor,
                        now: stage.now)
                    let route = try #require(all.first { $0.path == path })
                    guard case .now(let answer) = try await route.handler(visit) else { throw NotNow() }
                    return answer
                }, stage)
        }
    }

    private struct NotNow: Error {}

    private func text(_ answer: Answer) -> String { String(decoding: answer.body, as: UTF8.self) }

    @Test func `a parameter that is not known, or is there twice, is refused before anything is asked`() async throws {
        try await controller { get, stage in
            let answer = try await get("/api/v1/search", ["query": "habit tracker", "plattform": "ipad"], .owner)
            #expect(answer.status == .badRequest && text(answer).contains("plattform"), "\(text(answer))")
            let page = try await get("/search/results", ["query": "habit tracker", "langauge": "de_de"], .owner)
            #expect(text(page).contains("langauge"), "\(text(page))")
            let parameters = [("query", "a"), ("country", "us"), ("country", "de")].map(RequestParameter.init)
            let visit = Visit(path: "/api/v1/search", parameters: parameters, visitor: .owner, now: stage.now)
            guard case .failure(let mistake) = SearchQuestion.read(visit) else { Issue.record("not refused"); return }
            #expect(mistake.words.contains("country") && mistake.words.contains("more than once"))
            let known = ["query", "country", "platform", "language", "format", "columns", "session"]
            let all = Visit(
                path: "/api/v1/search",
                parameters: known.map { RequestParameter($0, $0 == "query" ? "a" : "") }, visitor: .owner,
                now: stage.now)
            guard case .success(_?) = SearchQuestion.read(all) else { Issue.record("refused"); return }
        }
    }

    @Test func `a program gets what rankctl search prints`() async throws {
        try await controller { get, _ in
            let json = try await get("/api/v1/search", ["query": "habit tracker", "country": "us"], .owner)
            #expect(json.status == .ok)
            #expect(json.type == "application/json")
            let object = try #require(try JSONSerialization.jsonObject(with: Data(json.body)) as? [String: Any])
            #expect(object["query"] as? String == "habit tracker")
            #expect((object["results"] as? [Any])?.isEmpty == false)
            let csv = try await get("/api/v1/search", ["query": "habit tracker", "format": "csv"], .owner)
            #expect(text(csv).hasPrefix("position,"))
        }
    }

    @Test(arguments: [
        ["query": ""], ["query": " \t "], [:], ["query": String(repeating: "x", count: 401)],
        ["query": "a", "country": "xx"], ["query": "a", "platform": "watch"], ["query": "a", "language": "e n"],
        ["query": "a\u{1}"], ["query": "a", "format": "xml"],
    ])
    func `what cannot be searched for is refused and not asked`(parameters: [String: String]) async throws {
        try await controller { get, stage in
            let answer = try await get("/api/v1/search", parameters, .owner)
            #expect(answer.status == .badRequest)
            #expect(answer.type == "application/problem+json")
            try Self.isDescribed(answer)
            #expect(stage.asked == 0)
        }
    }

    @Test func `too many searches are refused with the seconds to wait`() async throws {
        try await controller { get, _ in
            for text in ["habit", "tracker", "timer"] {
                _ = try await get("/api/v1/search", ["query": text], .owner)
            }
            let refused = try await get("/api/v1/search", ["query": "habit tracker"], .owner)
            #expect(refused.status == .tooManyRequests)
            try Self.isDescribed(refused)
            #expect(refused.fields[.retryAfter] == "60")
            let page = try await get("/search/results", ["query": "habit tracker"], .owner)
            #expect(page.status == .ok)
            #expect(text(page).contains("The next one is possible in 1 min."))
        }
    }

    @Test func `the App Store's refusal is a 503 that says when to come again`() async throws {
        try await controller(script: [.forbidden]) { get, _ in
            let answer = try await get("/api/v1/search", ["query": "habit tracker"], .owner)
            #expect(answer.status == .serviceUnavailable)
            #expect(answer.fields[.retryAfter] != nil)
            try Self.isDescribed(answer)
        }
    }

    /// Whether the description of the API lists the status for a search, and the type for that status.
    private static func isDescribed(_ answer: Answer, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let problem = try answer.json.members
        let document = try ParsedJSON(String(decoding: OpenAPI().document.bytes, as: UTF8.self))
        let search = document.members["paths"]?.members["/api/v1/search"]?.members["get"]
        let code = String(answer.status.code)
        #expect(search?.members["responses"]?.members[code] != nil, "\(code)", sourceLocation: sourceLocation)
        let schema = document.members["components"]?.members["schemas"]?.members["problem"]?.members["properties"]
        let types = schema?.members["type"]?.members["enum"]?.elements.compactMap(\.text) ?? []
        let type = try #require(problem["type"]?.text, sourceLocation: sourceLocation)
        #expect(types.contains(type), "\(type)", sourceLocation: sourceLocation)
        let response = document.members["components"]?.members["responses"]?.members[code]?.members["description"]
        #expect(response?.text?.contains("`\(type)`") == true, "\(type) of \(code)", sourceLocation: sourceLocation)
    }

    @Test func `whatever an answer of the App Store's comes to, its type is one that the description lists`()
        async throws
    {
        for fault in [.badRequest, .unavailable, .html, .truncatedJSON, .countMismatch, .forbidden] as [Fault] {
            try await controller(script: Array(repeating: fault, count: 6)) { get, _ in
                let answer = try await get("/api/v1/search", ["query": "habit tracker"], .owner)
                #expect([502, 503].contains(answer.status.code), "\(fault)")
                try Self.isDescribed(answer)
            }
        }
    }

    @Test func `where search is off the type says so`() async throws {
        try await SearchStage<InstantClock>.run { stage, _ in
            try FileManager.default.removeItem(atPath: stage.database)
            let controller = SearchController(
                search: stage.search, history: HistoryAccess(path: stage.database, zone: .gmt), now: { stage.now }
            ) { _, _, _ in "" }
            var routes = Routes()
            controller.add(to: &routes)
            let visit = Visit(
                path: "/api/v1/search", parameters: [RequestParameter("query", "a")], visitor: .owner, now: stage.now)
            let route = try #require(routes.all.first { $0.path == visit.path })
            guard case .now(let answer) = try await route.handler(visit) else { throw NotNow() }
            #expect(answer.status == .serviceUnavailable)
            try Self.isDescribed(answer)
            #expect(text(answer).contains("/api#search-off"))
        }
    }

    @Test func `marks are those that the visitor may see, and each row has its line for the watchlist`() async throws {
        try await controller { get, stage in
            let json = try await get("/api/v1/search", ["query": "habit tracker"], .owner)
            let object = try #require(try JSONSerialization.jsonObject(with: Data(json.body)) as? [String: Any])
            let found = (try #require(object["results"] as? [[String: Any]])).compactMap { $0["bundleId"] as? String }
            let (mine, theirs, rival) = (found[0], found[1], found[2])
            var plan = watchlist([(query("habit tracker"), [mine, theirs, rival])], competitors: [rival])
            plan.queries[0].pairs = [
                WatchedPair(bundleID: bundle(mine), tags: ["client"]), WatchedPair(bundleID: bundle(theirs)),
                WatchedPair(bundleID: bundle(rival), tags: ["client"]),
            ]
            let store = try HistoryStore(path: stage.database)
            _ = try await store.adopt(plan, now: stage.now)
            try await store.close()
            func marks(_ visitor: Visitor) async throws -> [String] {
                text(try await get("/search/results", ["query": "habit tracker", "country": "us"], visitor))
                    .split(separator: "\n").prefix(3).map { line in
                        line.contains(" mine {") ? "mine" : line.contains(" competitor {") ? "competitor" : "-"
                    }
            }
            #expect(try await marks(.owner) == ["mine", "mine", "competitor"])
            #expect(try await marks(Visitor(name: "client", tags: ["client"])) == ["mine", "-", "competitor"])
            #expect(try await marks(Visitor(name: "other", tags: ["other"])) == ["-", "-", "-"])
            #expect(try await marks(Visitor(name: "nobody", tags: [])) == ["-", "-", "-"])
            let page = text(try await get("/search/results", ["query": "habit tracker"], .owner))
            #expect(page.contains(#"{ "query": "habit tracker", "bundleId": "\#(mine)", "country": "us" },"#))
            #expect(stage.asked == 1)
        }
    }

    @Test func `a line for the watchlist is one that it takes, whatever was searched for`() async throws {
        let asked = Query(
            text: #"a "b" \ </script> ü"#, country: Country(code: "de")!, platform: .ipad, language: "de_de")
        let found = FoundApps(query: asked, askedAt: time("2026-11-01T00:00:00Z"), results: list(["com.a"]), marks: [:])
        let line = try #require(found.rows.first?.app?.watchLine)
        let decoded = try Watchlist.decode(Array("[\(line)]".utf8)).watchlist
        #expect(decoded.queries.map(\.query) == [asked])
        #expect(decoded.queries.first?.pairs.map(\.bundleID) == [bundle("com.a")])
    }
}
