import Foundation
package import Reports

/// The two streams of a program: results go to stdout, words to stderr, each at once.
package enum Terminal {
    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether somebody reads stderr at once: what only tells that all went well is noise in a log and in cron's mail.
    package static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// How wide stdout's terminal is; `nil` if it is none.
    package static var columns: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// How many lines stdout's terminal shows; `nil` if it is none.
    package static var rows: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
        return Int(size.ws_row)
    }

    package static func style(environment: [String: String]) -> TerminalStyle {
        .detect(isTerminal: isTerminal, environment: environment, columns: columns)
    }

    /// A line for people, on stderr. Where nobody reads it, it is given up after a while, so that the program ends.
    package static func say(_ text: String) { write(text + "\n", to: STDERR_FILENO, patience: 5_000) }

    /// The same for sentences: where stderr is a terminal, their lines break at blanks.
    package static func explain(_ text: String) { say(broken(text)) }

    /// As many lines as stderr's terminal needs for `text`, which is left as it is where that is none.
    package static func broken(_ text: String) -> String {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return text }
        return TerminalText.broken(text, to: Int(size.ws_col))
    }

    /// A question to somebody at a terminal, on stderr, behind which the answer is typed.
    package static func ask(_ text: String) { write(text, to: STDERR_FILENO, patience: 5_000) }

    /// What shows how the work gets on, on stderr.
    static func whisper(_ text: String) { write(text, to: STDERR_FILENO) }

    /// What shows how the work gets on, on stdout. The work goes on where it cannot be shown.
    ///
    /// - Parameter patience: for how many milliseconds nobody may read it; for ever where it is negative.
    /// - Returns: whether all of it was taken.
    @discardableResult
    package static func show(_ text: String, patience: Int32 = -1) -> Bool {
        write(text, to: STDOUT_FILENO, patience: patience) == nil
    }

    /// What the work was for, on stdout.
    ///
    /// - Throws: `ioError`, after saying so, where it cannot be written; not where whoever reads has seen enough.
    package static func deliver(_ text: String) throws(ExitStatus) {
        guard let problem = write(text, to: STDOUT_FILENO), problem != EPIPE else { return }
        say("the report could not be written: \(String(cString: strerror(problem)))")
        throw .ioError
    }

    /// The same of a part of it.
    ///
    /// - Throws: `fine` if whoever reads has seen enough, so that the rest need not be made.
    package static func deliver(_ bytes: [UInt8]) throws(ExitStatus) {
        guard let problem = bytes.withUnsafeBytes({ write($0, to: STDOUT_FILENO, patience: -1) }) else { return }
        guard problem != EPIPE else { throw .fine }
        say("the report could not be written: \(String(cString: strerror(problem)))")
        throw .ioError
    }

    /// Writes all of `text`.
    ///
    /// - Parameter patience: for how many milliseconds at a time the descriptor may take nothing; for ever where it is
    ///   negative.
    /// - Returns: the system's error where it could not; `nil` if it did.
    @discardableResult
    private static func write(_ text: String, to descriptor: Int32, patience: Int32 = -1) -> Int32? {
        // Large reports are not copied for it.
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor, patience: patience) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, patience: Int32) -> Int32? {
        var done = 0
        while done < bytes.count {
            if patience >= 0 {
                var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&query, 1, patience) != 0 else { return EAGAIN }
            }
            // More than a pipe takes at once (pipe(7), PIPE_BUF) could wait in spite of what poll said.
            let count = patience >= 0 ? min(bytes.count - done, 4_096) : bytes.count - done
            let written = Foundation.write(descriptor, bytes.baseAddress.map { $0 + done }, count)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return errno }
            done += written
        }
        return nil
    }
}
