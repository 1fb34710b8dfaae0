import Foundation
import GRDB
package import RankKit

/// What is wrong with the history's file, sorted by what to do about it. The text is for people.
package enum HistoryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no file at `path`.
    case missing(path: String)
    case notPermitted(path: String)
    /// This user may not write the file, or make it in its folder.
    case notWritable(path: String)
    /// Another process holds the writer's lock.
    case heldByAnother(path: String, pid: Int32)
    /// Not a history of rankd: another program's database, or no database at all.
    case foreign(path: String, what: String)
    /// Written by a newer rankd.
    case newer(path: String, version: Int, understood: Int)
    /// Written by an older rankd, which only rankd itself migrates.
    case older(path: String, version: Int, understood: Int)
    case corrupt(path: String, what: String)
    /// The same, met after this process had written the file: nothing more is written to it.
    case damagedInUse(path: String, what: String)
    /// Lists that were asked about are kept, and cannot be read. The rest of the file is as good as before.
    case damagedLists(path: String, what: String, from: Timestamp, through: Timestamp)
    /// The file is gone, or empty, while its write-ahead log is still there: a new history would destroy the log.
    case abandoned(path: String)
    /// What lies beside the file as its write-ahead log is not its log: merged into it, it would damage the file.
    case strangeLog(path: String, what: String)
    /// What lies beside the file as its rollback journal is not its journal: played back into it, it would damage the file.
    case strangeJournal(path: String)
    /// The file was deleted, moved away or replaced while it was open.
    case replaced(path: String, what: String)
    /// The device failed to read or write.
    case inputOutput(path: String, what: String)
    /// rankd runs as root and the file belongs to somebody else.
    case ownedByAnother(path: String, user: UInt32)
    /// No room on the device.
    case full(path: String)
    case readOnly(path: String)
    /// Another program keeps the database locked.
    case busy(path: String)
    /// Everything else that reading or writing can run into.
    case unusable(path: String, what: String)

    package var description: String { words { $0 } }

    /// The text for people.
    ///
    /// - Parameter command: a command as it can be pasted, such as with the file that was asked about.
    package func words(naming command: (String) -> String) -> String {
        switch self {
        case .missing(let path):
            "no history at \(path): rankd makes it on its first pass; start rankd, run \(command("rankd --once")), or name "
                + "another file with --database"
        case .notPermitted(let path):
            "not permitted to open \(path): run this as a user that may read the file and enter its folders"
        case .notWritable(let path):
            "you may not write \(path): name a file of your own with --database, or run this as the user that owns it"
        case .heldByAnother(let path, let pid):
            "\(path) is held by another rankd (pid \(pid)): stop that one first, or use another --database"
        case .foreign(let path, let what):
            "\(path) is not a history of rankd (\(what)); it was left untouched: name another file with --database, "
                + "or put back a backup if it once was a history"
        case .newer(let path, let version, let understood):
            "\(path) was written by a newer rankd (schema \(version), this one knows up to \(understood)): "
                + "install that version or a newer one"
        case .older(let path, let version, let understood):
            "\(path) has schema \(version), this rankctl reads \(understood): start this version's rankd once to migrate it"
        case .corrupt(let path, let what):
            "\(path) is damaged (\(what)); it was left untouched: move it aside and put back a backup, or save what can "
                + "be read with \(command("rankctl export")), or with: sqlite3 \(path) .recover | sqlite3 recovered.sqlite"
        case .damagedInUse(let path, let what):
            "\(path) is damaged (\(what)); rankd met this after it had written the file, and writes nothing more to it: "
                + "stop rankd, move the file aside and put back a backup, or save what can be read with "
                + "\(command("rankctl export")), or with: sqlite3 \(path) .recover | sqlite3 recovered.sqlite"
        case .damagedLists(let path, let what, let from, let through):
            (from == through ? "the list of \(from)" : "the lists from \(from) to \(through)")
                + " cannot be read, because \(path) is damaged there (\(what)); everything else can be read: ask about "
                + "another time, or read a backup with --database FILE; see the damage with "
                + command("rankctl verify")
        case .abandoned(let path):
            "\(path) is gone or empty, but \(path)-wal is still there; nothing was changed: put the file or a backup of it "
                + "back, or move \(path)-wal away to begin a new history"
        case .strangeLog(let path, let what):
            "\(path)-wal is not the log of \(path) (\(what)); both were left untouched: move \(path)-wal away to go on "
                + "without what it holds, or put back the file that it belongs to"
        case .strangeJournal(let path):
            "\(path)-journal is not of rankd's making, and SQLite would put its pages into \(path); both were left untouched: "
                + "move \(path)-journal away, or have the program that wrote it open the file once"
        case .replaced(let path, let what):
            "\(what) while rankd had it open, and writing has stopped: stop rankd, put the right file at \(path), "
                + "then start rankd again"
        case .inputOutput(let path, let what):
            "the disk that holds \(path) fails to read or write (\(what)): read the kernel's log (dmesg), "
                + "check the file system, and have a backup at hand"
        case .ownedByAnother(let path, let user):
            "\(path) belongs to user \(user) and rankd runs as root: run it as that user"
                + (ServiceAccount.ofThisMachine.hasSudo ? " (sudo -u '#\(user)' rankd …)" : "")
        case .full(let path): "there is no room on the disk that holds \(path): make room; nothing recorded is lost"
        case .readOnly(let path): "\(path) cannot be written: its file, folder or file system is read-only"
        case .busy(let path): "\(path) is locked by another program: end that program and try again"
        case .unusable(let path, let what): "\(path) cannot be read or written: \(what)"
        }
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
        case .corrupt, .damagedInUse, .foreign, .newer, .replaced, .abandoned, .strangeLog,
            .strangeJournal:
            true
        default: false
        }
    }

    /// The same of a file that this process has written: it was not left as it was found.
    var afterWriting: HistoryError {
        switch self {
        case .corrupt(let path, let what), .foreign(let path, let what): .damagedInUse(path: path, what: what)
        default: self
        }
    }

    /// Whether opening the file anew may mend it: a commit that ended so may or may not have happened.
    package var isInputOutput: Bool { if case .inputOutput = self { true } else { false } }
}

