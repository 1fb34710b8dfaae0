import Synchronization

/// Requests received since the start.
package struct RequestCounts: Sendable, Hashable {
    package var search = 0
    package var lookup = 0
    /// Requests to any other path, the simulator's own excepted.
    package var other = 0
    /// How many of the searches and look-ups were answered by the limit's 403.
    package var refused = 0

    package init() {}

    var json: String {
        #"{"search": \#(search), "lookup": \#(lookup), "other": \#(other), "refused": \#(refused)}"#
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
