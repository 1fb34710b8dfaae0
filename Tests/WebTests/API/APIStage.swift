import Foundation
import HTTPTypes
import History
import JudgingStage
import RankKit
import Reports
import TestSupport
import Testing

@testable import Web

/// The controller over a history in which the catalogue's documented examples have something to tell of.
struct APIStage {
    let folder: TemporaryFolder
    let store: HistoryStore
    let controller: APIController
    let now = time("2026-11-20T12:00:00Z")
    private let routes: [Routes.Route]

    var history: HistoryAccess { HistoryAccess(path: store.path, zone: .gmt) }
    var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    /// - Parameter filled: whether the history has anything in it.
    init(filled: Bool = true) async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        controller = APIController(history: HistoryAccess(path: store.path, zone: .gmt)) {
            "<title>\($0)</title>\n\($1)"
        }
        routes = Self.routes(of: controller)
        if filled { try await fill() }
    }

    static func routes(of controller: APIController) -> [Routes.Route] {
        var routes = Routes()
        controller.add(to: &routes)
        return routes.all
    }

    private func fill() async throws {
        let queries = ["habit tracker", "daily routine", "mood journal"].flatMap { [query($0, "us"), query($0, "de")] }
        var plan = watchlist(
            queries.map { ($0, ["com.me.habits", "com.rival"]) }, every: day, competitors: ["com.rival"])
        plan.apps[0].alias = "habits"
        plan.apps[0].competitors = [bundle("com.rival")]
        plan.timeZone = "UTC"
        plan.notes = [
            Note(
                on: "2026-11-13", bundleID: bundle("com.me.habits"), version: "2.4", text: "subtitle",
                added: ["habit tracker"], removed: ["mood journal"])
        ]
        try await store.adopt(plan, now: now - 20 * day)
        for number in 0..<20 {
            for (index, query) in queries.enumerated() {
                var names: [String?] = (1...12).map { "com.other\($0)" }
                names[(number + index) % 12] = "com.me.habits"
                names[(number + index + 5) % 12] = "com.rival"
                names[(number + index + 7) % 12] = nil
                let shown = names
                let answer = list(shown) { AppDetails(name: "<b>\($0)", developer: "\u{1B}Maker", rating: 4.5) }
                let at = now - Int64(20 - number) * day + 3600
                try await store.record(Check(query: query, at: at, outcome: .answered(answer)))
            }
        }
        try await store.record(
            Check(query: queries[0], at: now - hour, outcome: .failed(Failure(.timedOut, "no byte"))))
    }

    func visit(_ path: String, _ parameters: [RequestParameter] = [], accept: String? = nil) -> Visit {
        var visit = Visit(path: path, parameters: parameters, visitor: .owner, now: now)
        visit.headers[.accept] = accept
        return visit
    }

    /// What the controller replies, found by its routes.
    func reply(_ visit: Visit) async throws -> Reply { try await routes.reply(visit) }

    func answer(_ visit: Visit) async throws -> Answer { try await routes.answer(visit) }

    func answer(
        _ path: String, _ parameters: KeyValuePairs<String, String> = [:], accept: String? = nil
    ) async throws -> Answer {
        try await answer(visit(path, parameters.map { RequestParameter($0, $1) }, accept: accept))
    }
}

extension Answer {
    var text: String { String(decoding: body, as: UTF8.self) }
    var json: ParsedJSON { get throws { try ParsedJSON(text) } }
}

extension ParsedJSON {
    var text: String? { if case .string(let text) = self { text } else { nil } }
    var members: [String: ParsedJSON] { if case .object(let members) = self { members } else { [:] } }
    var elements: [ParsedJSON] { if case .array(let elements) = self { elements } else { [] } }
}
