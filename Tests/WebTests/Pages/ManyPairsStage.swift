import Foundation
import History
import JudgingStage
import RankKit
import Reports
import TestSupport

@testable import Web

/// A history of 1,080 pairs in twelve countries over six weeks. On its last day some checks failed, some answers are in
/// doubt, and some queries were not asked for a week.
struct ManyPairsStage: Sendable {
    static let countries = ["us", "gb", "de", "fr", "es", "it", "jp", "kr", "br", "ca", "au", "nl"]
    private static let days = 42

    let now: Timestamp
    let pages: PageController
    let api: APIController
    let stores: SimulatedStores
    private let folder: TemporaryFolder

    /// Made once, whatever the number of tests that ask for it.
    static let shared = Task { try await ManyPairsStage() }

    private init() async throws {
        folder = try TemporaryFolder()
        let path = folder.file("history.sqlite")
        let store = try HistoryStore(path: path)
        let start = time("2026-10-01T06:00:00Z")
        var stores = SimulatedStores(
            .init(queries: 9, countries: Self.countries, days: Self.days, planted: 18...38), seed: 7)
        try await store.adopt(stores.watchlist, now: start)
        for day in 0..<Self.days {
            let at = start + Int64(day) * Timestamp.secondsPerDay
            for (index, (query, answer)) in zip(stores.queries, stores.answers(on: day)).enumerated() {
                if index % 9 == 4, day >= Self.days - 7 { continue }
                let outcome: Check.Outcome =
                    index % 9 == 7 && day == Self.days - 1
                    ? .failed(Failure(.timedOut, "no byte")) : .answered(answer)
                try await store.record(Check(query: query, at: at + Int64(index), outcome: outcome))
            }
        }
        self.stores = stores
        now = start + Int64(Self.days - 1) * Timestamp.secondsPerDay + 7_200
        let history = HistoryAccess(path: path, zone: .gmt)
        pages = PageController(history: history, canLogOut: false, search: { _ in .nothing })
        api = APIController(history: history) { "\($0)\n\($1)" }
    }

    /// A page by its whole address, as the pages' links have it.
    func page(_ address: String) async throws -> String {
        var routes = Routes()
        pages.add(to: &routes)
        return try await routes.all.answer(visit(address)).text
    }

    func json(_ address: String) async throws -> Data {
        var routes = Routes()
        api.add(to: &routes)
        return Data(try await routes.all.answer(visit(address)).body)
    }

    private func visit(_ address: String) -> Visit {
        let parts = URLComponents(string: address)
        let parameters = (parts?.queryItems ?? []).map { RequestParameter($0.name, $0.value ?? "") }
        return Visit(path: parts?.path ?? address, parameters: parameters, visitor: .owner, now: now)
    }
}
