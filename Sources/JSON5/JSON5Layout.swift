/// Where things stand in a document, and how to add to it or take from it without touching anything else.
package struct JSON5Layout {
    /// Bytes to take out and what to put there.
    package struct Splice {
        let range: Range<Int>
        let text: String
    }

    /// A list or an object with the places of what it holds; those of an object begin with their keys.
    package struct Container {
        package let range: Range<Int>
        package let items: [Range<Int>]

        package init?(_ node: JSON5Node) {
            range = node.range
            switch node.value {
            case .array(let elements): items = elements.map(\.range)
            case .object(let members):
                items = members.map { $0.keyRange.lowerBound..<$0.value.range.upperBound }
            default: return nil
            }
        }

        /// The place of the closing bracket.
        package var end: Int { range.upperBound - 1 }
    }

    let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    package static func applying(_ splices: [Splice], to bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var offset = 0
        for splice in splices.enumerated().sorted(by: {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }).map(\.element) {
            result += bytes[offset..<max(offset, splice.range.lowerBound)]
            result += splice.text.utf8
            offset = max(offset, splice.range.upperBound)
        }
        return result + bytes[offset...]
    }

    /// What stands in `range`, as it is written.
    package func text(in range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    package func replacing(_ range: Range<Int>, by text: String) -> Splice { Splice(range: range, text: text) }

    // MARK: Lines

    func lineStart(of offset: Int) -> Int {
        (bytes[..<offset].lastIndex { Self.endsLine($0) } ?? -1) + 1
    }

    /// The blanks that the line of `offset` begins with.
    package func indent(at offset: Int) -> String {
        let line = bytes[lineStart(of: offset)...]
        return String(decoding: line.prefix { Self.isBlank($0) }, as: UTF8.self)
    }

    /// Whether only blanks stand before `offset` on its line.
    package func isFirstOnLine(_ offset: Int) -> Bool {
        bytes[lineStart(of: offset)..<offset].allSatisfy { Self.isBlank($0) }
    }

    /// Whether the document is spread over lines, apart from a line break at its end.
    package var hasLines: Bool {
        guard let first = bytes.firstIndex(where: { Self.endsLine($0) }) else { return false }
        return bytes[first...].contains { !Self.endsLine($0) && !Self.isBlank($0) }
    }

    /// The line break that the document uses first; a line feed where it has none.
    package var lineBreak: String {
        guard let index = bytes.firstIndex(where: { Self.endsLine($0) }) else { return "\n" }
        guard bytes[index] == 0x0D else { return "\n" }
        return index + 1 < bytes.count && bytes[index + 1] == 0x0A ? "\r\n" : "\r"
    }

    /// Just after the line break at `offset`.
    func afterLineBreak(_ offset: Int) -> Int {
        offset + 1 < bytes.count && bytes[offset] == 0x0D && bytes[offset + 1] == 0x0A ? offset + 2 : offset + 1
    }

    static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    // MARK: Between the items

    /// The comma after an item, past any comments.
    func comma(after item: Range<Int>) -> Int? {
        let next = endOfTrivia(from: item.upperBound)
        return next < bytes.count && bytes[next] == UInt8(ascii: ",") ? next : nil
    }

    /// Where white space and comments from `offset` end. The document was parsed before, so none is left open.
    private func endOfTrivia(from offset: Int) -> Int {
        var parser = JSON5Parser(bytes)
        parser.offset = offset
        do throws(JSON5Error) { try parser.skipTrivia() } catch { return bytes.count }
        return parser.offset
    }

    /// The comments that stand between `start` and `end`, where nothing but trivia is.
    func comments(from start: Int, to end: Int) -> [Range<Int>] {
        var comments: [Range<Int>] = []
        var offset = start
        while offset < end {
            guard bytes[offset] == UInt8(ascii: "/") else {
                offset += 1
                continue
            }
            let close = endOfComment(at: offset)
            comments.append(offset..<close)
            offset = close
        }
        return comments
    }

    /// Just after the comment that begins at `start`; a line comment ends before its line break.
    func endOfComment(at start: Int) -> Int {
        var end = start + 2
        if isLineComment(start..<end) {
            while end < bytes.count, !Self.endsLine(bytes[end]) { end += 1 }
            return end
        }
        while end + 1 < bytes.count, bytes[end] != UInt8(ascii: "*") || bytes[end + 1] != UInt8(ascii: "/") { end += 1 }
        return end + 2
    }

    func isLineComment(_ comment: Range<Int>) -> Bool { bytes[comment.lowerBound + 1] == UInt8(ascii: "/") }
}
