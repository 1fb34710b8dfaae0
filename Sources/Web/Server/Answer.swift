import HTTPTypes
import Hummingbird

/// An answer that is made before the first byte of it is sent, so that no slow reader holds the history.
struct Answer: Sendable {
    var status: HTTPResponse.Status = .ok
    /// The media type with its parameters: `text/html; charset=utf-8`.
    var type: String
    var body: [UInt8]
    /// Beside what every answer has.
    var fields: HTTPFields = HTTPFields()

    init(_ status: HTTPResponse.Status = .ok, type: String, body: [UInt8], fields: HTTPFields = HTTPFields()) {
        self.status = status
        self.type = type
        self.body = body
        self.fields = fields
    }

    init(_ status: HTTPResponse.Status = .ok, type: String, _ text: String, fields: HTTPFields = HTTPFields()) {
        self.init(status, type: type, body: Array(text.utf8), fields: fields)
    }
}

/// What a controller answers a visit with.
enum Reply: Sendable {
    /// Made of the history alone. The site knows it by what it was asked with: the history's counter of changes, the
    /// program's version, the visitor's narrowing, path, parameters and the minute. It is kept under these, and not made
    /// at all for a browser that has it.
    case ofHistory(@Sendable () throws -> Answer)
    /// Anything else; never kept.
    case now(Answer)
    /// Sent as it comes, such as events.
    case streamed(Response)
}
