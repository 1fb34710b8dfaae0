package import NIOCore
package import RankKit

/// What answers the simulator's requests: recordings, or a store that was never there.
package protocol StoreBackend: Sendable {
    /// The answer to one request at one moment. The same arguments always give the same bytes.
    func answer(_ request: ReceivedRequest, at moment: Timestamp) -> StoreAnswer

    /// The ordered bundleIds of the answer to a search, for `/_truth`; `nil` if the backend cannot know.
    /// An answer in place of the list says why the search itself would not give one.
    func truth(_ request: ReceivedRequest, at moment: Timestamp) -> StoreTruth?
}

/// What `/_truth` tells about a search.
package enum StoreTruth: Sendable {
    /// The bundleIds, best first.
    case order([String])
    /// The search would not be answered with a list.
    case refusal(StoreAnswer)
}

/// One answer of the store, before faults and compression.
package struct StoreAnswer: Sendable {
    /// The HTTP status, 100–599.
    package var status: Int
    /// `nil` sends no `Content-Type`.
    package var contentType: String?
    /// `nil` if the body is sent as it is.
    package var contentEncoding: String?
    /// Only of redirects.
    package var location: String?
    package var body: ByteBuffer
    /// Names bytes that never change while the server runs, so that their compressed form can be kept.
    package var identity: String?

    package init(
        status: Int = 200, contentType: String? = Self.appleContentType, contentEncoding: String? = nil,
        location: String? = nil, body: ByteBuffer, identity: String? = nil
    ) {
        self.status = status
        self.contentType = contentType
        self.contentEncoding = contentEncoding
        self.location = location
        self.body = body
        self.identity = identity
    }

    /// What Apple calls its JSON.
    package static let appleContentType = "text/javascript; charset=utf-8"
    static let jsonContentType = "application/json; charset=utf-8"

    /// A status without a body: `Content-Length: 0`.
    static func empty(status: Int) -> StoreAnswer {
        StoreAnswer(status: status, contentType: nil, body: ByteBuffer())
    }

    static func json(status: Int = 200, _ text: String) -> StoreAnswer {
        StoreAnswer(status: status, contentType: jsonContentType, body: ByteBuffer(string: text))
    }

    static func html(status: Int, title: String) -> StoreAnswer {
        let page = "<!DOCTYPE html>\n<html><head><title>\(title)</title></head><body><h1>\(title)</h1></body></html>\n"
        return StoreAnswer(status: status, contentType: "text/html; charset=utf-8", body: ByteBuffer(string: page))
    }

    /// The 400 with which Apple rejects a parameter: an `errorMessage`, and no `results`.
    static func invalidValue(ofKey key: String) -> StoreAnswer {
        let text = """
            {
             "errorMessage":"Invalid value(s) for key(s): [\(key)]",
             "queryParameters":{"output":"json", "country":"ISO-2A country code", "term":"A search string"}
            }
            """
        return StoreAnswer(status: 400, body: ByteBuffer(string: text))
    }
}
