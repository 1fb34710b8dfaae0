import Foundation
import Synchronization

/// Why a file may not be made where it was asked for.
package enum FileRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case exists(path: String)
    case notAFile(path: String)
    case isTheHistory(path: String)
    case isAWatchlist(path: String)
    case noFolder(path: String)
    /// - Parameter option: what names the place, as people typed it; `nil` if no option does.
    case notWritable(path: String, option: String?)

    package var description: String {
        switch self {
        case .exists(let path): "\(path) already exists and was left unchanged: choose another name, or add --force"
        case .notAFile(let path): "\(path) is not a regular file: choose another name"
        case .isTheHistory(let path): "\(path) is the history itself or belongs to it: choose another name"
        case .isAWatchlist(let path): "\(path) is a watchlist: choose another name"
        case .noFolder(let path): "there is no folder \(path): make it first, or choose another name"
        case .notWritable(let path, let option):
            "you may not write \(path): choose another place\(option.map { " with \($0)" } ?? ""), or run this as a user "
                + "that may write there"
        }
    }

    /// Sorts what the system reports about the file or folder at `path`, which was to be written.
    static func writing(errno code: Int32, path: String, option: String?) -> any Error {
        code == EACCES || code == EPERM
            ? FileRefusal.notWritable(path: path, option: option) : HistoryError(errno: code, path: path)
    }
}

/// A file that is there under its name only once it is whole and safe on disk.
///
/// Until then it is a temporary one in the same folder, which goes with the value; what a killed process left of one is
/// removed by the next that makes the same file, or one of the same kind.
package final class UnfinishedFile: Sendable {
    /// Where to write; for the owner to write and the group to read.
    package let temporary: String
    package let descriptor: Int32
    private let path: String
    private let folder: String
    private let replaces: Bool
    private let option: String?
    private let isFinished = Mutex(false)

    /// - Parameters:
    ///   - replaces: whether a file that is there may be replaced.
    ///   - option: what named the file, as people typed it; `nil` if no option did.
    ///   - isAlike: which names besides its own to look for what killed processes left of; one process makes one such
    ///     file in a folder at a time.
    /// - Throws: `FileRefusal`, or `HistoryError`.
    package init(
        _ path: String, replaces: Bool, option: String? = nil, isAlike: (String) -> Bool = { _ in false }
    ) throws {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent().path
        try Self.refuse(path, folder: folder, replaces: replaces)
        Self.removeLeftovers(in: folder) { $0 == url.lastPathComponent || isAlike($0) }
        temporary = "\(folder)/.\(url.lastPathComponent).\(getpid())\(Self.suffix)"
        descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else { throw FileRefusal.writing(errno: errno, path: folder, option: option) }
        // The umask may have taken the group's right to read.
        _ = fchmod(descriptor, 0o640)
        (self.path, self.folder, self.replaces, self.option) = (path, folder, replaces, option)
    }

    deinit {
        close(descriptor)
        if !isFinished.withLock({ $0 }) { Self.remove(temporary) }
    }

    /// Makes the file safe on disk and gives it its name.
    package func finish() throws {
        guard fsync(descriptor) == 0 else { throw FileRefusal.writing(errno: errno, path: path, option: option) }
        try Self.name(temporary, path, replaces: replaces, option: option)
        isFinished.withLock { $0 = true }
        try Self.sync(folder: folder, option: option)
    }

    private static let suffix = ".partial"

    private static func refuse(_ path: String, folder: String, replaces: Bool) throws {
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw FileRefusal.noFolder(path: folder)
        }
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileRefusal.notAFile(path: path) }
        if !replaces { throw FileRefusal.exists(path: path) }
    }

    /// Without leave to replace, a link: unlike renaming it fails where the name is taken meanwhile.
    private static func name(_ temporary: String, _ path: String, replaces: Bool, option: String?) throws {
        if !replaces {
            if link(temporary, path) == 0 {
                unlink(temporary)
                return
            }
            if errno == EEXIST { throw FileRefusal.exists(path: path) }
            // Not every file system has links.
            var status = stat()
            if lstat(path, &status) == 0 { throw FileRefusal.exists(path: path) }
        }
        guard rename(temporary, path) == 0 else {
            throw FileRefusal.writing(errno: errno, path: path, option: option)
        }
    }

    private static func sync(folder: String, option: String?) throws {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileRefusal.writing(errno: errno, path: folder, option: option) }
        defer { close(descriptor) }
        // Some network file systems cannot do this, and need it least.
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw FileRefusal.writing(errno: errno, path: folder, option: option)
        }
    }

    private static func remove(_ temporary: String) {
        for ending in ["", "-journal", "-wal", "-shm"] { unlink(temporary + ending) }
    }

    private static func removeLeftovers(in folder: String, of isWanted: (String) -> Bool) {
        guard let directory = opendir(folder) else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let file = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard file.hasPrefix("."), file.hasSuffix(suffix) else { continue }
            let parts = file.dropFirst().dropLast(suffix.count)
            guard let dot = parts.lastIndex(of: "."), isWanted(String(parts[..<dot])),
                let pid = Int32(parts[parts.index(after: dot)...]), hasEnded(pid)
            else { continue }
            remove("\(folder)/\(file)")
        }
    }

    /// In a container every process that ran before may have had the number of this one.
    private static func hasEnded(_ pid: Int32) -> Bool { pid == getpid() || kill(pid, 0) != 0 && errno == ESRCH }
}
