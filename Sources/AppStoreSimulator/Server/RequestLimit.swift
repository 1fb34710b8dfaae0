import RankKit
import Synchronization

/// So many requests in any sixty seconds, for each endpoint by itself: Apple has been seen to answer look-ups while
/// it refused searches.
final class RequestLimit: Sendable {
    /// Requests let through in one minute, 0 or more.
    let perMinute: Int
    private let admitted = Mutex<[ReceivedRequest.Endpoint: [Timestamp]]>([:])

    private static let window: Int64 = 60

    init(perMinute: Int) {
        self.perMinute = perMinute
    }

    /// Whether one more request may pass; a refused one counts for nothing afterwards.
    func admits(_ endpoint: ReceivedRequest.Endpoint, at moment: Timestamp) -> Bool {
        admitted.withLock { admitted in
            // A moment that lies ahead belongs to a clock that was set back: it must not block anything.
            var recent = admitted[endpoint, default: []].filter { $0 <= moment && moment - $0 < Self.window }
            let isAdmitted = recent.count < perMinute
            if isAdmitted { recent.append(moment) }
            admitted[endpoint] = recent
            return isAdmitted
        }
    }
}
