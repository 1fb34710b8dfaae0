import Foundation
import GRDBSQLite

/// What a file and its write-ahead log look like from outside, before SQLite reads either: SQLite merges a log into
/// whatever file lies beside it, and deletes the log of an empty one.
enum FirstLook {
    /// Looks at the first bytes of the file at `path` and of what lies beside it. Takes no lock and changes nothing.
    ///
    /// What only the two together can tell is left to whoever opens them (`DatabaseFile.examine`).
    ///
    /// - Throws: `HistoryError` for what is certainly no history of this version or an older one, or not whole. A file
    ///   that is not there, or may not be opened, is the opening's to tell.
    static func refuse(_ path: String) throws(HistoryError) {
        // The log is looked for first: a new history has none before it has its first page.
        let log = DatabaseFile.size(of: path + "-wal")
        guard let size = DatabaseFile.size(of: path) else { return }
        guard size > 0 else {
            if log != nil { throw .abandoned(path: path) }
            return
        }
        guard let head = FileHead(path) else { return }
        let hasJournal = DatabaseFile.size(of: path + "-journal") ?? 0 > 0
        let journal = RollbackJournal(path + "-journal")
        guard head.isDatabase else {
            // Its first page was being written when the power went: SQLite takes that back.
            if let journal, log ?? 0 == 0, head.isBlank, size <= FileHead.mostPageSize, journal.belongs(to: head) {
                return
            }
            throw .foreign(path: path, what: "not an SQLite database")
        }
        if let what = head.flaw { throw .corrupt(path: path, what: what) }
        try refuseStranger(head, path: path, hasLog: log ?? 0 > 0)
        if let journal, !journal.belongs(to: head) { throw .strangeJournal(path: path) }
        if let log, log > 0 {
            try refuseStrangeLog(head, path: path, hasJournal: hasJournal)
        } else if journal == nil, let missing = head.missingPages(ofSize: size),
            // The log may have begun while this looked.
            DatabaseFile.size(of: path + "-wal") ?? 0 == 0
        {
            throw .corrupt(path: path, what: "it is cut off: \(missing) of its \(head.pageCount) pages are missing")
        }
    }

    private static func refuseStranger(_ head: FileHead, path: String, hasLog: Bool) throws(HistoryError) {
        switch (head.application, head.version) {
        case (DatabaseFile.applicationID, let version):
            guard version <= Schema.version else {
                throw .newer(path: path, version: version, understood: Schema.version)
            }
            guard version > 0 else { throw .corrupt(path: path, what: "it names schema \(version)") }
        // As a history is while all but its first page is in the log.
        case (0, 0) where head.hasNoTables || hasLog: break
        default: throw .foreign(path: path, what: "another program's database")
        }
    }

    private static func refuseStrangeLog(
        _ head: FileHead, path: String, hasJournal: Bool
    ) throws(HistoryError) {
        // A copy that opens by itself, such as a backup, put where a history was.
        guard head.isInLogMode else {
            throw .strangeLog(path: path, what: "that file was complete without a log")
        }
        guard !hasJournal else { throw .strangeLog(path: path, what: "\(path)-journal lies there too") }
        guard let size = logPageSize(path), size != head.pageSize else { return }
        throw .strangeLog(path: path, what: "its pages have \(size) bytes, those of the file \(head.pageSize)")
    }

    /// The size of a page in the log beside `path`; `nil` if SQLite would take nothing from that log.
    private static func logPageSize(_ path: String) -> Int? {
        // SQLite holds no lock by a descriptor of the log, so that closing one here drops none.
        let descriptor = open(path + "-wal", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 12)
        guard read(descriptor, &bytes, bytes.count) == bytes.count else { return nil }
        let words = stride(from: 0, to: bytes.count, by: 4).map { FileHead.word(bytes[$0..<$0 + 4]) }
        guard [0x377F_0682, 0x377F_0683].contains(words[0]) else { return nil }
        return Int(words[2])
    }
}

/// The first bytes of a file, as sqlite.org/fileformat2.html describes them.
struct FileHead {
    private let bytes: [UInt8]
    /// The first page; nothing if it cannot be read whole.
    private let page: [UInt8]

    /// The largest page that SQLite knows, in bytes.
    static let mostPageSize: Int64 = 65_536
    /// Up to where a first page says how many tables there are.
    static let length = 108

    /// Reads them by SQLite, and without a lock. A descriptor of one's own would drop, when it is closed, the locks that
    /// any connection of this process has on the file (sqlite.org/howtocorrupt.html, 2.2).
    ///
    /// `nil` if the file cannot be opened or read.
    init?(_ path: String) {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
            sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods, let read = methods.pointee.xRead
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Self.length)
        let code = read(file, &bytes, Int32(bytes.count), 0)
        // What a short file lacks is read as zeros.
        guard code == SQLITE_OK || code == SQLITE_IOERR | (2 << 8) else { return nil }
        self.bytes = bytes
        var page = [UInt8](repeating: 0, count: max(Self.length, Self.pageSize(bytes)))
        self.page = read(file, &page, Int32(page.count), 0) == SQLITE_OK ? page : []
    }

    /// Whether `other` is the first page of the same file, if perhaps from before the file got its log.
    func hasFirstPage(_ other: [UInt8]) -> Bool {
        // What a change of the mode changes: how it is written and read, and the counters of changes.
        let changing = [18..<20, 24..<28, 92..<100]
        return page.count == pageSize && other.count == pageSize
            && page.indices.allSatisfy { index in
                page[index] == other[index] || changing.contains { $0.contains(index) }
            }
    }

    static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    private func word(_ offset: Int) -> UInt32 { Self.word(bytes[offset..<offset + 4]) }

    private func half(_ offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }

    var isDatabase: Bool { bytes.starts(with: "SQLite format 3\0".utf8) }

    var isBlank: Bool { bytes.allSatisfy { $0 == 0 } }

    /// In bytes.
    var pageSize: Int { Self.pageSize(bytes) }

    private static func pageSize(_ bytes: [UInt8]) -> Int {
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        return size == 1 ? Int(mostPageSize) : size
    }

    /// Whether it was left in write-ahead mode.
    var isInLogMode: Bool { bytes[18] == 2 }

    var application: Int { Int(word(68)) }

    var version: Int { Int(Int32(bitPattern: word(60))) }

    /// As the file itself says.
    var pageCount: Int64 { Int64(word(28)) }

    /// Whether it is as SQLite makes a new one: one page with no table in it.
    var hasNoTables: Bool { pageCount <= 1 && bytes[100] == 13 && half(103) == 0 }

    /// What no SQLite writes there; `nil` if it is as it should be.
    var flaw: String? {
        let isSize = pageSize >= 512 && pageSize & (pageSize - 1) == 0
        guard isSize, (1...2).contains(bytes[18]), (1...2).contains(bytes[19]), bytes[20] == 0,
            Array(bytes[21...23]) == [64, 32, 32]
        else { return "its first bytes are not as SQLite writes them" }
        return nil
    }

    /// How many pages a file of `size` bytes lacks; `nil` if none, or if the count is not one to go by.
    func missingPages(ofSize size: Int64) -> Int64? {
        guard word(24) == word(92), pageCount > 0 else { return nil }
        let missing = pageCount - size / Int64(pageSize)
        return missing > 0 ? missing : nil
    }
}
