import Foundation

/// Pages through what is longer than a terminal, as the reader's own pager does it.
///
/// Started by hand: Foundation's `Process` puts it into a process group of its own, and swift-subprocess would make all
/// that leads to a report asynchronous.
package struct Pager: Sendable {
    /// As a shell takes it.
    package var command: String
    private var environment: [String: String]

    /// `PAGER`, else `less`; `nil` if the reader wants none, because it is empty or `cat`.
    package init?(environment: [String: String]) {
        let wanted = (environment["PAGER"] ?? "less").trimmingCharacters(in: .whitespaces)
        guard !wanted.isEmpty, wanted != "cat" else { return nil }
        command = wanted
        self.environment = environment
        // As git has it: quit where all fits, keep colours, leave the text on the screen.
        if environment["LESS"] == nil { self.environment["LESS"] = "FRX" }
    }

    /// Shows `text`, and returns when the reader has seen enough.
    ///
    /// - Returns: whether there was such a pager; where there was none nothing has been shown.
    package func show(_ text: String) -> Bool {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        guard let process = spawn(reading: ends[0]) else {
            close(ends[0])
            close(ends[1])
            return false
        }
        close(ends[0])
        // Ctrl-C and a pager that ends early are the pager's business.
        let interrupted = signal(SIGINT, SIG_IGN)
        let broken = signal(SIGPIPE, SIG_IGN)
        Self.write(Array(text.utf8), to: ends[1])
        close(ends[1])
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        signal(SIGINT, interrupted)
        signal(SIGPIPE, broken)
        // As a shell ends where it finds no such command, or may not run it.
        let code = (status >> 8) & 0xFF
        return code != 127 && code != 126
    }

    /// In this program's own process group: another could not read the terminal's keys.
    private func spawn(reading descriptor: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
        posix_spawn_file_actions_addclose(&actions, descriptor)
        let words: [String] = ["/bin/sh", "-c", command]
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { (arguments + variables).forEach { free($0) } }
        var process = pid_t()
        let problem = posix_spawn(&process, "/bin/sh", &actions, nil, arguments + [nil], variables + [nil])
        return problem == 0 ? process : nil
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            done += written
        }
    }
}
