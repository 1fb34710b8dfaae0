/// What stands behind `rankctl`, as it is meant.
struct TypedLine {
    let words: [String]

    init(_ words: some Sequence<String>) { self.words = Array(words) }

    /// Whether a command is named, be it to read its help.
    var namesCommand: Bool {
        guard let first = words.first, !first.hasPrefix("-") else { return false }
        return words != ["help"]
    }
}
