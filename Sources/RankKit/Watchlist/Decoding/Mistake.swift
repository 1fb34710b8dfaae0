import Algorithms
import JSON5

/// Something in a watchlist that cannot be followed: where, what, and what to do about it.
package struct Mistake: Sendable, Hashable, CustomStringConvertible {
    /// The JSON path such as `watch[3].countries[1]`, or `line 4, column 7` where the file is not JSON5.
    package let path: String
    /// 1-based.
    package let line: Int
    /// 1-based, in characters.
    package let column: Int
    package let problem: String
    package let remedy: String

    package var description: String { "\(path): \(problem); \(remedy)" }

    /// The same with where it stands behind it: `(watchlist.json, line 4, column 7)`.
    ///
    /// - Parameter file: the path of the watchlist, as it was named.
    package func located(in file: String) -> String {
        // The path of a file that is not JSON5 is its line and column.
        let place = path.hasPrefix("line ") ? "" : ", line \(line), column \(column)"
        return "\(self) (\(file)\(place))"
    }
}

/// Something in a watchlist that is followed, but is likely not what was meant.
package struct Warning: Sendable, Hashable, CustomStringConvertible {
    /// The JSON path such as `watch[3].every`.
    package let path: String
    /// 1-based.
    package let line: Int
    /// 1-based, in characters.
    package let column: Int
    package let problem: String
    package let remedy: String

    package var description: String { "\(path): \(problem); \(remedy)" }
}

/// An invalid watchlist, with everything that is wrong with it.
package struct WatchlistError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Never empty; in the order of the file. Ends after `most` with one that says so.
    package let mistakes: [Mistake]
    /// The path of the watchlist, as it was named; `nil` if the bytes came from elsewhere.
    package let file: String?

    init(mistakes: [Mistake], file: String? = nil) {
        self.mistakes = mistakes
        self.file = file
    }

    /// The same mistakes, of a file.
    package func inFile(_ path: String) -> WatchlistError { WatchlistError(mistakes: mistakes, file: path) }

    /// How many mistakes are collected: nobody reads more, and a hostile file must not cost memory.
    package static let most = 1_000

    /// One line a mistake.
    package var description: String { lines.joined(separator: "\n") }

    /// Each mistake, with where it stands if it is of a file.
    package var lines: [String] { mistakes.map { mistake in file.map(mistake.located) ?? mistake.description } }
}

/// JSON paths such as `watch[3].countries[1]`, spelt out only when something has to be said about a place.
enum JSONPath {
    /// The path of the value or the key that begins at byte `offset` of the document whose root is `root`.
    static func description(of offset: Int, in root: JSON5Node) -> String {
        var path = ""
        var node = root
        while node.range.lowerBound != offset, let (step, next) = child(of: node, at: offset, isFirst: path.isEmpty) {
            path += step
            guard let next else { break }
            node = next
        }
        return path.isEmpty ? "watchlist" : path
    }

    /// The step to what holds `offset` inside `node`, and that value; none where the offset is within its key.
    private static func child(
        of node: JSON5Node, at offset: Int, isFirst: Bool
    ) -> (step: String, value: JSON5Node?)? {
        switch node.value {
        case .object(let members):
            guard let member = members.first(where: { offset < $0.value.range.upperBound }) else { return nil }
            let quoted = "[\(JSONString.quoted(member.key))]"
            let step = !isPlain(member.key) ? quoted : isFirst ? member.key : ".\(member.key)"
            return (step, member.keyRange.contains(offset) ? nil : member.value)
        case .array(let elements):
            let index = elements.partitioningIndex { offset < $0.range.upperBound }
            return index < elements.count ? ("[\(index)]", elements[index]) : nil
        case .null, .bool, .number, .string: return nil
        }
    }

    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.allSatisfy { $0 == 0x5F || $0 == 0x2D || JSON5Parser.isDigit($0) || isLetter($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
