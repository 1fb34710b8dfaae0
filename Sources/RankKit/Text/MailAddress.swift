/// Somebody whom mail can be sent to, such as `name@example.com`, or `root` on this machine.
package struct MailAddress: Sendable, Hashable, CustomStringConvertible {
    package let text: String

    /// `nil` for what is no address, or one that only quoting would make safe: letters and digits, the other characters
    /// that RFC 5322 (3.2.3) lets stand in a word, one `@` at most, no `-` at the start. So no address is an option of a
    /// program or another line of a header.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), text.utf8.count <= 254, text.first != "-",
            let local = parts.first, !local.isEmpty, local.utf8.allSatisfy(Self.isAtom)
        else { return nil }
        if parts.count == 2 {
            let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
            guard labels.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isLetterOrDigit) }) else { return nil }
        }
        self.text = text
    }

    package var description: String { text }

    private static func isAtom(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || isLetterOrDigit(byte) || "!#$%&'*+/=?^_`{|}~".utf8.contains(byte)
    }

    /// Hyphens included, as in the names of hosts.
    package static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
