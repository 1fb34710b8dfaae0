/// A request to the store, decoded: which endpoint, and with what parameters.
package struct ReceivedRequest: Sendable {
    package enum Endpoint: String, Sendable, Hashable, CaseIterable {
        case search, lookup
    }

    package let endpoint: Endpoint
    /// By name; of a repeated name the first counts.
    package let parameters: [String: String]

    package init(_ endpoint: Endpoint, _ parameters: [String: String]) {
        self.endpoint = endpoint
        self.parameters = parameters
    }

    package subscript(name: String) -> String? { parameters[name] }

    /// `country` in lower case, the United States where it is absent.
    var country: String { (self["country"] ?? "us").lowercased() }

    /// `entity`, iPhone apps where it is absent.
    var entity: String { self["entity"] ?? "software" }
}

/// The target of an HTTP request: a path, and the parameters behind the question mark.
package struct RequestTarget: Sendable {
    package let path: String
    package let parameters: [String: String]

    /// `nil` if an escape is malformed or what it stands for is not UTF-8.
    package init?(_ target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "")
        var parameters: [String: String] = [:]
        for field in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(pair[0]), let value = Self.decode(pair.count > 1 ? pair[1] : "") else {
                return nil
            }
            if parameters[name] == nil { parameters[name] = value }
        }
        self.parameters = parameters
    }

    /// Form decoding: `+` is a space, `%2B` a plus, and every `%` begins an escape.
    static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
