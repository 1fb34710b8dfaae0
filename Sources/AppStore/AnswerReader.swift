package import RankKit

/// Reads the body of an answer: the envelope strictly, the entries leniently.
///
/// Whatever is not one whole, well-formed answer is a failure and never a list: an absence may only ever be read
/// from a list that is known to be complete.
package enum AnswerReader {
    /// The ordered list that `body` holds.
    ///
    /// - Throws: `Failure` with `notJSON`, `noResults`, `countMismatch`, `tooLarge` or `unreadable`.
    package static func list(from body: [UInt8]) throws(Failure) -> ResultList {
        let envelope = try envelope(of: body)
        guard let count = envelope.count else {
            throw Failure(.countMismatch, "no resultCount beside \(envelope.places.count) results")
        }
        guard count == Int64(envelope.places.count) else {
            throw Failure(.countMismatch, "resultCount says \(count), the list holds \(envelope.places.count)")
        }
        let unreadable = envelope.places.count { $0 == nil }
        guard unreadable == 0 || unreadable <= tolerated(of: envelope.places.count) else {
            throw Failure(.unreadable, "\(unreadable) of \(envelope.places.count) entries")
        }
        return ResultList(places: envelope.places, unnamed: envelope.unnamed)
    }

    /// How many unreadable entries a list may have: some always, never all, and in a long list at most half. Beyond
    /// that the format has changed, and an app that is there would be taken for absent.
    private static func tolerated(of count: Int) -> Int { count < 10 ? count - 1 : count / 2 }

    /// No answer to a question for 200 holds more; one that does is not to be kept in memory.
    private static let mostPlaces = 1_000

    /// Apple's own words in a refusal, where `body` is JSON with an `errorMessage`.
    package static func errorMessage(in body: [UInt8]) -> String? {
        guard let envelope = try? scan(body) else { return nil }
        return envelope.errorMessage
    }

    private struct Envelope {
        var count: Int64?
        var hasResults = false
        var places: [SeenApp?] = []
        var unnamed: [Int: AppID] = [:]
        var errorMessage: String?
    }

    private static func envelope(of body: [UInt8]) throws(Failure) -> Envelope {
        let envelope: Envelope
        do {
            envelope = try scan(body)
        } catch {
            throw Failure(.notJSON, body.isEmpty ? "empty body" : "\(error.problem) at byte \(error.offset)")
        }
        guard envelope.places.count <= mostPlaces else { throw Failure(.tooLarge, "more than \(mostPlaces) results") }
        guard envelope.hasResults else {
            throw Failure(.noResults, envelope.errorMessage.map { "errorMessage: \($0)" } ?? "JSON without results")
        }
        return envelope
    }

    private static func scan(_ body: [UInt8]) throws(JSONScanner.Malformed) -> Envelope {
        var scanner = JSONScanner(body)
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.index = 3 }
        var envelope = Envelope()
        if scanner.peek() == UInt8(ascii: "{") {
            try read(&envelope, with: &scanner)
        } else {
            try scanner.skipValue()
        }
        _ = scanner.peek()
        guard scanner.isAtEnd else { throw scanner.malformed("text after the end") }
        return envelope
    }

    private static func read(
        _ envelope: inout Envelope, with scanner: inout JSONScanner
    ) throws(JSONScanner.Malformed) {
        try scanner.object { (scanner: inout JSONScanner, key) throws(JSONScanner.Malformed) in
            if scanner.isKey(key, "results"), scanner.peek() == UInt8(ascii: "[") {
                guard !envelope.hasResults else { throw scanner.malformed("two lists of results") }
                envelope.hasResults = true
                envelope.places.reserveCapacity(200)
                try scanner.array { (scanner: inout JSONScanner) throws(JSONScanner.Malformed) in
                    guard envelope.places.count <= mostPlaces else { return try scanner.skipValue(depth: 2) }
                    let (app, id) = try entry(with: &scanner)
                    if app == nil { envelope.unnamed[envelope.places.count] = id }
                    envelope.places.append(app)
                }
            } else if scanner.isKey(key, "resultCount") {
                envelope.count = try scanner.optionalInteger()
            } else if scanner.isKey(key, "errorMessage") {
                envelope.errorMessage = try scanner.optionalText()
            } else {
                try scanner.skipValue(depth: 1)
            }
        }
    }

    /// One element of the list: `nil` for the app where it has no bundle identifier, and its number where it has one.
    private static func entry(
        with scanner: inout JSONScanner
    ) throws(JSONScanner.Malformed) -> (app: SeenApp?, id: AppID?) {
        guard scanner.peek() == UInt8(ascii: "{") else {
            try scanner.skipValue(depth: 2)
            return (nil, nil)
        }
        let start = scanner.index
        var number: Int64?
        var bundleID: BundleID?
        try scanner.object { (scanner: inout JSONScanner, key) throws(JSONScanner.Malformed) in
            if scanner.isKey(key, "trackId") {
                number = try scanner.optionalInteger()
            } else if scanner.isKey(key, "bundleId") {
                bundleID = try scanner.optionalText().flatMap { BundleID($0) }
            } else {
                try scanner.skipValue(depth: 3)
            }
        }
        let id = number.flatMap { $0 > 0 ? AppID($0) : nil }
        guard let bundleID else { return (nil, id) }
        let entry = scanner.bytes[start..<scanner.index]
        let app = SeenApp(
            id: id, bundleID: bundleID,
            fingerprint: entry.withUnsafeBytes(Fingerprint.of),
            details: { AppDetails(entry: entry).plausible })
        return (app, id)
    }
}
