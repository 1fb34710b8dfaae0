import Foundation

/// An address that messages are sent to: `https`, or `http` on this machine alone.
package struct AlertAddress: Sendable, Hashable {
    /// As it was written. It may be a secret: whoever has it can send.
    package let text: String
    /// Whether it is `https`.
    package let isSecure: Bool
    /// In lower case; an IPv6 address without its brackets.
    package let host: String
    /// 1–65535.
    package let port: Int
    /// Path and query as they are asked for, beginning with `/`.
    package let target: String

    /// In bytes.
    package static let longest = 2_000

    /// Hosts of this machine, which alone `http` may be spoken with.
    package static let loopbackHosts: Set<String> = ["127.0.0.1", "::1", "localhost"]

    package var isLoopback: Bool { Self.loopbackHosts.contains(host) }
    /// Whether it is a server's alone, without path and query.
    package var isOrigin: Bool { target == "/" }
    /// The server's, without path and query, and without a port that is the usual one.
    package var origin: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "https" : "http")://\(name)" + (port == (isSecure ? 443 : 80) ? "" : ":\(port)")
    }

    /// What makes a text no such address. Says nothing of the text, which may be a secret.
    package enum Flaw: Error, Sendable, Hashable, CaseIterable {
        case tooLong, character, scheme, notSecure, user, host, port, fragment

        package var problem: String {
            switch self {
            case .tooLong: "the address is longer than \(AlertAddress.longest) bytes"
            case .character: "the address has a space or another character that is not allowed"
            case .scheme: "the address does not begin with https://"
            case .notSecure: "http sends the message unencrypted"
            case .user: "the address has a user name or a password in it"
            case .host: "the address has no valid host"
            case .port: "the address has an invalid port"
            case .fragment: "the address has “#”, and what follows it is never sent to a server"
            }
        }

        package var remedy: String {
            switch self {
            case .tooLong: "write a shorter one"
            case .character: "write such characters as % and two digits, and a host in its xn-- form"
            case .scheme: "write one such as https://example.com/rankd"
            case .notSecure: "write https://; http is only for 127.0.0.1, ::1 and localhost"
            case .user: "leave out what stands before “@”"
            case .host: "write one such as https://example.com/rankd"
            case .port: "write a number from 1 to 65535, or leave it out"
            case .fragment: "leave out “#” and what follows"
            }
        }
    }

    /// Reads an absolute URL (RFC 3986, 3), more strictly than that: what programs read differently is refused.
    package init(_ text: String) throws(Flaw) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        guard text.utf8.allSatisfy(Self.isCharacter), Self.hasWholeEscapes(text) else { throw .character }
        guard let colon = text.firstRange(of: "://") else { throw .scheme }
        let scheme = text[..<colon.lowerBound].lowercased()
        guard scheme == "https" || scheme == "http" else { throw .scheme }
        let rest = text[colon.upperBound...]
        guard !rest.contains("#") else { throw .fragment }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw .user }
        let (host, portText) = try Self.parts(authority)
        guard let host = Self.host(host) else { throw .host }
        isSecure = scheme == "https"
        guard isSecure || Self.loopbackHosts.contains(host) else { throw .notSecure }
        port = try Self.port(portText) ?? (isSecure ? 443 : 80)
        self.text = text
        self.host = host
        let target = rest[authority.endIndex...]
        self.target = target.hasPrefix("/") ? String(target) : "/" + target
    }

    /// The host of an address; `nil` if `text` is none.
    package static func host(of text: String) -> String? {
        do throws(Flaw) { return try AlertAddress(text).host } catch { return nil }
    }

    /// The one spelling of a host: its name in lower case and without the dot that may end it, or its address without
    /// brackets, as `inet_ntop` writes it. `nil` for what is neither, and for IPv4 addresses in other notations.
    package static func host(_ text: some StringProtocol) -> String? {
        var host = text.lowercased()
        if host.contains(":") {
            var address = in6_addr()
            guard inet_pton(AF_INET6, host, &address) == 1 else { return nil }
            var written = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard inet_ntop(AF_INET6, &address, &written, socklen_t(written.count)) != nil else { return nil }
            return String(decoding: written.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        if host.hasSuffix(".") { host.removeLast() }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= 253,
            labels.allSatisfy({ (1...63).contains($0.utf8.count) && $0.utf8.allSatisfy(isLetterOrDigit) })
        else { return nil }
        // Resolvers take 127.1 and 0x7f000001 for addresses of this machine, and others for names.
        if let last = labels.last, let first = last.utf8.first, isDigit(first) {
            var address = in_addr()
            return inet_pton(AF_INET, host, &address) == 1 ? host : nil
        }
        return host
    }

    /// The host without brackets, and what stands behind the colon.
    private static func parts(_ authority: Substring) throws(Flaw) -> (host: Substring, port: Substring?) {
        guard authority.hasPrefix("[") else {
            let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0], parts.count > 1 ? parts[1] : nil)
        }
        guard let end = authority.firstIndex(of: "]") else { throw .host }
        let host = authority[authority.index(after: authority.startIndex)..<end]
        let rest = authority[authority.index(after: end)...]
        guard host.contains(":"), rest.isEmpty || rest.hasPrefix(":") else { throw .host }
        return (host, rest.isEmpty ? nil : rest.dropFirst())
    }

    private static func port(_ text: Substring?) throws(Flaw) -> Int? {
        guard let text else { return nil }
        guard text.utf8.count <= 5, text.utf8.allSatisfy(isDigit), let port = Int(text), (1...65_535).contains(port)
        else { throw .port }
        return port
    }

    /// Whether each `%` is followed by two digits of base 16.
    private static func hasWholeEscapes(_ text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst().allSatisfy {
            $0.count >= 2 && $0.prefix(2).allSatisfy { isDigit($0) || "abcdefABCDEF".utf8.contains($0) }
        }
    }

    private static func isCharacter(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Hyphens and underscores included, as in the names of hosts.
    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}
