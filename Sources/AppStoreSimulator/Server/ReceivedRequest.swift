/// A request to the store, decoded: which endpoint, and with what parameters.
package struct ReceivedRequest: Sendable {
    package enum Endpoint: String, Sendable, Hashable, CaseIterable {
        case search, lookup
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
