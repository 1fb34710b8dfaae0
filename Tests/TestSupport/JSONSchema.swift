import Foundation

/// As much of JSON Schema (draft 2020-12) as the documents in `docs/json` need. A keyword that is not known is a mistake
/// of the schema, since it would check nothing.
package struct JSONSchema {
    /// What references lead through.
    private let root: ParsedJSON
    private let schema: ParsedJSON

    package init(_ text: String) throws {
        root = try ParsedJSON(text)
        schema = root
    }

    /// A schema within a document.
    package init(_ schema: ParsedJSON, in document: ParsedJSON) {
        root = document
        self.schema = schema
    }

    /// `docs/json/NAME.schema.json` of this package.
    package init(named name: String, file: String = #filePath) throws {
        let package = URL(filePath: file).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        let path = "\(package)/docs/json/\(name).schema.json"
        try self.init(String(contentsOfFile: path, encoding: .utf8))
    }

    /// What is wrong with `document`, each with where: `/standings/0/position: …`.
    package func violations(of document: String) throws -> [String] {
        try violations(of: ParsedJSON(document), by: schema, at: "")
    }

    package struct Mistake: Error, CustomStringConvertible {
        package var description: String
    }

    private static let known: Set = [
        "$schema", "$id", "$ref", "$defs", "title", "description", "type", "properties", "required",
        "additionalProperties", "items", "minItems", "maxItems", "enum", "const", "anyOf", "pattern", "minimum",
        "maximum", "minLength",
    ]

    private func violations(of value: ParsedJSON, by schema: ParsedJSON, at place: String) throws -> [String] {
        guard case .object(let keywords) = schema else {
            guard case .bool(let admits) = schema else { throw Mistake(description: "\(place): not a schema") }
            return admits ? [] : ["\(place): must not be there"]
        }
        for keyword in keywords.keys where !Self.known.contains(keyword) {
            throw Mistake(description: "the schema of “\(place)” has “\(keyword)”, which is not known here")
        }
        var found: [String] = []
        if case .string(let reference)? = keywords["$ref"] {
            found += try violations(of: value, by: definition(reference), at: place)
        }
        if let type = keywords["type"], !Self.admits(type, value.type) {
            found.append("\(place): is \(value.type)")
        }
        if let constant = keywords["const"], constant != value { found.append("\(place): is not the constant") }
        if case .array(let values)? = keywords["enum"], !values.contains(value) {
            found.append("\(place): is none of the values")
        }
        if case .array(let choices)? = keywords["anyOf"],
            try !choices.contains(where: { try violations(of: value, by: $0, at: place).isEmpty })
        {
            found.append("\(place): fits no choice")
        }
        switch value {
        case .number(let number): found += Self.limits(number, keywords, place)
        case .string(let text): found += try Self.text(text, keywords, place)
        case .array(let elements): found += try self.elements(elements, keywords, place)
        case .object(let members): found += try self.members(members, keywords, place)
        case .null, .bool: break
        }
        return found
    }

    private func definition(_ reference: String) throws -> ParsedJSON {
        guard reference.hasPrefix("#/"), let found = root[pointer: String(reference.dropFirst())] else {
            throw Mistake(description: "\(reference) is not defined")
        }
        return found
    }

    private static func admits(_ wanted: ParsedJSON, _ type: String) -> Bool {
        switch wanted {
        case .string(let name): name == type || name == "number" && type == "integer"
        case .array(let names): names.contains { admits($0, type) }
        default: false
        }
    }

    private static func limits(_ number: Double, _ keywords: [String: ParsedJSON], _ place: String) -> [String] {
        var found: [String] = []
        if case .number(let least)? = keywords["minimum"], number < least { found.append("\(place): below \(least)") }
        if case .number(let most)? = keywords["maximum"], number > most { found.append("\(place): above \(most)") }
        return found
    }

    private static func text(_ text: String, _ keywords: [String: ParsedJSON], _ place: String) throws -> [String] {
        var found: [String] = []
        if case .string(let pattern)? = keywords["pattern"], try Regex(pattern).firstMatch(in: text) == nil {
            found.append("\(place): does not match \(pattern)")
        }
        if case .number(let least)? = keywords["minLength"], Double(text.unicodeScalars.count) < least {
            found.append("\(place): is too short")
        }
        return found
    }

    private func elements(
        _ elements: [ParsedJSON], _ keywords: [String: ParsedJSON], _ place: String
    ) throws -> [String] {
        var found: [String] = []
        if case .number(let least)? = keywords["minItems"], Double(elements.count) < least {
            found.append("\(place): has too few elements")
        }
        if case .number(let most)? = keywords["maxItems"], Double(elements.count) > most {
            found.append("\(place): has too many elements")
        }
        if let schema = keywords["items"] {
            for (index, element) in elements.enumerated() {
                found += try violations(of: element, by: schema, at: "\(place)/\(index)")
            }
        }
        return found
    }

    private func members(
        _ members: [String: ParsedJSON], _ keywords: [String: ParsedJSON], _ place: String
    ) throws -> [String] {
        var found: [String] = []
        if case .array(let required)? = keywords["required"] {
            for case .string(let name) in required where members[name] == nil {
                found.append("\(place)/\(name): is missing")
            }
        }
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            if let schema = keywords["properties"]?[name] {
                found += try violations(of: member, by: schema, at: "\(place)/\(name)")
            } else if let rest = keywords["additionalProperties"] {
                found += try violations(of: member, by: rest, at: "\(place)/\(name)")
            }
        }
        return found
    }
}
