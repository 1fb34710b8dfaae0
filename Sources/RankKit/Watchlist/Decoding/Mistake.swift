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

    /// How many mistakes are collected: nobody reads more, and a hostile file must not cost memory.
    package static let most = 1_000

    /// One line a mistake.
    package var description: String { mistakes.map(\.description).joined(separator: "\n") }
}

/// A JSON path, spelt out only when something has to be said about it.
indirect enum JSONPath: Sendable, CustomStringConvertible {
    case root
    case member(JSONPath, String)
    case element(JSONPath, Int)

    var description: String {
        switch self {
        case .root: "watchlist"
        case .member(.root, let key): Self.isPlain(key) ? key : "[\(JSONString.quoted(key))]"
        case .member(let parent, let key):
            Self.isPlain(key) ? "\(parent).\(key)" : "\(parent)[\(JSONString.quoted(key))]"
        case .element(.root, let index): "[\(index)]"
        case .element(let parent, let index): "\(parent)[\(index)]"
        }
    }

    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.allSatisfy { $0 == 0x5F || $0 == 0x2D || JSON5Parser.isDigit($0) || isLetter($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
