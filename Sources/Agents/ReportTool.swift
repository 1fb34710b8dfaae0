import RankKit
import Reports

/// A report as a tool: what it is called, how it is asked, what it answers with.
enum ReportTool {
    static func named(_ name: String) -> (any ReportRequest.Type)? {
        ReportCatalogue.reports.first { $0.about.name == name }
    }

    /// What `tools/list` says of it.
    static func description<Request: ReportRequest>(of request: Request.Type, limit: Int) throws -> JSONValue {
        let about = request.about
        let words = [
            about.abstract.plainOptions, discussion(of: request).plainOptions,
            "It tells what rankd has recorded by now; it does not ask the App Store and changes nothing.",
            "Text and data have at most \(limit) bytes each: the answer says what it left out and how to narrow it.",
        ]
        return [
            "name": .string(about.name), "title": .string(about.name.prefix(1).uppercased() + about.name.dropFirst()),
            "description": .string(words.filter { !$0.isEmpty }.joined(separator: " ")),
            "inputSchema": inputSchema(of: request.options),
            "outputSchema": try JSONValue(parsing: Array(request.schemaText.utf8)),
            "annotations": [
                "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false,
            ],
        ]
    }

    /// What is said about the report, up to where the command line's own options are told of.
    private static func discussion<Request: ReportRequest>(of request: Request.Type) -> String {
        let known = Set(request.options.map(\.name))
        let sentences = request.about.discussion.replacing("\n", with: " ").split(separator: ". ")
        let kept = sentences.prefix { sentence in
            sentence.matches(of: /--([a-z-]+)/).allSatisfy { known.contains(String($0.1)) }
        }
        return kept.joined(separator: ". ") + (kept.count < sentences.count && !kept.isEmpty ? "." : "")
    }

    private static func inputSchema(of options: [RequestOption]) -> JSONValue {
        [
            "type": "object",
            "properties": .object(options.map { JSONValue.Member(key: $0.name, value: schema(of: $0)) }),
            "required": .array(options.filter(\.isRequired).map { .string($0.name) }),
            "additionalProperties": false,
        ]
    }

    private static func schema(of option: RequestOption) -> JSONValue {
        let one: JSONValue =
            switch option.kind {
            case .flag: ["type": "boolean"]
            case .text: ["type": "string"]
            case .wholeNumber: number(upTo: option.most)
            case .word: ["type": "string", "enum": .array(option.values.map { .string($0) })]
            }
        var described: JSONValue = option.isRepeating ? ["type": "array", "items": one] : one
        // Such as “alias or bundle id”; one word repeats the name.
        let isNamed = option.kind == .text && option.valueName.contains(" ")
        let meaning = option.meaning.plainOptions + (isNamed ? " (\(option.valueName))" : "")
        described = described.adding(["description": .string(meaning)])
        guard let value = option.defaultValue, !option.isRepeating else { return described }
        return described.adding(["default": option.kind == .wholeNumber ? .number(value) : .string(value)])
    }

    /// Numbers go from 1.
    private static func number(upTo most: Int?) -> JSONValue {
        let least: JSONValue = ["type": "integer", "minimum": .number("1")]
        return most.map { least.adding(["maximum": .number(String($0))]) } ?? least
    }

    /// A call's arguments as names and values.
    ///
    /// - Throws: `ReportRefusal` for what no option can be.
    static func parameters(_ arguments: JSONValue?, _ options: [RequestOption]) throws(ReportRefusal)
        -> [RequestParameter]
    {
        guard let arguments, arguments != .null else { return [] }
        guard case .object(let members) = arguments else { throw .option("the arguments are not an object") }
        var parameters: [RequestParameter] = []
        for member in members {
            let option = options.first { $0.name == member.key }
            switch member.value {
            case .null: break
            case .array(let elements):
                guard option?.isRepeating ?? true else { throw .option("\(member.key) is a list: give one value") }
                for element in elements { parameters.append(try parameter(member.key, element, option)) }
            default: parameters.append(try parameter(member.key, member.value, option))
            }
        }
        return parameters
    }

    private static func parameter(_ name: String, _ value: JSONValue, _ option: RequestOption?) throws(ReportRefusal)
        -> RequestParameter
    {
        switch (value, option?.kind) {
        case (.string(let text), _): return RequestParameter(name, text)
        case (.bool(let flag), .flag?), (.bool(let flag), nil): return RequestParameter(name, flag ? "true" : "false")
        case (.number(let text), .wholeNumber?), (.number(let text), .text?), (.number(let text), nil):
            // 7.0 is as whole as 7.
            return RequestParameter(name, text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
        default: throw .option("\(name) cannot be that: \(option?.meaning.plainOptions ?? "write text")")
        }
    }

    /// Which of the options make an answer smaller.
    static func narrowing(_ options: [RequestOption]) -> [String] {
        options.map(\.name).filter { narrowing.contains($0) }
    }

    private static let narrowing: Set<String> = [
        "app", "query", "country", "platform", "tag", "since", "until", "days", "text", "limit",
    ]
}

extension String {
    /// The names of options as arguments have them, without the hyphens of the command line.
    fileprivate var plainOptions: String { replacing(/--([a-z-]+)/) { "`\($0.1)`" } }
}
