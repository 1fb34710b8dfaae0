import Alerts
import RankKit
import Reports

/// A report as a tool: what it is called, how it is asked, what it answers with.
enum ReportTool {
    /// Every report of the catalogue, and those that the command line has beside it which change nothing.
    static let all: [any ReportRequest.Type] =
        ReportCatalogue.reports + [PlanRequest.self, WatchlistRequest.self, AlertPreviewRequest.self]

    static func named(_ name: String) -> (any ReportRequest.Type)? { all.first { $0.about.name == name } }

    static var names: String { all.map { $0.about.name }.joined(separator: ", ") }

    /// What `tools/list` says of it. It has no schema of its answers: they are text, and the shapes of their data would
    /// be most of the list. `rankd://shapes/NAME` has each.
    static func description<Request: ReportRequest>(of request: Request.Type) -> JSONValue {
        let about = request.about
        let words = [about.abstract.plainOptions, discussion(of: request).plainOptions]
        return [
            "name": .string(about.name),
            "description": .string(words.filter { !$0.isEmpty }.joined(separator: " ")),
            "inputSchema": inputSchema(of: request.options),
            "annotations": ["readOnlyHint": true, "openWorldHint": false],
        ]
    }

    /// Tools that have to take an argument in one meaning before the instructions tell it once for all of them.
    private static let fewestSharing = 4

    /// What arguments mean that several tools have, by their names.
    private static let shared: [(name: String, meaning: String)] = {
        var counts: [[String]: Int] = [:]
        var shared: [(name: String, meaning: String)] = []
        for option in all.flatMap({ $0.options }) {
            let meaning = ReportTool.meaning(of: option)
            counts[[option.name, meaning], default: 0] += 1
            if counts[[option.name, meaning]] == fewestSharing, !shared.contains(where: { $0.name == option.name }) {
                shared.append((option.name, meaning))
            }
        }
        return shared
    }()

    /// For the instructions.
    static var sharedMeanings: String { shared.map { "\($0.name): \($0.meaning)" }.joined(separator: " ") }

    private static func meaning(of option: RequestOption) -> String {
        // Nobody here has a screen that a table could fit.
        if option.kind == .flag, option.name == "all" { return "Show every row, not only the first ones." }
        // Such as “alias or bundle id”; one word repeats the name.
        let isNamed = option.kind == .text && option.valueName.contains(" ")
        let meaning = option.meaning.plainOptions
        guard isNamed else { return meaning }
        return meaning.hasSuffix(".")
            ? "\(meaning.dropLast()) (\(option.valueName))." : "\(meaning) (\(option.valueName))"
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
        let schema: JSONValue = [
            "type": "object",
            "properties": .object(
                options.map { JSONValue.Member(key: $0.name, value: Self.schema(of: $0)) } + AnswerForm.properties),
            "additionalProperties": false,
        ]
        let required = options.filter(\.isRequired).map { JSONValue.string($0.name) }
        return required.isEmpty ? schema : schema.adding(["required": .array(required)])
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
        let meaning = ReportTool.meaning(of: option)
        if !shared.contains(where: { $0.name == option.name && $0.meaning == meaning }) {
            described = described.adding(["description": .string(meaning)])
        }
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
