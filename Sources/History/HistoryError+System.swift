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
    static func writing(errno code: Int32, path: String) -> HistoryError {
        code == EACCES || code == EPERM ? .notWritable(path: path) : HistoryError(errno: code, path: path)
    }

    /// Whether waiting may mend it: room is made, a lock is let go, a file system comes back.
    package var mayPass: Bool {
        switch self {
        case .full, .busy, .readOnly: true
        default: false
        }
    }
}
