import NIOCore

/// The ways in which an answer of the store can go wrong; the raw values are what `--fault` takes.
package enum Fault: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The store's throttle: an empty body, no `Retry-After`.
    case forbidden = "403"
    case tooManyRequests = "429"
    case serverError = "500"
    case unavailable = "503"
    /// An `errorMessage` in place of results.
    case badRequest = "400"
    /// The connection is reset before any byte of the answer.
    case reset
    /// Half of the body that `Content-Length` promises, then the end of the connection.
    case short
    /// Nothing at all for ten minutes, then the answer.
    case slowHead = "slow-head"
    /// The head at once, then one byte a second.
    case slowBody = "slow-body"
    /// A chunked body without end.
    case endless
    /// 100 MB of white space before an empty list.
    case big
    /// A gzip body of 1 MB that expands to 1 GiB, whether or not the client accepts gzip.
    case bomb
    /// The first half of a gzip body, its length correctly given.
    case truncatedGzip = "truncated-gzip"
    /// Plain text that claims to be gzip.
    case wrongEncoding = "wrong-encoding"
    /// 302 to a path of the simulator's own, where a follower is counted under `other`.
    case redirect
    /// 200 with a page in place of JSON.
    case html
    case emptyBody = "empty-body"
    /// The first half of the body, its length correctly given.
    case truncatedJSON = "truncated-json"
    /// The JSON value `null`.
    case null
    /// 100,000 arrays, one in another.
    case deep
    /// Bytes that are not UTF-8, in the first name of the list.
    case badUTF8 = "bad-utf8"
    /// `resultCount` says one more than the list holds.
    case countMismatch = "count-mismatch"
    /// Well-formed, with `resultCount` and without `results`.
    case noResults = "no-results"
    /// The entry in the middle cannot be read; it holds its place. An empty list stays as it is.
    case badEntry = "bad-entry"
    /// Well-formed, with no entries.
    case emptyList = "empty-list"
    /// Well-formed, with the first tenth of the entries, rounded up.
    case shortList = "short-list"
    /// 200 with a page that asks for consent.
    case consentPage = "consent-page"
    /// The page of another country. Of this and the following faults the API knows nothing: its answers stay as they are.
    case wrongStorefront = "wrong-storefront"
    /// A page whose shelf of results goes by another name.
    case changedPage = "changed-page"
    /// A page that says that there is more, and leaves out the rest of its list.
    case cutPage = "cut-page"
    /// A page of 8 MB.
    case hugePage = "huge-page"

    package var description: String { rawValue }
}

extension Fault {
    /// What is sent in place of `answer`; `nil` if the fault is one of the connection or of time.
    func answer(insteadOf answer: StoreAnswer) throws -> StoreAnswer? {
        switch self {
        case .reset, .short, .slowHead, .slowBody, .endless, .big: return nil
        case .forbidden: return .empty(status: 403)
        case .tooManyRequests: return .empty(status: 429)
        case .serverError: return .empty(status: 500)
        case .unavailable: return .html(status: 503, title: "Service Unavailable")
        case .badRequest: return .invalidValue(ofKey: "country")
        case .redirect: return StoreAnswer(status: 302, contentType: nil, location: "/redirected", body: ByteBuffer())
        case .html: return .html(status: 200, title: "Connecting to the store")
        case .bomb: return GzipBomb.answer
        case .wrongEncoding: return answer.with(answer.body, encoding: "gzip")
        case .truncatedGzip: return answer.with(Self.half(try Gzip.compress(answer.body)), encoding: "gzip")
        case .truncatedJSON: return answer.with(Self.half(answer.body))
        case .emptyBody: return answer.with(ByteBuffer())
        case .null: return answer.with(ByteBuffer(string: "null"))
        case .deep:
            let depth = 100_000
            let brackets =
                [UInt8](repeating: UInt8(ascii: "["), count: depth)
                + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
            return answer.with(ByteBuffer(bytes: brackets))
        case .badUTF8: return answer.with(Self.withBadUTF8(answer.body))
        case .countMismatch, .noResults, .badEntry, .emptyList, .shortList:
            return answer.with(relisting(answer.body))
        case .consentPage: return .html(status: 200, title: "Before you continue")
        case .wrongStorefront, .changedPage, .cutPage, .hugePage:
            return answer.with(ByteBuffer(bytes: spoiledPage(Array(answer.body.readableBytesView))))
        }
    }

    private static func half(_ body: ByteBuffer) -> ByteBuffer {
        body.getSlice(at: body.readerIndex, length: body.readableBytes / 2) ?? ByteBuffer()
    }

    /// 0xC3 begins a character of two bytes and 0x28 cannot end one.
    private static func withBadUTF8(_ body: ByteBuffer) -> ByteBuffer {
        var bytes = Array(body.readableBytesView)
        let name = Array(#""trackName":""#.utf8)
        let place = bytes.firstRange(of: name)?.upperBound
        if let place {
            bytes.insert(contentsOf: [0xC3, 0x28], at: place)
        } else if let brace = bytes.firstIndex(of: UInt8(ascii: "{")) {
            bytes.insert(contentsOf: [0x22, 0xC3, 0x28, 0x22] + Array(":0,".utf8), at: brace + 1)
        }
        return ByteBuffer(bytes: bytes)
    }

    private func relisting(_ body: ByteBuffer) -> ByteBuffer {
        var entries = Envelope.entries(of: Array(body.readableBytesView))
        switch self {
        case .countMismatch: return Envelope.body(entries, resultCount: entries.count + 1)
        case .noResults: return ByteBuffer(string: "\n\n\n{\n \"resultCount\":\(entries.count)\n}\n\n\n")
        case .badEntry where !entries.isEmpty:
            entries[entries.count / 2] = Array(#"{"kind":"software", "trackId":null, "bundleId":[]}"#.utf8)[...]
        case .emptyList: entries = []
        case .shortList: entries = Array(entries.prefix((entries.count + 9) / 10))
        default: break
        }
        return Envelope.body(entries)
    }
}

// MARK: Pages

extension Fault {
    /// `body` if it is no page.
    private func spoiledPage(_ body: [UInt8]) -> [UInt8] {
        guard let script = body.firstRange(of: Array(WebPage.scriptStart.utf8)) else { return body }
        switch self {
        case .wrongStorefront:
            let member = Array(#""storefront":""#.utf8)
            guard let at = body.firstRange(of: member)?.upperBound else { return body }
            let isUnitedStates = body[at...].starts(with: "us".utf8)
            return body[..<at] + Array((isUnitedStates ? "gb" : "us").utf8) + body[(at + 2)...]
        case .changedPage:
            let name = Array("SearchResults.shelfId".utf8)
            guard let at = body.firstRange(of: name) else { return body }
            return body[..<at.lowerBound] + Array("SearchResults.listId".utf8) + body[at.upperBound...]
        case .cutPage:
            let member = Array(#""nextPage":"#.utf8)
            guard let at = body.firstRange(of: member)?.upperBound,
                let end = body.firstRange(of: Array(#"}}],"userTokenHash""#.utf8))?.lowerBound
            else { return body }
            return body[..<at] + Array(#"{"url":"/v1/next"}"#.utf8) + body[end...]
        case .hugePage:
            let comment = Array("<!--".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20) + Array("-->".utf8)
            return body[..<script.lowerBound] + comment + body[script.lowerBound...]
        default: return body
        }
    }
}

extension StoreAnswer {
    func with(_ body: ByteBuffer, encoding: String? = nil) -> StoreAnswer {
        StoreAnswer(status: status, contentType: contentType, contentEncoding: encoding, body: body)
    }
}
