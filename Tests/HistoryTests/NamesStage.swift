import Foundation
import GRDB
import RankKit
import TestSupport

@testable import History

/// A history, and lists of apps by Apple's number and the bundle identifier that each comes with.
struct NamesStage {
    let folder: TemporaryFolder
    let store: HistoryStore
    let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    func other(_ name: String = "other") throws -> HistoryStore {
        try HistoryStore(path: folder.file("\(name).sqlite"))
    }

    func adopt(_ names: [String], in store: HistoryStore? = nil, after hours: Int64 = 0) async throws {
        try await (store ?? self.store).adopt(watchlist([(query("timer"), names)]), now: start + hours * 3_600)
    }

    func answer(_ apps: [(Int64, String)], on words: String = "timer", after seconds: Int64) -> Check {
        Check(query: query(words), at: start + seconds, outcome: .answered(Self.list(apps)))
    }

    func check(
        _ apps: [(Int64, String)], on words: String = "timer", after hours: Int64, in store: HistoryStore? = nil
    ) async throws {
        try await (store ?? self.store).record(answer(apps, on: words, after: hours * 3_600))
    }

    static func list(_ apps: [(Int64, String)]) -> ResultList {
        ResultList(
            places: apps.map { id, name in
                SeenApp(id: AppID(id), bundleID: bundle(name), fingerprint: UInt64(id)) {
                    AppDetails(name: "App \(id)")
                }
            })
    }

    func places(_ name: String, on words: String = "timer", in store: HistoryStore? = nil) throws -> [Int?] {
        try HistoryReader(path: (store ?? self.store).path).readings(of: bundle(name), on: query(words))
            .map { $0.position?.number }
    }

    /// Apple's numbers that a bundle identifier stands for or stood for.
    func numbers(of name: String) async throws -> Set<Int64> {
        try await store.read { database in
            try Set(
                AppNumbers(of: name, in: database).all.compactMap {
                    try Int64.fetchOne(database, sql: "SELECT app_id FROM app WHERE id = ?", arguments: [$0.number])
                })
        }
    }

    func names(of app: Int64) async throws -> AppNames {
        try await store.read { database in
            let id = try Int64.fetchOne(database, sql: "SELECT id FROM app WHERE app_id = ?", arguments: [app]) ?? 0
            return try AppNames(of: id, in: database)
        }
    }

    func changes(in store: HistoryStore? = nil) throws -> [BundleChange] {
        try HistoryReader(path: (store ?? self.store).path).bundleChanges(since: start, until: start + 90 * 86_400)
    }

    /// What an app is called so many days after the start.
    func shown(_ app: Int64, days: [Int64]) async throws -> [String?] {
        let moments = days.map { (start + $0 * 86_400).secondsSinceEpoch }
        return try await store.read { database in
            try moments.map { moment in
                try String.fetchOne(
                    database,
                    sql: """
                        SELECT \(AppNames.shown(at: "asOf.moment")) FROM app, (SELECT ? AS moment) AS asOf
                        WHERE app.app_id = ?
                        """, arguments: [moment, app])
            }
        }
    }
}
