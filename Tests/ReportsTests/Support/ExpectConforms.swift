import TestSupport
import Testing

/// That `document` is what `docs/json/NAME.schema.json` says.
func expectConforms(
    _ document: String, to name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let violations = try JSONSchema(named: name).violations(of: document)
    #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))\n\(document)", sourceLocation: sourceLocation)
}
