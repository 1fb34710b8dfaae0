package import RankKit

/// Reads the page on which the App Store itself shows the results of a search.
///
/// The page's data stands as JSON in a script of its HTML. Nobody at Apple has described it, so it is read strictly:
/// whatever is not understood is a failure with its reason, and never an absence or a shorter list.
package enum WebStorePage {
    /// In decoded bytes. The pages of today have 0.2 to 1.5 MB.
    static let largestBody = 6 << 20

    /// Apple has published no limit for the page. This is less than the search API is asked.
    package static let requestsPerMinute = 10

    /// No list of the store is longer than about 200; one that is many times as long is not to be kept in memory.
    static let mostPlaces = 1_000

    /// The ordered list that `body` shows as the answer to `query`. A place of which the page tells only the number is
    /// among `unnamed`.
    ///
    /// - Parameter query: what was asked. The answer must name its text, its country and its platform.
    /// - Throws: `Failure` with `otherPage`, `notJSON`, `wrongStorefront`, `changedPage`, `cutList` or `tooLarge`.
    package static func list(from body: [UInt8], for query: Query) throws(Failure) -> ResultList {
        guard body.count <= largestBody else { throw Failure(.tooLarge, "more than \(largestBody) bytes") }
        let script = try script(of: body)
        let elements: [Element]
        do {
            elements = try scan(body, script)
        } catch {
            throw Failure(.notJSON, "\(error.problem) at byte \(error.offset) of the page")
        }
        guard elements.count <= mostPages else { throw Failure(.tooLarge, "more than \(mostPages) pages in the data") }
        let found = elements.filter { $0.intent.kind == "SearchResultsPageIntent" }
        guard let element = found.first, found.count == 1 else {
            throw Failure(.changedPage, "\(found.count) pages of results in the data, where one was expected")
        }
        try element.intent.require(query)
        guard let page = element.page else { throw Failure(.changedPage, "the page of results has no data") }
        return try WebStoreOrder(of: page.shown(), then: page.next).list(on: query.platform)
    }

    // MARK: HTML

    private static let name: StaticString = "serialized-server-data"

    /// Where the text of the script with the store's data stands: up to the first end of a script, as browsers read it.
    private static func script(of body: [UInt8]) throws(Failure) -> Range<Int> {
        guard let named = index(of: name, in: body, from: 0) else { throw Failure(.otherPage, described(body)) }
        let ends = body[named...].firstIndex(of: UInt8(ascii: ">"))
        let opens = body[..<named].lastIndex(of: UInt8(ascii: "<"))
        guard let ends, let opens, isTag("<script", at: opens, in: body) else {
            throw Failure(.otherPage, described(body))
        }
        guard let end = endOfScript(in: body, from: ends + 1) else {
            throw Failure(.notJSON, "the script with the store's data does not end")
        }
        guard index(of: name, in: body, from: end) == nil else {
            throw Failure(.changedPage, "two scripts with the store's data")
        }
        return ends + 1..<end
    }

    private static func endOfScript(in body: [UInt8], from start: Int) -> Int? {
        var index = start
        while let next = Self.index(of: "</", in: body, from: index) {
            if isTag("</script", at: next, in: body) { return next }
            index = next + 2
        }
        return nil
    }

    /// The first index from `start` at which `text` stands.
    private static func index(of text: StaticString, in body: [UInt8], from start: Int) -> Int? {
        let length = text.utf8CodeUnitCount
        let first = text.utf8Start[0]
        let last = body.count - length
        var index = start
        while index <= last {
            if body[index] == first {
                var matching = 1
                while matching < length, body[index + matching] == text.utf8Start[matching] { matching += 1 }
                if matching == length { return index }
            }
            index += 1
        }
        return nil
    }

    /// Whether `tag`, in lower case, begins at `index`: HTML does not tell capitals from small letters.
    private static func isTag(_ tag: StaticString, at index: Int, in body: [UInt8]) -> Bool {
        let length = tag.utf8CodeUnitCount
        guard index + length <= body.count else { return false }
        for offset in 0..<length {
            let byte = body[index + offset]
            let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
            if lower != tag.utf8Start[offset] { return false }
        }
        return true
    }

    /// What else the store sent, such as a page that asks for consent: by its title, if it has one.
    private static func described(_ body: [UInt8]) -> String {
        guard !body.isEmpty else { return "empty body" }
        guard let tag = index(of: "<title", in: body, from: 0),
            let start = body[tag...].firstIndex(of: UInt8(ascii: ">")),
            let end = index(of: "</", in: body, from: start)
        else { return "no data of the store in \(body.count) bytes" }
        let title = AppDetails.appearance(of: String(decoding: body[start + 1..<min(end, start + 400)], as: UTF8.self))
        return "a page without data of the store: “\(title.prefix(60))”"
    }
}
