import Foundation

/// Which files of the disk an open history is: the database and its write-ahead log. Looks at them by name alone,
/// because closing any descriptor of the database would drop SQLite's locks (sqlite.org/howtocorrupt.html, 2.2).
struct OpenFile {
    private let path: String
    private let database: FileIdentity
    private let log: FileIdentity?

    /// - Throws: `HistoryError` if there is no file at `path`.
    init(_ path: String) throws(HistoryError) {
        self.path = path
        database = try Self.identity(of: path).get()
        log = if case .success(let log) = Self.identity(of: path + "-wal") { log } else { nil }
    }

    /// What has become of the files since, for people; `nil` if they are the same.
    func change() -> String? {
        Self.change(of: path, from: database) ?? log.flatMap { Self.change(of: path + "-wal", from: $0) }
    }

    /// Whether the log at its place is still the one that was opened.
    var ownsLog: Bool { log.map { Self.change(of: path + "-wal", from: $0) == nil } ?? false }

    /// Whether the database at its place is still the one that was opened, whatever has become of the log.
    var isDatabaseTheSame: Bool { Self.change(of: path, from: database) == nil }

    /// How many hard links the file has, 1 where it cannot be told.
    static func names(of path: String) -> Int {
        guard case .success(let status) = status(of: path) else { return 1 }
        return Int(status.st_nlink)
    }

    private static func change(of path: String, from before: FileIdentity) -> String? {
        switch identity(of: path) {
        case .success(let now): now == before ? nil : "\(path) was replaced by another file"
        case .failure(.missing): "\(path) was deleted or moved away"
        case .failure(let error): "\(path) can no longer be read (\(error))"
        }
    }

    private static func identity(of path: String) -> Result<FileIdentity, HistoryError> {
        status(of: path).map { FileIdentity($0) }
    }

    private static func status(of path: String) -> Result<stat, HistoryError> {
        var status = stat()
        guard stat(path, &status) == 0 else { return .failure(HistoryError(errno: errno, path: path)) }
        return .success(status)
    }
}

/// Which file of the disk a name leads to, through links.
package struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// `nil` if there is no such file, or it may not be looked at.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Whether both names lead to one file that is there.
    package static func areSame(_ left: String, _ right: String) -> Bool {
        guard let identity = FileIdentity(path: left) else { return false }
        return identity == FileIdentity(path: right)
    }
}
