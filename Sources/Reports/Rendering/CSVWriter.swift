package import RankKit

/// Writes CSV after RFC 4180: a header, CRLF after every record, quotes where they are needed.
///
/// Text that a spreadsheet would run as a formula is guarded as `SpreadsheetGuard` says; numbers stay numbers.
package struct CSVWriter {
    package enum Field: Sendable {
        case text(String)
        case integer(Int64)
        case number(Double)
        case bool(Bool)
        case timestamp(Timestamp)
        case empty

        package static func optional(_ text: String?) -> Field { text.map(Field.text) ?? .empty }
        package static func optional(_ number: Int?) -> Field { number.map { .integer(Int64($0)) } ?? .empty }
    }

    package private(set) var text = ""

    package init(header: [String]) {
        record(header.map(Field.text))
    }

    /// What has been written since the last time, for tables that need not be in memory as a whole.
    package mutating func take() -> String {
        defer { text = "" }
        return text
    }

    package mutating func record(_ fields: [Field]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { text.append(",") }
            append(field)
        }
        text.append("\r\n")
    }

    /// The field's text before it is quoted: what joins several values in one.
    static func plainText(of field: Field) -> String {
        switch field {
        case .text(let value): value
        case .integer(let value): String(value)
        case .number(let value): value.isFinite ? "\(value)" : ""
        case .bool(let value): value ? "true" : "false"
        case .timestamp(let value): CivilTime.iso8601(value)
        case .empty: ""
        }
    }

    private mutating func append(_ field: Field) {
        switch field {
        case .text(let value): text.append(Self.quoted(Self.inert(value)))
        case .integer, .number, .bool, .timestamp, .empty: text.append(Self.plainText(of: field))
        }
    }

    /// Line breaks and tabs stay, in quotes, as the RFC has them; all else that acts on a terminal shows as `\u{…}`.
    private static func inert(_ value: String) -> String {
        var result = ""
        var rest = value.unicodeScalars[...]
        while let control = rest.firstIndex(where: isKeptControl) {
            result += SafeText.escaped(String(rest[..<control]))
            result.unicodeScalars.append(rest[control])
            rest = rest[rest.index(after: control)...]
        }
        result += SafeText.escaped(String(rest))
        return SpreadsheetGuard.guarded(result)
    }

    private static func isKeptControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\t" || scalar == "\r" || scalar == "\n"
    }

    private static func quoted(_ value: String) -> String {
        let needsQuotes = value.utf8.contains { byte in
            byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte < 0x20
        }
        guard needsQuotes else { return value }
        // By scalars: a combining mark after it would make a quote part of another character.
        var result = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            if scalar == "\"" { result.append(scalar) }
            result.append(scalar)
        }
        return "\"\(String(result))\""
    }
}
