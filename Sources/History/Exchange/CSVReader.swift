/// Reads a table as RFC 4180 has it, and as spreadsheets write it: with commas, semicolons or tabs, with or without a
/// byte order mark.
struct CSVReader {
    private let lines: LineReader
    private let path: String
    private let separator: UInt8
    let header: [String]
    /// The line on which the record read last begins.
    private(set) var number = 1

    var bytesRead: Int64 { lines.bytesRead }
    var size: Int64 { lines.size }

    /// - Throws: `ImportRefusal` if there is no header.
    init(_ path: String) throws {
        self.path = path
        let lines = try LineReader(path)
        var first = try lines.line() ?? []
        if first.starts(with: [0xEF, 0xBB, 0xBF]) { first.removeFirst(3) }
        guard !first.isEmpty else {
            throw ImportRefusal(
                file: path, line: nil, problem: "there is no header", remedy: "name the columns in line 1")
        }
        separator = Self.separator(in: first)
        guard let fields = try Self.fields(in: first, separator, path, 1), !fields.isOpen else {
            throw ImportRefusal(file: path, line: 1, problem: "a quote is not closed", remedy: "close it in the header")
        }
        header = fields.values
        self.lines = lines
    }

    /// The fields of the next record; `nil` after the last. Empty lines are passed over.
    mutating func record() throws -> [String]? {
        while var text = try lines.line() {
            number = lines.number
            if text.isEmpty { continue }
            while true {
                if let fields = try Self.fields(in: text, separator, path, number), !fields.isOpen {
                    return fields.values
                }
                // A line break within quotes.
                guard let more = try lines.line(), text.count < 1 << 20 else {
                    throw ImportRefusal(file: path, line: number, problem: "a quote is not closed", remedy: "close it")
                }
                text += [UInt8(ascii: "\n")] + more
            }
        }
        return nil
    }

    /// The one that is there most often outside of quotes.
    private static func separator(in header: [UInt8]) -> UInt8 {
        var isQuoted = false
        var counts: [UInt8: Int] = [:]
        for byte in header {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() } else if !isQuoted { counts[byte, default: 0] += 1 }
        }
        let all = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        return all.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? UInt8(ascii: ",")
    }

    private struct Fields {
        var values: [String]
        /// Whether the record goes on in the next line.
        var isOpen: Bool
    }

    private static func fields(
        in text: [UInt8], _ separator: UInt8, _ path: String, _ number: Int
    ) throws -> Fields? {
        let quote = UInt8(ascii: "\"")
        var values: [String] = []
        var field: [UInt8] = []
        var (isQuoted, wasQuoted) = (false, false)
        func ended() throws -> String {
            guard let value = String(validating: field, as: UTF8.self) else {
                throw ImportRefusal(
                    file: path, line: number, problem: "the text is not UTF-8", remedy: "save the table as UTF-8")
            }
            return value
        }
        var index = 0
        while index < text.count {
            let byte = text[index]
            if isQuoted {
                if byte != quote {
                    field.append(byte)
                } else if index + 1 < text.count, text[index + 1] == quote {
                    field.append(quote)
                    index += 1
                } else {
                    isQuoted = false
                }
            } else if byte == quote, field.isEmpty, !wasQuoted {
                (isQuoted, wasQuoted) = (true, true)
            } else if byte == separator {
                values.append(try ended())
                field = []
                wasQuoted = false
            } else {
                field.append(byte)
            }
            index += 1
        }
        if isQuoted { return Fields(values: [], isOpen: true) }
        values.append(try ended())
        return Fields(values: values, isOpen: false)
    }
}
