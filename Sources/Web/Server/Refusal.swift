import HTTPTypes

/// Why the site does not answer what it was asked: a guard refused the request, or nothing has that address.
struct Refusal: Error, Sendable {
    var status: HTTPResponse.Status
    /// A few words: what is the matter.
    var title: String
    /// A sentence or two: what happened, and what to do.
    var detail: String
    /// What programs go by; `nil` where the status says it.
    var kind: Problem.Kind?
    var fields: HTTPFields = HTTPFields()
    /// What the log says of it, once in a while; nothing where it is `nil`.
    var logged: String?

    init(
        _ status: HTTPResponse.Status, _ title: String, _ detail: String, kind: Problem.Kind? = nil,
        fields: HTTPFields = HTTPFields(), logged: String? = nil
    ) {
        self.status = status
        self.title = title
        self.detail = detail
        self.kind = kind
        self.fields = fields
        self.logged = logged
    }

    static let notFound = Refusal(
        .notFound, "Nothing is here", "There is nothing at this address. The first page, Today, leads to everything.")

    /// - Parameter seconds: after which it is worth another try.
    static func tooMany(_ detail: String, retryAfter seconds: Int64, logged: String? = nil) -> Refusal {
        Refusal(
            .tooManyRequests, "Too many requests", detail, fields: [.retryAfter: String(max(1, seconds))],
            logged: logged)
    }
}
