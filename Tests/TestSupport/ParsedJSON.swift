import Foundation

/// Any JSON, with `true` told apart from `1`.
package indirect enum ParsedJSON: Hashable, Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([ParsedJSON])
    case object([String: ParsedJSON])

    package init(_ text: String) throws { self = try JSONDecoder().decode(ParsedJSON.self, from: Data(text.utf8)) }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let array = try? container.decode([ParsedJSON].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: ParsedJSON].self))
        }
    }

    /// As JSON Schema calls it; a whole number is an `integer` too.
    package var type: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number(let number): number == number.rounded() ? "integer" : "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    package subscript(key: String) -> ParsedJSON? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// What a JSON Pointer such as `/components/schemas` names. Source: RFC 6901.
    package subscript(pointer pointer: String) -> ParsedJSON? {
        pointer.split(separator: "/").reduce(Optional(self)) { found, step in
            found?[String(step).replacing("~1", with: "/").replacing("~0", with: "~")]
        }
    }
}
