extension JSON5Layout {
    /// Puts `text` behind the last item of a container, laid out like that item: on a line of its own or beside it,
    /// equally indented, and with a trailing comma where it has one.
    ///
    /// - Parameters:
    ///   - unit: One step of indentation, for a first item.
    ///   - spreads: Whether an empty pair of brackets is opened up, so that the item gets its own line.
    func appending(_ text: String, to container: Container, unit: String, spreads: Bool) -> [Splice] {
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
