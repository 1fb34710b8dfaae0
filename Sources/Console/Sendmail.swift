import Foundation

/// The mail program of this machine: whatever every Unix calls sendmail.
///
/// Foundation's `Process` does for a program that says nothing; swift-subprocess would be one package more to keep.
package struct Sendmail: Sendable {
    package let path: String

    /// `RANKD_SENDMAIL`, else where the Filesystem Hierarchy Standard has it.
    package init(environment: [String: String]) {
        path = environment["RANKD_SENDMAIL"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/sbin/sendmail"
    }

    /// Hands over a mail; its recipients are those that its headers name.
    ///
    /// - Throws: `ExitStatus.unavailable`, after saying why, where it was not taken.
    package func deliver(_ message: String) throws(ExitStatus) {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw refusal(
                "there is no \(path) to mail with: install a mail program such as msmtp-mta or postfix, or name one in "
                    + "RANKD_SENDMAIL")
        }
        let program = Process()
        program.executableURL = URL(fileURLWithPath: path)
        // -i: a line with a dot alone does not end the mail.
        program.arguments = ["-i", "-t"]
        let input = Pipe()
        program.standardInput = input
        var problem: (any Error)?
        do {
            try program.run()
            try input.fileHandleForWriting.write(contentsOf: Data(message.utf8))
        } catch { problem = error }
        do { try input.fileHandleForWriting.close() } catch { problem = problem ?? error }
        guard program.processIdentifier != 0 else {
            throw refusal("\(path) could not be started: \(problem.map { "\($0)" } ?? "")")
        }
        program.waitUntilExit()
        guard program.terminationReason == .exit, program.terminationStatus == 0 else {
            let how = program.terminationReason == .exit ? "ended with" : "was ended by signal"
            throw refusal("nothing was mailed: \(path) \(how) \(program.terminationStatus)")
        }
        guard problem == nil else { throw refusal("nothing was mailed: \(path) stopped reading before the end") }
    }

    private func refusal(_ text: String) -> ExitStatus {
        Terminal.say(text)
        return .unavailable
    }
}
