extension String {
    /// The text's first bytes as UTF-8, at most so many, without a broken character at the end. A single `Character` may
    /// be of any size, so a count of those bounds nothing.
    package func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, !isScalarAligned(end) { end = utf8.index(before: end) }
        return String(self[..<end])
    }

    private func isScalarAligned(_ index: Index) -> Bool { index.samePosition(in: unicodeScalars) != nil }
}
