/// A report's JSON Schema (draft 2020-12), made of its declared fields.
///
/// Source: https://json-schema.org/draft/2020-12/schema
struct SchemaText {
    private let title: String
    private let objects: [ObjectInfo]
    private let place: Place
    /// Objects that occur in several places, in the order in which they are met.
    private var definitions: [(name: String, lines: [String])] = []

    /// Where definitions stand.
    struct Place {
        /// What a reference to one begins with.
        var reference = "#/$defs/"
        /// What goes before the names of objects, so that those of several reports can stand beside each other. A time is
        /// the same in all of them and has no owner.
        var owner = ""
    }

    /// A schema whose definitions are elsewhere, and these.
    struct Parts {
        let schema: String
        let definitions: [(name: String, schema: String)]
    }

    static func text<Value: ReportValue>(of value: Value.Type) -> String {
        text(title: value.shape.command, of: [value])
    }

    /// One schema of all that a report can be answered with: an object in any case.
    static func text(title: String, of answers: [any ReportValue.Type]) -> String {
        var schema = SchemaText(title: title, objects: answers.map { info(of: $0) }, place: Place())
        return schema.made()
    }

    static func parts<Value: ReportValue>(of value: Value.Type, place: Place) -> Parts {
        var schema = SchemaText(title: value.shape.command, objects: [info(of: value)], place: place)
        let members = schema.wholeMembers()
        let definitions = scalars + schema.definitions.map { (place.owner + $0.name, $0.lines) }
        return Parts(
            schema: object(["\"title\": \(quoted(schema.title)),"] + members),
            definitions: definitions.map { ($0.name, object($0.lines)) })
    }

    private static func object(_ lines: [String]) -> String { "{\n" + lines.joined(separator: "\n") + "\n}" }

    private static func info<Value: ReportValue>(of value: Value.Type) -> ObjectInfo { value.shape.object.info }

    private init(title: String, objects: [ObjectInfo], place: Place) {
        self.title = title
        self.objects = objects
        self.place = place
    }

