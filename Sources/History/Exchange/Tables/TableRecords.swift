import RankKit

/// A row of a table before anyone knows its columns.
struct TableRecord: Sendable {
    /// The line on which it begins, from 1.
    let line: Int
    let fields: [String]
    /// Whether an empty line stands before it.
    let isAfterGap: Bool
}

/// Divides a text into records as RFC 4180 has them, and as spreadsheets and other tools write them: lines that end in
/// LF, CRLF or CR, commas, semicolons or tabs, blanks behind a separator, quotes that nobody doubled.
struct TableRecords: Sequence, IteratorProtocol {
    /// One that is not closed: the line on which it stands.
    struct OpenQuote: Error {
        let line: Int
    }

    private let bytes: [UInt8]
    private let separator: UInt8
    private var place: Int
    private var line: Int
    /// Set once a quote that is not closed has ended the reading.
    private(set) var failure: OpenQuote?

    static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

    private static let quote = UInt8(ascii: "\"")

    /// - Parameter header: the line of the record after which to begin.
    init(_ bytes: [UInt8], separator: UInt8, after header: Int = 0) {
        self.bytes = bytes
        self.separator = separator
        (place, line) = (0, 1)
        // How a spreadsheet is told the separator.
        let hint = Array("sep=".utf8) + [separator]
        if bytes.starts(with: hint) {
            place = hint.count
            endLine()
        }
        while line <= header, next() != nil {}
    }

    /// How much has been read, in bytes.
    var bytesRead: Int { place }

    /// `nil` after the last, and where a quote is not closed, as `failure` says then.
    mutating func next() -> TableRecord? {
        var isAfterGap = false
        while place < bytes.count, failure == nil {
            let start = line
            guard let fields = record() else { return nil }
            if fields.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) {
                isAfterGap = true
            } else {
                return TableRecord(line: start, fields: fields, isAfterGap: isAfterGap)
            }
        }
        return nil
    }

    private mutating func record() -> [String]? {
        var fields: [String] = []
        while true {
            guard let field = field() else { return nil }
            fields.append(SpreadsheetGuard.unguarded(field))
            guard place < bytes.count, bytes[place] == separator else { break }
            place += 1
        }
        endLine()
        return fields
    }

    private mutating func field() -> String? {
        let start = place
        var first = place
        while first < bytes.count, bytes[first] == 0x20 { first += 1 }
        if first < bytes.count, bytes[first] == Self.quote {
            switch quoted(from: first) {
            case .field(let field, let end, let lines):
                (place, line) = (end, line + lines)
                return field
            case .open where first == start:
                failure = OpenQuote(line: line)
                return nil
            case .open, .literal: break
            }
        }
        while place < bytes.count, bytes[place] != separator, !isLineEnd(bytes[place]) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private enum Quoted {
        case field(String, end: Int, lines: Int)
        /// Something follows the quote that should close it, so that it is a quote of the text.
        case literal
        case open
    }

    private func quoted(from start: Int) -> Quoted {
        var field: [UInt8] = []
        var (index, lines) = (start + 1, 0)
        while index < bytes.count {
            let byte = bytes[index]
            if byte == Self.quote {
                if index + 1 < bytes.count, bytes[index + 1] == Self.quote {
                    index += 1
                } else {
                    index += 1
                    while index < bytes.count, bytes[index] == 0x20 { index += 1 }
                    guard index == bytes.count || bytes[index] == separator || isLineEnd(bytes[index]) else {
                        return .literal
                    }
                    return .field(String(decoding: field, as: UTF8.self), end: index, lines: lines)
                }
            } else if byte == 0x0A || (byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)) {
                lines += 1
            }
            field.append(byte)
            index += 1
        }
        return .open
    }

    private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private mutating func endLine() {
        guard place < bytes.count, isLineEnd(bytes[place]) else { return }
        if bytes[place] == 0x0D, place + 1 < bytes.count, bytes[place + 1] == 0x0A { place += 1 }
        place += 1
        line += 1
    }
}
