package import Foundation
import Synchronization

/// One of the built programs, as a process of its own. What it writes goes to files, so that nothing is lost when it
/// is killed and nobody has to read along.
package final class Program: Sendable {
    package enum Name: String, Sendable {
        case rankd, rankctl, rankweb
        case simulator = "appstore-sim"
        case demo = "rankdemo"

        /// Where the build left it: beside the tests.
        package var path: String {
            _ = Self.names
            return Self.folder.appendingPathComponent(rawValue).path
        }

        private static let folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()

        /// rankctl and rankweb are names of rankd, which no build makes. Whatever else is called so is of an older build.
        private static let names: Void = {
            for name in [Name.rankctl, .rankweb] {
                let path = folder.appendingPathComponent(name.rawValue).path
                var target = [CChar](repeating: 0, count: 16)
                let length = readlink(path, &target, target.count)
                if length == 5, strncmp(target, rankd.rawValue, 5) == 0 { continue }
                // Another process may do the same beside this one.
                let own = "\(path).\(getpid())"
                symlink(rankd.rawValue, own)
                rename(own, path)
            }
        }()
    }

    /// How a process ended.
    package enum Ending: Sendable, Equatable {
        case code(Int32)
        case signal(Int32)
    }

    package let pid: pid_t
    private let outputFile: String
    private let errorsFile: String
    /// What wait(2) says of it, once it has ended.
    private let reaped = Mutex<Int32?>(nil)

    /// Starts the program at `path`, with nothing to read, every signal at its default, and no file but its own.
    package init(path: String, arguments: [String], environment: [String: String], output: String, errors: String)
        throws
    {
        outputFile = output
        errorsFile = errors
        pid = try Self.spawn(path, arguments, environment, output: output, errors: errors)
    }

    package var output: String { Self.text(of: outputFile) }
    package var errors: String { Self.text(of: errorsFile) }

    package func signal(_ number: Int32) { _ = kill(pid, number) }

    /// How the process ended; `nil` while it runs.
    package var ending: Ending? {
        reap(waiting: false).map { status in
            let signal = status & 0x7F
            return signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
        }
    }

    /// Whether the system wrote its memory to disk when it ended; `false` while it runs.
    package var leftCore: Bool { reap(waiting: false).map { $0 & 0x7F != 0 && $0 & 0x80 != 0 } ?? false }

    #if os(Linux)
        /// The most memory that the process has held since it was started, in bytes; `nil` once it has ended.
        package var peakMemory: Int? {
            memory("VmHWM:")
        }

        /// The memory that it holds now, in bytes.
        package var residentMemory: Int? { memory("VmRSS:") }

        /// How many descriptors it has open.
        package var descriptors: Int? {
            do { return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count } catch {
                return nil
            }
        }

        private func memory(_ name: String) -> Int? {
            let line = Self.text(of: "/proc/\(pid)/status").split(separator: "\n").first { $0.hasPrefix(name) }
            return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1_024 }
        }
    #endif

    /// Kills the process where it still runs, and leaves nothing of it behind.
    package func end() {
        guard ending == nil else { return }
        signal(SIGKILL)
        _ = reap(waiting: true)
    }

    private func reap(waiting: Bool) -> Int32? {
        reaped.withLock { reaped in
            if let reaped { return reaped }
            var status: Int32 = 0
            guard waitpid(pid, &status, waiting ? 0 : WNOHANG) == pid else { return nil }
            reaped = status
            return status
        }
    }

    private static func text(of file: String) -> String {
        String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
    }
}

extension Program {
    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String], output: String, errors: String
    ) throws -> pid_t {
        #if canImport(Darwin)
            var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = (nil, nil)
        #else
            var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        #if os(Linux)
            // One that is closed meanwhile does no harm: glibc passes over it.
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
            for descriptor in open where descriptor > STDERR_FILENO {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
            var flags = Int16(0)
        #else
            var flags = Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #endif
        // What the test process ignores or holds back must not be inherited: the programs are to cope by themselves.
        var (defaults, none) = (sigset_t(), sigset_t())
        sigemptyset(&defaults)
        sigemptyset(&none)
        for signal in [SIGHUP, SIGINT, SIGPIPE, SIGTERM] { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setsigmask(&attributes, &none)
        flags |= Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
        posix_spawnattr_setflags(&attributes, flags)

        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, &attributes, &argv, &envp)
        guard code == 0 else { throw Unstartable(path: path, reason: String(cString: strerror(code))) }
        return pid
    }

    struct Unstartable: Error {
        let path: String
        let reason: String
    }
}
