package import RankKit

/// A value that a field can have: how it is in JSON, in CSV, and what it can be.
protocol FieldValue: Sendable {
    static var shape: FieldShape { get }
    func write(to writer: inout JSONWriter)
    var cell: CSVWriter.Field { get }
}

extension String: FieldValue {
    static var shape: FieldShape { .text }
    func write(to writer: inout JSONWriter) { writer.string(self) }
    var cell: CSVWriter.Field { .text(self) }
}

extension Int: FieldValue {
    static var shape: FieldShape { .integer(minimum: nil) }
    func write(to writer: inout JSONWriter) { writer.integer(self) }
    var cell: CSVWriter.Field { .integer(Int64(self)) }
}

extension Int64: FieldValue {
    static var shape: FieldShape { .integer(minimum: nil) }
    func write(to writer: inout JSONWriter) { writer.integer(self) }
    var cell: CSVWriter.Field { .integer(self) }
}

extension Double: FieldValue {
    static var shape: FieldShape { .number(minimum: nil) }
    func write(to writer: inout JSONWriter) { writer.number(self) }
    var cell: CSVWriter.Field { .number(self) }
}

extension Bool: FieldValue {
    static var shape: FieldShape { .flag }
    func write(to writer: inout JSONWriter) { writer.bool(self) }
    var cell: CSVWriter.Field { .bool(self) }
}

extension Timestamp: FieldValue {
    static var shape: FieldShape { .time }
    func write(to writer: inout JSONWriter) { writer.timestamp(self) }
    var cell: CSVWriter.Field { .timestamp(self) }
}

/// A day, counted from 1970-01-01, as data has it: `2026-11-20`.
struct DateValue: FieldValue {
    let day: Int64

    init(_ day: Int64) { self.day = day }

    static var shape: FieldShape { .date }
    func write(to writer: inout JSONWriter) { writer.string(text) }
    var cell: CSVWriter.Field { .text(text) }

    private var text: String { CivilTime.date(.startOfDay(day)) }
}

extension Position: FieldValue {
    static var shape: FieldShape { .integer(minimum: 1) }
    func write(to writer: inout JSONWriter) { writer.integer(number) }
    var cell: CSVWriter.Field { .integer(Int64(number)) }
}

extension AppID: FieldValue {
    static var shape: FieldShape { .integer(minimum: 1) }
    func write(to writer: inout JSONWriter) { writer.integer(number) }
    var cell: CSVWriter.Field { .integer(number) }
}

extension BundleID: FieldValue {
    static var shape: FieldShape { .text }
    func write(to writer: inout JSONWriter) { writer.string(text) }
    var cell: CSVWriter.Field { .text(text) }
}

extension Country: FieldValue {
    static var shape: FieldShape { .pattern("^[a-z]{2}$") }
    func write(to writer: inout JSONWriter) { writer.string(code) }
    var cell: CSVWriter.Field { .text(code) }
}

extension Source: FieldValue {
    static var shape: FieldShape { .text }
    func write(to writer: inout JSONWriter) { writer.string(rawValue) }
    var cell: CSVWriter.Field { .text(rawValue) }
}

/// A value that is one of a few words.
protocol FieldWord: FieldValue, CaseIterable, RawRepresentable where RawValue == String {}

extension FieldWord {
    static var shape: FieldShape { .word(allCases.map(\.rawValue)) }
    func write(to writer: inout JSONWriter) { writer.string(rawValue) }
    var cell: CSVWriter.Field { .text(rawValue) }
}

extension Platform: FieldWord {}

extension Outcome.State: FieldWord {}

extension Optional: FieldValue where Wrapped: FieldValue {
    static var shape: FieldShape {
        if case .change = Wrapped.shape { return .change }
        return .optional(Wrapped.shape)
    }

    func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }

    var cell: CSVWriter.Field { self?.cell ?? .empty }
}

/// Several values; joined by semicolons in CSV.
extension Array: FieldValue where Element: FieldValue {
    static var shape: FieldShape { .list(Element.shape) }

    func write(to writer: inout JSONWriter) { writer.array(self) { $1.write(to: &$0) } }

    var cell: CSVWriter.Field { .text(map { CSVWriter.plainText(of: $0.cell) }.joined(separator: ";")) }
}
