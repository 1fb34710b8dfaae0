import HTTPTypes
import Hummingbird
import RankKit
import Reports

extension Visit {
    /// In bytes: longer addresses are nobody's bookmarks.
    static let longestAddress = 8_192
    static let mostParameters = 100

    /// - Throws: `Refusal` for an address that is no text or far too long.
    init(_ request: Request, _ context: SiteContext, now: Timestamp) throws(Refusal) {
        let address = request.head.path ?? "/"
        guard address.utf8.count <= Self.longestAddress else {
            throw Refusal(
                .uriTooLong, "The address is too long",
                "It has more than \(Self.longestAddress) characters. Leave some options out.",
                logged: "an address that is too long")
        }
        guard let path = FormText.decoded(request.uri.path[...], plusIsSpace: false), !path.utf8.contains(0) else {
            throw Self.unreadable
        }
        guard let fields = FormText.fields((request.uri.query ?? "")[...]) else { throw Self.unreadable }
        guard fields.count <= Self.mostParameters else {
            throw Refusal(.badRequest, "Too many parameters", "At most \(Self.mostParameters) are allowed.")
        }
        var captures: [String: String] = [:]
        for (name, value) in context.parameters {
            guard let text = FormText.decoded(value, plusIsSpace: false) else { throw Self.unreadable }
            captures[String(name)] = text
        }
        // The router takes no notice of empty steps. With them, one page would have thousands of addresses.
        let steps = path.split(separator: "/")
        self.init(
            path: "/" + steps.joined(separator: "/"), captures: captures,
            parameters: fields.map { RequestParameter($0.name, $0.value) },
            visitor: context.visitor ?? Visitor(name: "", tags: []), client: context.client, now: now,
            headers: request.headers)
    }

    private static let unreadable = Refusal(
        .badRequest, "The address cannot be read", "It contains an escape that is not valid text (UTF-8).",
        logged: "an address that cannot be read")
}

extension Timestamp {
    var flooredToMinute: Timestamp {
        let seconds = secondsSinceEpoch
        return Timestamp(secondsSinceEpoch: seconds - ((seconds % 60) + 60) % 60)
    }
}