extension HistoryError {
    /// Sorts what SQLite reports about the file at `path`.
    init(_ error: any Error, path: String) {
        switch error {
        case let known as HistoryError: self = known
        case let failure as DatabaseError: self.init(failure, path: path)
        case let damage as UnreadableLists:
            self = .damagedLists(
                path: path, what: damage.what, from: Timestamp(secondsSinceEpoch: damage.from),
                through: Timestamp(secondsSinceEpoch: damage.through))
        // Its own words would hold the row, the statement and what was bound to it.
        case is RowDecodingError: self = .corrupt(path: path, what: "it has a row that rankd never writes")
        default: self = .unusable(path: path, what: "\(error)")
        }
    }

    private init(_ failure: DatabaseError, path: String) {
        let what = failure.message ?? "SQLite error \(failure.extendedResultCode.rawValue)"
        self =
            switch failure.resultCode {
            case .SQLITE_FULL: .full(path: path)
            case .SQLITE_READONLY: .readOnly(path: path)
            case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: .busy(path: path)
            case .SQLITE_IOERR: Self.device(of: path) ?? .inputOutput(path: path, what: what)
            case .SQLITE_CANTOPEN: Self.device(of: path) ?? .unusable(path: path, what: what)
            case .SQLITE_NOTADB: .foreign(path: path, what: "not an SQLite database")
            case .SQLITE_CORRUPT: .corrupt(path: path, what: what)
            case .SQLITE_PERM, .SQLITE_AUTH: .notPermitted(path: path)
            default: .unusable(path: path, what: what)
            }
    }

    /// Runs `body`, throwing whatever it throws as a `HistoryError` about `path`.
    static func catching<Value>(path: String, _ body: () throws -> Value) throws(HistoryError) -> Value {
        do { return try body() } catch { throw HistoryError(error, path: path) }
    }

    /// Runs `body`, throwing whatever it throws as a `HistoryError` about `path`; cancellation stays what it is.
    static func catching<Value>(
        path: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch let error as CancellationError {
            throw error
        } catch {
            throw HistoryError(error, path: path)
        }
    }
}
