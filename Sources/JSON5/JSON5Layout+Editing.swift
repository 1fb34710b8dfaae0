extension JSON5Layout {
    /// Puts `text` behind the last item of a container, laid out like that item: on a line of its own or beside it,
    /// equally indented, and with a trailing comma where it has one.
    ///
    /// - Parameters:
    ///   - unit: One step of indentation, for a first item.
    ///   - spreads: Whether an empty pair of brackets is opened up, so that the item gets its own line.
    package func appending(_ text: String, to container: Container, unit: String, spreads: Bool) -> [Splice] {
        let closesOnOwnLine = isFirstOnLine(container.end) && lineStart(of: container.end) > container.range.lowerBound
        guard let last = container.items.last else {
            return [firstItem(text, in: container, unit: unit, spreads: spreads, closesOnOwnLine: closesOnOwnLine)]
        }
        let comma = comma(after: last)
        var splices: [Splice] = []
        if comma == nil { splices.append(Splice(range: last.upperBound..<last.upperBound, text: ",")) }
        let ending = comma == nil ? "" : ","
        let start = comma.map { $0 + 1 } ?? last.upperBound
        let ownsLine = isFirstOnLine(last.lowerBound) && lineStart(of: last.lowerBound) > container.range.lowerBound
        if closesOnOwnLine {
            let indent = ownsLine ? indent(at: last.lowerBound) : indent(at: container.end) + unit
            let point = nextLine(from: start, in: container)
            splices.append(Splice(range: point..<point, text: indent + text + ending + lineBreak))
        } else {
            let point = comments(from: start, to: container.end).last?.upperBound ?? start
            let separator = ownsLine ? lineBreak + indent(at: last.lowerBound) : " "
            splices.append(Splice(range: point..<point, text: separator + text + ending))
        }
        return splices
    }

    private func firstItem(
        _ text: String, in container: Container, unit: String, spreads: Bool, closesOnOwnLine: Bool
    ) -> Splice {
        let end = container.end
        let indent = indent(at: end)
        if closesOnOwnLine {
            let point = lineStart(of: end)
            return Splice(range: point..<point, text: indent + unit + text + lineBreak)
        }
        let interior = container.range.lowerBound + 1..<end
        let isBlank = bytes[interior].allSatisfy { Self.isBlank($0) }
        let range = isBlank ? interior : end..<end
        if spreads { return Splice(range: range, text: lineBreak + indent + unit + text + lineBreak + indent) }
        let padding = bytes[end] == UInt8(ascii: "}") ? " " : ""
        return Splice(range: range, text: padding + text + padding)
    }

    /// The beginning of the line after the one on which the comments that begin on the line of `start` end.
    private func nextLine(from start: Int, in container: Container) -> Int {
        let comments = comments(from: start, to: container.end)
        var offset = start
        while offset < container.end, !Self.endsLine(bytes[offset]) {
            offset = comments.first { $0.lowerBound == offset }?.upperBound ?? offset + 1
        }
        return afterLineBreak(offset)
    }
}

extension JSON5Layout {
    /// Takes one item out of a container: with its whole line, a comment behind it included, where it stands there
    /// alone, and with its comma. The item before it loses its comma where the removed one, being last, had none.
    package func removing(_ index: Int, from container: Container) -> [Splice] {
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
