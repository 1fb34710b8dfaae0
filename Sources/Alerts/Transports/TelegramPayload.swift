import RankKit
import Reports

/// A message of Telegram's bots, in its HTML. Source: Bot API, `sendMessage` and “HTML style”.
enum TelegramPayload {
    /// In UTF-16 units, after the entities are read.
    static let longest = 4_096
    private static let longestTitle = 250
    private static let longestClosing = 500
    private static let longestLine = 1_500

    static func body(_ message: AlertMessage, chat: Secret) -> [UInt8] {
        let clean = CleanMessage(message).mapped(unlinked)
        let title = CleanText.escaped(clean.title, upTo: longestTitle)
        // Lines are counted as they are shown, and sent with their escapes.
        let room = longest - title.utf16.count - longestClosing - 4
        let fitted = FittedLines(clean.lines.map(\.shown), upTo: room, measure: \.utf16.count)
        var text = "<b>\(escaped(title))</b>\n"
        for line in clean.lines.prefix(fitted.lines.count) { text += "\n" + line.html }
        let closing = clean.closing(omitting: fitted.omitted).joined(separator: ". ")
        if !closing.isEmpty { text += "\n\n<i>\(escaped(CleanText.escaped(closing, upTo: longestClosing)))</i>" }
        let tree: JSONTree = [
            "chat_id": .text(chat.revealed), "text": .text(text), "parse_mode": "HTML",
            "link_preview_options": ["is_disabled": true], "disable_notification": .flag(message.severity == .low),
        ]
        return tree.bytes
    }

    /// `text` of which Telegram makes nothing: neither the mention of a user, nor a tag, a command or an address, which it
    /// looks for in any text and which have no escape. A joiner that is not shown, and that no such thing holds, stands in
    /// each. Source: Bot API, `MessageEntity`.
    ///
    /// Places such as “#9” stay as they are: digits alone are no tag.
    static func unlinked(_ text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let character = rest.popFirst() {
            result.append(character)
            guard let next = rest.first, !next.isWhitespace else { continue }
            let breaks =
                switch character {
                case "@", "/", "$": true
                case "#", "\u{FF03}": !rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }.allSatisfy(\.isNumber)
                // Versions and prices stay.
                case ".": next.isLetter
                default: false
                }
            if breaks { result += joiner }
        }
        return result
    }

    /// Source: Unicode Standard, “Word Joiner”.
    private static let joiner = "\u{2060}"

    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether a bot's token has the form in which it can stand in an address: digits, a colon, and `[A-Za-z0-9_-]`.
    static func isToken(_ token: String) -> Bool {
        token.utf8.count <= 200 && token.wholeMatch(of: /[0-9]+:[A-Za-z0-9_\-]+/) != nil
    }

    fileprivate static func cut(_ line: CleanMessage.Line) -> CleanMessage.Line {
        var line = line
        line.app = line.app.map { CleanText.escaped($0, upTo: 300) }
        line.place = line.place.map { CleanText.escaped($0, upTo: 300) }
        line.trend = CleanText.escaped(line.trend, upTo: 200)
        line.text = CleanText.escaped(line.text, upTo: longestLine - 820)
        return line
    }
}

extension CleanMessage.Line {
    /// As it is read.
    fileprivate var shown: String { "• " + TelegramPayload.cut(self).plain }

    /// The same with its escapes and tags.
    fileprivate var html: String {
        let line = TelegramPayload.cut(self)
        let app = line.app.map { "<b>\(TelegramPayload.escaped($0))</b>" }
        let subject = [app, line.place.map(TelegramPayload.escaped)].compactMap(\.self).joined(separator: " · ")
        return "• " + (subject.isEmpty ? "" : subject + ": ") + TelegramPayload.escaped(line.text)
            + (line.trend.isEmpty ? "" : "  " + line.trend)
    }
}
