import Foundation
package import Reports

/// The two streams of a program: results go to stdout, words to stderr, each at once.
package enum Terminal {
    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// How wide stdout's terminal is; `nil` where it is none.
    package static var columns: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    package static func style(environment: [String: String]) -> TerminalStyle {
        .detect(isTerminal: isTerminal, environment: environment, columns: columns)
    }

    /// A line for people, on stderr.
    package static func say(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    /// What shows how the work gets on, on stdout. The work goes on where it cannot be shown.
    package static func show(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// What the work was for, on stdout.
    ///
    /// - Throws: `ioError`, after saying so, where it cannot be written; not where whoever reads has seen enough.
    package static func deliver(_ text: String) throws(ExitStatus) {
        guard let problem = write(text, to: STDOUT_FILENO), problem != EPIPE else { return }
        say("the report could not be written: \(String(cString: strerror(problem)))")
        throw .ioError
    }

    /// Writes all of `text`.
    ///
    /// - Returns: the system's error where it could not; `nil` where it did.
    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> Int32? {
        let bytes = Array(text.utf8)
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                Foundation.write(descriptor, buffer.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return errno }
            done += written
        }
        return nil
    }
}
