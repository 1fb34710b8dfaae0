import HTTPTypes
import Hummingbird
import RankKit

extension Answer {
    /// The same for a browser that finds the site under a path, such as `/ranks`: every address in the page leads there.
    ///
    /// Controllers write the addresses of the site as they are without one. In the HTML of this site a `"` stands for
    /// itself in tags alone, whatever names are shown, so that an attribute cannot be taken for anything else.
    ///
    /// - Parameter base: nothing where the site has its host to itself.
    func under(_ base: String) -> Answer {
        guard !base.isEmpty else { return self }
        var answer = self
        if type.hasPrefix("text/html") {
            answer.body = Self.prefixed(body, with: Array(base.utf8))
        } else if type == Problem.mediaType {
            answer.body = Self.prefixedProblem(body, with: Array(base.utf8))
        }
        return answer
    }

    /// In a text of JSON a `"` is escaped: these are members, whatever is told.
    private static func prefixedProblem(_ body: [UInt8], with base: [UInt8]) -> [UInt8] {
        var body = body
        for member in ["{\"type\":\"", ",\"instance\":\""].map({ Array($0.utf8) }) {
            if let place = body.firstRange(of: member + [UInt8(ascii: "/")]) {
                body.insert(contentsOf: base, at: place.lowerBound + member.count)
            }
        }
        return body
    }

    private static let attributes = ["href=\"/", "src=\"/", "action=\"/"].map { Array($0.utf8) }
    private static let page = Array("<html lang=\"en\"".utf8)

    private static func prefixed(_ body: [UInt8], with base: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(body.count + body.count / 8)
        var index = 0
        var isTold = false
        while index < body.count {
            // Every attribute has a blank before it.
            if body[index] == UInt8(ascii: " "),
                let attribute = attributes.first(where: { body[(index + 1)...].starts(with: $0) })
            {
                let slash = index + attribute.count
                result += body[index..<slash]
                // Two slashes begin the name of another host.
                if slash + 1 >= body.count || body[slash + 1] != UInt8(ascii: "/") { result += base }
                index = slash
            } else if !isTold, body[index] == UInt8(ascii: "<"), body[index...].starts(with: page) {
                isTold = true
                // The script asks it.
                result += page + Array(" data-base=\"".utf8) + base + [UInt8(ascii: "\"")]
                index += page.count
            } else {
                result.append(body[index])
                index += 1
            }
        }
        return result
    }
}

/// Takes what stands before the site's own paths off those that a web server has passed on with it.
struct BaseResponder<Inner: HTTPResponder>: HTTPResponder where Inner.Context == SiteContext {
    let origins: KnownOrigins
    let inner: Inner

    func respond(to request: Request, context: SiteContext) async throws -> Response {
        guard let origin = origins.one(named: request.head.authority), !origin.base.isEmpty,
            let path = request.head.path
        else { return try await inner.respond(to: request, context: context) }
        let within = origin.pathWithinBase(path)
        guard within != path else { return try await inner.respond(to: request, context: context) }
        var head = request.head
        head.path = within
        return try await inner.respond(to: Request(head: head, body: request.body), context: context)
    }
}
