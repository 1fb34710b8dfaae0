package import ArgumentParser
package import Logging
import RankKit

/// What the daemons log with, by their options.
extension Logger {
    /// One whose lines go to stderr (`LineLogHandler`).
    package init(
        lines label: String, level: Logger.Level, format: LineLogHandler.Format, environment: [String: String]
    ) {
        let output = LineLogHandler.standardError(format: format, environment: environment)
        self.init(label: label) { _ in
            LineLogHandler(level: level, format: format, environment: environment, output: output)
        }
    }
}

extension Logger.Level {
    /// The value of `--log-level`.
    ///
    /// - Throws: `ValidationError` where there is no such level.
    package static func argument(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            let near = Spelling.nearest(to: text, in: allCases.map(\.rawValue))
            throw ValidationError(
                "there is no log level “\(text)”" + (near.map { "; did you mean “\($0)”?" } ?? ""))
        }
        return level
    }

    package static var completion: CompletionKind { .list(allCases.map(\.rawValue)) }
}
