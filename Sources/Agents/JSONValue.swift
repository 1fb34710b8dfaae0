import JSON5
import RankKit

/// Any JSON, its members in their order and its numbers as they were written.
package indirect enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// As JSON writes it.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Sendable, Hashable {
        package let key: String
        package var value: JSONValue
    }

    /// Why bytes are no JSON.
    struct Mistake: Error {}

    /// - Throws: `Mistake` for what is not JSON, or nested more than 64 deep.
    package init(parsing bytes: [UInt8]) throws {
        do { self = try JSONValue(JSON5Parser.parse(bytes), in: bytes) } catch { throw Mistake() }
    }

    /// - Throws: `Mistake` for what only JSON5 would permit.
    private init(_ node: JSON5Node, in bytes: [UInt8]) throws(Mistake) {
        switch node.value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number:
            let text = String(decoding: bytes[node.range], as: UTF8.self)
            guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else { throw Mistake() }
            self = .number(text)
        case .string(let text):
            guard bytes[node.range.lowerBound] == UInt8(ascii: "\"") else { throw Mistake() }
            self = .string(text)
        case .array(let nodes):
            var elements: [JSONValue] = []
            for node in nodes { elements.append(try JSONValue(node, in: bytes)) }
            self = .array(elements)
        case .object(let nodes):
            var members: [Member] = []
            for node in nodes {
                guard bytes[node.keyRange.lowerBound] == UInt8(ascii: "\"") else { throw Mistake() }
                members.append(Member(key: node.key, value: try JSONValue(node.value, in: bytes)))
            }
            self = .object(members)
        }
    }
}

extension JSONValue {
    /// The value of a key of this object.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    package var text: String? { if case .string(let text) = self { text } else { nil } }
    package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    package var isObject: Bool { if case .object = self { true } else { false } }

    /// The same object with more members at its end.
    func adding(_ more: JSONValue) -> JSONValue {
        guard case .object(let members) = self, case .object(let others) = more else { return self }
        return .object(members + others)
    }

    /// On one line.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let flag): bytes += (flag ? "true" : "false").utf8
        case .number(let text): bytes += text.utf8
        case .string(let text): JSONString.append(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONString.append(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .string(text) }
    package init(booleanLiteral flag: Bool) { self = .bool(flag) }
    package init(integerLiteral number: Int) { self = .number(String(number)) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { Member(key: $0.0, value: $0.1) })
    }
}
