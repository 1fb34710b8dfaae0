import AppStore
import AppStoreSimulator
import AsyncHTTPClient
import History
import Logging
import NIOCore
import RankKit
import Synchronization
import TestSupport
import Testing
import Tracking

/// The search API and the App Store's page side by side, over HTTP.
@Suite(.timeLimit(.minutes(30))) struct SimulatedSourcesTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let start = Timestamp(secondsSinceEpoch: 1_790_000_000)
    private let simulated = SyntheticStore(seed: 5, options: .init(appCount: 800))
    private let us = Country(code: "us")!

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// What was asked of a store.
    private final class Asked: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        func count(_ what: String) { counts.withLock { $0[what, default: 0] += 1 } }

        /// What was counted since the last time.
        func take() -> [String: Int] {
            counts.withLock { counts in
                defer { counts = [:] }
                return counts
            }
        }
    }

    private func counting(_ store: AppStore, in asked: Asked) -> AppStore {
        AppStore(
            search: { query in
                asked.count(query.source.rawValue)
                return try await store.search(query)
            },
            lookup: { lookup in
                asked.count("lookup")
                return try await store.lookup(lookup)
            })
    }

    /// Queries that have long lists in both sources, each with the app that the page has in its 21st place.
    private var wanted: [(query: Query, app: BundleID)] {
        let words = [
            "habit tracker", "chess", "photo editor", "budget", "sleep sounds", "weather", "music", "notes", "timer",
            "calendar", "fitness", "recipes",
        ]
        return words.flatMap { text -> [(query: Query, app: BundleID)] in
            let page = simulated.pageRanking(text, country: us, platform: .iphone, at: start)
            guard page.count > 60, simulated.ranking(text, country: us, platform: .iphone, at: start).count > 60 else {
                return []
            }
            return [Source.itunes, .web].map { (Query(text: text, country: us, source: $0), page[20].bundleID) }
        }
    }

    private func service(
        _ store: AppStore, _ plan: Watchlist, at moment: Timestamp
    ) -> TrackingService<InstantClock> {
        let clock = InstantClock()
        let pace = { Pace(requestsPerMinute: 100_000, clock: clock) }
        let pass = TrackingPass(
            lane: store.searches(as: .search(at: "simulated"), pace: pace(), clock: clock, now: { moment }),
            others: [
                .web: store.searches(as: .search(.web, at: "simulated"), pace: pace(), clock: clock, now: { moment })
            ],
            lookups: store.lookups(as: .lookup(at: "simulated"), pace: pace(), clock: clock, now: { moment }),
            history: history, parallelism: 4)
        return TrackingService(
            plan: CurrentPlan(plan), pass: pass, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func `one pass asks each source once a query and looks up what no list named, and the next looks up nothing`()
        async throws
    {
        let wanted = wanted
        let queries = wanted.count / 2
        try #require(queries >= 4)
        let plan = watchlist(wanted.map { ($0.query, [$0.app.text]) }, every: 3_600)
        let simulator = AppStoreSimulator(simulated, options: SimulatorOptions(), now: { [start] in start })
        let client = HTTPClient.forStore(connect: .minutes(20), read: .minutes(20))
        let asked = Asked()
        try await withRunning(simulator) { [history, start] origin in
            let store = counting(
                .http(try #require(Origin(origin)), client: client, patience: .seconds(1_200)), in: asked)
            for slot in 0..<2 as Range<Int64> {
                let moment = start + slot * 3_600
                try await history.adopt(plan, now: moment)
                let result = try await service(store, plan, at: moment).runOnce { _ in }
                #expect(result?.succeeded == 2 * queries)
                var counts = asked.take()
                let lookups = counts.removeValue(forKey: "lookup") ?? 0
                #expect(counts == ["itunes": queries, "web": queries])
                // All that lists of the page can hold beyond those of the search API, and one for each query's rest.
                #expect(slot == 0 ? (1...queries * 4).contains(lookups) : lookups == 0)
            }
        }
        try await client.shutdown()
        for standing in try HistoryReader(path: history.path).standings() {
            let ranking =
                standing.query.source == .web
                ? simulated.pageRanking(standing.query.text, country: us, platform: .iphone, at: start)
                : simulated.ranking(standing.query.text, country: us, platform: .iphone, at: start)
            let position = ranking.firstIndex { $0.bundleID == standing.bundleID }.map { $0 + 1 }
            #expect(standing.outcome.state == (position == nil ? .absent : .ranked), "\(standing.query)")
            #expect(standing.outcome.position?.number == position, "\(standing.query)")
        }
    }
}
