import Reports

extension AgentServer {
    /// What `tools/list` shows: one for each report of the catalogue.
    func tools() throws(ProtocolError) -> [JSONValue] {
        var tools: [JSONValue] = []
        for report in ReportCatalogue.reports {
            do { tools.append(try ReportTool.description(of: report, limit: limit)) } catch {
                throw .failure("the tool \(report.about.name) cannot be described")
            }
        }
        return tools
    }

    func call(_ params: JSONValue) throws(ProtocolError) -> JSONValue {
        guard let name = params["name"]?.text else { throw .parameters("the tool's name is missing") }
        guard let report = ReportTool.named(name) else {
            throw .parameters(
                "there is no tool \(ForeignText.quoted(name)); the tools are "
                    + ReportCatalogue.reports.map { $0.about.name }.joined(separator: ", "))
        }
        do {
            let answer = try answer(report) { options throws(ReportRefusal) in
                try ReportTool.parameters(params["arguments"], options)
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

    /// - Parameter parameters: made of the options that the report has.
    func answer<Request: ReportRequest>(
        _ report: Request.Type, _ parameters: ([RequestOption]) throws(ReportRefusal) -> [RequestParameter]
    ) throws -> ReportAnswer {
        let request = try report.request(try parameters(report.options))
        return try withContext { context, remarks in
            try context.zoned { () throws(any Error) in
                try ReportAnswer(request, in: context, remarks: remarks, limit: limit)
            }
        }
    }

    private static func result(of answer: ReportAnswer) -> JSONValue {
        guard let data = answer.data else {
            // Without its data a result does not fit the tool's schema, and a client would refuse it.
            return ["content": [["type": "text", "text": .string(answer.marked)]], "isError": true]
        }
        let result: JSONValue = [
            "content": [["type": "text", "text": .string(answer.marked)]], "structuredContent": data, "isError": false,
        ]
        return result.adding([
            "_meta": [
                "rankd/foreignText": .string(ForeignText.warning),
                "rankd/notes": .array(answer.notes.map { .string($0) }),
                "rankd/leftOut": .array(
                    answer.cuts.map {
                        [
                            "list": .string($0.list), "shown": .number(String($0.shown)), "of": .number(String($0.of)),
                        ]
                    }),
            ]
        ])
    }
}
