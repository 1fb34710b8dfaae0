import JSON5

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
