import Foundation

/// Where an App Store is asked: a scheme, a host and perhaps a port, and nothing else.
package struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// Without a trailing slash.
    package let description: String

    package static let apple = Origin(trusted: "https://itunes.apple.com")

    private init(trusted: String) { description = trusted }

    /// Reads `http://host[:port]` or `https://host[:port]`; a single trailing slash is allowed.
    /// `nil` if `text` is anything else: user names, paths, questions and fragments are refused.
    package init?(_ text: String) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https",
            let host = parts.encodedHost, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            parts.path.isEmpty || parts.path == "/"
        else { return nil }
        if let port = parts.port, !(1...65_535).contains(port) { return nil }
        let port = parts.port.map { ":\($0)" } ?? ""
        description = "\(scheme)://\(host)\(port)"
    }
}
