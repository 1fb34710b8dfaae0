import Foundation
import RankKit
import Reports

/// An app, a query or the shape of a tool's data, by its address.
enum AgentResource: Sendable, Hashable {
    /// By alias or bundle identifier.
    case app(String)
    /// - Parameter language: Apple's code; none for the query without one.
    case query(text: String, country: String, platform: String, language: String? = nil)
    /// Of what a tool answers with in all its fields.
    case shape(tool: String)

    static let templates: JSONValue = [
        [
            "uriTemplate": "rankd://apps/{app}", "name": "app", "title": "An app",
            "description":
                "What happened to an app and where it stands: any app that rankd has ever seen, by alias or bundle id.",
            "mimeType": "text/markdown",
        ],
        [
            "uriTemplate": "rankd://queries/{country}/{platform}/{query}{?language}", "name": "query",
            "title": "A query",
            "description":
                .string(
                    "The newest result list of a query that rankd asks: rankd://queries/us/iphone/habit%20tracker, or "
                        + "rankd://queries/us/iphone/habit%20tracker?language=es_mx if it is asked in a language."),
            "mimeType": "text/markdown",
        ],
        [
            "uriTemplate": "rankd://shapes/{tool}", "name": "shape", "title": "The shape of a tool's data",
            "description": "The JSON Schema of what a tool answers with form: json.",
            "mimeType": "application/schema+json",
        ],
    ]

    /// - Parameter uri: an address of one of the two forms; each part is percent-encoded.
    init?(uri: String) {
        let prefix = "rankd://"
        guard uri.hasPrefix(prefix) else { return nil }
        // Any other question mark is a part of the text, as it is without a language.
        let asked = uri.firstMatch(of: /\?language=([^?\/&#]*)$/)
        let address = asked.map { uri[..<$0.range.lowerBound] } ?? uri[...]
        var parts: [String] = []
        for part in address.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = String(part).removingPercentEncoding, !text.isEmpty, !text.utf8.contains(0) else {
                return nil
            }
            parts.append(text)
        }
        guard let language = String(asked?.1 ?? "").removingPercentEncoding, !language.utf8.contains(0) else {
            return nil
        }
        switch (parts.first, parts.count) {
        case ("apps", 2) where asked == nil: self = .app(parts[1])
        case ("shapes", 2) where asked == nil: self = .shape(tool: parts[1])
        case ("queries", 4):
            let language = language.lowercased()
            let isNone = language.isEmpty || language == Query.noLanguage
            self = .query(
                text: parts[3], country: parts[1], platform: parts[2], language: isNone ? nil : language)
        default: return nil
        }
    }

    var uri: String {
        switch self {
        case .app(let name): "rankd://apps/" + FormText.encoded(name)
        case .shape(let tool): "rankd://shapes/" + FormText.encoded(tool)
        case .query(let text, let country, let platform, let language):
            "rankd://queries/" + [country, platform, text].map(FormText.encoded).joined(separator: "/")
                + (language.map { "?language=" + FormText.encoded($0) } ?? "")
        }
    }

    /// The reports that tell of it, and what they are asked with; none of a shape.
    var reports: [(name: String, parameters: [RequestParameter])] {
        switch self {
        case .shape: return []
        case .app(let app):
            let parameters = [RequestParameter("app", app)]
            return [("timeline", parameters), ("history", parameters)]
        case .query(let text, let country, let platform, let language):
            return [
                (
                    "results",
                    [
                        RequestParameter("query", text), RequestParameter("country", country),
                        RequestParameter("platform", platform),
                        RequestParameter("language", language ?? Query.noLanguage),
                    ]
                )
            ]
        }
    }
}
