import RankKit

// The members of the page's data that are read; all others are passed over. A member that stands twice is refused: two
// readers could take it for two things.

extension WebStorePage {
    /// One page of those that the data holds, with what it answers.
    struct Element {
        var intent = Intent()
        var page: Page?
    }

    /// What a page says that it answers.
    struct Intent {
        var kind: String?
        var term: String?
        var storefront: String?
        var platform: String?

        /// - Throws: `Failure` with `wrongStorefront` or `changedPage` if it is not what was asked.
        func require(_ query: Query) throws(Failure) {
            // Of an unknown country the store shows the page of the United States.
            guard storefront == query.country.code else {
                throw Failure(
                    .wrongStorefront, "asked in \(query.country.code), answered from \(storefront ?? "no country")")
            }
            guard platform == query.platform.rawValue else {
                throw Failure(
                    .changedPage, "asked for \(query.platform.rawValue), answered for \(platform ?? "no platform")")
            }
            guard term == query.text else {
                throw Failure(.changedPage, "asked for “\(query.text)”, answered for “\((term ?? "").prefix(80))”")
            }
        }
    }

    struct Page {
        var kind: String?
        var shelves: [Shelf]?
        var next = Next.missing

        /// The items of the one shelf that holds the results.
        ///
        /// - Throws: `Failure` with `changedPage` or `tooLarge`.
        func shown() throws(Failure) -> [WebStoreItem] {
            guard kind == "SearchResultsPage" else {
                throw Failure(.changedPage, "the data is of kind “\((kind ?? "").prefix(80))”")
            }
            guard let shelves else { throw Failure(.changedPage, "the page has no shelves") }
            guard shelves.count <= mostShelves else {
                throw Failure(.tooLarge, "more than \(mostShelves) shelves")
            }
            let results = shelves.filter { $0.id == "SearchResults.shelfId" }
            guard let shelf = results.first, results.count == 1 else {
                throw Failure(.changedPage, "\(results.count) shelves of results, where one was expected")
            }
            guard shelf.kind == "Shelf", shelf.contentType == "searchResult", let items = shelf.items else {
                throw Failure(.changedPage, "the shelf of results holds something else")
            }
            guard items.count <= mostPlaces else { throw Failure(.tooLarge, "more than \(mostPlaces) results") }
            return items
        }
    }

    struct Shelf {
        var id: String?
        var kind: String?
        var contentType: String?
        var items: [WebStoreItem]?
    }

    /// What the page says of places that it does not show.
    enum Next {
        /// It says nothing, which it never did.
        case missing
        /// There are none.
        case none
        /// There are some, and their list was left out.
        case cut
        case entries([Entry])

        struct Entry {
            var id: AppID?
            var type: String?
        }
    }
}

// MARK: Scanning

extension WebStorePage {
    static func scan(_ body: [UInt8], _ script: Range<Int>) throws(JSONScanner.Malformed) -> [Element] {
        var scanner = JSONScanner(body, from: script.lowerBound)
        var elements: [Element]?
        if scanner.peek() == UInt8(ascii: "[") {
            elements = try list(&scanner, most: mostPages, element)
        } else {
            try scanner.object { (scanner: inout JSONScanner, key) throws(JSONScanner.Malformed) in
                if scanner.isKey(key, "data") {
                    guard elements == nil else { throw scanner.malformed(twice) }
                    elements = try list(&scanner, most: mostPages, element) ?? []
                } else {
                    try scanner.skipValue(depth: 1)
                }
            }
        }
        _ = scanner.peek()
        guard scanner.index == script.upperBound else { throw scanner.malformed("text after the end") }
        return elements ?? []
    }

    static let twice: StaticString = "a member that stands twice"

    /// How many pages the data holds at most, and shelves a page: lists of lists would fill the memory.
    static let mostPages = 8
    static let mostShelves = 20

    /// The elements of a list; `nil` for a value that is none.
    ///
    /// - Parameter most: what is beyond is checked and not kept, but for one more, which shows that there was more.
    static func list<Value>(
        _ scanner: inout JSONScanner, most: Int = mostPlaces,
        _ read: (inout JSONScanner) throws(JSONScanner.Malformed) -> Value
    ) throws(JSONScanner.Malformed) -> [Value]? {
        guard scanner.peek() == UInt8(ascii: "[") else {
            try scanner.skipValue(depth: 10)
            return nil
        }
        var values: [Value] = []
        try scanner.array { (scanner: inout JSONScanner) throws(JSONScanner.Malformed) in
            if values.count <= most {
                values.append(try read(&scanner))
            } else {
                try scanner.skipValue(depth: 10)
            }
        }
        return values
    }

