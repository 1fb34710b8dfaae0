import AppStore
import AppStoreSimulator
import Foundation
import RankKit
import Synchronization
import TestSupport

/// An App Store with the days that Apple's has: it throttles, collapses, breaks and goes out of reach, as a function of
/// a seed, the query and the time, and remembers what it answered.
final class SoakStore: Sendable {
    /// What was answered, as far as positions go.
    struct Answer: Sendable, Hashable {
        let at: Timestamp
        let within: Int
        let places: [BundleID: Int]
        /// Whether every entry could be read: else it tells of no app that it does not name.
        let isWhole: Bool
    }

    private struct Diary {
        var answers: [Query: [Answer]] = [:]
        /// The apps whose places are remembered.
        var tracked: [Query: Set<BundleID>] = [:]
        /// When a query got no answer.
        var refusals: [Query: [Timestamp]] = [:]
        var random: SplitMix
    }

    private let seed: UInt64
    private let store: SyntheticStore
    private let now: @Sendable () -> Timestamp
    private let diary: Mutex<Diary>

    init(seed: UInt64, now: @escaping @Sendable () -> Timestamp) {
        self.seed = seed
        self.now = now
        store = SyntheticStore(seed: seed, options: .init(appCount: 400))
        diary = Mutex(Diary(random: SplitMix(seed: seed)))
    }

    var answers: [Query: [Answer]] { diary.withLock { $0.answers } }
    var refusals: [Query: [Timestamp]] { diary.withLock { $0.refusals } }

    /// Says whose places will be asked for.
    func track(_ plan: Watchlist) {
        let tracked = plan.queries.map { ($0.query, Set($0.pairs.map(\.bundleID))) }
        diary.withLock { $0.tracked = Dictionary(uniqueKeysWithValues: tracked) }
    }

    /// The apps that a query finds on a good day.
    func ranking(_ query: Query, at moment: Timestamp) -> [SyntheticApp] {
        store.ranking(query.text, country: query.country, platform: query.platform, at: moment)
    }

    var appStore: AppStore {
        AppStore(
            search: { query in
                try Task.checkCancellation()
                return self.reply(to: query)
            }, lookup: { _ in .failed(Failure(.status)) })
    }

    private func reply(to query: Query) -> AppStore.Reply {
        let now = now()
        if let refusal = refusal(of: query, at: now) {
            diary.withLock { $0.refusals[query, default: []].append(now) }
            return refusal
        }
        var apps = ranking(query, at: now)
        if happens("bad day", now.day, 0.04) {
            apps = Array(apps.prefix(apps.count / 5))
        } else if happens("collapse " + query.text, now.day / 5, 0.05) {
            apps = Array(apps.prefix(apps.count / 10))
        }
        var entries = apps.map { app -> SeenApp? in
            // What is known of an app changes now and then.
            let version = app.version(at: now)
            return SeenApp(
                id: AppID(app.trackID), bundleID: app.bundleID,
                fingerprint: SeededHash.fnv(app.bundleID.text + version),
                details: { AppDetails(name: app.name, developer: app.developer, version: version) })
        }
        // Some answers hold an entry that cannot be read, or an app twice.
        let draw = diary.withLock { $0.random.unit() }
        if draw < 0.02, entries.count > 3 { entries[2] = nil }
        if draw > 0.98, let first = entries.first { entries.append(first) }
        let list = ResultList(places: entries)
        let places = list.positions().mapValues(\.number)
        diary.withLock { diary in
            let tracked = places.filter { diary.tracked[query]?.contains($0.key) == true }
            diary.answers[query, default: []].append(
                Answer(at: now, within: list.count, places: tracked, isWhole: !entries.contains { $0 == nil }))
        }
        return .answered(list)
    }

    private static let failures: [Failure.Reason] = [
        .timedOut, .connectionLost, .insecure, .tooLarge, .badEncoding, .status, .rejected, .notJSON, .noResults,
        .countMismatch, .unreadable,
    ]

    private func refusal(of query: Query, at now: Timestamp) -> AppStore.Reply? {
        let seconds = now.secondsSinceEpoch
        if happens("offline", seconds / 21_600, 0.02) || happens("drop", seconds / 600, 0.005) {
            return .failed(Failure(happens("name", seconds, 0.5) ? .nameNotFound : .cannotConnect))
        }
        let (draw, which) = diary.withLock { ($0.random.unit(), $0.random.next()) }
        if happens("throttle", seconds / 1_800, 0.02) || draw < 0.005 {
            return .throttled(status: 403, retryAfter: [nil, 30, 600, 100_000][Int(which % 4)])
        }
        if happens("poison " + query.text, now.day / 7, 0.04) { return .failed(Failure(.notJSON)) }
        guard draw < 0.06 else { return nil }
        return .failed(Failure(Self.failures[Int(which % UInt64(Self.failures.count))]))
    }

    /// The same for the same thing and period.
    private func happens(_ what: String, _ period: Int64, _ probability: Double) -> Bool {
        var random = SplitMix(seed: seed ^ SeededHash.fnv(what) ^ UInt64(bitPattern: period &* 0x9E37_79B9))
        _ = random.next()
        return random.unit() < probability
    }
}

/// FNV-1a.
private enum SeededHash {
    static func fnv(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
