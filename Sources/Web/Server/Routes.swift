import HTTPTypes

/// Where the rooms of the site hang out their signs.
///
/// A room has a function that adds its routes: `func add(to routes: inout Routes)`.
struct Routes: Sendable {
    typealias Handler = @Sendable (Visit) async throws -> Reply

    struct Route: Sendable {
        var method: HTTPRequest.Method
        /// As Hummingbird writes them: `/api/v1/reports/:name`.
        var path: String
        var handler: Handler
    }

    private(set) var all: [Route] = []

    mutating func get(_ path: String, _ handler: @escaping Handler) {
        all.append(Route(method: .get, path: path, handler: handler))
    }
}