    /// Reads an object's members; passes over a value that is no object.
    static func members(
        _ scanner: inout JSONScanner,
        _ member: (inout JSONScanner, JSONScanner.RawString) throws(JSONScanner.Malformed) -> Void
    ) throws(JSONScanner.Malformed) {
        guard scanner.peek() == UInt8(ascii: "{") else { return try scanner.skipValue(depth: 10) }
        try scanner.object(member)
    }

    /// Reads a text into a member that has none yet.
    static func read(_ text: inout String?, _ scanner: inout JSONScanner) throws(JSONScanner.Malformed) {
        guard text == nil else { throw scanner.malformed(twice) }
        text = try scanner.optionalText()
    }

    private static func element(_ scanner: inout JSONScanner) throws(JSONScanner.Malformed) -> Element {
        var element = Element()
        try members(&scanner) { (scanner: inout JSONScanner, key) throws(JSONScanner.Malformed) in
            if scanner.isKey(key, "intent") {
                try members(&scanner) { (scanner: inout JSONScanner, key) throws(JSONScanner.Malformed) in
                    if scanner.isKey(key, "$kind") {
                        try read(&element.intent.kind, &scanner)
                    } else if scanner.isKey(key, "term") {
                        try read(&element.intent.term, &scanner)
                    } else if scanner.isKey(key, "storefront") {
                        try read(&element.intent.storefront, &scanner)
                    } else if scanner.isKey(key, "platform") {
                        try read(&element.intent.platform, &scanner)
                    } else {
                        try scanner.skipValue(depth: 10)
                    }
                }
            } else if scanner.isKey(key, "data"), scanner.peek() == UInt8(ascii: "{") {
                guard element.page == nil else { throw scanner.malformed(twice) }
                element.page = try page(&scanner)
            } else {
                try scanner.skipValue(depth: 10)
            }
        }
        return element
    }

    private static func page(_ scanner: inout JSONScanner) throws(JSONScanner.Malformed) -> Page {
        var page = Page()
        var hasNext = false
        try scanner.object { (scanner: inout JSONScanner, key) throws(JSONScanner.Malformed) in
            if scanner.isKey(key, "$kind") {
                try read(&page.kind, &scanner)
            } else if scanner.isKey(key, "shelves") {
                guard page.shelves == nil else { throw scanner.malformed(twice) }
                page.shelves = try list(&scanner, most: mostShelves, shelf)
            } else if scanner.isKey(key, "nextPage") {
                guard !hasNext else { throw scanner.malformed(twice) }
                hasNext = true
                page.next = try next(&scanner)
            } else {
                try scanner.skipValue(depth: 10)
            }
        }
        return page
    }

    private static func shelf(_ scanner: inout JSONScanner) throws(JSONScanner.Malformed) -> Shelf {
        var shelf = Shelf()
        try members(&scanner) { (scanner: inout JSONScanner, key) throws(JSONScanner.Malformed) in
            if scanner.isKey(key, "id") {
                try read(&shelf.id, &scanner)
            } else if scanner.isKey(key, "$kind") {
                try read(&shelf.kind, &scanner)
            } else if scanner.isKey(key, "contentType") {
                try read(&shelf.contentType, &scanner)
            } else if scanner.isKey(key, "items") {
                guard shelf.items == nil else { throw scanner.malformed(twice) }
                shelf.items = try list(&scanner, WebStoreItem.read)
            } else {
                try scanner.skipValue(depth: 10)
            }
        }
        return shelf
    }

    private static func next(_ scanner: inout JSONScanner) throws(JSONScanner.Malformed) -> Next {
        if scanner.peek() == UInt8(ascii: "n") {
            try scanner.skipValue()
            return .none
        }
        var entries: [Next.Entry]?
        try members(&scanner) { (scanner: inout JSONScanner, key) throws(JSONScanner.Malformed) in
            if scanner.isKey(key, "results") {
                guard entries == nil else { throw scanner.malformed(twice) }
                entries = try list(&scanner, entry)
            } else {
                try scanner.skipValue(depth: 10)
            }
        }
        // A list of nothing contradicts that there is more.
        return entries.flatMap { $0.isEmpty ? nil : .entries($0) } ?? .cut
    }

    private static func entry(_ scanner: inout JSONScanner) throws(JSONScanner.Malformed) -> Next.Entry {
        var entry = Next.Entry()
        try members(&scanner) { (scanner: inout JSONScanner, key) throws(JSONScanner.Malformed) in
            if scanner.isKey(key, "id") {
                guard entry.id == nil else { throw scanner.malformed(twice) }
                entry.id = try WebStoreItem.number(&scanner)
            } else if scanner.isKey(key, "type") {
                try read(&entry.type, &scanner)
            } else {
                try scanner.skipValue(depth: 10)
            }
        }
        return entry
    }
}
