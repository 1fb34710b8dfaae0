/// What a person may have meant.
package enum Spelling {
    /// The candidate that `word` is most likely a slip of; `nil` if none is close.
    package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
        // Nobody mistypes a name into one of that length, and the comparison costs the product of the lengths.
        guard word.utf8.count <= 64 else { return nil }
        let plain = bare(word)
        var best: (distance: Int, candidate: String)?
        for candidate in candidates where candidate.utf8.count <= 64 {
            let other = bare(candidate)
            let limit = max(1, min(2, other.count / 3))
            guard abs(plain.count - other.count) <= limit else { continue }
            let distance = distance(plain, other)
            if distance <= limit, distance < best?.distance ?? .max { best = (distance, candidate) }
        }
        return best?.candidate
    }

    /// Without case, `-`, `_` and white space: `bundle_id` is `bundleId`.
    private static func bare(_ word: String) -> [Character] {
        word.lowercased().filter { $0 != "-" && $0 != "_" && !$0.isWhitespace }
    }

    /// Insertions, deletions, replacements and exchanges of neighbours (optimal string alignment).
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var older: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
                var least = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, older[column - 1] + 1)
                }
                current.append(least)
            }
            older = previous
            previous = current
        }
        return previous[right.count]
    }
}
