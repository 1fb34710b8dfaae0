import Foundation
package import History
package import Judging
package import RankKit
package import TestSupport

/// A history of its own for tests of what an update did. The release is on 20 November; days are counted from it.
package struct RecordedReleases: Sendable {
    package let folder: TemporaryFolder
    package let store: HistoryStore

    package init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }
}

/// Writes into that history, and asks what the update did.
package protocol ReleaseHistory {
    var history: RecordedReleases { get }
}

extension ReleaseHistory {
    package var store: HistoryStore { history.store }
    package var release: Timestamp { time("2026-11-20T00:00:00Z") }
    package var me: BundleID { bundle("com.me") }

    package func adopt(_ queries: [Query], notes: [Note], apps: [String] = ["com.me", "com.rival"]) async throws {
        var plan = watchlist(queries.map { ($0, apps) }, every: day, competitors: ["com.rival"])
        plan.apps[0].alias = "me"
        plan.notes = notes
        plan.timeZone = "UTC"
        try await store.adopt(plan, now: release - 60 * day)
    }

    package func note(
        _ version: String? = "2.4", on date: String = "2026-11-20", added: [String] = [], removed: [String] = []
    ) -> Note {
        Note(on: date, bundleID: me, version: version, text: "subtitle", added: added, removed: removed)
    }

    /// A good check with me and the rival in these places; 0 for neither in the list.
    package func check(_ query: Query, on number: Int64, mine: Int, rival: Int = 0) async throws {
        var names: [String?] = (1...40).map { "com.other\($0)" }
        if mine > 0 { names[mine - 1] = "com.me" }
        if rival > 0 { names[rival - 1] = "com.rival" }
        let shown = names
        try await store.record(
            Check(query: query, at: release + number * day + 12 * hour, outcome: .answered(list(shown))))
    }

    package func effect(
        _ version: String = "2.4", days: Int64 = 14, after: Int64 = 30, filter: PairFilter = PairFilter()
    ) throws -> ReleaseEffect {
        let reader = try HistoryReader(path: store.path)
        let now = release + after * day + 13 * hour
        let releases = try Releases(of: me, from: reader, zone: .gmt, now: now)
        return try ReleaseEffect(
            of: try known(releases.find(version)), filter: filter, days: days, from: reader, zone: .gmt, now: now)
    }

    package var mood: Query { query("mood tracker") }
    package var habit: Query { query("habit list") }
}
