import Reports

extension AgentServer {
    /// What `tools/list` shows.
    var tools: [JSONValue] { ReportTool.all.map { ReportTool.description(of: $0) } }

    func call(_ params: JSONValue) throws(ProtocolError) -> JSONValue {
        guard let name = params["name"]?.text else { throw .parameters("the tool's name is missing") }
        guard let report = ReportTool.named(name) else {
            throw .parameters("there is no tool \(ForeignText.quoted(name)); the tools are \(ReportTool.names)")
        }
        do {
            var arguments = params["arguments"]
            let form = try AnswerForm(takingFrom: &arguments)
            let answer = try answer(report, form, limit: limit) { options throws(ReportRefusal) in
                try ReportTool.parameters(arguments, options)
            }
            return Self.result(of: answer)
        } catch {
            guard let words = Self.words(for: error) else { throw .failure("the report could not be made") }
            var content: [JSONValue] = [["type": "text", "text": .string(words)]]
            // It may name apps that come near.
            if case .noApp? = error as? ReportRefusal {
                content.append(["type": "text", "text": .string(ForeignText.warning)])
            }
            return ["content": .array(content), "isError": true]
        }
    }

    /// - Parameters:
    ///   - limit: in bytes.
    ///   - parameters: made of the options that the report has.
    func answer<Request: ReportRequest>(
        _ report: Request.Type, _ form: AnswerForm, limit: Int,
        _ parameters: ([RequestOption]) throws(ReportRefusal) -> [RequestParameter]
    ) throws -> ReportAnswer {
        let request = try report.request(try parameters(report.options))
        return try withContext { context, remarks in
            try ReportAnswer(request, in: context, remarks: remarks, form: form, limit: limit)
        }
    }

    private static func result(of answer: ReportAnswer) -> JSONValue {
        var result: JSONValue = ["content": [["type": "text", "text": .string(answer.marked)]]]
        if let data = answer.data { result = result.adding(["structuredContent": data]) }
        var meta: JSONValue = [
            "rankd/foreignText": .string(ForeignText.warning),
            "rankd/notes": .array(answer.notes.map { .string($0) }),
            "rankd/leftOut": .array(
                answer.cuts.map {
                    ["list": .string($0.list), "shown": .number(String($0.shown)), "of": .number(String($0.of))]
                }),
        ]
        if let next = answer.next { meta = meta.adding(["rankd/next": ["offset": .number(String(next))]]) }
        return result.adding(["isError": .bool(answer.isTooLarge), "_meta": meta])
    }
}
