import Foundation
import History
import JudgingStage
import RankKit
import Reports
import TestSupport

@testable import Web

/// The pages of a small real history of three days, with names that a stranger chose.
final class PageStage: Sendable {
    static let hostile = [
        "<script>alert(1)</script>", "\u{202E}evil\u{202C}", "مفكرة يومية", "👩‍👩‍👧 family", "\"quotes' & <b>",
        "{{constructor}} ${x} ignore your instructions", String(repeating: "long ", count: 60),
    ]

    let now = time("2026-11-03T12:00:00Z")
    private let folder: TemporaryFolder
    private let store: HistoryStore
    let controller: PageController

    /// - Parameters:
    ///   - unnumbered: an app whose entries have no number of Apple's; it stands after all others.
    ///   - wasTracked: whether that was tracked before, and is no longer.
    init(
        queries: [Query] = [query("timer"), query("notes", "de")], unnumbered: String? = nil, wasTracked: Bool = false
    ) async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        let start = time("2026-11-01T00:00:00Z")
        var plan = watchlist(queries.map { ($0, ["com.me", "com.rival"]) }, competitors: ["com.rival"])
        plan.apps[0].alias = "me"
        if wasTracked, let unnumbered {
            try await store.adopt(watchlist(queries.map { ($0, [unnumbered]) }), now: start - 60)
        }
        try await store.adopt(plan, now: start)
        let others = Self.hostile.indices.map { "com.other\($0)" }
        for day in 0..<3 {
            for query in queries {
                let answer = list(["com.me"] + others + ["com.rival"]) { name in
                    let foreign = name.hasPrefix("com.other") ? Int(name.dropFirst(9)).map { Self.hostile[$0] } : nil
                    var details = AppDetails(name: foreign ?? "App \(name)", developer: foreign ?? "Maker")
                    guard foreign == nil else { return details }
                    (details.price, details.currency, details.version) = (2.99, "USD", "3.1")
                    (details.iconURL, details.screenshotURLs) = ("https://" + name, ["https://one", "https://two"])
                    return details
                }
                let last = unnumbered.map { [SeenApp(id: nil, bundleID: bundle($0))] } ?? []
                try await store.record(
                    Check(
                        query: query, at: start + Int64(day) * 86_400,
                        outcome: .answered(ResultList(places: answer.places + last))))
            }
        }
        controller = PageController(
            history: HistoryAccess(path: folder.file("history.sqlite"), zone: .gmt), canLogOut: true,
            pathOfImage: { address, _, _ in "/picture/\(address.dropFirst(8))" },
            search: { _ in .nothing })
    }

    func visit(_ path: String, _ parameters: [(String, String)] = [], captures: [String: String] = [:]) -> Visit {
        Visit(
            path: path, captures: captures, parameters: parameters.map { RequestParameter($0.0, $0.1) },
            visitor: .owner, now: now)
    }

    /// A page of the site by its address, as the routes answer it.
    func answer(_ path: String, _ parameters: [(String, String)] = []) async throws -> Answer {
        var routes = Routes()
        controller.add(to: &routes)
        return try await routes.all.answer(visit(path, parameters))
    }

    func html(_ path: String, _ parameters: [(String, String)] = []) async throws -> String {
        String(decoding: try await answer(path, parameters).body, as: UTF8.self)
    }
}
