import Foundation
package import RankKit

/// Where an App Store is asked: a scheme, a host and perhaps a port, and nothing else.
package struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// Without a trailing slash, the host as `AlertAddress.host` spells it: pace, pauses and images go by it.
    package let description: String

    package static let apple = Origin(trusted: "https://itunes.apple.com")
    /// The App Store on the web.
    package static let appleWebStore = Origin(trusted: "https://apps.apple.com")

    /// Where a source is asked, if this is who is asked: Apple's web store is a server of its own, and any other server
    /// speaks for both.
    package func serving(_ source: Source) -> Origin {
        self == .apple && source == .web ? .appleWebStore : self
    }

    private init(trusted: String) { description = trusted }

    /// Reads `http://host[:port]` or `https://host[:port]`; a single trailing slash is allowed.
    /// `nil` if `text` is anything else: user names, paths, questions and fragments are refused.
    package init?(_ text: String) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https",
            let written = parts.encodedHost, let host = Self.host(written),
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            parts.path.isEmpty || parts.path == "/"
        else { return nil }
        if let port = parts.port, !(1...65_535).contains(port) { return nil }
        let port = parts.port.map { ":\($0)" } ?? ""
        description = "\(scheme)://\(host)\(port)"
    }

    /// With brackets where it is an IPv6 address.
    private static func host(_ written: String) -> String? {
        guard written.hasPrefix("["), written.hasSuffix("]") else { return AlertAddress.host(written) }
        return AlertAddress.host(written.dropFirst().dropLast()).map { "[\($0)]" }
    }
}
