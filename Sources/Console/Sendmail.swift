import Foundation
import Synchronization

/// The mail program of this machine: whatever every Unix calls sendmail.
///
/// Foundation's `Process` does for a program that says nothing; swift-subprocess would be one package more to keep.
package struct Sendmail: Sendable {
    package let path: String

    /// In seconds: a sendmail that talks to the network itself may wait for it.
    private static let limit = 120

    /// `RANKD_SENDMAIL`, else where the Filesystem Hierarchy Standard has it.
    package init(environment: [String: String]) {
        path = environment["RANKD_SENDMAIL"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/sbin/sendmail"
    }

    /// Hands over a mail; its recipients are those that its headers name.
    ///
    /// - Throws: `ExitStatus.unavailable`, after saying why, where it was not taken.
    package func deliver(_ message: String) throws(ExitStatus) {
        guard let problem = problem(handingOver: message) else { return }
        Terminal.say(problem)
        throw .unavailable
    }

    /// Hands over a mail, on a thread that may block. If the task is cancelled the mail program is ended.
    ///
    /// - Returns: why it was not taken, in words; `nil` if it was.
    package func handOver(_ message: String) async -> String? {
        let child = Child()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: problem(handingOver: message, to: child)) }
            }
        } onCancel: {
            child.end()
        }
    }

    private func problem(handingOver message: String, to child: Child = Child()) -> String? {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            return
                "there is no \(path) to mail with: install a mail program such as msmtp-mta or postfix, or name one in "
                + "RANKD_SENDMAIL"
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
            child.began(program.processIdentifier)
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.limit)) { child.end() }
            try input.fileHandleForWriting.write(contentsOf: Data(message.utf8))
        } catch { problem = error }
        do { try input.fileHandleForWriting.close() } catch { problem = problem ?? error }
        guard program.processIdentifier != 0 else {
            return "\(path) could not be started: \(problem.map { "\($0)" } ?? "")"
        }
        program.waitUntilExit()
        child.ended()
        guard program.terminationReason == .exit, program.terminationStatus == 0 else {
            let how = program.terminationReason == .exit ? "ended with" : "was ended by signal"
            return "nothing was mailed: \(path) \(how) \(program.terminationStatus)"
        }
        return problem == nil ? nil : "nothing was mailed: \(path) stopped reading before the end"
    }

    /// The mail program while it runs.
    private final class Child: Sendable {
        private enum State { case waiting, running(pid_t), unwanted, over }
        private let state = Mutex(State.waiting)

        func began(_ process: pid_t) {
            state.withLock {
                if case .unwanted = $0 { kill(process, SIGTERM) }
                $0 = .running(process)
            }
        }

        func ended() { state.withLock { $0 = .over } }

        func end() {
            state.withLock {
                switch $0 {
                case .running(let process): kill(process, SIGTERM)
                case .waiting: $0 = .unwanted
                case .unwanted, .over: break
                }
            }
        }
    }
}
