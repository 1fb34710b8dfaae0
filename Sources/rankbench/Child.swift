import Foundation

/// A program that the benchmark runs and whose use of the machine it learns.
final class Child {
    let process: pid_t
    let program: String
    /// Where its two streams go.
    let output: String
    let errors: String
    private var isReaped = false

    /// What a process used in its life.
    struct Usage {
        /// User and system, in seconds.
        var processorTime: Double
        /// The most memory that was resident at once, in bytes. A child is born from the benchmark's own memory, so it
        /// is never less than that was; the programs that are measured need more.
        var peakMemory: Double

        init(_ usage: rusage) {
            processorTime = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
            #if os(Linux)
                peakMemory = Double(usage.ru_maxrss) * 1_024
            #else
                peakMemory = Double(usage.ru_maxrss)
            #endif
        }

        private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    }

    /// Starts `program`, looked for along the PATH where it is no path itself.
    ///
    /// - Parameter streams: the files for stdout and stderr, without `.out` and `.err`.
    /// - Throws: `BenchmarkFailure` where it cannot be started.
    init(_ program: String, _ arguments: [String], streams: String) throws {
        self.program = program
        output = streams + ".out"
        errors = streams + ".err"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        // Threads of the Swift runtime block signals, and a child would inherit that: it could not be stopped.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = ([program] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        var child = pid_t()
        let problem = posix_spawnp(&child, program, &actions, &attributes, words + [nil], environ)
        guard problem == 0 else {
            throw BenchmarkFailure("cannot start \(program): \(String(cString: strerror(problem)))")
        }
        process = child
    }

    deinit { if !isReaped { _ = stop() } }

    /// Waits until it ends by itself.
    ///
    /// - Parameter other: what it may end with besides 0.
    /// - Throws: `BenchmarkFailure` with its last words where it does not end well.
    func usage(orStatus other: Int32? = nil) throws -> Usage {
        let (status, usage) = reap()
        guard status == 0 || status == other.map({ $0 << 8 }) else {
            throw BenchmarkFailure("\(program) failed (wait status \(status)): \(Self.tail(of: errors))")
        }
        return usage
    }

    /// Ends it, whatever it is doing.
    func stop() -> Usage {
        kill(process, SIGTERM)
        return reap().usage
    }

    private func reap() -> (status: Int32, usage: Usage) {
        isReaped = true
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        return (status, Usage(usage))
    }

    /// Waits until the file at `path`, one of its streams, holds `text`.
    ///
    /// - Throws: `BenchmarkFailure` where it does not within `seconds`.
    func wait(for text: String, in path: String, seconds: Double) throws -> String {
        let end = Date().addingTimeInterval(seconds)
        while Date() < end {
            let said = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            if said.contains(text) { return said }
            usleep(20_000)
        }
        throw BenchmarkFailure("\(program) did not say “\(text)” in \(Int(seconds)) s: \(Self.tail(of: errors))")
    }

    private static func tail(of path: String) -> String {
        let said = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        return said.split(separator: "\n").suffix(3).joined(separator: " / ")
    }
}

/// Why nothing could be measured.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
