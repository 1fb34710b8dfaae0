import Algorithms
import History
import RankKit
import Reports

extension AgentServer {
    /// Resources on a page of the list.
    private static let page = 100

    /// The watchlist's apps and queries, a page at a time.
    func resources(_ params: JSONValue) throws(ProtocolError) -> JSONValue {
        var start = 0
        if let cursor = params["cursor"], cursor != .null {
            guard let text = cursor.text, let place = Int(text), place > 0 else {
                throw .parameters("the cursor is none of this server's")
            }
            start = place
        }
        let all: [JSONValue]
        do { all = try listed() } catch { throw .failure(Self.words(for: error) ?? "the history cannot be read") }
        guard start == 0 || start < all.count else { throw .parameters("the cursor is none of this server's") }
        let end = min(all.count, start + Self.page)
        let shown: JSONValue = ["resources": .array(Array(all[start..<end]))]
        return end < all.count ? shown.adding(["nextCursor": .string(String(end))]) : shown
    }

    private func listed() throws(HistoryError) -> [JSONValue] {
        let reader = try HistoryReader(path: database).snapshot()
        let apps = try reader.watchedApps().map { app in
            Self.entry(
                .app(app.bundleID.text), name: app.bundleID.text, title: app.alias,
                app.isMine ? "One of the user's own apps." : "A competitor.")
        }
        let queries = try reader.trackedPairs().map(\.query).filter(\.source.isAsked).uniqued().map { query in
            let place = [query.country.code, query.platform.rawValue] + (query.language.map { [$0] } ?? [])
            return Self.entry(
                .query(
                    text: query.text, country: query.country.code, platform: query.platform.rawValue,
                    language: query.language),
                name: ([query.text] + place).joined(separator: " · "), title: nil,
                "The newest result list of this query.")
        }
        return apps + queries
    }

    private static func entry(_ resource: AgentResource, name: String, title: String?, _ meaning: String)
        -> JSONValue
    {
        let entry: JSONValue = [
            "uri": .string(resource.uri), "name": .string(ForeignText.bounded(name)),
            "description": .string(meaning), "mimeType": "text/markdown",
        ]
        return title.map { entry.adding(["title": .string(ForeignText.bounded($0))]) } ?? entry
    }

    /// Each fitting report as text, or the shape of a tool's data.
    func read(_ params: JSONValue, _ era: ProtocolEra) throws(ProtocolError) -> JSONValue {
        guard let uri = params["uri"]?.text else { throw .parameters("the resource's uri is missing") }
        guard let resource = AgentResource(uri: uri) else {
            throw .noResource(
                uri, "there is no resource \(ForeignText.quoted(uri)); resources/templates/list has the forms", era)
        }
        do {
            if case .shape(let tool) = resource { return ["contents": [try shape(of: tool, resource)]] }
            let reports = resource.reports
            var contents: [JSONValue] = []
            for (name, parameters) in reports {
                guard let report = ReportTool.named(name) else { continue }
                let answer = try answer(report, .usual, limit: limit / reports.count) { _ in parameters }
                contents.append([
                    "uri": .string(resource.uri), "mimeType": "text/markdown", "text": .string(answer.marked),
                ])
            }
            return ["contents": .array(contents)]
        } catch {
            let words = Self.words(for: error) ?? "the resource cannot be read"
            throw error is ReportRefusal ? .noResource(uri, words, era) : .failure(words)
        }
    }

    /// The JSON Schema of what the tool answers with `form: json`.
    private func shape(of tool: String, _ resource: AgentResource) throws -> JSONValue {
        guard let report = ReportTool.named(tool) else {
            throw ReportRefusal.option(
                "there is no tool \(ForeignText.quoted(tool)); the tools are \(ReportTool.names)")
        }
        let schema = try JSONValue(parsing: Array(report.schemaText.utf8)).namingParameters
        return [
            "uri": .string(resource.uri), "mimeType": "application/schema+json",
            "text": .string(String(decoding: schema.bytes, as: UTF8.self)),
        ]
    }
}

extension JSONValue {
    /// A schema whose descriptions name options without hyphens.
    fileprivate var namingParameters: JSONValue {
        switch self {
        case .null, .bool, .number: self
        case .string(let text): .string(text.namingParameters())
        case .array(let elements): .array(elements.map(\.namingParameters))
        case .object(let members):
            .object(members.map { Member(key: $0.key, value: $0.value.namingParameters) })
        }
    }
}
