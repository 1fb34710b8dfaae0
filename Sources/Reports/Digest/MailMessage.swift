internal import Foundation
package import RankKit

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
    /// What names it among other mails; `nil` leaves that to sendmail.
    var thread: Thread?

    /// The headers by which mail programs sort and join mails. Source: RFC 5322 (3.6.4) and RFC 2919.
    package struct Thread: Sendable, Hashable {
        let host: String
        let id: String
        let root: String?

        /// - Parameters:
        ///   - host: of this machine; one with other characters than a host's name has becomes `localhost`.
        ///   - id: of this mail and of no other: `[A-Za-z0-9_-]`; other bytes become `_`.
        ///   - root: what all mails about the same subject have in common, likewise; `nil` for none.
        package init(host: String, id: String, root: String?) {
            let isHost =
                (1...200).contains(host.utf8.count)
                && host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                    !label.isEmpty && label.utf8.allSatisfy(MailAddress.isLetterOrDigit)
                }
            self.host = isHost ? host : "localhost"
            self.id = Self.word(id)
            self.root = root.map(Self.word)
        }

        fileprivate var headers: [String] {
            let reference = root.map { "<thread.\($0)@rankd.\(host)>" }
            return ["Message-ID: <\(id)@rankd.\(host)>"]
                + (reference.map { ["In-Reply-To: \($0)", "References: \($0)"] } ?? [])
                + ["List-Id: rankd alerts <alerts.rankd.\(host)>"]
        }

        private static func word(_ text: String) -> String {
            String(
                decoding: text.utf8.prefix(200).map { byte in
                    MailAddress.isLetterOrDigit(byte) || byte == UInt8(ascii: "_") ? byte : UInt8(ascii: "_")
                }, as: UTF8.self)
        }
    }

    package init(
        from: MailAddress? = nil, to: [MailAddress], subject: String, sentAt: Timestamp, text: String?, html: String?,
        thread: Thread? = nil
    ) {
        self.from = from
        self.to = to
        self.subject = subject
        self.sentAt = sentAt
        self.text = text
        self.html = html
        self.thread = thread
    }

    /// No line of base64 can hold it: it has a `_`, and begins with `=`.
    private static let boundary = "=_rankd_alternative"

    package var source: String {
        var lines: [String] = []
        if let from { lines.append("From: \(from)") }
        lines.append("To: " + to.map(\.text).joined(separator: ",\n "))
        lines += ["Subject: \(Self.encoded(subject))", "Date: \(Self.date(sentAt))"]
        lines += thread?.headers ?? []
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
