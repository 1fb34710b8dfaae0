import ArgumentParser
import Foundation
package import Logging
import RankKit

/// Writes each log message as one line on stderr: key=value, or JSON. Foreign text in it cannot break the line or
/// reach a terminal raw, and long values are cut.
package struct LineLogHandler: LogHandler {
    package enum Format: String, CaseIterable, Sendable, ExpressibleByArgument { case text, json }

    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    private let format: Format
    /// Whether stderr is the journal, which keeps the time itself and reads a priority from each line's head.
    private let isJournal: Bool
    private let output: LineOutput

    /// In bytes.
    private static let longestValue = 200

    package init(level: Logger.Level, format: Format, environment: [String: String], output: LineOutput) {
        logLevel = level
        self.format = format
        isJournal = Self.isJournal(environment)
        self.output = output
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var fields: [(String, String)] = []
        if !isJournal { fields.append(("time", Timestamp(Date()).description)) }
        fields.append(("level", event.level.rawValue))
        fields.append(("message", "\(event.message)"))
        fields += metadata.merging(event.metadata ?? [:]) { $1 }
            .sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
        let safe = fields.map { ($0.0, SafeText.escaped($0.1.cut(toBytes: Self.longestValue))) }
        let line: String
        switch format {
        case .text: line = safe.map { "\($0.0)=\(Self.quoted($0.1))" }.joined(separator: " ")
        case .json: line = "{" + safe.map { "\"\($0.0)\":\(Self.json($0.1))" }.joined(separator: ",") + "}"
        }
        output.write((isJournal ? "<\(Self.priority(event.level))>" : "") + line + "\n")
    }

    /// Stderr for lines of this format, where dropped ones are told in the same.
    package static func standardError(format: Format, environment: [String: String]) -> LineOutput {
        let isJournal = isJournal(environment)
        return LineOutput(descriptor: STDERR_FILENO) { count in
            let message = "log lines were dropped because nobody read them"
            let line =
                switch format {
                case .text: "level=warning message=\(quoted(message)) count=\(count)"
                case .json: "{\"level\":\"warning\",\"message\":\(json(message)),\"count\":\"\(count)\"}"
                }
            return (isJournal ? "<\(priority(.warning))>" : "") + line + "\n"
        }
    }

    /// Whether stderr is the very stream that the journal was given: the variable is inherited by programs whose own
    /// stderr leads elsewhere.
    ///
    /// Source: systemd.exec(5), "$JOURNAL_STREAM": device and inode, in decimal, with a colon between.
    private static func isJournal(_ environment: [String: String]) -> Bool {
        var status = stat()
        guard let stream = environment["JOURNAL_STREAM"], fstat(STDERR_FILENO, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    private static func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x3D && $0 < 0x7F }
        return isPlain ? value : json(value)
    }

    private static func json(_ value: String) -> String {
        "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// Source: syslog(3), as sd-daemon(3) puts it at a line's head.
    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}
