internal import Foundation
internal import RankKit
internal import Synchronization

/// A program that was started as the leader of a process group of its own.
///
/// Started by hand: Foundation's `Process` passes on the signals that this program ignores, and has no way to end a group.
/// The process stays a zombie until it is reaped, so that its number means nobody else meanwhile.
final class SpawnedProcess: Sendable {
    enum Ending: Sendable, Equatable {
        case code(Int32)
        case signal(Int32)
    }

    struct Unstartable: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var hasEnded = false
        var ending: Ending?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let pid: pid_t
    private let left = LeftChildren()
    private let state = Mutex(State())

    /// Starts it with `input` to read, its output thrown away, every signal at its default, and no file of ours.
    ///
    /// - Throws: `Unstartable`.
    init(_ arguments: [String], input: [UInt8]) throws {
        guard let path = arguments.first, path.hasPrefix("/") else {
            throw Unstartable(description: "the command does not begin with an absolute path")
        }
        let reader = try Self.pipe(holding: input)
        defer { close(reader) }
        LeftChildren.adopt()
        pid = try Self.spawn(path, arguments, environment: [left.mark], reading: reader)
        Thread.detachNewThread { [self] in watch() }
    }

    /// Whether it has ended, reaped or not.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Returns once it has ended, whether or not the task is cancelled.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasEnded { state.waiters.append(continuation) }
                return state.hasEnded
            }
            if isOver { continuation.resume() }
        }
    }

    /// Sends a signal to the process and to whatever it has started; nothing once it is reaped.
    func signalGroup(_ signal: Int32) {
        state.withLock { state in
            guard state.ending == nil else { return }
            kill(-pid, signal)
        }
    }

    /// Ends what it has left behind, of its group or not. Only to be asked once it has ended, and before it is reaped.
    func endLeft() async {
        signalGroup(SIGKILL)
        // On a thread of its own: what cannot end at once blocks it.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                left.end(of: pid)
                continuation.resume()
            }
        }
    }

    /// How it ended. Only to be asked once it has.
    func reap() -> Ending {
        state.withLock { state in
            if let ending = state.ending { return ending }
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            let ending: Ending = signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
            state.ending = ending
            return ending
        }
    }

    private func watch() {
        var about = siginfo_t()
        // It is left unreaped.
        while waitid(P_PID, id_t(pid), &about, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

extension SpawnedProcess {
    /// Linux's `F_SETPIPE_SZ`, which Swift does not see. Source: fcntl(2).
    private static let setSize: Int32 = 1_031

    /// How many descriptors may be opened from the look at those that are open until the program starts.
    private static let spareDescriptors: Int32 = 64

    /// The end to read of a pipe that holds all of `bytes`: nobody has to write while the program runs, or is stuck when
    /// it reads nothing.
    private static func pipe(holding bytes: [UInt8]) throws -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard Foundation.pipe(&ends) == 0 else { throw Unstartable(description: "no pipe could be made for it") }
        defer { close(ends[1]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // By itself a pipe holds 64 KiB; anybody may have one of 1 MiB.
        _ = fcntl(ends[1], setSize, Int32(clamping: bytes.count))
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        var done = 0
        while done < bytes.count {
            let written = bytes[done...].withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                close(ends[0])
                throw Unstartable(description: "the message is too long for a pipe")
            }
            done += written
        }
        return ends[0]
    }

    private static func spawn(
        _ path: String, _ arguments: [String], environment: [String], reading reader: Int32
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
        posix_spawn_file_actions_adddup2(&actions, reader, STDIN_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        #if os(Linux)
            // Also those that other threads open until it starts: the lowest free numbers. One that is not open does no
            // harm: glibc passes over it.
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
            for descriptor in STDERR_FILENO + 1...(open.max() ?? STDERR_FILENO) + spareDescriptors {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
            var flags = Int16(0)
        #else
            var flags = Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #endif
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        // Those that nobody can set, and those that the C library keeps, are passed over.
        for signal in [SIGKILL, SIGSTOP] { sigdelset(&all, signal) }
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        flags |= Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP)
        posix_spawnattr_setflags(&attributes, flags)

        var argv = arguments.map { strdup($0) } + [nil]
        var envp = (["PATH=/usr/bin:/bin", "LANG=C.UTF-8"] + environment).map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, &attributes, &argv, &envp)
        guard code == 0 else {
            throw Unstartable(
                description: "\(SafeText.escaped(path)) cannot be started: \(String(cString: strerror(code)))")
        }
        return pid
    }
}
