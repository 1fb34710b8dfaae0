import Reports

extension OpenAPI {
    /// What a report can be asked with: its options, and the form.
    static func parameters(of report: any ReportRequest.Type) -> [JSONTree] {
        let examples = report.examples(.documented).flatMap { report.parameters($0.arguments) }
        return report.options.map { option in
            parameter(option, examples.filter { $0.name == option.name }.map(\.value))
        } + form(of: report)
    }

    /// - Parameter examples: values that the report's examples have.
    private static func parameter(_ option: RequestOption, _ examples: [String]) -> JSONTree {
        let one = schema(of: option)
        var members: [(key: String, value: JSONTree)] = [
            ("name", .text(option.name)), ("in", "query"), ("description", .text(option.meaning)),
            ("required", .flag(option.isRequired)),
        ]
        if option.isRepeating {
            let array: JSONTree = ["type": "array", "maxItems": .number(AnswerForm.mostRepeated), "items": one]
            members += [("style", "form"), ("explode", true), ("schema", array)]
        } else {
            members.append(("schema", one))
        }
        if option.kind == .flag { members.append(("allowEmptyValue", true)) }
        if let example = examples.first {
            let value: JSONTree =
                switch option.kind {
                case .flag: true
                case .wholeNumber: Int(example).map { .number($0) } ?? .text(example)
                case .text, .word: .text(example)
                }
            members.append(("example", option.isRepeating ? [value] : value))
        }
        return .object(members)
    }

    /// Of one value.
    private static func schema(of option: RequestOption) -> JSONTree {
        var members: [(key: String, value: JSONTree)]
        switch option.kind {
        case .flag: members = [("type", "boolean"), ("default", false)]
        case .wholeNumber:
            members = [("type", "integer"), ("minimum", 1)]
            if let most = option.most { members.append(("maximum", .number(most))) }
            if let number = option.defaultValue.flatMap({ Int($0) }) { members.append(("default", .number(number))) }
        case .word: members = [("enum", .list(option.values.map { .text($0) }))]
        case .text:
            members = [("type", "string"), ("maxLength", .number(AnswerForm.longestValue))]
            if option.isRequired { members.append(("minLength", 1)) }
        }
        if option.kind == .text || option.kind == .word, let text = option.defaultValue {
            members.append(("default", .text(text)))
        }
        return .object(members)
    }

    private static func form(of report: any ReportRequest.Type) -> [JSONTree] {
        let answers = report.answerDescriptions
        let columns = answers.map { answer in
            (answers.count > 1 ? "\(answer.name): " : "") + answer.columns.joined(separator: ", ")
                + (answer.moreColumns.map { "; then \($0)" } ?? "")
        }
        return [
            [
                "name": .text(AnswerForm.formatName), "in": "query", "required": false,
                "description": "The form of the answer. Without it, Accept chooses; the default is JSON.",
                "schema": ["enum": .list(ReportFormat.inOrder.map { .text($0.rawValue) })],
            ],
            [
                "name": .text(AnswerForm.columnsName), "in": "query", "required": false,
                "description": .text(
                    "For CSV alone: short (the usual ones), all, or names between commas. The columns are "
                        + columns.joined(separator: ". ") + "."),
                "schema": [
                    "type": "string", "default": "short", "maxLength": .number(AnswerForm.longestColumns),
                ],
            ],
        ]
    }

    /// The one address that asks the App Store. It records nothing.
    static var search: JSONTree {
        let options: [(name: String, meaning: String, schema: JSONTree, isRequired: Bool)] = [
            (
                "query", "The search text.",
                ["type": "string", "minLength": 1, "maxLength": .number(AnswerForm.longestValue)], true
            ),
            ("country", "The country of the search: two letters.", ["type": "string", "default": "us"], false),
            (
                "platform", "The platform.", ["enum": ["iphone", "ipad", "mac"], "default": "iphone"], false
            ),
            ("language", "Apple's language code, such as en_us.", ["type": "string"], false),
        ]
        let parameters = options.map { option -> JSONTree in
            [
                "name": .text(option.name), "in": "query", "description": .text(option.meaning),
                "required": .flag(option.isRequired), "schema": option.schema,
            ]
        }
        return operation(
            "search", tag: "search", "What the App Store answers now. Nothing is recorded.",
            description:
                "The same as `\(AnswerDescription(SearchReport.self).command)`. It uses requests of rankd's pace, so at most three searches a minute are possible.",
            parameters, json(AnswerDescription(SearchReport.self).name),
            always + [.usage, .storeFailed, .storePaused, .searchOff])
    }
}