    private mutating func wholeMembers() -> [String] {
        let version = FieldInfo(
            key: "version", meaning: "It rises when a reader of the older shape would break.",
            shape: .constant(JSONWriter.version))
        let generatedAt = FieldInfo(key: "generatedAt", meaning: "The wall clock's time.", shape: .time)
        let wholes = objects.map { ObjectInfo(name: nil, meaning: nil, fields: [version, generatedAt] + $0.fields) }
        if wholes.count == 1 { return members(of: wholes[0]) }
        var lines = [#""type": "object","#, #""anyOf": ["#]
        for (index, whole) in wholes.enumerated() {
            lines += ["  {"] + members(of: whole).indented.indented
            lines.append("  }" + (index < wholes.count - 1 ? "," : ""))
        }
        return lines + ["]"]
    }

    private mutating func made() -> String {
        var lines = ["{"]
        lines.append(#"  "$schema": "https://json-schema.org/draft/2020-12/schema","#)
        lines.append("  \"title\": \(Self.quoted(title)),")
        lines += wholeMembers().indented + [","]
        lines.append("  \"$defs\": {")
        let named = Self.scalars + definitions
        for (index, definition) in named.enumerated() {
            lines += ["\(Self.quoted(definition.name)): {"].indented.indented
            lines += definition.lines.indented.indented.indented
            lines.append("    }" + (index < named.count - 1 ? "," : ""))
        }
        lines += ["  }", "}"]
        return lines.joined(separator: "\n").replacing("\n,\n", with: ",\n") + "\n"
    }

    /// What scalars of a known form are.
    private static let scalars: [(name: String, lines: [String])] = [
        (
            "time",
            [
                #""type": "string","#,
                #""pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","#,
                #""description": "ISO 8601 in UTC.""#,
            ]
        ),
        (
            "date",
            [
                #""type": "string","#, #""pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$","#,
                #""description": "A day, of the watchlist's time zone unless said otherwise.""#,
            ]
        ),
        (
            "change",
            [
                #""anyOf": [{"type": "integer"}, {"enum": ["entered", "left", null]}],"#,
                #""description": "Places gained; negative when lost; 0 also where absent at both moments; null: not known.""#,
            ]
        ),
    ]

    /// `"type": "object", …` of an object, without its braces.
    private mutating func members(of object: ObjectInfo) -> [String] {
        var lines = [#""type": "object","#]
        if let meaning = object.meaning { lines.append("\"description\": \(Self.quoted(meaning)),") }
        let required = object.fields.filter { !$0.isOptional }.map { Self.quoted($0.key) }
        lines.append("\"required\": [" + required.joined(separator: ", ") + "],")
        lines.append(#""additionalProperties": false,"#)
        lines.append(#""properties": {"#)
        for (index, field) in object.fields.enumerated() {
            lines.append("  \(Self.quoted(field.key)): {")
            lines += self.lines(of: field).indented.indented
            lines.append("  }" + (index < object.fields.count - 1 ? "," : ""))
        }
        lines.append("}")
        return lines
    }

    private mutating func lines(of field: FieldInfo) -> [String] {
        var lines = schema(of: field.shape)
        guard let meaning = field.meaning, !lines.contains(where: { $0.hasPrefix("\"description\"") }) else {
            return lines
        }
        lines[lines.count - 1] += ","
        lines.append("\"description\": \(Self.quoted(meaning))")
        return lines
    }

    /// The keywords of a shape, a line each.
    private mutating func schema(of shape: FieldShape) -> [String] {
        switch shape {
        case .text: return [#""type": "string""#]
        case .constant(let number): return ["\"const\": \(number)"]
        case .pattern(let pattern): return [#""type": "string","#, "\"pattern\": \(Self.quoted(pattern))"]
        case .integer(let minimum, let maximum): return Self.numeric("integer", minimum, maximum)
        case .number(let minimum): return Self.numeric("number", minimum.map { Int($0) }, nil)
        case .flag: return [#""type": "boolean""#]
        case .time, .date, .change: return ["\"$ref\": \"\(place.reference)\(shape.definition)\""]
        case .word(let words): return ["\"enum\": [" + words.map(Self.quoted).joined(separator: ", ") + "]"]
        case .list(let element):
            return [#""type": "array","#, #""items": {"#] + schema(of: element).indented + ["}"]
        case .object(let info):
            guard let name = info.name else { return members(of: info) }
            if !definitions.contains(where: { $0.name == name }) {
                definitions.append((name, []))
                let place = definitions.count - 1
                let lines = members(of: info)
                definitions[place].lines = lines
            }
            return ["\"$ref\": \"\(place.reference)\(place.owner)\(name)\""]
        case .optional(.word(let words)):
            return ["\"enum\": [" + (words.map(Self.quoted) + ["null"]).joined(separator: ", ") + "]"]
        case .optional(let wrapped):
            var inner = schema(of: wrapped)
            if inner[0].hasPrefix("\"type\": \""), !wrapped.isObject {
                // `"type": "string"` becomes `"type": ["string", "null"]`.
                let type = inner[0].split(separator: "\"")[2]
                inner[0] = "\"type\": [\"\(type)\", \"null\"]" + (inner[0].hasSuffix(",") ? "," : "")
                return inner
            }
            return [#""anyOf": ["#, "  {"] + inner.indented.indented + ["  },", #"  {"type": "null"}"#, "]"]
        }
    }

    private static func numeric(_ type: String, _ minimum: Int?, _ maximum: Int?) -> [String] {
        let limits = [minimum.map { "\"minimum\": \($0)" }, maximum.map { "\"maximum\": \($0)" }].compactMap(\.self)
        return (["\"type\": \"\(type)\""] + limits).commaSeparated
    }

    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return writer.text
    }
}

extension ReportRequest {
    /// The JSON Schema of whatever the report can be answered with; its type is `object`.
    package static var schemaText: String { SchemaText.text(title: about.command, of: answers) }
}

extension FieldShape {
    fileprivate var definition: String {
        switch self {
        case .time: "time"
        case .date: "date"
        default: "change"
        }
    }

    fileprivate var isObject: Bool { if case .object = self { true } else { false } }
}

extension [String] {
    fileprivate var indented: [String] { map { "  " + $0 } }
    fileprivate var commaSeparated: [String] {
        enumerated().map { $0.offset < count - 1 ? $0.element + "," : $0.element }
    }
}
