import Foundation

/// The bytes of another tool's table as UTF-8, in memory: what a column means is decided by all of it, and whoever reads
/// it twice reads the same.
struct TableFile: Sendable {
    let path: String
    /// UTF-8 without a byte order mark.
    let bytes: [UInt8]

    static let largest = 512 << 20

    /// - Throws: `ImportRefusal` if it is no text, and says what it is; `ImportMissing`, `HistoryError`.
    init(_ path: String) throws {
        self.path = path
        let content = try Self.content(path)
        if let kind = FileKind(content) {
            throw ImportRefusal(file: path, line: nil, problem: "is \(kind.name), not a table", remedy: kind.remedy)
        }
        bytes = try Self.decoded(content, path)
    }

    private static func content(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { throw ImportMissing(path: path) }
            throw HistoryError(errno: errno, path: path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ImportRefusal(
                file: path, line: nil, problem: "is not a regular file",
                remedy: "save the data to a file and import that")
        }
        guard status.st_size <= largest else {
            throw ImportRefusal(
                file: path, line: nil, problem: "is larger than \(largest >> 20) MB",
                remedy: "divide the table, with the header in each part")
        }
        let size = Int(status.st_size)
        var failure: Int32?
        let content = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let read = pread(descriptor, buffer.baseAddress.map { $0 + count }, size - count, off_t(count))
                if read < 0, errno == EINTR { continue }
                if read < 0 { failure = errno }
                guard read > 0 else { return }
                count += read
            }
        }
        if let failure { throw HistoryError(errno: failure, path: path) }
        return content
    }

    private static func decoded(_ content: [UInt8], _ path: String) throws -> [UInt8] {
        if let isBigEndian = isUTF16(content) { return try utf8(ofUTF16: content, isBigEndian, path) }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = content.starts(with: mark) ? Array(content.dropFirst(mark.count)) : content
        if let place = text.firstIndex(of: 0) {
            throw ImportRefusal(
                file: path, line: line(of: place, in: text), problem: "a zero byte is in it: it is no text",
                remedy: "save the table as CSV, in UTF-8")
        }
        guard text.withUnsafeBytes({ String(validating: $0, as: UTF8.self) != nil }) else { throw notUTF8(text, path) }
        return text
    }

    /// Whether it begins with the mark of UTF-16 or, without one, has a zero in every other byte, as Latin text has.
    private static func isUTF16(_ content: [UInt8]) -> Bool? {
        if content.starts(with: [0xFF, 0xFE]) { return false }
        if content.starts(with: [0xFE, 0xFF]) { return true }
        let sample = content.prefix(64)
        guard sample.count >= 4 else { return nil }
        let zeros = sample.indices.filter { content[$0] == 0 }
        guard zeros.count * 3 >= sample.count, let first = zeros.first, zeros.allSatisfy({ $0 % 2 == first % 2 })
        else { return nil }
        return first % 2 == 0
    }

    private static func utf8(ofUTF16 content: [UInt8], _ isBigEndian: Bool, _ path: String) throws -> [UInt8] {
        let units = stride(from: 0, to: content.count - 1, by: 2).map { place in
            let pair = (UInt16(content[place]), UInt16(content[place + 1]))
            return isBigEndian ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
        }
        guard content.count % 2 == 0, let text = String(validating: units, as: UTF16.self) else {
            throw ImportRefusal(
                file: path, line: nil, problem: "is UTF-16 that was cut off or damaged",
                remedy: "save the table again, as UTF-8")
        }
        return Array((text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text).utf8)
    }

    /// Which letter a byte above 127 stands for, nothing in the file says: it is shown as the most likely one, and not
    /// taken for it.
    private static func notUTF8(_ text: [UInt8], _ path: String) -> ImportRefusal {
        let (line, content) = firstLineNotUTF8(in: text)
        let western = String(bytes: content, encoding: .windowsCP1252) ?? String(bytes: content, encoding: .isoLatin1)
        let shown = western.map { " and would read “\(excerpt($0))”" } ?? ""
        let name = URL(fileURLWithPath: path).lastPathComponent
        return ImportRefusal(
            file: path, line: line, problem: "the text is not UTF-8; it may be Latin-1 (Windows-1252)\(shown)",
            remedy: "save the table as UTF-8; if that is what it says: "
                + "iconv -f WINDOWS-1252 -t UTF-8 \(name) > utf8-\(name)")
    }

    private static func firstLineNotUTF8(in text: [UInt8]) -> (line: Int, content: ArraySlice<UInt8>) {
        var (line, start) = (1, 0)
        while start < text.count {
            let end = text[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count
            if String(validating: text[start..<end], as: UTF8.self) == nil { return (line, text[start..<end]) }
            start = end + 1
            if start < text.count, text[end] == 0x0D, text[start] == 0x0A { start += 1 }
            line += 1
        }
        return (line, [])
    }

    /// The words about the first letter that is not of ASCII.
    private static func excerpt(_ text: String) -> String {
        guard let place = text.firstIndex(where: { !$0.isASCII }) else { return String(text.prefix(40)) }
        let start = text.index(place, offsetBy: -20, limitedBy: text.startIndex) ?? text.startIndex
        return String(text[start...].prefix(40))
    }

    private static func line(of place: Int, in text: [UInt8]) -> Int {
        var (line, isBehindReturn) = (1, false)
        for byte in text[..<place] {
            if byte == 0x0D || (byte == 0x0A && !isBehindReturn) { line += 1 }
            isBehindReturn = byte == 0x0D
        }
        return line
    }
}

/// What is brought for a table and is none.
private struct FileKind {
    let name: String
    let remedy: String

    private static let save = "open it where it is from and save it as CSV"

    /// By how it begins; `nil` for what may be a table.
    init?(_ content: [UInt8]) {
        let text = content.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        func begins(_ start: String) -> Bool { text.starts(with: start.utf8) }
        let magic: [(start: [UInt8], name: String, remedy: String)] = [
            ([0x50, 0x4B, 0x03, 0x04], "a workbook (xlsx, ods or numbers) or another zip archive", Self.save),
            ([0xD0, 0xCF, 0x11, 0xE0], "an old Excel workbook (xls)", Self.save),
            ([0x1F, 0x8B], "compressed with gzip", "unpack it first: gunzip"),
            ([0x28, 0xB5, 0x2F, 0xFD], "compressed with zstd", "unpack it first: unzstd"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed with xz", "unpack it first: unxz"),
            ([0x42, 0x5A, 0x68], "compressed with bzip2", "unpack it first: bunzip2"),
            (Array("%PDF-".utf8), "a PDF", Self.save),
            (Array("SQLite format 3\0".utf8), "an SQLite database", "for a history of rankd name it with --database"),
        ]
        if let found = magic.first(where: { content.starts(with: $0.start) }) {
            (name, remedy) = (found.name, found.remedy)
        } else if begins("{"), String(decoding: text.prefix(200), as: UTF8.self).contains("\"rankd-history\"") {
            (name, remedy) = ("an export of rankctl", "import it without --csv, by a name that ends in .ndjson")
        } else if begins("{") || begins("[{") || begins("[[") || begins("[\n") || begins("[\r") {
            (name, remedy) = ("JSON", "write it as CSV, with the names of the columns in line 1")
        } else if begins("<") {
            (name, remedy) = ("a page of HTML or XML", Self.save)
        } else {
            return nil
        }
    }
}
