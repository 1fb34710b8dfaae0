import AppStore
import RankKit
import Synchronization
import TestSupport
import Testing

/// An App Store that answers what a test announced, and records what it was asked.
final class FakeStore: Sendable {
    private struct State {
        var answers: [Query: [AppStore.Reply]] = [:]
        var asked: [Query] = []
        var inFlight = 0
        var mostInFlight = 0
        var gate: [CheckedContinuation<Void, Never>] = []
        var isHeld = false
        /// What look-ups are answered with; `nil` where none was announced.
        var lookup: (@Sendable (LookupSchedule.Batch) -> AppStore.Reply)?
        var lookedUp: [LookupSchedule.Batch] = []
        var names: [AppID: BundleID] = [:]
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var asked: [Query] { state.withLock { $0.asked } }
    var mostInFlight: Int { state.withLock { $0.mostInFlight } }

    /// Announces the next answers to a query; the last one is repeated.
    func announce(_ query: Query, _ replies: AppStore.Reply...) {
        state.withLock { $0.answers[query] = replies }
    }

    var store: AppStore {
        AppStore(
            search: { try await self.search($0) },
            lookup: { try await self.lookUp($0) })
    }

    // MARK: Look-ups

    var lookedUp: [LookupSchedule.Batch] { state.withLock { $0.lookedUp } }

    /// Announces the answers to all look-ups from now on.
    func announceLookups(_ reply: @escaping @Sendable (LookupSchedule.Batch) -> AppStore.Reply) {
        state.withLock { $0.lookup = reply }
    }

    /// Announces that look-ups find these apps and no others.
    func sells(_ names: String...) {
        announceLookups { batch in .answered(list(names.filter { batch.bundleIDs.contains(bundle($0)) })) }
        for name in names { self.name(name) }
    }

    /// Announces under which bundle identifier look-ups by number know an app.
    func name(_ name: String) {
        state.withLock { state in if let id = list([name]).places[0]?.id { state.names[id] = bundle(name) } }
    }

    private func lookUp(_ lookup: Lookup) async throws -> AppStore.Reply {
        let batch: LookupSchedule.Batch
        switch lookup {
        case .bundleIDs(let bundleIDs, let country):
            batch = LookupSchedule.Batch(country: country, bundleIDs: bundleIDs)
        case .ids(let ids, let country):
            // As far as it was told what they are called.
            let apps = state.withLock { state in ids.map { (state.names[$0] ?? bundle("number.\($0)"), [$0]) } }
            batch = LookupSchedule.Batch(
                country: country, bundleIDs: apps.map(\.0),
                numbers: Dictionary(apps, uniquingKeysWith: { first, _ in first }))
        }
        let reply = state.withLock { state in
            state.lookedUp.append(batch)
            return state.lookup
        }
        guard let reply else {
            Issue.record("an unannounced look-up")
            return .failed(Failure(.status))
        }
        return reply(batch)
    }

    /// From now on requests wait until they are released or cancelled.
    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let waiting = state.withLock { state in
            state.isHeld = false
            defer { state.gate = [] }
            return state.gate
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns once `count` requests have been made in all.
    func requests(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.asked.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    private func search(_ query: Query) async throws -> AppStore.Reply {
        let reached = state.withLock { state in
            state.asked.append(query)
            state.inFlight += 1
            state.mostInFlight = max(state.mostInFlight, state.inFlight)
            let asked = state.asked.count
            let reached = state.watchers.filter { $0.count <= asked }
            state.watchers.removeAll { $0.count <= asked }
            return reached
        }
        for watcher in reached { watcher.continuation.resume() }
        defer { state.withLock { $0.inFlight -= 1 } }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isHeld = state.withLock { state in
                    if state.isHeld { state.gate.append(continuation) }
                    return state.isHeld
                }
                if !isHeld { continuation.resume() }
            }
        } onCancel: {
            release()
        }
        try Task.checkCancellation()
        return state.withLock { state in
            guard var replies = state.answers[query], let reply = replies.first else {
                Issue.record("an unannounced search for \(query.text)")
                return .failed(Failure(.status))
            }
            if replies.count > 1 { replies.removeFirst() }
            state.answers[query] = replies
            return reply
        }
    }
}

/// A list of these apps and of others behind them: long enough to be believed of a query that is new.
func whole(_ bundles: [String?]) -> ResultList {
    list(bundles + (bundles.count..<max(bundles.count, Belief.fewestPlaces)).map { "com.filler\($0)" })
}

extension AppStore {
    /// The lane of a source's searches, at so many a minute.
    func searches<C>(
        of source: Source = .usual, perMinute: Int, clock: C, now: @escaping @Sendable () -> Timestamp
    ) -> SearchLane<C> {
        searches(
            as: .search(source, at: "fake"), pace: Pace(requestsPerMinute: perMinute, clock: clock), clock: clock,
            now: now)
    }

    /// The lane of look-ups, at so many a minute.
    func lookups<C>(
        perMinute: Int, health: EndpointHealth = EndpointHealth(), clock: C, now: @escaping @Sendable () -> Timestamp
    ) -> LookupLane<C> {
        lookups(
            as: .lookup(at: "fake"),
            pace: Pace(requestsPerMinute: perMinute, health: health, now: now(), clock: clock), clock: clock, now: now)
    }
}
