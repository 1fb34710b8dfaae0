import History
import RankKit
import Synchronization

/// Several sources, each asked at its own pace: what one of them is paused for or fails with, another is not.
extension TrackingService {
    /// Searches for what is due of all sources, side by side, and tells what happens as it does.
    ///
    /// - Returns: how the searches of all went together; `nil` if nothing was due.
    func searchAll(_ tell: @escaping (TrackingEvent) -> Void) async throws -> PassResult? {
        var sources = Set(await plan.current.watchlist.queries.map(\.query.source))
        // What a pass has left that was killed is settled, although its source may not be wanted any more.
        sources.formUnion(try await pass.history.openPasses().map(\.source))
        let others = others.filter { sources.contains($0.pass.source) }
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
            // What one of them fails with is no reason to break off another.
            var (sum, failure): (PassResult?, (any Error)?)
            while let result = await searches.nextResult() {
                switch result {
                case .success(let result?): sum = sum?.together(with: result) ?? result
                case .success(nil): break
                case .failure(let error): failure = failure.map { $0.mayPass ? error : $0 } ?? error
                }
            }
            if let failure { throw failure }
            return sum
        }
    }
}

extension Error {
    /// Whether it is less to be told than another: of a history that cannot be written for now, or of a cancelled task.
    fileprivate var mayPass: Bool { (self as? HistoryError)?.mayPass ?? (self is CancellationError) }
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
