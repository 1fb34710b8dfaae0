extension JSON5Layout {
    /// Takes one item out of a container: with its whole line, a comment behind it included, where it stands there
    /// alone, and with its comma. The item before it loses its comma where the removed one, being last, had none.
    func removing(_ index: Int, from container: Container) -> [Splice] {
        let item = container.items[index]
        let comma = comma(after: item)
        var splices: [Splice] = []
        let previousComma = index > 0 ? self.comma(after: container.items[index - 1]) : nil
        if comma == nil, let previousComma {
            splices.append(Splice(range: previousComma..<previousComma + 1, text: ""))
        }
        if let lines = wholeLines(item, comma: comma) { return splices + [Splice(range: lines, text: "")] }
        if let comma {
            let end = afterBlanks(comma + 1)
            let endsHere = end == bytes.count || Self.endsLine(bytes[end]) || end == container.end
            let range = endsHere ? beforeBlanks(item.lowerBound)..<comma + 1 : item.lowerBound..<end
            return [Splice(range: range, text: "")]
        }
        guard let previousComma else {
            return [Splice(range: item.lowerBound..<afterBlanks(item.upperBound), text: "")]
        }
        // Comments behind the comma belong to the item before it, and a line comment needs its line break.
        var start = previousComma + 1
        if let comment = comments(from: start, to: item.lowerBound).last {
            start = isLineComment(comment) ? afterLineBreak(comment.upperBound) : comment.upperBound
        }
        return splices + [Splice(range: start..<item.upperBound, text: "")]
    }

    /// The lines of an item that shares them with nothing but its comma and comments behind it.
    private func wholeLines(_ item: Range<Int>, comma: Int?) -> Range<Int>? {
        guard isFirstOnLine(item.lowerBound) else { return nil }
        var isPastComma = comma == nil
        var offset = item.upperBound
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x0A, 0x0D:
                guard isPastComma else { return nil }
                return lineStart(of: item.lowerBound)..<afterLineBreak(offset)
            case 0x20, 0x09: offset += 1
            case UInt8(ascii: ",") where offset == comma:
                isPastComma = true
                offset += 1
            case UInt8(ascii: "/"):
                let end = endOfComment(at: offset)
                guard !bytes[offset..<end].contains(where: { Self.endsLine($0) }) else { return nil }
                offset = end
            default: return nil
            }
        }
        return nil
    }

    private func beforeBlanks(_ offset: Int) -> Int {
        (bytes[..<offset].lastIndex { !Self.isBlank($0) } ?? -1) + 1
    }

    private func afterBlanks(_ offset: Int) -> Int {
        var offset = offset
        while offset < bytes.count, Self.isBlank(bytes[offset]) { offset += 1 }
        return offset
    }
}
