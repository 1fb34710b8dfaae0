import TestSupport
import Testing

/// The validator that the documented shapes of JSON are checked with.
@Suite struct JSONSchemaTests {
    private func violations(_ document: String, _ schema: String) throws -> [String] {
        try JSONSchema(schema).violations(of: document)
    }

    @Test func `a type is one name or several, and a whole number is a number`() throws {
        #expect(try violations("1", #"{"type": "integer"}"#) == [])
        #expect(try violations("1", #"{"type": "number"}"#) == [])
        #expect(try violations("1.5", #"{"type": "integer"}"#) == [": is number"])
        #expect(try violations("null", #"{"type": ["string", "null"]}"#) == [])
        #expect(try violations("true", #"{"type": ["integer", "null"]}"#) == [": is boolean"])
        #expect(try violations("1", #"{"type": "boolean"}"#) == [": is integer"])
    }

    @Test func `members are required, checked, and refused where they are not named`() throws {
        let schema = #"""
            {"type": "object", "required": ["a"], "additionalProperties": false,
             "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}
            """#
        #expect(try violations(#"{"a": "x", "b": 1}"#, schema) == [])
        #expect(try violations(#"{"b": "1"}"#, schema) == ["/a: is missing", "/b: is string"])
        #expect(try violations(#"{"a": "x", "c": null}"#, schema) == ["/c: must not be there"])
    }

    @Test func `members that are not named can have a schema of their own`() throws {
        let schema = #"{"properties": {"a": true}, "additionalProperties": {"type": "integer"}}"#
        #expect(try violations(#"{"a": "x", "b": 1, "c": "2"}"#, schema) == ["/c: is string"])
    }

    @Test func `every element of an array is checked`() throws {
        let schema = #"{"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3}"#
        #expect(try violations("[1, 2]", schema) == [])
        #expect(try violations("[1, null]", schema) == ["/1: is null"])
        #expect(try violations("[]", schema) == [": has too few elements"])
        #expect(try violations("[1, 2, 3, 4]", schema) == [": has too many elements"])
    }

    @Test func `values are one of several, or one of several shapes`() throws {
        #expect(try violations(#""up""#, #"{"enum": ["up", "down"]}"#) == [])
        #expect(try violations(#""left""#, #"{"enum": ["up", "down"]}"#) == [": is none of the values"])
        #expect(try violations("2", #"{"const": 1}"#) == [": is not the constant"])
        let either = #"{"anyOf": [{"type": "integer"}, {"enum": ["left", null]}]}"#
        #expect(try violations("-3", either) == [])
        #expect(try violations("null", either) == [])
        #expect(try violations(#""entered""#, either) == [": fits no choice"])
    }

    @Test func `texts have patterns and numbers have limits`() throws {
        let date = #"{"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}"#
        #expect(try violations(#""2026-11-20""#, date) == [])
        #expect(try violations(#""20.11.2026""#, date).count == 1)
        let position = #"{"type": "integer", "minimum": 1, "maximum": 200}"#
        #expect(try violations("1", position) == [])
        #expect(try violations("0", position) == [": below 1.0"])
        #expect(try violations("201", position) == [": above 200.0"])
        #expect(try violations(#""""#, #"{"minLength": 1}"#) == [": is too short"])
    }

    @Test func `a reference stands for its definition, nested ones too`() throws {
        let schema = #"""
            {"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "object", "additionalProperties": false,
             "properties": {"left": {"$ref": "#/$defs/tree"}, "leaf": {"type": "integer"}}}}}
            """#
        #expect(try violations(#"{"left": {"left": {"leaf": 1}}}"#, schema) == [])
        #expect(try violations(#"{"left": {"left": {"leaf": "1"}}}"#, schema) == ["/left/left/leaf: is string"])
    }

    @Test func `a schema's own mistakes do not pass for agreement`() {
        #expect(throws: JSONSchema.Mistake.self) { try violations("1", #"{"typ": "string"}"#) }
        #expect(throws: JSONSchema.Mistake.self) { try violations("1", ##"{"$ref": "#/$defs/none"}"##) }
        #expect(throws: (any Error).self) { try violations("{", "{}") }
    }
}
