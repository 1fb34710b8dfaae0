internal import Foundation
package import RankKit

/// Somebody whom mail can be sent to, such as `name@example.com`, or `root` on this machine.
package struct MailAddress: Sendable, Hashable, CustomStringConvertible {
    let text: String

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
    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// A mail as `sendmail -t` takes it (RFC 5322 and MIME, RFC 2045 to 2047), its lines ended by LF alone as that expects.
///
/// Whatever the report holds cannot become a header: bodies are in base64, and so is a subject that is more than plain
/// ASCII.
package struct MailMessage: Sendable {
    var from: MailAddress?
    var to: [MailAddress]
    var subject: String
    var sentAt: Timestamp
    /// One part each, the one that shows most last; both are alternatives of each other.
    var text: String?
    var html: String?

    package init(
        from: MailAddress? = nil, to: [MailAddress], subject: String, sentAt: Timestamp, text: String?, html: String?
    ) {
        self.from = from
        self.to = to
        self.subject = subject
        self.sentAt = sentAt
        self.text = text
        self.html = html
    }

    /// No line of base64 can hold it: it has a `_`, and begins with `=`.
    private static let boundary = "=_rankd_alternative"

    package var source: String {
        var lines: [String] = []
        if let from { lines.append("From: \(from)") }
        lines.append("To: " + to.map(\.text).joined(separator: ",\n "))
        lines += ["Subject: \(Self.encoded(subject))", "Date: \(Self.date(sentAt))"]
        // RFC 3834: so that nobody's holiday notice answers it.
        lines += ["Auto-Submitted: auto-generated", "MIME-Version: 1.0"]
        let parts = [("plain", text), ("html", html)].compactMap { kind, body in body.map { (kind, $0) } }
        if parts.count == 1 {
            lines += Self.part(parts[0])
        } else {
            lines += ["Content-Type: multipart/alternative; boundary=\"\(Self.boundary)\"", ""]
            for part in parts { lines += ["--\(Self.boundary)"] + Self.part(part) }
            lines += ["--\(Self.boundary)--"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func part(_ part: (kind: String, body: String)) -> [String] {
        [
            "Content-Type: text/\(part.kind); charset=utf-8", "Content-Transfer-Encoding: base64", "",
            Data(part.body.utf8).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed]),
        ]
    }

    /// Words of at most 75 characters, none with a part of a character (RFC 2047, 2 and 5).
    private static func encoded(_ text: String) -> String {
        let isPlain =
            text.utf8.count <= 60 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
        if isPlain { return text }
        var words: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if words[words.count - 1].count + bytes.count > longestWord { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?UTF-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\n ")
    }

    /// In bytes: with 52 in base64, 12 around it and the header's name the line has less than 76 characters.
    private static let longestWord = 39

    /// `Sat, 21 Nov 2026 08:30:00 +0000`.
    private static func date(_ moment: Timestamp) -> String {
        let text = CivilTime.iso8601(moment)
        let parts = text.prefix(10).split(separator: "-")
        guard parts.count == 3, let month = Int(parts[1]), (1...12).contains(month) else { return text }
        // 1970-01-01 was a Thursday.
        let weekday = Int(((moment.day + 4) % 7 + 7) % 7)
        return "\(weekdays[weekday]), \(parts[2]) \(months[month - 1]) \(parts[0]) "
            + text.dropFirst(11).prefix(8) + " +0000"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
