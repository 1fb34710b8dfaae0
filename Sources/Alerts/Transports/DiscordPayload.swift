import RankKit
import Reports

/// A message of Discord's webhooks, as an embed that mentions nobody.
/// Source: Discord's documentation, “Embed Limits”, “Allowed Mentions Object”.
enum DiscordPayload {
    /// In UTF-16 units, which are never fewer than characters.
    static let longestTitle = 256
    static let longestDescription = 4_096
    /// Of everything together.
    static let longestEmbed = 6_000
    /// With the other two, less than everything together.
    static let longestFooter = 1_000
    private static let longestLine = 1_500

    static func body(_ message: AlertMessage) -> [UInt8] {
        let clean = CleanMessage(message)
        let fitted = FittedLines(clean.lines.map(line), upTo: longestDescription, measure: \.utf16.count)
        var embed: [(key: String, value: JSONTree)] = [
            ("title", .text(CleanText.escaped(clean.title, upTo: longestTitle, escape))),
            ("description", .text(fitted.lines.joined(separator: "\n"))),
            ("color", .number(colour(message.severity))), ("timestamp", .text(CivilTime.iso8601(message.at))),
        ]
        let closing = clean.closing(omitting: fitted.omitted).joined(separator: ". ")
        if !closing.isEmpty {
            // Shown as it is, without format.
            embed.append(("footer", ["text": .text(CleanText.escaped(closing, upTo: longestFooter))]))
        }
        let tree: JSONTree = ["embeds": [.object(embed)], "allowed_mentions": ["parse": []]]
        return tree.bytes
    }

    private static func colour(_ severity: AlertSeverity) -> Int {
        switch severity {
        case .low: 0x7F8C8D
        case .normal: 0x2E86C1
        case .high: 0xC0392B
        }
    }

    private static func line(_ line: CleanMessage.Line) -> String {
        let app = line.app.map { "**\(CleanText.escaped($0, upTo: 400, escape))**" }
        let place = line.place.map { CleanText.escaped($0, upTo: 400, escape) }
        let subject = [app, place].compactMap(\.self).joined(separator: " · ")
        let trend = line.trend.isEmpty ? "" : "  " + CleanText.escaped(line.trend, upTo: 200, escape)
        let room = longestLine - 4 - subject.utf16.count - trend.utf16.count
        return "• " + (subject.isEmpty ? "" : subject + ": ") + CleanText.escaped(line.text, upTo: room, escape) + trend
    }

    /// A backslash before whatever could format, mention, link or name an emoji.
    static func escape(_ character: Character) -> String {
        special.contains(character) ? "\\\(character)" : String(character)
    }

    private static let special = Set("\\*_~`|<>@#[]():/")
}
