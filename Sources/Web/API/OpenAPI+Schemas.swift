import Reports

extension OpenAPI {
    static func reference(_ name: String) -> JSONTree { ["$ref": .text(schemaFolder + name)] }

    static func json(_ name: String) -> JSONTree { ["application/json": ["schema": reference(name)]] }

    /// Of every answer and all that they refer to, once each.
    var schemas: [(key: String, value: JSONTree)] {
        var schemas: [(key: String, value: JSONTree)] = [("problem", Self.problem), ("report-list", ReportList.schema)]
        var known: Set<String> = []
        let answers = ReportCatalogue.reports.flatMap { $0.answerDescriptions }
        for answer in answers + (hasSearch ? [AnswerDescription(SearchReport.self)] : []) {
            for (name, schema) in answer.schemas(in: Self.schemaFolder) where known.insert(name).inserted {
                schemas.append((name, .written(schema)))
            }
        }
        return schemas
    }

    private static let problem: JSONTree = [
        "type": "object", "description": "Why there is no answer (RFC 9457).",
        "required": ["type", "title", "status", "detail"],
        "properties": [
            "type": [
                "enum": .list(Problem.Kind.allCases.map { .text($0.address) }),
                "description": "The kind of problem. Programs should decide by this.",
            ],
            "title": ["type": "string", "description": "The same for all problems of the kind."],
            "status": ["type": "integer", "minimum": 400, "maximum": 599],
            "detail": ["type": "string", "description": "For people, in the words of the terminal."],
            "instance": ["type": "string", "description": "The path that was asked for."],
        ],
    ]
}
