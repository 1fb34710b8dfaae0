import Foundation
import RankKit
import Reports

/// An app or a query by its address.
enum AgentResource: Sendable, Hashable {
    /// By alias or bundle identifier.
    case app(String)
    case query(text: String, country: String, platform: String)

    static let templates: JSONValue = [
        [
            "uriTemplate": "rankd://apps/{app}", "name": "app", "title": "An app",
            "description":
                "What happened to an app and where it stands: any app that rankd has ever seen, by alias or bundle id.",
            "mimeType": "text/markdown",
        ],
        [
            "uriTemplate": "rankd://queries/{country}/{platform}/{query}", "name": "query", "title": "A query",
            "description":
                "The newest result list of a query that rankd asks: rankd://queries/us/iphone/habit%20tracker.",
            "mimeType": "text/markdown",
        ],
    ]

    /// - Parameter uri: an address of one of the two forms; each part is percent-encoded.
    init?(uri: String) {
        let prefix = "rankd://"
        guard uri.hasPrefix(prefix) else { return nil }
        var parts: [String] = []
        for part in uri.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = String(part).removingPercentEncoding, !text.isEmpty, !text.utf8.contains(0) else {
                return nil
            }
            parts.append(text)
        }
        switch (parts.first, parts.count) {
        case ("apps", 2): self = .app(parts[1])
        case ("queries", 4): self = .query(text: parts[3], country: parts[1], platform: parts[2])
        default: return nil
        }
    }

    var uri: String {
        switch self {
        case .app(let name): "rankd://apps/" + FormText.encoded(name)
        case .query(let text, let country, let platform):
            "rankd://queries/" + [country, platform, text].map(FormText.encoded).joined(separator: "/")
        }
    }

    /// The reports that tell of it, and what they are asked with.
    var reports: [(name: String, parameters: [RequestParameter])] {
        switch self {
        case .app(let app):
            let parameters = [RequestParameter("app", app)]
            return [("timeline", parameters), ("history", parameters)]
        case .query(let text, let country, let platform):
            return [
                (
                    "results",
                    [
                        RequestParameter("query", text), RequestParameter("country", country),
                        RequestParameter("platform", platform), RequestParameter("language", Query.noLanguage),
                    ]
                )
            ]
        }
    }
}
