import NIOCore

extension Fault {
    /// What is sent in place of `answer`; `nil` where the fault is one of the connection or of time.
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

extension StoreAnswer {
    func with(_ body: ByteBuffer, encoding: String? = nil) -> StoreAnswer {
        StoreAnswer(status: status, contentType: contentType, contentEncoding: encoding, body: body)
    }
}
