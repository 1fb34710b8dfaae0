import RankKit

/// A request to the store, decoded: which endpoint, and with what parameters.
package struct ReceivedRequest: Sendable {
    package enum Endpoint: String, Sendable, Hashable, CaseIterable {
        case search, lookup
        /// The web store's page of results; its platform is a parameter here.
        case web
    }

    package let endpoint: Endpoint
    /// By name; of a repeated name the first counts.
    package let parameters: [String: String]

    package init(_ endpoint: Endpoint, _ parameters: [String: String]) {
        self.endpoint = endpoint
        self.parameters = parameters
    }

    package subscript(name: String) -> String? { parameters[name] }

    /// `country` in lower case, the United States where it is absent.
    var country: String { (self["country"] ?? "us").lowercased() }

    /// `entity`, iPhone apps where it is absent.
    var entity: String { self["entity"] ?? "software" }
}

/// The target of an HTTP request: a path, and the parameters behind the question mark.
package struct RequestTarget: Sendable {
    package let path: String
    package let parameters: [String: String]

    /// `nil` if an escape is malformed or what it stands for is not UTF-8.
    package init?(_ target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "")
        guard let fields = FormText.fields(parts.count > 1 ? parts[1] : "") else { return nil }
        parameters = Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
