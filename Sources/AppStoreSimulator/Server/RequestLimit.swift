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

/// Requests received since the start.
package struct RequestCounts: Sendable, Hashable {
    package var search = 0
    package var lookup = 0
    /// Requests for the web store's page of results.
    package var web = 0
    /// Requests for icons and screenshots.
    package var image = 0
    /// Requests to any other path, the simulator's own excepted.
    package var other = 0
    /// How many of the searches and look-ups were answered by the limit's 403.
    package var refused = 0
    /// How many searches and look-ups ended because the client closed the connection before it had its answer.
    package var cutOff = 0
    /// The same of images.
    package var imageCutOff = 0

    package init() {}

    var json: String {
        let fields: KeyValuePairs = [
            "search": search, "lookup": lookup, "image": image, "other": other, "refused": refused, "cutOff": cutOff,
            "imageCutOff": imageCutOff, "web": web,
        ]
        return "{" + fields.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
    }
}

/// Counts requests from all connections.
final class RequestCounter: Sendable {
    private let counts = Mutex(RequestCounts())

    var current: RequestCounts { counts.withLock { $0 } }

    func add(_ count: any WritableKeyPath<RequestCounts, Int> & Sendable) {
        counts.withLock { $0[keyPath: count] += 1 }
    }
}
