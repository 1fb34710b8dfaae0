import RankKit

/// Writes one JSON text, front to back, with its keys in the order in which they are written.
///
/// Strings keep every character; those that would act on a terminal are written as `\u` escapes, so that JSON is safe
/// to look at and still exact.
package struct JSONWriter {
    private var bytes: [UInt8] = []
    private var needsComma = false
    /// Takes what has been written, now and then; `nil` if all of it is wanted at once.
    private let drain: (([UInt8]) -> Void)?
    private static let mostHeld = 1 << 16

    package init(drain: (([UInt8]) -> Void)? = nil) { self.drain = drain }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The version that every document carries; it rises when a reader of the older shape would break.
    static let version = 1

    /// A report: `{"version": …, "generatedAt": …` and what `members` writes, with a line break at the end.
    mutating func document(generatedAt: Timestamp, _ members: (inout JSONWriter) -> Void) {
        object { writer in
            writer.member("version", Self.version)
            writer.member("generatedAt", generatedAt)
            members(&writer)
        }
        bytes.append(UInt8(ascii: "\n"))
        flush()
    }

    static func document(generatedAt: Timestamp, _ members: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        writer.document(generatedAt: generatedAt, members)
        return writer.text
    }

    private mutating func flush() {
        guard let drain else { return }
        drain(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        open("{")
        members(&self)
        close("}")
    }

    /// `name` is plain ASCII: it is not escaped.
    mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// - Parameter member: the name as it stands in JSON, quotes and colon included.
    mutating func key(encoded member: [UInt8]) {
        separate()
        bytes.append(contentsOf: member)
        needsComma = false
    }

    /// An array; `write` writes exactly one value. On lines of their own, elements can be compared with `diff`.
    package mutating func array<Elements: Sequence>(
        _ elements: Elements, linePerElement: Bool = false, _ write: (inout JSONWriter, Elements.Element) -> Void
    ) {
        open("[")
        for element in elements {
            if linePerElement {
                if bytes.count >= Self.mostHeld { flush() }
                separate()
                bytes.append(UInt8(ascii: "\n"))
                needsComma = false
            }
            write(&self, element)
        }
        if linePerElement { bytes.append(UInt8(ascii: "\n")) }
        close("]")
    }

    mutating func null() { value { $0.append(ascii: "null") } }

    mutating func bool(_ flag: Bool) { value { $0.append(ascii: flag ? "true" : "false") } }

    mutating func integer(_ number: some FixedWidthInteger) {
        value { writer in
            if number < 0 { writer.bytes.append(UInt8(ascii: "-")) }
            let start = writer.bytes.count
            var rest = UInt64(number.magnitude)
            repeat {
                writer.bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
            } while rest > 0
            writer.bytes[start...].reverse()
        }
    }

    /// `null` where `number` is not finite, which JSON cannot say.
    mutating func number(_ number: Double) {
        value { $0.append(ascii: number.isFinite ? "\(number)" : "null") }
    }

    /// ISO 8601 in UTC.
    mutating func timestamp(_ moment: Timestamp) {
        value { writer in
            writer.bytes.append(UInt8(ascii: "\""))
            CivilTime.appendISO8601(moment, to: &writer.bytes)
            writer.bytes.append(UInt8(ascii: "\""))
        }
    }

    mutating func string(_ text: String) { value { JSONString.append(text, to: &$0.bytes) } }

    /// A value that is JSON already.
    mutating func written(_ json: String) { value { $0.append(ascii: json) } }

    private mutating func value(_ write: (inout JSONWriter) -> Void) {
        separate()
        write(&self)
        needsComma = true
    }

    private mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        needsComma = false
    }

    private mutating func close(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func append(ascii text: String) { bytes.append(contentsOf: text.utf8) }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { string(text) } else { null() }
    }

    mutating func member(_ name: StaticString, _ number: (some FixedWidthInteger)?) {
        key(name)
        if let number { integer(number) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ number: Double?) {
        key(name)
        if let number { self.number(number) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ flag: Bool) {
        key(name)
        bool(flag)
    }

    mutating func member(_ name: StaticString, _ moment: Timestamp?) {
        key(name)
        if let moment { timestamp(moment) } else { null() }
    }

    /// An object, or `null` where `value` is `nil`.
    mutating func member<Value>(
        _ name: StaticString, _ value: Value?, _ members: (inout JSONWriter, Value) -> Void
    ) {
        key(name)
        if let value { object { members(&$0, value) } } else { null() }
    }
}
