import Foundation

/// The lock that makes one process the only writer of a history: a POSIX record lock on a file beside it, which the
/// system releases however the process ends.
struct WriterLock: ~Copyable {
    private let descriptor: Int32

    private static func path(of database: String) -> String { database + ".lock" }

    /// Takes the lock for the life of the value.
    ///
    /// - Throws: `heldByAnother` with the holder's pid; `notPermitted`, `readOnly` or `unusable` where the lock's file
    ///   cannot be made.
    init(database: String) throws(HistoryError) {
        let path = Self.path(of: database)
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else { throw HistoryError(errno: errno, path: path) }
        var range = Self.wholeFile(F_WRLCK)
        guard fcntl(descriptor, F_SETLK, &range) != 0 else { return }
        let problem = errno
        close(descriptor)
        guard problem == EACCES || problem == EAGAIN else { throw HistoryError(errno: problem, path: path) }
        throw .heldByAnother(path: database, pid: Self.holder(of: database) ?? 0)
    }

    deinit { close(descriptor) }

    /// The pid that holds the lock of `database`; `nil` where nobody does. Looks without ever taking the lock.
    static func holder(of database: String) -> Int32? {
        let probe = open(path(of: database), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard probe >= 0 else { return nil }
        defer { close(probe) }
        var range = wholeFile(F_WRLCK)
        guard fcntl(probe, F_GETLK, &range) == 0, range.l_type != F_UNLCK else { return nil }
        return range.l_pid
    }

    private static func wholeFile(_ kind: Int32) -> flock {
        var range = flock()
        range.l_type = Int16(kind)
        range.l_whence = Int16(SEEK_SET)
        return range
    }
}

extension HistoryError {
    /// Sorts what the system reports about the file at `path`.
    init(errno code: Int32, path: String) {
        self =
            switch code {
            case ENOENT: .missing(path: path)
            case EACCES, EPERM: .notPermitted(path: path)
            case EROFS: .readOnly(path: path)
            case ENOSPC, EDQUOT: .full(path: path)
            default: .unusable(path: path, what: String(cString: strerror(code)))
            }
    }
}
