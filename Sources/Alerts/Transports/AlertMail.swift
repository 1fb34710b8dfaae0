package import RankKit
package import Reports

/// A message as a mail: text and HTML, in one thread with others about the same subject.
package enum AlertMail {
    /// - Parameters:
    ///   - host: of this machine, for the mail's name.
    ///   - from: `nil` leaves the sender to sendmail.
    package static func message(
        _ message: AlertMessage, to: [MailAddress], from: MailAddress?, host: String, sentAt: Timestamp
    ) -> MailMessage {
        let clean = CleanMessage(message)
        return MailMessage(
            from: from, to: to, subject: CleanText.escaped(clean.title, upTo: longestSubject), sentAt: sentAt,
            text: text(clean), html: html(clean), thread: .init(host: host, id: message.id, root: message.thread))
    }

    private static let longestSubject = 200

    private static func text(_ message: CleanMessage) -> String {
        let parts = [message.lines.map { "• " + $0.plain }, message.closing()].filter { !$0.isEmpty }
        return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    /// Without a style sheet, an image or SVG, which many mail programs drop.
    private static func html(_ message: CleanMessage) -> String {
        var page = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><title>\(HTMLText.escaped(CleanText.parts(message.title).joined()))</title></head>
            <body style="font-family:sans-serif">
            <h1 style="font-size:1.1em">\(shown(message.title))</h1>

            """
        if !message.lines.isEmpty {
            page += "<ul>\n" + message.lines.map { "<li>\(html($0))</li>\n" }.joined() + "</ul>\n"
        }
        for words in message.closing() { page += "<p style=\"color:#666\">\(HTMLText.isolated(words))</p>\n" }
        return page + "</body>\n</html>\n"
    }

    /// Escaped, with an element in place of the characters that keep a name to itself.
    private static func shown(_ text: String) -> String {
        CleanText.parts(text).enumerated().map { index, part in
            index.isMultiple(of: 2) ? HTMLText.escaped(part) : "<bdi>\(HTMLText.escaped(part))</bdi>"
        }.joined()
    }

    private static func html(_ line: CleanMessage.Line) -> String {
        let app = line.app.map { "<b>\(shown($0))</b>" }
        let subject = [app, line.place.map(shown)].compactMap(\.self).joined(separator: " · ")
        let trend =
            line.trend.isEmpty ? "" : " <span style=\"font-family:monospace\">\(HTMLText.escaped(line.trend))</span>"
        return (subject.isEmpty ? "" : subject + ": ") + HTMLText.isolated(line.text) + trend
    }
}

extension AlertMessage {
    /// What all its lines are about: an app, else a country, else one kind of event; `nil` if they have nothing in common.
    var thread: String? {
        func common<Value: Equatable>(_ value: (Line) -> Value?) -> Value? {
            guard let first = lines.first.flatMap(value), lines.allSatisfy({ value($0) == first }) else { return nil }
            return first
        }
        if let app = common(\.bundleID) { return "app-\(app.folded)" }
        if let country = common(\.country) { return "country-\(country.code)" }
        return common(\.kind).map { "kind-\($0.rawValue)" }
    }
}
