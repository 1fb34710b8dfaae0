import RankKit
import Reports

/// A message of Slack's incoming webhooks, in blocks.
/// Source: Slack's documentation, “Block Kit” (lengths) and “Formatting text for app surfaces” (escapes).
enum SlackPayload {
    /// In UTF-16 units, which are never fewer than characters.
    static let longestHeader = 150
    static let longestSection = 3_000
    static let mostBlocks = 50

    static func body(_ message: AlertMessage) -> [UInt8] {
        let message = CleanMessage(message)
        var blocks = [header(message.title)]
        var sections: [[String]] = []
        var left = 0
        var shown = 0
        for line in message.lines.map(line) {
            let length = line.utf16.count + 1
            if length > left {
                // One for the header, one for what closes the message.
                guard sections.count < mostBlocks - 2 else { break }
                sections.append([])
                left = longestSection
            }
            sections[sections.count - 1].append(line)
            left -= length
            shown += 1
        }
        blocks += sections.map { section($0.joined(separator: "\n")) }
        let closing = message.closing(omitting: message.lines.count - shown).joined(separator: ". ")
        if !closing.isEmpty {
            let text = CleanText.escaped(closing, upTo: longestSection, escape)
            blocks.append(["type": "context", "elements": [words(text)]])
        }
        let tree: JSONTree = [
            // What a notification shows.
            "text": .text(CleanText.escaped(message.title, upTo: longestHeader, escape)), "blocks": .list(blocks),
            "unfurl_links": false, "unfurl_media": false,
        ]
        return tree.bytes
    }

    private static func header(_ title: String) -> JSONTree {
        [
            "type": "header",
            // A text without format; but its `&`, `<` and `>` are escaped as everywhere.
            "text": [
                "type": "plain_text", "text": .text(CleanText.escaped(title, upTo: longestHeader, escape)),
                "emoji": false,
            ],
        ]
    }

    private static func section(_ text: String) -> JSONTree { ["type": "section", "text": words(text)] }

    /// Names of channels and addresses in it are left as they are.
    private static func words(_ text: String) -> JSONTree {
        ["type": "mrkdwn", "text": .text(text), "verbatim": true]
    }

    private static func line(_ line: CleanMessage.Line) -> String {
        let app = line.app.map { "*\(CleanText.escaped($0, upTo: 800, escape))*" }
        let place = line.place.map { CleanText.escaped($0, upTo: 800, escape) }
        let subject = [app, place].compactMap(\.self).joined(separator: " · ")
        let trend = line.trend.isEmpty ? "" : "  " + CleanText.escaped(line.trend, upTo: 200, escape)
        let room = longestSection - 1 - 5 - subject.utf16.count - trend.utf16.count
        return "• " + (subject.isEmpty ? "" : subject + ": ") + CleanText.escaped(line.text, upTo: room, escape) + trend
    }

    /// Without `<`, nothing becomes a mention, a link or a date. What would format has no escape in Slack: something that
    /// looks the same stands for it.
    static func escape(_ character: Character) -> String {
        String(character).unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "*": result += "\u{2217}"
            case "_": result += "\u{FF3F}"
            case "~": result += "\u{223C}"
            case "`": result += "\u{02CB}"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
