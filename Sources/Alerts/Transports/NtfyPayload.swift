import RankKit
import Reports

/// A message of ntfy, published as JSON at the server's root. Source: ntfy's documentation, “Publish as JSON”.
enum NtfyPayload {
    /// In bytes; a longer one would come as a file.
    static let longest = 4_096
    /// In bytes: what a phone shows of a title is shorter.
    static let longestTitle = 250
    private static let longestClosing = 500

    static func body(_ message: AlertMessage, topic: Secret) -> [UInt8] {
        let clean = CleanMessage(message)
        let lines = clean.lines.map { CleanText.escaped($0.plain, upTo: 1_500, measure: \.utf8.count) }
        let fitted = FittedLines(lines, upTo: longest - longestClosing - 2, measure: \.utf8.count)
        let closing = CleanText.escaped(
            clean.closing(omitting: fitted.omitted).joined(separator: ". "), upTo: longestClosing,
            measure: \.utf8.count)
        let text = fitted.lines.joined(separator: "\n")
        // Without text ntfy would show “triggered”.
        let parts = [text, closing].filter { !$0.isEmpty }
        let tree: JSONTree = [
            "topic": .text(topic.revealed),
            "title": .text(CleanText.escaped(clean.title, upTo: longestTitle, measure: \.utf8.count)),
            "message": .text(parts.isEmpty ? "See rankctl alerts log." : parts.joined(separator: "\n\n")),
            "priority": .number(priority(message.severity)), "tags": [.text(tag(message.severity))],
        ]
        return tree.bytes
    }

    /// From 1 to 5; 3 is what messages have by themselves.
    private static func priority(_ severity: AlertSeverity) -> Int {
        switch severity {
        case .low: 2
        case .normal: 3
        case .high: 4
        }
    }

    /// The names of emoji.
    private static func tag(_ severity: AlertSeverity) -> String {
        switch severity {
        case .low: "information_source"
        case .normal: "bar_chart"
        case .high: "warning"
        }
    }

    static func isTopic(_ topic: String) -> Bool { topic.wholeMatch(of: /[A-Za-z0-9_\-]{1,64}/) != nil }
}
