/// A page as it is about to be written.
package struct CompactedPage: Sendable {
    package var first: StoredList.Key
    package var last: StoredList.Key
    package var lists: Int
    package var bytes: [UInt8]

    /// How large pages become, in bytes. SQLite keeps 489 bytes of such a row among the others and the rest in pages of
    /// its own with 4,092 bytes each (sqlite.org/fileformat2.html, "Cell Payload Overflow Pages"): from here on four of
    /// those are full, and little of a fifth is wasted on what is beyond.
    static let fullSize = 489 + 4 * 4_092 - 30
    static let largestSize = fullSize + 600
    /// So that a list in the middle of a page is found quickly.
    static let mostLists = 2_048

    static func isFull(lists: Int, bytes: Int) -> Bool { bytes >= fullSize || lists >= mostLists }

    /// `lists`, divided into pages, each read again before it is believed.
    ///
    /// - Throws: `ResultPage.Damaged` where a page does not say what it was made of.
    package static func all(of lists: [StoredList]) throws -> [CompactedPage] {
        var pages: [CompactedPage] = []
        var rest = lists[...]
        while let first = rest.first {
            var part = rest.prefix(mostLists)
            var bytes = ResultPage.encode(Array(part))
            while part.count > 1, (bytes?.count ?? .max) > largestSize {
                let fitting = bytes.map { part.count * (fullSize + 300) / $0.count } ?? part.count / 2
                part = part.prefix(max(1, min(part.count - 1, fitting)))
                bytes = ResultPage.encode(Array(part))
            }
            guard let bytes, let last = part.last, try ResultPage(bytes).lists() == Array(part) else {
                throw ResultPage.Damaged.malformed
            }
            pages.append(CompactedPage(first: first.head.key, last: last.head.key, lists: part.count, bytes: bytes))
            rest = rest.dropFirst(part.count)
        }
        return pages
    }
}
