package import RankKit

/// A value that a field can have: how it is in JSON, in CSV, and what it can be.
package protocol FieldValue: Sendable {
    static var shape: FieldShape { get }
    func write(to writer: inout JSONWriter)
    var cell: CSVWriter.Field { get }
}

extension String: FieldValue {
    package static var shape: FieldShape { .text }
    package func write(to writer: inout JSONWriter) { writer.string(self) }
    package var cell: CSVWriter.Field { .text(self) }
}

extension Int: FieldValue {
    package static var shape: FieldShape { .integer(minimum: nil) }
    package func write(to writer: inout JSONWriter) { writer.integer(self) }
    package var cell: CSVWriter.Field { .integer(Int64(self)) }
}

extension Int64: FieldValue {
    package static var shape: FieldShape { .integer(minimum: nil) }
    package func write(to writer: inout JSONWriter) { writer.integer(self) }
    package var cell: CSVWriter.Field { .integer(self) }
}

extension Double: FieldValue {
    package static var shape: FieldShape { .number(minimum: nil) }
    package func write(to writer: inout JSONWriter) { writer.number(self) }
    package var cell: CSVWriter.Field { .number(self) }
}

extension Bool: FieldValue {
    package static var shape: FieldShape { .flag }
    package func write(to writer: inout JSONWriter) { writer.bool(self) }
    package var cell: CSVWriter.Field { .bool(self) }
}

extension Timestamp: FieldValue {
    package static var shape: FieldShape { .time }
    package func write(to writer: inout JSONWriter) { writer.timestamp(self) }
    package var cell: CSVWriter.Field { .timestamp(self) }
}

/// A day in UTC, counted from 1970-01-01, as data has it: `2026-11-20`.
package struct DateValue: FieldValue {
    package let day: Int64

    package init(_ day: Int64) { self.day = day }

    package static var shape: FieldShape { .date }
    package func write(to writer: inout JSONWriter) { writer.string(text) }
    package var cell: CSVWriter.Field { .text(text) }

    private var text: String { CivilTime.date(.startOfDay(day)) }
}

extension Position: FieldValue {
    package static var shape: FieldShape { .integer(minimum: 1) }
    package func write(to writer: inout JSONWriter) { writer.integer(number) }
    package var cell: CSVWriter.Field { .integer(Int64(number)) }
}

extension AppID: FieldValue {
    package static var shape: FieldShape { .integer(minimum: 1) }
    package func write(to writer: inout JSONWriter) { writer.integer(number) }
    package var cell: CSVWriter.Field { .integer(number) }
}

extension BundleID: FieldValue {
    package static var shape: FieldShape { .text }
    package func write(to writer: inout JSONWriter) { writer.string(text) }
    package var cell: CSVWriter.Field { .text(text) }
}

extension Country: FieldValue {
    package static var shape: FieldShape { .pattern("^[a-z]{2}$") }
    package func write(to writer: inout JSONWriter) { writer.string(code) }
    package var cell: CSVWriter.Field { .text(code) }
}

extension Source: FieldValue {
    package static var shape: FieldShape { .text }
    package func write(to writer: inout JSONWriter) { writer.string(rawValue) }
    package var cell: CSVWriter.Field { .text(rawValue) }
}

/// A value that is one of a few words.
package protocol FieldWord: FieldValue, CaseIterable, RawRepresentable where RawValue == String {}

extension FieldWord {
    package static var shape: FieldShape { .word(allCases.map(\.rawValue)) }
    package func write(to writer: inout JSONWriter) { writer.string(rawValue) }
    package var cell: CSVWriter.Field { .text(rawValue) }
}

extension Platform: FieldWord {}

extension Outcome.State: FieldWord {}

extension Optional: FieldValue where Wrapped: FieldValue {
    package static var shape: FieldShape {
        if case .change = Wrapped.shape { return .change }
        return .optional(Wrapped.shape)
    }

    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }

    package var cell: CSVWriter.Field { self?.cell ?? .empty }
}

/// Several values; joined by semicolons in CSV.
extension Array: FieldValue where Element: FieldValue {
    package static var shape: FieldShape { .list(Element.shape) }

    package func write(to writer: inout JSONWriter) { writer.array(self) { $1.write(to: &$0) } }

    package var cell: CSVWriter.Field { .text(map { CSVWriter.plainText(of: $0.cell) }.joined(separator: ";")) }
}
