import Foundation

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

    /// The same for one that was to be written.
    package static func writing(errno code: Int32, path: String) -> HistoryError {
        code == EACCES || code == EPERM ? .notWritable(path: path) : HistoryError(errno: code, path: path)
    }

    /// What the device itself says, where it has no room or has become read-only: SQLite reports some of either as a
    /// failure to read, write or open.
    ///
    /// - Parameter room: in bytes, what it must have left. With less than 64 KiB SQLite can't even lengthen its index of
    ///   the log.
    static func device(of path: String, room: UInt64 = 65_536) -> HistoryError? {
        var state = statvfs()
        guard
            statvfs(path, &state) == 0
                || statvfs(URL(fileURLWithPath: path).deletingLastPathComponent().path, &state) == 0
        else { return nil }
        // glibc's module leaves ST_RDONLY out: the lowest bit on Linux and macOS alike.
        if state.f_flag & 1 != 0 { return .readOnly(path: path) }
        let free = UInt64(state.f_bavail) * UInt64(state.f_frsize)
        return free < room ? .full(path: path) : nil
    }

    /// Whether waiting may mend it: room is made, a lock is let go, a file system comes back.
    package var mayPass: Bool {
        switch self {
        case .full, .busy, .readOnly: true
        default: false
        }
    }

    /// Whether the file must not be written any more.
    package var isFinal: Bool {
        switch self {
        case .corrupt, .foreign, .newer, .replaced, .abandoned: true
        default: false
        }
    }

    /// Whether opening the file anew may mend it: a commit that ended so may or may not have happened.
    package var isInputOutput: Bool { if case .inputOutput = self { true } else { false } }
}
