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
        /// The most memory that was resident at once, in bytes.
        var peakMemory: Double

        init(_ usage: rusage, peakMemory: Double) {
            processorTime = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
            self.peakMemory = peakMemory
        }

        private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    }

    /// Starts `program`, looked for along the PATH where it is no path itself.
    ///
    /// - Parameter streams: the files for stdout and stderr, without `.out` and `.err`.
    /// - Throws: `BenchmarkFailure` if it cannot be started.
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

    #if os(Linux)
        /// Looks at its memory until it ends. `ru_maxrss` would not do: a process counts there from its birth, before it
        /// has become another program, so that it says no less than what the benchmark itself once needed.
        private func reap() -> (status: Int32, usage: Usage) {
            isReaped = true
            var status: Int32 = 0
            var usage = rusage()
            var peak = 0.0
            var looks = 0
            while true {
                let ended = wait4(process, &status, WNOHANG, &usage)
                if ended == process || (ended < 0 && errno != EINTR) { break }
                // One that has just ended has no memory any more.
                do { peak = max(peak, try memory("VmHWM:")) } catch {}
                looks += 1
                usleep(looks < 2_000 ? 500 : 10_000)
            }
            return (status, Usage(usage, peakMemory: peak))
        }

        /// A figure of its memory while it runs, in bytes: `VmRSS:` is what is resident now, `VmHWM:` the most that was
        /// since it became this program.
        ///
        /// - Throws: `BenchmarkFailure` if it has ended.
        func memory(_ figure: String) throws -> Double {
            let status = FileManager.default.contents(atPath: "/proc/\(process)/status") ?? Data()
            let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(figure) }
            guard let kilobytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Double($0) }) else {
                throw BenchmarkFailure("\(program) has ended")
            }
            return kilobytes * 1_024
        }

        /// User and system, in seconds, of all threads that are or were; to the nanosecond, where /proc/PID/stat counts
        /// hundredths.
        ///
        /// - Throws: `BenchmarkFailure` if it has ended.
        func processorTime() throws -> Double {
            var clock = clockid_t()
            var time = timespec()
            guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
                throw BenchmarkFailure("\(program) has ended")
            }
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    #else
        private func reap() -> (status: Int32, usage: Usage) {
            isReaped = true
            var status: Int32 = 0
            var usage = rusage()
            while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
            return (status, Usage(usage, peakMemory: Double(usage.ru_maxrss)))
        }
    #endif

    /// Waits until the file at `path`, one of its streams, holds `text`.
    ///
    /// - Throws: `BenchmarkFailure` if it does not within `seconds`.
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
