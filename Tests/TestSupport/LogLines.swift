package import Logging
import Synchronization

/// What was logged at warning and above.
package final class LogLines: Sendable {
    private let kept = Mutex<[String]>([])

    package var lines: [String] { kept.withLock { $0 } }

    package init() {}

    package var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.kept.withLock { $0.append("\(event.message)") } }
    }
}
