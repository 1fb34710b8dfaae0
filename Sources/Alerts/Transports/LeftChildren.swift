internal import CProcess
internal import Foundation

/// What a program leaves behind, also what has left its process group, such as a daemon.
///
/// On Linux a process without a parent becomes a child of this one, which adopts them. What is of the program is told from
/// all else by its group, or by a mark in its environment that nobody else has. A child stays a child until it is reaped,
/// so its number means nobody else meanwhile.
struct LeftChildren: Sendable {
    private static let name = "RANKD_COMMAND"

    /// A variable of the program's environment, as `NAME=value`.
    let mark = "\(Self.name)=\(UUID().uuidString)"

    /// Has what is orphaned from now on become a child of this process.
    static func adopt() { _ = process_adopts_orphans() }

    /// Ends what the program has left, and reaps it. It blocks its thread until that is done, or `patience` is over.
    ///
    /// - Parameter leader: the program, which has ended and is not reaped yet.
    func end(of leader: pid_t) {
        #if os(Linux)
            let end = ContinuousClock.now + Self.patience
            // One look may come between two states of a child: it takes two that find none.
            var (looks, clearLooks) = (0, 0)
            while clearLooks < 2, ContinuousClock.now < end {
                if looks > 0 { usleep(Self.pause) }
                looks += 1
                let owners = Child.all().filter { $0.pid != leader }.map { child in
                    let owner = owner(of: child, leader)
                    if owner == .program { child.endAndReap() }
                    return owner
                }
                let isClear = !owners.contains(.program) && (looks > Self.unclearLooks || !owners.contains(.unclear))
                // What these had started is a child of ours as soon as they have ended.
                clearLooks = isClear ? clearLooks + 1 : 0
            }
        #endif
    }

    #if os(Linux)
        /// One that starts others faster than it is ended must not hold a delivery up for ever, and neither must one that
        /// waits for a disk and cannot end.
        private static let patience = Duration.seconds(60)
        /// How many looks a child has to show its environment, which it has not while it starts another program.
        private static let unclearLooks = 200
        /// In microseconds.
        private static let pause: UInt32 = 1_000

        /// Whose a child of this process is.
        enum Owner { case program, other, unclear }

        private func owner(of child: Child, _ leader: pid_t) -> Owner {
            if child.group == leader { return .program }
            // Of one that has ended no environment is known. Nothing but what a command's program left is in a session of
            // its own, and nobody waits for it.
            guard !child.hasEnded else { return child.session != getsid(0) ? .program : .other }
            return owner(environment: FileManager.default.contents(atPath: "/proc/\(child.pid)/environ"))
        }

        /// - Parameter environment: as `/proc/PID/environ` has it: nothing while the child starts another program, or where
        ///   it was started with none; `nil` if it cannot be read.
        func owner(environment: Data?) -> Owner {
            guard let environment, !environment.isEmpty else { return .unclear }
            return environment.split(separator: 0).contains { $0.elementsEqual(mark.utf8) } ? .program : .other
        }

        /// A child of this process.
        private struct Child {
            let pid: pid_t
            let group: pid_t
            let session: pid_t
            /// Whether it waits to be reaped.
            let hasEnded: Bool

            func endAndReap() {
                if !hasEnded { kill(pid, SIGKILL) }
                waitpid(pid, nil, WNOHANG)
            }

            /// - Returns: none where the kernel shows no processes.
            static func all() -> [Child] {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
                return names.compactMap { pid_t($0) }.compactMap(Child.init)
            }

            /// Source: proc_pid_stat(5).
            ///
            /// - Returns: `nil` if it is none, or there is none any more.
            init?(_ pid: pid_t) {
                guard let stat = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return nil }
                // A program's name may hold anything, a parenthesis too.
                let fields = stat.suffix(from: stat.lastIndex(of: UInt8(ascii: ")")) ?? stat.endIndex)
                    .split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
                guard fields.count > 4, pid_t(fields[2]) == getpid(), let group = pid_t(fields[3]),
                    let session = pid_t(fields[4])
                else { return nil }
                (self.pid, self.group, self.session) = (pid, group, session)
                hasEnded = fields[1] == "Z"
            }
        }
    #endif
}
