import Foundation

/// The head of a rollback journal, as sqlite.org/fileformat2.html, 3, describes it. SQLite plays one that lies beside a
/// file back into it, whichever file it was written for.
struct RollbackJournal {
    private let bytes: [UInt8]
    private let size: Int64

    private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    /// The largest sector, and the number and the bytes of the largest page.
    private static let length = 65_536 + 4 + 65_536

    /// `nil` if there is none at `path`, or SQLite would take nothing from it.
    init?(_ path: String) {
        guard let size = DatabaseFile.size(of: path), size > 0 else { return nil }
        // SQLite holds no lock by a descriptor of the journal, so that closing one here drops none.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.length)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 28, bytes.starts(with: Self.magic) else { return nil }
        self.bytes = bytes
        self.size = size
    }

    private func word(_ offset: Int) -> Int64 { Int64(FileHead.word(bytes[offset..<offset + 4])) }

    /// How many pages the file had.
    private var pageCount: Int64 { word(16) }
    private var sectorSize: Int64 { word(20) }
    private var pageSize: Int64 { word(24) }
    /// How many pages it holds at most.
    private var records: Int64 { pageSize > 0 ? (size - sectorSize) / (pageSize + 8) : 0 }

    /// Whether it can have been written for the file with that head by a rankd whose power went: while the file was
    /// made, or a copy that opens by itself got its log. Nothing else that rankd does is in a journal.
    func belongs(to head: FileHead) -> Bool {
        guard !head.isBlank else { return pageCount <= 1 }
        guard pageSize == head.pageSize else { return false }
        if head.hasNoTables { return pageCount <= 1 }
        guard records <= 1, pageCount == head.pageCount, sectorSize <= FileHead.mostPageSize else { return false }
        // Whoever wrote it was killed before its first page.
        guard records > 0 else { return true }
        let first = Int(sectorSize)
        return word(first) == 1 && head.hasFirstPage(Array(bytes[(first + 4)...].prefix(head.pageSize)))
    }
}
