import Foundation
import Synchronization

/// The lock that makes one process the only writer of a history: a POSIX record lock on a file beside it, which the
/// system releases however the process ends.
struct WriterLock: ~Copyable {
    /// What can be said of a lock from outside.
    enum State: Sendable, Hashable {
        case free
        case held(pid: Int32)
        /// The lock's file cannot be looked at, for this reason. Never to be taken for free.
        case unknown(errno: Int32)
    }

    private let descriptor: Int32
    private let path: String

    /// The locks of this process. It must know them itself: the system grants a process its own lock twice, and drops
    /// it when the process closes any descriptor of the file (fcntl(2), "Record locking").
    private static let own = Mutex<Set<String>>([])

    private static func path(of database: String) -> String { database + ".lock" }

    /// Takes the lock for the life of the value.
    ///
    /// - Parameter database: as `DatabaseFile.resolved` spells it.
    /// - Throws: `heldByAnother` with the holder's pid; `notWritable`, `readOnly` or `unusable` where the lock's file
    ///   cannot be made.
    init(database: String) throws(HistoryError) {
        let path = Self.path(of: database)
        guard Self.own.withLock({ $0.insert(path).inserted }) else {
            throw .heldByAnother(path: database, pid: getpid())
        }
        do {
            descriptor = try Self.take(path, database: database)
            self.path = path
        } catch {
            Self.own.withLock { _ = $0.remove(path) }
            throw error
        }
    }

    private static func take(_ path: String, database: String) throws(HistoryError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else { throw HistoryError.writing(errno: errno, path: path) }
        var range = wholeFile(F_WRLCK)
        if fcntl(descriptor, F_SETLK, &range) == 0 {
            // The umask may have taken the group's right to see who holds the lock. Where the file is another's, its
            // mode is another's business.
            _ = fchmod(descriptor, 0o640)
            return descriptor
        }
        let problem = errno
        close(descriptor)
        guard problem == EACCES || problem == EAGAIN else { throw HistoryError(errno: problem, path: path) }
        guard case .held(let pid) = stateElsewhere(path) else { throw .heldByAnother(path: database, pid: 0) }
        throw .heldByAnother(path: database, pid: pid)
    }

    deinit {
        close(descriptor)
        Self.own.withLock { _ = $0.remove(path) }
    }

    /// Who holds the lock of `database`. Looks without ever taking the lock.
    static func state(of database: String) -> State {
        let path = path(of: database)
        return own.withLock { $0.contains(path) } ? .held(pid: getpid()) : stateElsewhere(path)
    }

    /// Must not be asked about a lock of this process, which it would drop.
    private static func stateElsewhere(_ path: String) -> State {
        let probe = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard probe >= 0 else { return errno == ENOENT ? .free : .unknown(errno: errno) }
        defer { close(probe) }
        var range = wholeFile(F_WRLCK)
        guard fcntl(probe, F_GETLK, &range) == 0 else { return .unknown(errno: errno) }
        return range.l_type == F_UNLCK ? .free : .held(pid: range.l_pid)
    }

    private static func wholeFile(_ kind: Int32) -> flock {
        var range = flock()
        range.l_type = Int16(kind)
        range.l_whence = Int16(SEEK_SET)
        return range
    }
}
