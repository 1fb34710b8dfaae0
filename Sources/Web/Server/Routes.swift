import HTTPTypes

/// The addresses of the site, each with what answers it.
///
/// A controller has a function that adds its routes: `func add(to routes: inout Routes)`.
struct Routes: Sendable {
    typealias Handler = @Sendable (Visit) async throws -> Reply

    /// What an answer of the history depends on beside the path and the visitor. What it does not depend on does not have
    /// it made anew.
    enum Dependence: Sendable {
        case parameters
        /// The parameters, and which form of a report `Accept` likes most.
        case parametersAndForm
        case nothing
    }

    struct Route: Sendable {
        var method: HTTPRequest.Method
        /// As Hummingbird writes them: `/api/v1/reports/:name`.
        var path: String
        var dependence: Dependence
        var handler: Handler
    }

    private(set) var all: [Route] = []

    mutating func get(_ path: String, by dependence: Dependence = .parameters, _ handler: @escaping Handler) {
        all.append(Route(method: .get, path: path, dependence: dependence, handler: handler))
    }
}
