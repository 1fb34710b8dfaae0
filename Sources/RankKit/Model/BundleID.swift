/// An app's bundle identifier, 1–255 characters of `[A-Za-z0-9._-]`; real ones need not contain a dot.
///
/// Apple holds them unique without regard to case, so equality ignores case while `text` keeps the spelling.
package struct BundleID: Sendable, CustomStringConvertible {
    package let text: String

    /// What is compared: `text` in lower case.
    package let folded: String

    /// `nil` if `text` is empty, too long, or holds a character that bundle identifiers cannot have.
    package init?(_ text: String) {
        guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = text
        folded = text.utf8.contains(where: Self.isUpper) ? text.lowercased() : text
    }

    package var description: String { text }

    private static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension BundleID: Hashable, Comparable {
    package static func == (left: BundleID, right: BundleID) -> Bool { left.folded == right.folded }

    package static func < (left: BundleID, right: BundleID) -> Bool { left.folded < right.folded }

    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

/// Apple's number for an app (`trackId`, `id…` in App Store links): a positive 64-bit integer.
package struct AppID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    package let number: Int64

    package init(_ number: Int64) { self.number = number }

    package init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }

    package var description: String { String(number) }

    package static func < (left: AppID, right: AppID) -> Bool { left.number < right.number }
}
