internal import Foundation
internal import RankKit

/// Where something is sent over HTTP: an address that means the same to everybody who reads it.
package struct OutgoingAddress: Sendable, Hashable {
    /// Why a text is none.
    package enum Mistake: Error, Sendable, Hashable, CustomStringConvertible {
        case malformed
        case tooLong
        /// Neither https, nor http for this machine.
        case scheme
        case userInfo
        case fragment

        package var description: String {
            switch self {
            case .malformed: "is not an address such as https://host/path"
            case .tooLong: "has more than \(OutgoingAddress.longest) bytes"
            case .scheme: "has to begin with https:// (http:// is only for this machine)"
            case .userInfo: "may not contain a user name or a password"
            case .fragment: "may not contain “#”"
            }
        }
    }

    /// With its host as `host` spells it: whoever connects to `host` and whoever reads `text` mean the same one.
    package let text: String
    /// As `AlertAddress.host` spells it; an IPv6 address without brackets.
    package let host: String
    package let isEncrypted: Bool
    /// Whether the address says by itself that it is of this machine.
    package let isLoopback: Bool

    /// In bytes.
    package static let longest = 2_000

    package init(_ text: String) throws(Mistake) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
            let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            text.dropFirst(scheme.count).hasPrefix("://")
        else { throw .malformed }
        guard parts.user == nil, parts.password == nil else { throw .userInfo }
        guard parts.fragment == nil else { throw .fragment }
        // What is read here is what was written: a library may have undone escapes in what it calls the host.
        let rest = text.dropFirst(scheme.count + 3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let host = Self.host(authority), parts.port.map({ (1...65_535).contains($0) }) ?? true else {
            throw .malformed
        }
        isLoopback = host == "localhost" || IPAddress(host)?.isLoopback == true
        guard scheme == "https" || (scheme == "http" && isLoopback) else { throw .scheme }
        isEncrypted = scheme == "https"
        self.host = host
        let port = parts.port.map { ":\($0)" } ?? ""
        self.text = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)\(port)\(rest[authority.endIndex...])"
    }

    /// - Parameter authority: a host and perhaps a port.
    private static func host(_ authority: Substring) -> String? {
        guard authority.hasPrefix("[") else { return AlertAddress.host(authority.prefix { $0 != ":" }) }
        let name = authority.dropFirst().prefix { $0 != "]" }
        return name.contains(":") ? AlertAddress.host(name) : nil
    }
}
