import HTTPTypes
import RankKit
import Reports

/// One request that was read and let in: what a controller of the site is asked with.
struct Visit: Sendable {
    /// Percent-decoded and without what is asked for: `/api/v1/reports/movers`.
    var path: String
    /// What the route's placeholders stand for: `name` of `/api/v1/reports/:name`.
    var captures: [String: String] = [:]
    /// Behind the question mark, decoded, in order.
    var parameters: [RequestParameter] = []
    var visitor: Visitor
    /// With whom the site's work is shared out.
    var client = Client(name: "", isKnown: true)
    /// Under which path the browser finds the site: nothing where it has its host to itself.
    var base = ""
    /// The wall clock's time. Answers that are made of it are kept for the rest of its minute.
    var now: Timestamp
    var headers: HTTPFields = HTTPFields()

    /// The value of the first parameter of that name.
    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }
}

/// Who asks, and what may be seen.
struct Visitor: Sendable, Hashable {
    /// The token's name; what people without one are called otherwise.
    var name: String
    /// The tags of which a pair has to have one, so that this visitor sees it; all pairs where it is `nil`. Part of
    /// everything that answers are told apart by.
    var tags: Set<String>?

    /// Somebody who sees everything.
    static let owner = Visitor(name: "owner", tags: nil)
}
