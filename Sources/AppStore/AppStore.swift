package import RankKit

/// What asks the App Store: functions, so that a test can put its own in their place.
package struct AppStore: Sendable {
    /// Asks one search. Throws `CancellationError` alone; every other outcome is a value.
    package var search: @Sendable (Query) async throws -> Reply
    /// Asks for apps by what identifies them. Throws `CancellationError` alone.
    package var lookup: @Sendable (Lookup) async throws -> Reply

    package init(
        search: @escaping @Sendable (Query) async throws -> Reply,
        lookup: @escaping @Sendable (Lookup) async throws -> Reply
    ) {
        self.search = search
        self.lookup = lookup
    }

    /// How a request ended.
    package enum Reply: Sendable {
        /// A whole, well-formed answer.
        case answered(ResultList)
        /// 403 or 429: Apple asks for fewer requests, perhaps saying for how many seconds. It says nothing about any app.
        case throttled(status: Int, retryAfter: Int64? = nil)
        case failed(Failure)
    }
}
