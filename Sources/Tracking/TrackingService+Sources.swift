import History
import RankKit
import Synchronization

/// Several sources, each asked at its own pace: what one of them is paused for or fails with, another is not.
extension TrackingService {
    /// Searches for what is due of all sources, side by side, and tells what happens as it does.
    ///
    /// - Returns: how the searches of all went together; `nil` if nothing was due.
    func searchAll(_ tell: @escaping (TrackingEvent) -> Void) async throws -> PassResult? {
        let asked = Set(await plan.current.watchlist.queries.map(\.query.source))
        let others = others.filter { asked.contains($0.pass.source) }
        guard !others.isEmpty else {
            var memory = memory(.once, tell)
            return try await searchDue(&memory)
        }
        // A cancelled task hears no more signals; what happened by then is told all the same.
        let heard = HeardEvents()
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        async let searched = searchAll(of: [self] + others) { event in
            heard.add(event)
            signal.yield()
        } whenDone: {
            signal.finish()
        }
        for await _ in signals { for event in heard.take() { tell(event) } }
        let result: Result<PassResult?, any Error>
        do { result = .success(try await searched) } catch { result = .failure(error) }
        for event in heard.take() { tell(event) }
        return try result.get()
    }

    private func searchAll(
        of services: [TrackingService], _ tell: @escaping @Sendable (TrackingEvent) -> Void,
        whenDone: @Sendable () -> Void
    ) async throws -> PassResult? {
        defer { whenDone() }
        return try await withThrowingTaskGroup(of: PassResult?.self) { searches in
            for service in services {
                searches.addTask {
                    var memory = service.memory(.once, tell)
                    return try await service.searchDue(&memory)
                }
            }
            return try await searches.reduce(nil) { sum, result in
                guard let sum, let result else { return sum ?? result }
                return sum.together(with: result)
            }
        }
    }
}

/// What was heard of several tasks, and is yet to be told by one.
private final class HeardEvents: Sendable {
    private let events = Mutex<[TrackingEvent]>([])

    func add(_ event: TrackingEvent) { events.withLock { $0.append(event) } }

    func take() -> [TrackingEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}

extension PassResult {
    /// How two passes beside each other went. Only of one alone it can be said that it was a bad day.
    fileprivate func together(with other: PassResult) -> PassResult {
        PassResult(
            startedAt: min(startedAt, other.startedAt), finishedAt: max(finishedAt, other.finishedAt),
            due: due + other.due, succeeded: succeeded + other.succeeded, failed: failed + other.failed,
            throttled: throttled + other.throttled, requests: requests + other.requests,
            suspect: suspect + other.suspect)
    }
}
