import HTTPTypes
import RankKit
import Reports

/// The description of the API, made of the catalogue of reports.
///
/// Source: OpenAPI Specification 3.1.0.
struct OpenAPI: Sendable {
    /// What the site's session cookie is called.
    var sessionCookie = "rankweb"
    /// Under which path the site is found; nothing where it has its host to itself.
    var base = ""
    /// Whether the site asks the App Store when somebody searches.
    var hasSearch = true

    static let schemaFolder = "#/components/schemas/"

    var document: JSONTree {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "rankd", "version": .text(Release.version),
                "summary": "Where apps stand in the App Store's search results.",
                "description":
                    "One address for each report, with the same names and meanings as on the command line. The API only reads: nothing here changes the history or the watchlist.",
            ],
            "servers": [["url": .text(base.isEmpty ? "/" : base)]],
            "security": [["token": []], ["session": []]],
            "tags": .list(tags),
            "paths": .object(paths),
            "components": [
                "schemas": .object(schemas), "responses": .object(problemResponses), "headers": headers,
                "securitySchemes": [
                    "token": [
                        "type": "http", "scheme": "bearer",
                        "description": "A token of rankweb's token file. A token can be limited to some tags.",
                    ],
                    "session": [
                        "type": "apiKey", "in": "cookie", "name": .text(sessionCookie),
                        "description": "What a browser has after logging in.",
                    ],
                ],
            ],
        ]
    }

    private var tags: [JSONTree] {
        var tags: [JSONTree] = [
            ["name": "reports", "description": "Made of the history."],
            ["name": "description", "description": "What there is."],
        ]
        if hasSearch { tags.append(["name": "search", "description": "Asks the App Store."]) }
        return tags
    }

    private var paths: [(key: String, value: JSONTree)] {
        var paths: [(key: String, value: JSONTree)] = [
            (
                APIAddress.list,
                Self.operation(
                    "reports", tag: "description", "Lists the reports.", [], Self.json("report-list"), Self.always)
            ),
            (
                APIAddress.description,
                Self.operation(
                    "openapi", tag: "description", "This description.", [],
                    ["application/json": ["schema": ["type": "object"]]], Self.always)
            ),
        ]
        for report in ReportCatalogue.reports {
            for (index, address) in APIAddress.all(of: report).enumerated() {
                let id = (index == 0 ? "report-" : "short-") + report.about.name
                paths.append((address, Self.operation(report, id: id)))
            }
        }
        if hasSearch { paths.append((APIAddress.search, Self.search)) }
        return paths
    }

    private static func operation(_ report: any ReportRequest.Type, id: String) -> JSONTree {
        let about = report.about
        let answers = report.answerDescriptions
        let more = about.discussion.isEmpty ? "" : "\n\n\(about.discussion)"
        let examples = report.examples(.documented).map { example in
            "    " + APIAddress.with(report.parameters(example.arguments), APIAddress.full(report))
        }
        let references = answers.map { reference($0.name) }
        let schema: JSONTree = references.count == 1 ? references[0] : ["anyOf": .list(references)]
        let grains = answers.map { "A line is \($0.grain)." }.joined(separator: " ")
        let content = ReportFormat.inOrder.map { format -> (key: String, value: JSONTree) in
            let text: JSONTree =
                format == .csv
                ? ["type": "string", "description": .text("RFC 4180, with a header. \(grains)")] : ["type": "string"]
            return (format.mediaType, ["schema": format == .json ? schema : text])
        }
        return operation(
            id, tag: "reports", about.abstract,
            description: "The same as `\(about.command)`. For example:\n\n"
                + examples.joined(separator: "\n") + more,
            parameters(of: report), .object(content), always + [.usage, .noSuchName, .noHistory])
    }

    /// What every address can answer with beside what is asked for.
    static let always: [Problem.Kind] = [
        .notLoggedIn, .notAllowed, .onlyReading, .noSuchForm, .tooLong, .tooLarge, .wrongHost, .tooOften, .longHeaders,
        .failed, .tooBusy,
    ]

    static func operation(
        _ id: String, tag: String, _ summary: String, description: String? = nil, _ parameters: [JSONTree],
        _ content: JSONTree, _ problems: [Problem.Kind]
    ) -> JSONTree {
        var responses: [(key: String, value: JSONTree)] = [
            (
                "200",
                [
                    "description": "What was asked for.",
                    "headers": [
                        Remarks.name: ["$ref": .text("#/components/headers/" + Remarks.name)],
                        "ETag": ["$ref": "#/components/headers/ETag"],
                    ],
                    "content": content,
                ]
            ),
            ("304", ["description": "Nothing has changed since the answer that If-None-Match names."]),
        ]
        for code in Set(problems.map(\.status.code)).sorted() {
            responses.append((String(code), ["$ref": .text("#/components/responses/\(code)")]))
        }
        var members: [(key: String, value: JSONTree)] = [
            ("operationId", .text(id)), ("tags", .list([.text(tag)])), ("summary", .text(summary)),
        ]
        if let description { members.append(("description", .text(description))) }
        if !parameters.isEmpty { members.append(("parameters", .list(parameters))) }
        members.append(("responses", .object(responses)))
        return ["get": .object(members)]
    }

    private var headers: JSONTree {
        [
            Remarks.name: [
                "description":
                    "Remarks about the report: a list of Display Strings (RFC 9651), so names are percent-encoded UTF-8.",
                "schema": ["type": "string"],
            ],
            "ETag": [
                "description": "Send this as If-None-Match: if the answer has not changed, it is not sent again.",
                "schema": ["type": "string"],
            ],
        ]
    }

    /// A response for each status, since a description has one place for each.
    private var problemResponses: [(key: String, value: JSONTree)] {
        var codes: [Int] = []
        for kind in Problem.Kind.allCases where !codes.contains(kind.status.code) { codes.append(kind.status.code) }
        return codes.sorted().map { code in
            let kinds = Problem.Kind.allCases.filter { $0.status.code == code }
            var response: [(key: String, value: JSONTree)] = [
                ("description", .text(kinds.map { "`\($0.address)`: \($0.meaning)" }.joined(separator: " "))),
                ("content", [Problem.mediaType: ["schema": ["$ref": .text(Self.schemaFolder + "problem")]]]),
            ]
            if kinds.contains(.tooOften) || kinds.contains(.storePaused) {
                response.append(
                    (
                        "headers",
                        [
                            "Retry-After": [
                                "description": "Seconds to wait.", "schema": ["type": "integer", "minimum": 0],
                            ]
                        ]
                    ))
            }
            return (String(code), .object(response))
        }
    }
}
